"""The size of the map and the starting squares (section 5 of the rules)."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pbmd.rules import Dice

from ..tables import GameOptions
from .squares import Square, distance, labels

LARGEST_SIDE = 99
_SMALLEST_SIDE = 2
_SYMMETRIES = 8
_RIM_FREE = 5
"""With this side or a longer one nobody starts at the rim."""


def side_for(players: int, options: GameOptions) -> int:
    """The side of the map: its square is nearest to the wanted area (SO-06, SO-R10)."""
    area = players * options.squares_per_player
    low = math.isqrt(area)
    nearest = low if area - low**2 < (low + 1) ** 2 - area else low + 1
    return max(_SMALLEST_SIDE, nearest) + options.extra_side


def starts_problem(players: int, options: GameOptions) -> str:
    """Why the squares of option `starts` do not work for this many players, "" if they do or there are none."""
    side = side_for(players, options)
    if off := [square for square in options.starts if not square.within(side)]:
        return f'option "starts": {labels(off)} is not on a map of side {side}'
    return too_few_starts(players, options)


def too_few_starts(players: int, options: GameOptions) -> str:
    """Why there can be no more players, "" if there can. The pattern has room for any number that the rules allow."""
    few = 0 < len(options.starts) < players
    return f'option "starts" has only {len(options.starts)} squares, too few for {players} players' if few else ""


def slots(players: int, side: int, options: GameOptions, dice: Dice) -> Sequence[Square]:
    """The starting squares in the order in which they are dealt (SO-R11); one roll picks the symmetry of the pattern."""
    if options.starts:
        return options.starts
    roll = dice.roll(_SYMMETRIES)
    return sorted(_turned(square, side, roll) for square in start_pattern(players, side))


def _turned(square: Square, side: int, roll: int) -> Square:
    """The image of a square under the symmetry that was rolled."""
    row, column = square
    back, up = side + 1 - column, side + 1 - row
    images = ((row, column), (column, up), (up, back), (back, row), (row, back), (up, column), (column, row), (back, up))
    return Square(*images[roll - 1])


def _candidates(side: int) -> list[Square]:
    inner = range(2, side) if side >= _RIM_FREE else range(1, side + 1)
    return [Square(row, column) for row in inner for column in inner]


@lru_cache(maxsize=64)
def start_pattern(players: int, side: int) -> tuple[Square, ...]:
    """The squares of the pattern in reading order: as far from each other as can be, evenly, and near the middle (SO-R11)."""
    candidates = _candidates(side)
    width = math.isqrt(len(candidates))
    for apart in range(2 * (side - 1), 0, -1):
        if not _may_fit(players, width - 1, apart):
            continue
        complete_sets = [tuple(candidates[i] for i in members) for members in _sets(width, players, apart)]
        if complete_sets:
            return min(complete_sets, key=lambda members: (_unevenness(members), _off_centre(members, side), members))
    raise ValueError(f"no room for {players} players on a map of side {side}")


def _may_fit(players: int, edge: int, apart: int) -> bool:
    """Whether this many squares can be that far apart, by area: around each of them half the distance is its own.

    Its own area is a diamond of area apart² / 2, and all of them lie in the square with that side extended by half `apart` at
    each edge.
    """
    return (players - 1) * apart**2 <= 2 * edge**2 + 4 * edge * apart


def _sets(width: int, players: int, apart: int) -> Iterator[list[int]]:
    """From each candidate, by its place, a set that far apart, filled in reading order; only the complete ones."""
    places = width * width
    near = [_near(place, width, apart) for place in range(places)]
    everywhere = (1 << places) - 1
    for first in range(places):
        members, free = [first], everywhere & ~near[first]
        while free and len(members) < players:
            place = (free & -free).bit_length() - 1
            members.append(place)
            free &= ~near[place]
        if len(members) == players:
            yield sorted(members)


def _near(place: int, width: int, apart: int) -> int:
    """The places nearer than that, including itself, as bits."""
    row, column = divmod(place, width)
    bits = 0
    for other in range(max(0, row - apart + 1), min(width, row + apart)):
        reach = apart - 1 - abs(other - row)
        start, end = max(0, column - reach), min(width, column + reach + 1)
        bits |= ((1 << (end - start)) - 1) << (other * width + start)
    return bits


def _unevenness(members: Sequence[Square]) -> int:
    nearest = [min(distance(one, other) for other in members if other != one) for one in members]
    return max(nearest) - min(nearest)


def _off_centre(members: Sequence[Square], side: int) -> int:
    return sum(abs(2 * row - (side + 1)) + abs(2 * column - (side + 1)) for row, column in members)
