"""Lines that may be right for players whose own was wrong: of the kind that is spelt most like it, first with what they name in
it, and their own counters, as things are now. The check of the line tries whether they are right."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import chain, count, permutations
from typing import NamedTuple, TypeVar

from pbmd.rules import fold

from .. import orders
from ..world.condition import supply_room
from ..world.counters import Unit
from ..world.factors import Factors
from ..world.hexes import neighbours
from ..world.state import Position
from ..world.systems import Place

T = TypeVar("T")

_MODEST = Factors(2, 4, 4, 10, 4, 3, 1)
_SMALL = Factors(attack=1)
_FLEETS = ("Alpha", "Beta", "Gamma", "Delta")
_MOST_NAMES = 8
_HARMLESS = ("HOLD FIRE", "REPAIR", "NO REPAIR", "WAIT")
"""Units that may give things to each other."""


class _Asked(NamedTuple):
    """Who wrote what; `units` are the player's, or those built above in the letter, most likely ones first."""

    position: Position
    player: str
    text: str
    units: list[Unit]

    @property
    def squadrons(self) -> list[tuple[Unit, Place]]:
        """Those on boards, with their places."""
        return [(unit, unit.place) for unit in self.units if unit.is_squadron and unit.place is not None]

    @property
    def impulse(self) -> orders.Impulse:
        return 0 if self.position.in_phases else 1

    def likeliest(self, things: Iterable[T], name_of: Callable[[T], str]) -> list[T]:
        """First those whose whole name is in the line, then those with a word of it."""
        words = self.text.replace(",", " ").split()

        def unlikely(thing: T) -> int:
            name = fold(name_of(thing))
            return 0 if name in self.text else 1 if any(word in words for word in name.split()) else 2

        return sorted(things, key=unlikely)


_Maker = Callable[[_Asked], Iterator[str]]


def _asked(position: Position, player: str, text: str, units: Iterable[Unit]) -> _Asked:
    asked = _Asked(position, player, fold(text), [])
    return asked._replace(units=asked.likeliest(units, lambda unit: unit.name))


def day_examples(position: Position, player: str, text: str) -> Iterator[str]:
    """Lines for the day, of the kind that was written."""
    own = (unit for unit in position.units if unit.player == player)
    return _of_kind(_DAY, text)(_asked(position, player, text, own))


def setup_examples(position: Position, player: str, units: Iterable[Unit], text: str) -> Iterator[str]:
    """The same for a set-up; `units` are those built above. What costs points may be too expensive."""
    return _of_kind(_SETUP, text)(_asked(position, player, text, units))


def harmless_examples(position: Position, player: str, text: str) -> Iterator[str]:
    """Those for the day in which nobody moves, fires or gives anything away."""
    return (line for line in day_examples(position, player, text) if line.startswith(_HARMLESS))


def _of_kind(kinds: Mapping[str, _Maker], text: str) -> _Maker:
    """What makes lines of the kind whose first words are most like those of the text."""
    words = text.upper().replace(":", " ").split() or [""]
    if kinds is _SETUP and "SQUADRON" in words:
        return _squadron
    told = next((each for each in (" ".join(words[:2]), words[0]) if each in kinds), "")
    near = [told] if told else get_close_matches(words[0], kinds, n=1)
    return kinds[near[0]] if near else _nothing


def _nothing(_asked: _Asked) -> Iterator[str]:
    return iter(())


def _move(asked: _Asked) -> Iterator[str]:
    for unit, place in asked.squadrons:
        near = [where for where in neighbours(place.hex) if asked.position.by_system[place.system].size.holds(where)]
        if near:
            yield orders.Move(asked.impulse, (unit.name,), (near[-1],)).text


def _fire(asked: _Asked) -> Iterator[str]:
    return (orders.Fire(asked.impulse, (unit.name,), (orders.Target("nearest"),)).text for unit in asked.units)


def _hold(asked: _Asked) -> Iterator[str]:
    yield orders.HoldFire(asked.impulse).text


def _transfer(asked: _Asked) -> Iterator[str]:
    """Between units that are together now and have room; otherwise between any two, which may meet later."""
    pairs = [*permutations(asked.units[:_MOST_NAMES], 2)]
    per_factor = asked.position.options.supply_per_factor
    able = (
        (giver, taker)
        for giver, taker in pairs
        if giver.place and giver.place == taker.place and giver.supplies and taker.supplies < supply_room(taker, per_factor)
    )
    return (orders.Transfer(1, "supply", giver.name, taker.name).text for giver, taker in chain(able, pairs[:1]))


def _repair(asked: _Asked) -> Iterator[str]:
    hurt_first = sorted(asked.units, key=lambda unit: not (unit.damage and unit.supplies))
    return (orders.Repair((unit.name,), 1, "SELF").text for unit in hurt_first)


def _no_repair(_asked: _Asked) -> Iterator[str]:
    yield orders.NoRepair((orders.ALL,)).text


def _jump(asked: _Asked) -> Iterator[str]:
    position = asked.position
    for unit, place in asked.squadrons:
        for system in asked.likeliest(position.systems, lambda system: system.name):
            away = position.jump_distance(place.system, system.name)
            size = system.size
            corners = (size.last, *neighbours(size.last))
            free = [where for where in corners if size.holds(where) and not system.is_within_limit(where)]
            if 0 < away <= unit.printed.jump and free:
                yield orders.Jump((unit.name,), Place(system.name, free[0])).text


def _place(asked: _Asked) -> Iterator[str]:
    return (orders.PlaceQuestion(orders.ANY_QUESTION, unit.place).text for unit in asked.units if unit.place is not None)


def _fleet(asked: _Asked) -> Iterator[str]:
    return (orders.FormFleet(name, (unit.name,)).text for unit, _ in asked.squadrons[:1] for name in _FLEETS)


def _disband(asked: _Asked) -> Iterator[str]:
    fleets = (fleet for fleet in asked.position.fleets if fleet.player == asked.player)
    return (orders.Disband(fleet.name).text for fleet in asked.likeliest(fleets, lambda fleet: fleet.name))


def _wait(_asked: _Asked) -> Iterator[str]:
    yield orders.Wait(2).text


_DAY: Mapping[str, _Maker] = {
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


def _zone(asked: _Asked) -> Place | None:
    return next(iter(asked.position.havens_of(asked.position.side_of(asked.player))), None)


def _squadron(asked: _Asked) -> Iterator[str]:
    taken = {fold(unit.name) for unit in asked.units}
    numbered = (f"Cruiser {number}" for number in count(2))
    name = next(name for name in chain(("Cruiser",), numbered) if fold(name) not in taken)
    return (orders.BuildSquadron(name, factors, _zone(asked)).text for factors in (_MODEST, _SMALL))


def _planet(asked: _Asked) -> Iterator[str]:
    for name in asked.likeliest(asked.position.planets_of(asked.player), str):
        yield from (orders.BuildPlanet(name, factors._replace(jump=0, maneuver=0)).text for factors in (_MODEST, _SMALL))


def _buy(asked: _Asked) -> Iterator[str]:
    yield orders.BuyQuestions(2).text
    yield orders.BuyQuestions(1).text
    for unit in asked.units:
        yield from (orders.BuyAdmirals(1, unit.name).text, orders.BuySupply(1, unit.name).text)


def _place_at_setup(asked: _Asked) -> Iterator[str]:
    yield from (orders.PlaceQuestion(orders.ANY_QUESTION, None, unit.name).text for unit in asked.units[:1])
    if zone := _zone(asked):
        yield orders.PlaceQuestion(orders.ANY_QUESTION, zone).text


_SETUP: Mapping[str, _Maker] = {
    "SQUADRON": _squadron,
    "PLANET": _planet,
    "BUY": _buy,
    "PLACE": _place_at_setup,
    "FLEET": _fleet,
}
