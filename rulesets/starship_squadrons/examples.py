"""Right lines for players whose own was wrong: of the same kind, with their own counters, as things are now."""

from collections.abc import Callable, Mapping

from .factors import Factors
from .hexes import neighbours
from .orders import (
    ALL,
    ANY_QUESTION,
    BuildPlanet,
    BuildSquadron,
    BuyAdmirals,
    BuyQuestions,
    BuySupply,
    Disband,
    Fire,
    FormFleet,
    HoldFire,
    Impulse,
    Jump,
    Move,
    NoRepair,
    Pass,
    PlaceQuestion,
    Repair,
    Target,
    Transfer,
    Wait,
)
from .state import Place, Position, Unit

_MODEST = Factors(2, 4, 4, 10, 4, 3, 1)
_TOLD_BY_TWO: tuple[str, ...] = ("HOLD", "NO")
"""First words of orders that are told by their second."""


def example_for(position: Position, player: str, text: str) -> str:
    """A right line of the same kind as the one written, or one that is always right."""
    words = text.upper().replace(":", " ").split()
    word = " ".join(words[:2]) if words and words[0] in _TOLD_BY_TWO else words[0] if words else ""
    table = _SETUP if position.phase == "setup" else _DAY
    make = table.get("SQUADRON" if position.phase == "setup" and "SQUADRON" in words else word)
    return (make(position, player) if make else "") or ("BUY ? 2" if position.phase == "setup" else Pass().text)


def _units(position: Position, player: str) -> list[Unit]:
    return [unit for unit in position.units if unit.player == player]


def _impulse(position: Position) -> Impulse:
    return 0 if position.in_phases else 1


def _move(position: Position, player: str) -> str:
    for unit in _units(position, player):
        if unit.is_squadron and unit.place is not None:
            size = position.by_system[unit.place.system].size
            near = [where for where in neighbours(unit.place.hex) if size.holds(where)]
            return Move(_impulse(position), (unit.name,), (near[-1],)).text if near else ""
    return ""


def _fire(position: Position, player: str) -> str:
    armed = [unit for unit in _units(position, player) if unit.printed.attack + unit.admirals]
    return Fire(_impulse(position), (armed[0].name,), (Target("nearest"),)).text if armed else ""


def _hold(position: Position, _player: str) -> str:
    return HoldFire(_impulse(position)).text


def _transfer(position: Position, player: str) -> str:
    own = _units(position, player)
    return Transfer(1, "supply", own[0].name, own[1].name).text if len(own) > 1 else ""


def _repair(position: Position, player: str) -> str:
    own = _units(position, player)
    return Repair((own[0].name,), 1, "SELF").text if own else ""


def _no_repair(_position: Position, _player: str) -> str:
    return NoRepair((ALL,)).text


def _jump(position: Position, player: str) -> str:
    for unit in _units(position, player):
        if unit.is_squadron and unit.place is not None:
            for system in position.systems:
                away = position.jump_distance(unit.place.system, system.name)
                size = system.size
                corners = (size.last, *neighbours(size.last))
                free = [where for where in corners if size.holds(where) and not system.is_within_limit(where)]
                if 0 < away <= unit.printed.jump and free:
                    return Jump((unit.name,), Place(system.name, free[0])).text
    return ""


def _place(position: Position, player: str) -> str:
    own = [unit for unit in _units(position, player) if unit.place is not None]
    reserve = any(question.player == player and question.in_reserve for question in position.questions)
    has_any = reserve or position.questions_due(player)
    return PlaceQuestion(ANY_QUESTION, own[0].place).text if own and has_any else ""


def _fleet(position: Position, player: str) -> str:
    own = [unit for unit in _units(position, player) if unit.place is not None and unit.is_squadron]
    return FormFleet("Alpha", (own[0].name,)).text if own else ""


def _disband(position: Position, player: str) -> str:
    return next((Disband(fleet.name).text for fleet in position.fleets if fleet.player == player), "")


def _wait(position: Position, _player: str) -> str:
    return "" if position.in_phases or not position.options.allow_wait else Wait(2).text


_DAY: Mapping[str, Callable[[Position, str], str]] = {
    "MOVE": _move,
    "FIRE": _fire,
    "HOLD FIRE": _hold,
    **dict.fromkeys(("TRANSFER", "LOAD"), _transfer),
    "REPAIR": _repair,
    "NO REPAIR": _no_repair,
    "JUMP": _jump,
    "PLACE": _place,
    "FLEET": _fleet,
    "DISBAND": _disband,
    "WAIT": _wait,
}


def _zone(position: Position, player: str) -> Place | None:
    """A hex where the player can deploy."""
    side = position.side_of(player)
    for system in position.systems:
        for zone in system.deploy:
            for body in system.bodies:
                if zone.side == side == body.owner and zone.first <= body.hex.column <= zone.last:
                    return Place(system.name, body.hex)
    return None


def _squadron(position: Position, player: str) -> str:
    return BuildSquadron("Cruiser", _MODEST, _zone(position, player)).text


def _planet(position: Position, player: str) -> str:
    bodies = (body for system in position.systems for body in system.bodies if body.commander == player)
    body = next(bodies, None)
    return BuildPlanet(body.name, _MODEST._replace(jump=0, maneuver=0)).text if body else ""


def _buy(_position: Position, _player: str) -> str:
    return " or ".join((BuyQuestions(2).text, BuyAdmirals(1, "Cruiser").text, BuySupply(2, "Cruiser").text))


def _place_at_setup(position: Position, player: str) -> str:
    zone = _zone(position, player)
    return PlaceQuestion("Q1", zone).text if zone else PlaceQuestion("Q1", None, "Cruiser").text


def _fleet_at_setup(_position: Position, _player: str) -> str:
    return FormFleet("Alpha", ("Cruiser", "Q1")).text


_SETUP: Mapping[str, Callable[[Position, str], str]] = {
    "SQUADRON": _squadron,
    "PLANET": _planet,
    "BUY": _buy,
    "PLACE": _place_at_setup,
    "FLEET": _fleet_at_setup,
}
