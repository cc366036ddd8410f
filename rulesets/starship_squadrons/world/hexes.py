"""Hexes with flat tops (section 7.1 of the rules): cube coordinates inside, the printed ``ccrr`` outside.

Columns run from top to bottom and are numbered from 01, as are their rows; even columns lie half a hex lower than odd ones.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, NamedTuple

from pydantic import Field

from pbmd.rules.codec import WrittenAs, row

_LARGEST = 99
"""The most columns or rows: a printed number has two digits for each."""
Length = Annotated[int, Field(ge=1, le=_LARGEST)]

_PRINTED = re.compile(r"(\d\d)[-/]?(\d\d)")


class Hex(NamedTuple):
    """A hex by two of its cube coordinates (the third is −q − s); they sort like the printed numbers."""

    q: int
    s: int

    @property
    def column(self) -> int:
        """The printed column, from 1."""
        return self.q + 1

    @property
    def row(self) -> int:
        """The printed row, from 1."""
        return self.s + 1 + (self.q - self.q % 2) // 2

    @property
    def text(self) -> str:
        """The printed number, like "0506"."""
        return f"{self.column:02}{self.row:02}"


@row
class Size(NamedTuple):
    """How many columns and rows a board has; usual is that of the jump map."""

    columns: Length = 9
    rows: Length = 7

    def holds(self, where: Hex) -> bool:
        """Whether the hex is on a board of this size."""
        return 1 <= where.column <= self.columns and 1 <= where.row <= self.rows

    @property
    def last(self) -> Hex:
        """The hex with the highest number."""
        return hex_at(self.columns, self.rows)

    @property
    def hexes(self) -> Iterator[Hex]:
        """All hexes, column by column."""
        return (hex_at(column, row) for column in range(1, self.columns + 1) for row in range(1, self.rows + 1))

    @property
    def text(self) -> str:
        """The numbers of the first and the last hex, like "0101–1915"."""
        return f"0101–{self.last.text}"


JUMP_SIZE = Size()


def hex_at(column: int, row: int) -> Hex:
    """The hex in that column and row, both from 1."""
    q = column - 1
    return Hex(q, row - 1 - (q - q % 2) // 2)


def hex_named(text: str) -> Hex | None:
    """The hex of a printed number ("0506", "05-06" or "05/06"); None if it is no number of a hex."""
    found = _PRINTED.fullmatch(text)
    if found is None or "00" in found.groups():
        return None
    return hex_at(int(found[1]), int(found[2]))


def _read_hex(text: str) -> Hex:
    if (found := hex_named(text)) is None:
        raise ValueError(f'"{text:.60}" is no hex; hexes are written like 0506')
    return found


PrintedHex = Annotated[Hex, WrittenAs(str, _read_hex, lambda where: where.text)]
"""A hex that is written in documents as its number."""


def distance(one: Hex, other: Hex) -> int:
    """Steps between two hexes."""
    q, s = one.q - other.q, one.s - other.s
    return max(abs(q), abs(s), abs(q + s))


_STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


def neighbours(where: Hex) -> tuple[Hex, ...]:
    """The six hexes around one, in the order N, NE, SE, S, SW, NW; some may lie off the board."""
    return tuple(Hex(where.q + q, where.s + s) for q, s in _STEPS)


class Walk(NamedTuple):
    """The hexes entered one after the other, and the waypoints not reached."""

    steps: tuple[Hex, ...]
    left: tuple[Hex, ...]


def walk(start: Hex, waypoints: Iterable[Hex], most: int, size: Size) -> Walk:
    """The way to the waypoints, each leg along its unique shortest path, with at most this many steps (SQ-R35).

    It ends at the last of the steps, or at the start if there are none.
    """
    here, steps, left = start, list[Hex](), [*waypoints]
    while left:
        for step in leg(here, left[0], size):
            if len(steps) == most:
                return Walk(tuple(steps), tuple(left))
            steps.append(step)
            here = step
        left.pop(0)
    return Walk(tuple(steps), ())


def leg(start: Hex, goal: Hex, size: Size) -> Sequence[Hex]:
    """The hexes from the start (without it) to the goal: each is one step nearer, and of those the nearest to the straight
    line."""
    here, path = start, list[Hex]()
    while here != goal:
        nearer = distance(here, goal) - 1
        candidates = [step for step in neighbours(here) if size.holds(step) and distance(step, goal) == nearer]
        here = min(candidates, key=lambda step: _off_line(step, start, goal))
        path.append(here)
    return path


def _off_line(where: Hex, start: Hex, goal: Hex) -> int:
    """The distance from the straight line, in a measure that only compares hexes for the same line."""
    return abs((where.q - start.q) * (goal.s - start.s) - (where.s - start.s) * (goal.q - start.q))
