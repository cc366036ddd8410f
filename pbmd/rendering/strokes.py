"""The moves on a map of places (see `moves`) as strokes with coordinates: where arrows bend, and what they say in words.

An arrow between neighbours is straight, unless another node lies in its way, or an arrow comes against it; then it takes the
bend with the fewest nodes under it. One that goes by other places is a curve through them. Pure and deterministic.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pbmd.rendering.labels import Point
from pbmd.rendering.map_parts import Owner
from pbmd.rendering.moves import Arrow, Moves, Piece, Support

_FROM_NODE = 15.0
"""An arrow begins so far from the middle of its node, and ends a little farther."""
_TO_NODE = 19.0
_HEAD = 12.0
_HEAD_WIDTH = 6.5
_CROSS = 6.0
_CROSSED_AT = 0.68
"""Where the cross of an arrow is, as a share of it: supports reach its middle."""
_UNDER = 18.0
"""A stroke that comes as near as this to the middle of a node goes under it."""
_BENDS = (0.0, 0.16, -0.16, 0.3, -0.3)
_PER_BEND = 0.6
_STEPS = 8
_BESIDE = (15.0, 13.0)
"""Where a displaced piece stands, from the middle of its node."""


class PlacedPiece(NamedTuple):
    """A piece with its middle; `badge` is the owner of its node, if that is another's."""

    piece: Piece
    at: Point
    badge: Owner | None


class PlacedArrow(NamedTuple):
    """`line` and `cross` are paths, `head` a polygon; there is a cross on what failed only."""

    owner: Owner | None
    failed: bool
    line: str
    head: str
    cross: str


class PlacedSupport(NamedTuple):
    """A line with a ring at its end."""

    failed: bool
    line: str
    ring: Point
    cross: str


@dataclass(frozen=True, slots=True)
class Strokes:
    """All moves with their coordinates, and in words."""

    pieces: tuple[PlacedPiece, ...]
    arrows: tuple[PlacedArrow, ...]
    supports: tuple[PlacedSupport, ...]
    clashes: tuple[str, ...]
    words: str


def strokes(
    moves: Moves,
    centres: Sequence[Point],
    names: Sequence[str],
    owners: Sequence[Owner | None],
    occupied: Collection[int] | None = None,
    tied: Iterable[tuple[int, int]] = (),
) -> Strokes:
    """The moves on nodes at these places, with these names and owners. There is something to see at those that are `occupied`,
    at all by default: arrows bend around them, and off the straight line between nodes that are `tied`."""
    against = {arrow.ends for arrow in moves.arrows} | {pair for one, other in tied for pair in ((one, other), (other, one))}
    visible = range(len(centres)) if occupied is None else sorted(occupied)
    lines = {arrow.ends: _line(arrow, centres, visible, arrow.ends[::-1] in against) for arrow in moves.arrows}
    return Strokes(
        tuple(_piece(piece, centres, owners) for piece in moves.pieces),
        tuple(_arrow(arrow, lines[arrow.ends]) for arrow in moves.arrows),
        tuple(_support(support, centres, lines) for support in moves.supports),
        tuple(burst(centres[place]) for place in moves.clashes),
        _in_words(moves, names),
    )


# --- Lines ----------------------------------------------------------------------------------------------------------------


def _line(arrow: Arrow, centres: Sequence[Point], occupied: Iterable[int], opposed: bool) -> list[Point]:
    """The way of an arrow from node to node, without what would lie on the nodes at its ends."""
    points = [centres[place] for place in arrow.path]
    whole = _through(points) if len(points) > 2 else way_around(arrow.ends, centres, occupied, opposed=opposed)
    return cut(whole, _FROM_NODE, _TO_NODE)


def way_around(
    ends: tuple[int, int], centres: Sequence[Point], occupied: Iterable[int], *, opposed: bool = False
) -> list[Point]:
    """The way from node to node, with the bend that has the fewest of the `occupied` nodes under it."""
    start, end = (centres[place] for place in ends)
    left, right = sorted((start[0], end[0]))
    top, bottom = sorted((start[1], end[1]))
    margin = _UNDER + 0.3 * math.dist(start, end)
    near = [
        (x, y)
        for place in occupied
        for x, y in [centres[place]]
        if place not in ends and left - margin < x < right + margin and top - margin < y < bottom + margin
    ]
    # Two that come against each other bend to the right of each, so apart.
    bends = _BENDS[1:] if opposed else _BENDS
    ways = [_way(start, end, bend) for bend in bends]
    costs = [_hidden(way, near) + _PER_BEND * place for place, way in enumerate(ways)]
    return ways[costs.index(min(costs))]


def _way(start: Point, end: Point, bend: float) -> list[Point]:
    """A straight line, or an arc whose control point lies beside it by this share of its length."""
    if not bend:
        return [start, end]
    (x, y), (to_x, to_y) = start, end
    turn = ((x + to_x) / 2 - (to_y - y) * bend * 2, (y + to_y) / 2 + (to_x - x) * bend * 2)
    shares = [step / (2 * _STEPS) for step in range(2 * _STEPS + 1)]
    return [
        (
            (1 - share) ** 2 * x + 2 * share * (1 - share) * turn[0] + share**2 * to_x,
            (1 - share) ** 2 * y + 2 * share * (1 - share) * turn[1] + share**2 * to_y,
        )
        for share in shares
    ]


def _hidden(way: Sequence[Point], nodes: Sequence[Point]) -> int:
    """How many nodes lie on that way."""
    return sum(any(distance_to(node, *leg) < _UNDER for leg in pairwise(way)) for node in nodes)


def distance_to(point: Point, start: Point, end: Point) -> float:
    """From a point to a straight line between two others."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = across * across + down * down
    share = ((point[0] - start[0]) * across + (point[1] - start[1]) * down) / length if length else 0.0
    share = min(1.0, max(0.0, share))
    return math.dist(point, (start[0] + share * across, start[1] + share * down))


def _through(points: Sequence[Point]) -> list[Point]:
    """A smooth curve through these points (Catmull and Rom)."""
    padded = [points[0], *points, points[-1]]
    curve = [points[0]]
    for before, start, end, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        curve.extend(_between(before, start, end, after, step / _STEPS) for step in range(1, _STEPS + 1))
    return curve


def _between(before: Point, start: Point, end: Point, after: Point, share: float) -> Point:
    def between(p: float, q: float, r: float, s: float) -> float:
        return (2 * q + (r - p) * share + (2 * p - 5 * q + 4 * r - s) * share**2 + (3 * q - p - 3 * r + s) * share**3) / 2

    return between(before[0], start[0], end[0], after[0]), between(before[1], start[1], end[1], after[1])


def cut(line: Sequence[Point], first: float, last: float) -> list[Point]:
    """The line without so much at its ends, or less of it where it is short."""
    length = length_of(line)
    share = min(1.0, length * 0.6 / (first + last))
    begin, end = along(line, first * share), along(line, length - last * share)
    reached, kept = 0.0, [begin]
    for one, other in pairwise(line):
        reached += math.dist(one, other)
        if first * share < reached < length - last * share:
            kept.append(other)
    return [*kept, end]


def length_of(line: Sequence[Point]) -> float:
    """How long the line is."""
    return sum(math.dist(one, other) for one, other in pairwise(line))


def along(line: Sequence[Point], way: float) -> Point:
    """The point after so much of the line."""
    for one, other in pairwise(line):
        leg = math.dist(one, other)
        if leg and way <= leg:
            return one[0] + (other[0] - one[0]) * way / leg, one[1] + (other[1] - one[1]) * way / leg
        way -= leg
    return line[-1]


# --- What is drawn --------------------------------------------------------------------------------------------------------


def _piece(piece: Piece, centres: Sequence[Point], owners: Sequence[Owner | None]) -> PlacedPiece:
    x, y = centres[piece.at]
    if piece.displaced:
        return PlacedPiece(piece, (round(x + _BESIDE[0], 1), round(y + _BESIDE[1], 1)), None)
    owner = owners[piece.at]
    return PlacedPiece(piece, (x, y), owner if owner is not piece.owner else None)


def _arrow(arrow: Arrow, line: Sequence[Point]) -> PlacedArrow:
    length, tip = length_of(line), line[-1]
    size = min(_HEAD, length * 0.6)
    shaft = [*until(line, length - size)]
    base = shaft[-1]
    across, down = _unit(base, tip)
    half = _HEAD_WIDTH * size / _HEAD
    corners = (tip, (base[0] - down * half, base[1] + across * half), (base[0] + down * half, base[1] - across * half))
    cross = _cross(along(line, length * _CROSSED_AT)) if arrow.failed else ""
    return PlacedArrow(arrow.owner, arrow.failed, path_of(shaft), " ".join(map(point_of, corners)), cross)


def until(line: Sequence[Point], way: float) -> list[Point]:
    """The first part of the line, so long."""
    kept, reached = [line[0]], 0.0
    for one, other in pairwise(line):
        reached += math.dist(one, other)
        if reached >= way:
            break
        kept.append(other)
    return [*kept, along(line, way)]


def _support(support: Support, centres: Sequence[Point], lines: Mapping[tuple[int, int], Sequence[Point]]) -> PlacedSupport:
    start = centres[support.at]
    if len(support.of) == 2:
        arrow = lines[support.of[0], support.of[1]]
        end, apart = along(arrow, length_of(arrow) / 2), 4.0
    else:
        end, apart = centres[support.of[0]], _TO_NODE + 4
    line = cut([start, end], _FROM_NODE, apart)
    middle = ((line[0][0] + line[-1][0]) / 2, (line[0][1] + line[-1][1]) / 2)
    ring = (round(line[-1][0], 1), round(line[-1][1], 1))
    return PlacedSupport(support.failed, path_of(line), ring, _cross(middle) if support.failed else "")


def burst(centre: Point, spikes: int = 12, outer: float = 27.0, inner: float = 20.0) -> str:
    """A star around a node, as a polygon."""
    turns = [math.pi * place / spikes for place in range(2 * spikes)]
    radii = [outer if place % 2 == 0 else inner for place in range(2 * spikes)]
    return " ".join(
        point_of((centre[0] + radius * math.sin(turn), centre[1] - radius * math.cos(turn)))
        for turn, radius in zip(turns, radii, strict=True)
    )


def _cross(at: Point) -> str:
    (x, y), arm = at, _CROSS
    return f"{path_of([(x - arm, y - arm), (x + arm, y + arm)])}{path_of([(x - arm, y + arm), (x + arm, y - arm)])}"


def _unit(start: Point, end: Point) -> Point:
    length = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def path_of(line: Sequence[Point]) -> str:
    """The line as a path."""
    return "M" + "L".join(map(point_of, line))


def point_of(point: Point) -> str:
    """The point as paths have it."""
    return f"{round(point[0], 1):g},{round(point[1], 1):g}"


# --- In words -------------------------------------------------------------------------------------------------------------


def _in_words(moves: Moves, names: Sequence[str]) -> str:
    parts = (
        ("Pieces", [_piece_in_words(piece, names) for piece in moves.pieces]),
        ("Moves", [_arrow_in_words(arrow, names) for arrow in moves.arrows]),
        ("Supports", [_support_in_words(support, names) for support in moves.supports]),
        ("Clashes", [names[place] for place in moves.clashes]),
    )
    return " ".join(f"{heading}: {'; '.join(said)}." for heading, said in parts if said)


def _piece_in_words(piece: Piece, names: Sequence[str]) -> str:
    owner = f"{piece.owner.name} " if piece.owner else ""
    note = f" {piece.note}" if piece.note else ""
    return f"{owner}{piece.kind.words or piece.kind.name} at {names[piece.at]}{note}{', displaced' if piece.displaced else ''}"


def _arrow_in_words(arrow: Arrow, names: Sequence[str]) -> str:
    owner = f"{arrow.owner.name} " if arrow.owner else ""
    by = "".join(f" by {names[place]}" for place in arrow.path[1:-1])
    return f"{owner}from {names[arrow.path[0]]}{by} to {names[arrow.path[-1]]}{', failed' if arrow.failed else ''}"


def _support_in_words(support: Support, names: Sequence[str]) -> str:
    of = " to ".join(names[place] for place in support.of)
    return f"{names[support.at]} of {of}{', failed' if support.failed else ''}"
