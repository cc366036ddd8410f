"""Fleets as counts of ships that are alike: taking ships out, joining them, counting them."""

from collections.abc import Iterable, Mapping

from .position import Stack
from .tables import CLASSES, HULL_OF, WEAPON_OF

Navy = dict[tuple[int, int], int]
"""How many ships there are of each (kind, damage in quarters); no entry is 0."""


def navy_of(ships: Iterable[Stack]) -> Navy:
    """The stacks as a navy."""
    return {(kind, damage): count for kind, damage, count in ships}


def stacks_of(navy: Navy) -> tuple[Stack, ...]:
    """The navy in canonical order."""
    return tuple(Stack(kind, damage, navy[kind, damage]) for kind, damage in sorted(navy))


def per_class(navy: Navy) -> dict[int, int]:
    """How many ships of each kind, in canonical order, whatever their damage."""
    counts: dict[int, int] = {}
    for kind, damage in sorted(navy):
        counts[kind] = counts.get(kind, 0) + navy[kind, damage]
    return counts


def class_rows(counts: Mapping[int, int]) -> list[dict[str, str | int]]:
    """Counts of kinds as they are written in events: class and count, in canonical order."""
    return [{"class": CLASSES[kind].name, "count": counts[kind]} for kind in sorted(counts)]


def add(navy: Navy, alike: tuple[int, int], count: int) -> None:
    """Put ships into the navy."""
    navy[alike] = navy.get(alike, 0) + count


def remove(navy: Navy, alike: tuple[int, int], count: int) -> None:
    """Take ships out of the navy that has them."""
    if navy[alike] == count:
        del navy[alike]
    else:
        navy[alike] -= count


def detach(navy: Navy, wanted: Mapping[int, int]) -> Navy:
    """Take the wanted ships of each kind, or all there are, out of the navy: the least damaged first (GO-R24, GO-R25)."""
    away: Navy = {}
    for alike in sorted(navy):
        kind = alike[0]
        count = min(navy[alike], wanted.get(kind, 0) - sum(away[other] for other in away if other[0] == kind))
        if count > 0:
            away[alike] = count
            remove(navy, alike, count)
    return away


def starve(navy: Navy, count: int) -> dict[int, int]:
    """Take so many ships out of the navy for lack of supply (GO-R50); gives the losses of each kind."""
    lost: dict[int, int] = {}
    for alike in sorted(navy, key=lambda alike: (HULL_OF[alike[0]], -alike[1], WEAPON_OF[alike[0]])):
        gone = min(navy[alike], count)
        if not gone:
            break
        remove(navy, alike, gone)
        lost[alike[0]] = lost.get(alike[0], 0) + gone
        count -= gone
    return lost
