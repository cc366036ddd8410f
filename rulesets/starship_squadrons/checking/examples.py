"""Lines that may be right for players whose own was wrong: of the same kind, with their own counters, as things are now.

Whether they are is tried where the line is checked.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, count
from typing import Any

from pbmd.rules import fold

from ..orders import (
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
from ..world.condition import supply_room
from ..world.counters import Unit
from ..world.factors import Factors
from ..world.hexes import neighbours
from ..world.state import Position
from ..world.systems import Place

_MODEST = Factors(2, 4, 4, 10, 4, 3, 1)
_SMALL = Factors(attack=1)
_FLEETS = ("Alpha", "Beta", "Gamma", "Delta")
_MOST_TRIED = 20
_TOLD_BY_TWO: tuple[str, ...] = ("HOLD", "NO")
"""First words of orders that are told by their second."""


def day_examples(position: Position, player: str, text: str) -> Iterator[str]:
    """Lines of the same kind as the one written, the likeliest to be right first, then one that is always right."""
    yield from _of_kind(_DAY, text, position, player)
    yield Pass().text


def setup_examples(position: Position, player: str, units: Mapping[str, Unit], text: str) -> Iterator[str]:
    """The same for a set-up; `units` are those built above the line. What costs points may be too dear."""
    yield from _of_kind(_SETUP, text, position, player, units)
    yield from _buy(position, player, units)
    yield from _squadron(position, player, units)
    yield from _fleet_at_setup(position, player, units)


def _of_kind(table: Mapping[str, Callable[..., Iterator[str]]], text: str, *known: Any) -> Iterator[str]:
    words = text.upper().replace(":", " ").split()
    word = " ".join(words[:2]) if words and words[0] in _TOLD_BY_TWO else words[0] if words else ""
    make = table.get("SQUADRON" if table is _SETUP and "SQUADRON" in words else word)
    return make(*known) if make else iter(())


def _units(position: Position, player: str) -> list[Unit]:
    return [unit for unit in position.units if unit.player == player]


def _squadrons(position: Position, player: str) -> list[tuple[Unit, Place]]:
    """The player's squadrons on boards with their places."""
    return [(unit, unit.place) for unit in _units(position, player) if unit.is_squadron and unit.place is not None]


def _impulse(position: Position) -> Impulse:
    return 0 if position.in_phases else 1


def _move(position: Position, player: str) -> Iterator[str]:
    for unit, place in _squadrons(position, player):
        near = [where for where in neighbours(place.hex) if position.by_system[place.system].size.holds(where)]
        if near:
            yield Move(_impulse(position), (unit.name,), (near[-1],)).text


def _fire(position: Position, player: str) -> Iterator[str]:
    for unit in _units(position, player):
        yield Fire(_impulse(position), (unit.name,), (Target("nearest"),)).text


def _hold(position: Position, _player: str) -> Iterator[str]:
    yield HoldFire(_impulse(position)).text


def _transfer(position: Position, player: str) -> Iterator[str]:
    """Between units that are together now and have room; failing that between any two, which may yet meet."""
    own = _units(position, player)
    pairs = [(giver, taker) for giver in own for taker in own if giver is not taker]
    per_factor = position.options.supply_per_factor
    able = (
        Transfer(1, "supply", giver.name, taker.name).text
        for giver, taker in pairs
        if giver.place and giver.place == taker.place and giver.supplies and taker.supplies < supply_room(taker, per_factor)
    )
    return chain(able, (Transfer(1, "supply", giver.name, taker.name).text for giver, taker in pairs[:1]))


def _repair(position: Position, player: str) -> Iterator[str]:
    for unit in sorted(_units(position, player), key=lambda unit: not (unit.damage and unit.supplies)):
        yield Repair((unit.name,), 1, "SELF").text


def _no_repair(_position: Position, _player: str) -> Iterator[str]:
    yield NoRepair((ALL,)).text


def _jump(position: Position, player: str) -> Iterator[str]:
    for unit, place in _squadrons(position, player):
        for system in position.systems:
            away = position.jump_distance(place.system, system.name)
            size = system.size
            corners = (size.last, *neighbours(size.last))
            free = [where for where in corners if size.holds(where) and not system.is_within_limit(where)]
            if 0 < away <= unit.printed.jump and free:
                yield Jump((unit.name,), Place(system.name, free[0])).text


def _place(position: Position, player: str) -> Iterator[str]:
    for unit in _units(position, player):
        if unit.place is not None:
            yield PlaceQuestion(ANY_QUESTION, unit.place).text


def _fleet(position: Position, player: str) -> Iterator[str]:
    for unit, _ in _squadrons(position, player)[:1]:
        yield from (FormFleet(name, (unit.name,)).text for name in _FLEETS)


def _disband(position: Position, player: str) -> Iterator[str]:
    yield from (Disband(fleet.name).text for fleet in position.fleets if fleet.player == player)


def _wait(_position: Position, _player: str) -> Iterator[str]:
    yield Wait(2).text


_DAY: Mapping[str, Callable[..., Iterator[str]]] = {
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


# --- Set-up --------------------------------------------------------------------------------------------------------------


def _zone(position: Position, player: str) -> Place | None:
    """A hex where the player can deploy."""
    side = position.side_of(player)
    for system in position.systems:
        for zone in system.deploy:
            for body in system.bodies:
                if zone.side == side == body.owner and zone.first <= body.hex.column <= zone.last:
                    return Place(system.name, body.hex)
    return None


def _squadron(position: Position, player: str, units: Mapping[str, Unit]) -> Iterator[str]:
    taken = {*map(fold, units)}
    name = next(name for name in chain(("Cruiser",), (f"Cruiser {number}" for number in count(2))) if fold(name) not in taken)
    where = _zone(position, player)
    yield from (BuildSquadron(name, factors, where).text for factors in (_MODEST, _SMALL))


def _planet(position: Position, player: str, _units: Mapping[str, Unit]) -> Iterator[str]:
    for body in (body for system in position.systems for body in system.bodies if body.commander == player):
        yield from (
            BuildPlanet(body.name, factors._replace(jump=0, maneuver=0)).text for factors in (_MODEST, _SMALL)
        )  # fmt: skip


def _buy(_position: Position, _player: str, units: Mapping[str, Unit]) -> Iterator[str]:
    yield BuyQuestions(2).text
    yield BuyQuestions(1).text
    for name in [*units][:_MOST_TRIED]:
        yield from (BuyAdmirals(1, name).text, BuySupply(1, name).text)


def _place_at_setup(position: Position, player: str, units: Mapping[str, Unit]) -> Iterator[str]:
    yield from (PlaceQuestion(ANY_QUESTION, None, name).text for name in [*units][:1])
    if zone := _zone(position, player):
        yield PlaceQuestion(ANY_QUESTION, zone).text


def _fleet_at_setup(_position: Position, _player: str, units: Mapping[str, Unit]) -> Iterator[str]:
    squadrons = [name for name, unit in units.items() if unit.is_squadron]
    yield from (FormFleet(fleet, (name,)).text for name in squadrons[:1] for fleet in _FLEETS)


_SETUP: Mapping[str, Callable[..., Iterator[str]]] = {
    "SQUADRON": _squadron,
    "PLANET": _planet,
    "BUY": _buy,
    "PLACE": _place_at_setup,
    "FLEET": _fleet_at_setup,
}
