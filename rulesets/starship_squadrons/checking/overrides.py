"""Lines of a letter that later ones replace (SQ-R04): what the acknowledgement says about them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pbmd.rules.checking import Answer, Right
from pbmd.rules.words import listing

from ..orders import ALL, Fire, HoldFire, Jump, Move, NoRepair, Order, Repair, Wait
from ..world.counters import Question, Unit
from .lookup import Own

_MOST_NAMES = 5
_WORDS = "a line below counts instead"
_RIVALS: Mapping[str, str] = {"repair": "no repair", "no repair": "repair"}
"""Lines about repairs add up, except opposite ones."""


class _Matter(NamedTuple):
    """What an order decides: for a counter ("" for the whole letter) something in an impulse (0 where there is none)."""

    what: str
    counter: str
    impulse: int


def with_overrides(given: Sequence[Answer], own: Own, *, in_phases: bool) -> list[Answer]:
    """The answers, with a message on the lines that later ones replace: a remark if nothing is left of a line, else a note.
    `own` has the fleets as they are when orders are carried out."""
    later: set[_Matter] = set()
    answers: list[Answer] = []
    for answer in reversed(given):
        if isinstance(answer, Right):
            matters = _matters(answer.order, own, (0,) if in_phases else (1, 2))
            lost = [matter for matter in matters if matter._replace(what=_RIVALS.get(matter.what, matter.what)) in later]
            later |= {*matters}
            if lost and lost == matters:
                answer = answer._replace(remark="; ".join(filter(None, (answer.remark, _WORDS))))
            elif lost:
                answer = answer._replace(note=f"{_WORDS}{_for_what(lost, matters)}")
        answers.append(answer)
    return answers[::-1]


def _matters(order: Order, own: Own, impulses: tuple[int, ...]) -> list[_Matter]:
    match order:
        case Move():
            return _each("move", own, order.counters, (order.impulse,) if order.impulse else impulses)
        case Fire() | HoldFire():
            return _each("fire", own, order.units, (order.impulse,) if order.impulse else impulses, only_units=True)
        case Repair():
            return _each("repair", own, order.units, (0,), only_units=True)
        case NoRepair():
            return _each("no repair", own, order.units, (0,), only_units=True)
        case Jump():
            return _each("jump", own, order.counters, (0,))
        case Wait():
            return [_Matter("wait", "", 0)]
        case _:
            return []


def _each(what: str, own: Own, names: Iterable[str], impulses: Iterable[int], *, only_units: bool = False) -> list[_Matter]:
    counters: dict[str, None] = {}
    for name in names:
        members: Iterable[Unit | Question] = own.members(name) if name != ALL or not only_units else own.units.values()
        for counter in members:
            if isinstance(counter, Unit):
                counters[counter.name] = None
            elif not only_units:
                counters[counter.id] = None
    return [_Matter(what, counter, impulse) for impulse in impulses for counter in counters]


def _for_what(lost: Sequence[_Matter], all_of_it: Sequence[_Matter]) -> str:
    """Like " for Iron Duke in impulse 1"."""
    impulses: Mapping[int, list[str]] = {matter.impulse: [] for matter in lost}
    for matter in lost:
        impulses[matter.impulse].append(matter.counter)
    parts = [f"{_names(names)}{f' in impulse {number}' if number else ''}" for number, names in impulses.items()]
    same = len({*map(tuple, impulses.values())}) == 1 and len(impulses) == len({matter.impulse for matter in all_of_it})
    return f" for {_names(next(iter(impulses.values())))}" if same else f" for {listing(parts)}"


def _names(names: Sequence[str]) -> str:
    """A list that stays short."""
    if len(names) <= _MOST_NAMES:
        return listing(names)
    return listing([*names[: _MOST_NAMES - 1], f"{len(names) - _MOST_NAMES + 1} others"])
