"""Orders in canonical form: written by their `text` (see `world.commands`), and read here, strictly; and what each is for."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from .world.commands import (
    MOVE_ORDERS,
    VOTES,
    Build,
    Concede,
    Convoy,
    Disband,
    Draw,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from .world.units import PLACE, Unit

_PLACE = re.compile(PLACE)
_ALONE: Mapping[str, Callable[[Unit], Order]] = {"H": Hold, "D": Disband, "B": Build}
_BARE: Mapping[str, Order] = {"WAIVE": Waive(), "DRAW": Draw()}


@lru_cache(maxsize=16384)
def read_canonical(line: str) -> Order | None:
    """The order of a canonical line; None for a line that is none. Whether it can be carried out is not asked."""
    order = _read(line)
    if order is not None:
        vars(order)["text"] = line  # as it would be written: it need not be rebuilt
    return order


def _read(line: str) -> Order | None:
    words = line.split(" ")
    if len(words) < 3:
        return _BARE.get(line) or _concession(line)
    unit, verb, rest = _unit(words[0], words[1]), words[2], words[3:]
    if unit is None:
        return _concession(line)
    if not rest:
        return _ALONE[verb](unit) if verb in _ALONE else None
    if verb == "S" or verb == "C":
        return _help(unit, verb, rest)
    if not _is_place(rest[0]):
        return None
    if verb == "R":
        return Retreat(unit, rest[0], tuple(rest[1:])) if all(map(_is_place, rest)) and "VIA" not in rest else None
    via = rest[1:] == ["VIA"]
    return Move(unit, rest[0], via) if verb == "-" and (via or len(rest) == 1) else None


@lru_cache(maxsize=1024)
def _is_place(word: str) -> bool:
    return _PLACE.fullmatch(word) is not None


@lru_cache(maxsize=1024)
def _unit(kind: str, place: str) -> Unit | None:
    if kind not in ("A", "F") or not _is_place(place):
        return None
    return Unit("A" if kind == "A" else "F", place)


def _help(unit: Unit, verb: str, rest: list[str]) -> Order | None:
    """A support or a convoy; the remaining words are the unit that is helped and perhaps its move."""
    other = _unit(rest[0], rest[1]) if len(rest) > 1 else None
    if other is None:
        return None
    if len(rest) == 2:
        return SupportHold(unit, other) if verb == "S" else None
    if len(rest) != 4 or rest[2] != "-" or not _is_place(rest[3]):
        return None
    return SupportMove(unit, other, rest[3]) if verb == "S" else Convoy(unit, other, rest[3])


def _concession(line: str) -> Order | None:
    word, _, power = line.partition(" ")
    return Concede(power) if word == "CONCEDE" and power and power == power.strip() else None


_SLOTS: Mapping[type[Order], str] = {
    **dict.fromkeys(MOVE_ORDERS, "moves"),
    Retreat: "leaves",
    Disband: "leaves",
    Build: "builds",
}


def key_of(order: Order, waived: int = 0) -> str:
    """What an order is for, of which there can be one only: ``moves PAR`` is the unit in Paris in the moves, ``leaves PAR`` the
    same when it retreats or is removed, ``builds PAR`` the place of a build, ``votes`` the vote, which touches no other order.
    Waived builds are distinguished by how many were `waived` before."""
    if isinstance(order, VOTES):
        return "votes"
    return f"waived {waived + 1}" if isinstance(order, Waive) else f"{_SLOTS[type(order)]} {order.unit.province}"


def keys_of(orders: Iterable[Order]) -> tuple[str, ...]:
    """The keys of a sheet's orders, in the order written."""
    found: list[str] = []
    waived = 0
    for order in orders:
        found.append(key_of(order, waived))
        waived += isinstance(order, Waive)
    return tuple(found)
