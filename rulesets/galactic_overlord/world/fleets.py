"""Fleets as counts of identical ships: taking ships out, joining them, counting them."""

from collections.abc import Mapping
from typing import Any, TypeVar

from ..tables import DAMAGE_OF, HULL_OF, KIND_OF, NAME_OF, STATES, WEAPON_OF

T = TypeVar("T")

Navy = dict[int, int]
"""How many ships there are for each number of identical ships (see `tables.STATES`); no entry is 0."""


def per_class(navy: Navy) -> dict[int, int]:
    """How many ships of each kind, in canonical order, whatever their damage."""
    counts: dict[int, int] = {}
    for alike in sorted(navy):
        kind = KIND_OF[alike]
        counts[kind] = counts.get(kind, 0) + navy[alike]
    return counts


def class_rows(counts: Mapping[int, int]) -> list[dict[str, str | int]]:
    """Counts of kinds as they are written in events: class and count, in canonical order."""
    return [{"class": NAME_OF[kind], "count": counts[kind]} for kind in sorted(counts)]


def navy_rows(navy: Navy) -> list[dict[str, Any]]:
    """The rows of a navy: what `class_rows` gives for `per_class`, in one go."""
    rows: list[dict[str, Any]] = []
    before = -1
    for alike in sorted(navy):
        kind = KIND_OF[alike]
        if kind == before:
            rows[-1]["count"] += navy[alike]
        else:
            rows.append({"class": NAME_OF[kind], "count": navy[alike]})
            before = kind
    return rows


def player_rows(player: str, counts: Mapping[int, int]) -> list[dict[str, str | int]]:
    """The same with the player's name in each row."""
    return [{"player": player, "class": NAME_OF[kind], "count": counts[kind]} for kind in sorted(counts)]


def add(counts: dict[T, int], thing: T, count: int) -> None:
    """Put ships into a navy, or into another count of theirs."""
    counts[thing] = counts.get(thing, 0) + count


def remove(counts: dict[T, int], thing: T, count: int) -> None:
    """Take ships out of a navy, or another count, that has them."""
    if counts[thing] == count:
        del counts[thing]
    else:
        counts[thing] -= count


def detach(navy: Navy, wanted: Mapping[int, int]) -> Navy:
    """Take the wanted ships of each kind, or all there are, out of the navy: the least damaged first (GO-R24, GO-R25)."""
    away: Navy = {}
    for kind in sorted(wanted):
        still, undamaged = wanted[kind], kind * STATES
        if navy.get(undamaged, 0) > still > 0:
            # Nearly always the case, and then the navy need not be searched.
            away[undamaged] = still
            navy[undamaged] -= still
            continue
        for alike in sorted([alike for alike in navy if KIND_OF[alike] == kind]):
            count = min(navy[alike], still)
            if count:
                away[alike] = count
                still -= count
                remove(navy, alike, count)
    return away


def starve(navy: Navy, count: int) -> dict[int, int]:
    """Take this many ships out of the navy for lack of supply (GO-R50); returns the losses of each kind."""

    def place(alike: int) -> tuple[int, int, int]:
        kind = KIND_OF[alike]
        return HULL_OF[kind], -DAMAGE_OF[alike], WEAPON_OF[kind]

    lost: dict[int, int] = {}
    for alike in sorted(navy, key=place):
        gone = min(navy[alike], count)
        if not gone:
            break
        remove(navy, alike, gone)
        add(lost, KIND_OF[alike], gone)
        count -= gone
    return lost
