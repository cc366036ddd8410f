"""Squares of the map: their labels, neighbours, distances and borders (SO-08, SO-11, SO-R12, SO-R13, SO-R44)."""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

_LABEL = re.compile(r"([A-Za-z]{1,2})([0-9]{1,3})")
LETTERS = 26


class Square(NamedTuple):
    """A place on the grid, row and column from 1; squares sort in reading order."""

    row: int
    column: int

    @property
    def text(self) -> str:
        """Its label: letters of the column, number of the row ("C2"; after Z come AA, AB …)."""
        return f"{column_label(self.column)}{self.row}"

    def within(self, side: int) -> bool:
        """Whether it is on a map with that side."""
        return 1 <= self.row <= side and 1 <= self.column <= side


def column_label(column: int) -> str:
    """ "A" for 1, "Z" for 26, "AA" for 27."""
    first, second = divmod(column - 1, LETTERS)
    return (chr(ord("A") + first - 1) if first else "") + chr(ord("A") + second)


@lru_cache(maxsize=16384)
def square_labelled(label: str) -> Square | None:
    """The square with that label in upper or lower case, None if it is none. Whether it is on the map is not checked."""
    found = _LABEL.fullmatch(label)
    if found is None:
        return None
    column = 0
    for letter in found[1].upper():
        column = column * LETTERS + ord(letter) - ord("A") + 1
    return Square(int(found[2]), column)


def labels(squares: Iterable[Square]) -> str:
    """ "A1, B2"."""
    return ", ".join(square.text for square in squares)


def distance(one: Square, other: Square) -> int:
    """The fewest steps over edges from one to the other."""
    return abs(one.row - other.row) + abs(one.column - other.column)


@lru_cache(maxsize=256)
def steps_to(squares: tuple[Square, ...], side: int) -> tuple[tuple[int, ...], ...]:
    """The fewest steps to one of these squares from each of the map, by row and column; outside of it they are none. Late in a
    game there are too many pairs of cities to look at each, and territories stay the same for many letters."""
    outside = 2 * side
    steps = [[outside] * (side + 2) for _ in range(side + 2)]
    for row, column in squares:
        steps[row][column] = 0
    there = range(1, side + 1)
    for back, places in ((-1, there), (1, there[::-1])):
        for row in places:
            for column in places:
                steps[row][column] = min(steps[row][column], steps[row + back][column] + 1, steps[row][column + back] + 1)
    return tuple(map(tuple, steps))


@lru_cache(maxsize=16384)
def around(square: Square, side: int) -> tuple[Square, ...]:
    """The squares on the map that share an edge with it, in reading order."""
    row, column = square
    near = (Square(row - 1, column), Square(row, column - 1), Square(row, column + 1), Square(row + 1, column))
    return tuple(other for other in near if other.within(side))


def touches(square: Square, territory: Collection[Square], side: int) -> bool:
    """Whether it shares an edge with one of these squares."""
    return any(other in territory for other in around(square, side))


def border_growth(square: Square, territory: Collection[Square], side: int) -> int:
    """By how much the border of the territory (SO-R13) grows, or shrinks below 0, when it gets this square."""
    near = around(square, side)
    inside = sum(other in territory for other in near)
    return len(near) - 2 * inside


def best_square(candidates: Iterable[Square], territory: Collection[Square], side: int) -> Square | None:
    """The candidate that leaves the shortest border, the first in reading order among equals; None if there is none."""
    return min(candidates, key=lambda square: (border_growth(square, territory, side), square), default=None)
