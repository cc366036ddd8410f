"""A map of hexes (see `hexes`) with everything on it in its place, and in words."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pbmd.rendering.hexes import At, Board, Boards, Hex, Kind, Line, Mark, Stroke
from pbmd.rendering.labels import FONT_SIZE, LINE_HEIGHT, RADIUS, WIDTH, Point, fitted, text_width
from pbmd.rendering.legend import ROOM, ROW_HEIGHT, SIDE, Entry, Text, legend, lines_of
from pbmd.rendering.strokes import along, burst, cut, distance_to, length_of, path_of, point_of, until

_TITLE_HEIGHT = 44
_HEADING = 34
_BETWEEN = 14
_LARGEST = 38.0
"""Of the distance from the middle of a hex to its corners."""
_LEGIBLE = 16.2
"""Of numbers and names: nine pixels on a telephone."""
_ROOMY = 32.0
"""Hexes of such a radius have room for legible numbers, each one; of others those at the edges have numbers, and those around
counters."""
_INSET = 360.0
"""How wide the part of the sheet is that an inset has."""
_TOP = 0.9
"""How far below the edge of its hex a number stands, as a share of its size."""
_BELOW = 0.27
"""How far below the middle of their hex counters lie, as a share of its radius."""
_HEAD = 9.0
"""The length of the head of a line."""
_ASIDE = 4.0
_PIXEL = 0.8
"""Of the PNG. Hexes that are whole pixels apart look alike, and what looks alike takes little room: a third less in all."""
_TALL = math.sqrt(3)
"""The height of a hex, as a multiple of that distance."""


class PlacedMark(NamedTuple):
    """A mark with its middle; `size` is half its width, `font` the size of its letters."""

    kind: Kind
    letters: str
    at: Point
    size: float
    font: float


class PlacedLine(NamedTuple):
    """`path` is the line without what lies under its ends, and `head` the polygon at its end."""

    stroke: Stroke
    path: str
    head: str


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """A board with everything in its place. `grid`, `patches`, `edges` and `reach` are paths, bursts polygons; `font` is the
    size of hex numbers."""

    heading: Text
    note: Text
    font: float
    grid: str
    patches: str
    edges: str
    reach: str
    numbers: tuple[Text, ...]
    labels: tuple[Text, ...]
    label_font: float
    bursts: tuple[str, ...]
    lines: tuple[PlacedLine, ...]
    marks: tuple[PlacedMark, ...]


@dataclass(frozen=True, slots=True)
class HexDrawing:
    """Everything with its coordinates; `kinds` and `strokes` are those of the entries of the legend, by name. `words` tell of
    the lines."""

    title: str
    width: float
    height: float
    boards: tuple[BoardDrawing, ...]
    kinds: Mapping[str, Kind]
    strokes: Mapping[str, Stroke]
    legend: tuple[Entry, ...]
    notes: tuple[Text, ...]
    words: str


def hex_drawing(told: Boards) -> HexDrawing:
    """The map with everything in its place."""
    boards: list[BoardDrawing] = []
    top = beside = float(_TITLE_HEIGHT)
    for board in told.boards:
        drawn, end = _drawn(board, _Sheet(board, top))
        boards.append(drawn)
        top, beside = (top, end) if board.inset else (end + _BETWEEN, 0.0)
    narrow = told.boards[-1].inset
    below = legend((), _explained(told), top + RADIUS, WIDTH - _INSET if narrow else WIDTH)
    bottom = round(max([*(entry.at[1] + ROW_HEIGHT for entry in below), beside + RADIUS, top]), 1)
    notes = lines_of(told.notes, bottom)
    height = round(bottom + len(notes) * LINE_HEIGHT - LINE_HEIGHT / 2)
    return HexDrawing(
        title=fitted(told.title, ROOM),
        width=WIDTH,
        height=height,
        boards=tuple(boards),
        kinds={kind.name: kind for kind in told.kinds},
        strokes={f"stroke {stroke.name}": stroke for stroke in told.strokes},
        legend=below,
        notes=notes,
        words=_in_words(told),
    )


def _explained(told: Boards) -> list[tuple[str, str]]:
    """What there is that the legend explains, with its words: marks, lines, and what hexes look like."""
    marks = {mark.kind.name for board in told.boards for one in board.hexes for mark in (*one.counters, one.ground) if mark}
    lines = {line.stroke.name for board in told.boards for line in board.lines}
    rows = (
        *((kind.name, kind.words) for kind in told.kinds if kind.name in marks),
        *((f"stroke {stroke.name}", stroke.words) for stroke in told.strokes if stroke.name in lines),
        *((look, told.legend[look]) for look in _looks(told.boards)),
    )
    return [(kind, words) for kind, words in rows if words]


def _looks(boards: Sequence[Board]) -> list[str]:
    there = (
        ("burst", any(board.bursts for board in boards)),
        ("reach", any(board.reached for board in boards)),
        ("shaded", any(board.shaded for board in boards)),
    )
    return [look for look, is_there in there if is_there]


def _in_words(told: Boards) -> str:
    """The lines and bursts of each board."""
    said: list[str] = []
    for board in told.boards:
        parts = [
            f"{stroke.words or stroke.name}: {'; '.join(_way_in_words(line) for line in board.lines if line.stroke == stroke)}"
            for stroke in dict.fromkeys(line.stroke for line in board.lines)
        ]
        parts += [f"{told.legend['burst'] or 'burst'}: {', '.join(map(_text, board.bursts))}"] if board.bursts else []
        said += [f"{board.name}. {'. '.join(part[:1].upper() + part[1:] for part in parts)}."] if parts else []
    return " ".join(said)


def _way_in_words(line: Line) -> str:
    return f"{_text(line.path[0])} to {_text(line.path[-1])}"


def _text(at: At) -> str:
    return f"{at[0]:02}{at[1]:02}"


# --- Boards ---------------------------------------------------------------------------------------------------------------


class _Sheet:
    """Where the hexes of a board lie. An inset is at the right edge, beside the legend."""

    def __init__(self, board: Board, top: float) -> None:
        wide = _INSET if board.inset else WIDTH
        self.heading = (WIDTH - wide + SIDE, round(top + 22, 1))
        size = min(_LARGEST, (wide - 2 * SIDE) / (1.5 * board.columns + 0.5))
        self.across, self.tall = int(1.5 * size / _PIXEL) * _PIXEL, int(_TALL * size / 2 / _PIXEL) * 2 * _PIXEL
        self.radius = self.across / 1.5
        self._left = _on_pixel(WIDTH - wide + (wide - self.radius * (1.5 * board.columns + 0.5)) / 2) + self.radius
        self._first = _on_pixel(top + _HEADING) + self.tall / 2
        self.corners = tuple((self.radius * x, self.tall / 2 * y) for x, y in _CORNERS)
        self.bottom = self._first + self.tall * (board.rows - 0.5 + (0.5 if board.columns > 1 else 0)) + 4

    def middle(self, column: int, row: int) -> Point:
        """Of a hex."""
        lower = 0.5 if column % 2 == 0 else 0
        return self._left + self.across * (column - 1), self._first + self.tall * (row - 1 + lower)


def _drawn(board: Board, sheet: _Sheet) -> tuple[BoardDrawing, float]:
    """The board with everything in its place, and where it ends."""
    heading, (left, down) = fitted(board.name, WIDTH - SIDE - sheet.heading[0]), sheet.heading
    behind = left + text_width(heading) + 10
    everywhere = [(column, row) for column in range(1, board.columns + 1) for row in range(1, board.rows + 1)]
    ends = {line.path[::-1] for line in board.lines}
    drawing = BoardDrawing(
        heading=Text(heading, sheet.heading),
        note=Text(fitted(board.note, (WIDTH - SIDE - behind) * FONT_SIZE / _LEGIBLE), (round(behind, 1), down)),
        font=_LEGIBLE,
        grid="".join(_outline(sheet.middle(*at), sheet.corners) for at in everywhere),
        patches="".join(_outline(sheet.middle(*at), sheet.corners) for at in sorted(board.shaded)),
        edges=_edges(board.shaded, sheet, frozenset()),
        reach=_edges(board.reached, sheet, frozenset(everywhere)),
        numbers=_numbers(board, sheet, everywhere if sheet.radius >= _ROOMY else _numbered(board)),
        labels=tuple(_label(one, sheet) for one in board.hexes if one.label),
        label_font=_LEGIBLE,
        bursts=tuple(_burst(at, sheet) for at in board.bursts),
        lines=tuple(_placed_line(line, sheet, aside=line.path in ends) for line in board.lines),
        marks=tuple(mark for one in board.hexes for mark in _marks(one, sheet.middle(one.column, one.row), sheet.radius)),
    )
    return drawing, sheet.bottom


def _numbers(board: Board, sheet: _Sheet, told: Sequence[At]) -> tuple[Text, ...]:
    """The numbers of these hexes, but for empty ones where a line would go through them."""
    units = {(one.column, one.row) for one in board.hexes if one.counters}
    legs = [(_low(sheet.middle(*one), sheet), _low(sheet.middle(*other), sheet)) for one, other in _legs(board)]
    found: list[Text] = []
    for at in told:
        x, y = sheet.middle(*at)
        y += _LEGIBLE * _TOP - sheet.tall / 2
        if at in units or not any(distance_to((x, y - _LEGIBLE * 0.36), *leg) < _LEGIBLE * 0.9 for leg in legs):
            found.append(Text(_text(at), _rounded(x, y), "middle"))
    return tuple(found)


def _legs(board: Board) -> Iterator[tuple[At, At]]:
    return (leg for line in board.lines for leg in pairwise(line.path))


def _label(one: Hex, sheet: _Sheet) -> Text:
    """A name: at the lower edge of its hex, or below it where that is small."""
    x, y = sheet.middle(one.column, one.row)
    room, below = (2.4, -0.42) if sheet.radius >= _ROOMY else (4.5, 0.75)
    words = fitted(one.label, sheet.radius * room * FONT_SIZE / _LEGIBLE)
    return Text(words, _rounded(x, y + sheet.tall / 2 + _LEGIBLE * below), "middle")


def _low(middle: Point, sheet: _Sheet) -> Point:
    """Where counters lie: below the number."""
    return middle[0], middle[1] + sheet.radius * _BELOW


def _burst(at: At, sheet: _Sheet) -> str:
    return burst(_low(sheet.middle(*at), sheet), 10, sheet.radius * 1.15, sheet.radius * 0.85)


def _placed_line(line: Line, sheet: _Sheet, *, aside: bool) -> PlacedLine:
    """The line, beside one that comes the other way."""
    points = [_low(sheet.middle(*at), sheet) for at in line.path]
    if aside:
        (x, y), (to_x, to_y) = points[0], points[-1]
        length = math.dist(points[0], points[-1]) or 1.0
        points = [(px - (to_y - y) / length * _ASIDE, py + (to_x - x) / length * _ASIDE) for px, py in points]
    way = cut(points, sheet.radius * 0.7, sheet.radius * 0.6)
    base, tip = along(way, length_of(way) - _HEAD), way[-1]
    across, down = (tip[0] - base[0]) / _HEAD, (tip[1] - base[1]) / _HEAD
    half = _HEAD * 0.55
    head = (tip, (base[0] - down * half, base[1] + across * half), (base[0] + down * half, base[1] - across * half))
    return PlacedLine(line.stroke, path_of(until(way, length_of(way) - _HEAD)), " ".join(map(point_of, head)))


def _numbered(board: Board) -> list[At]:
    """The hexes that have numbers where there is no room for all: every second at the edges, and those around counters; of an
    inset none around them, where names stand."""
    across, down = range(1, board.columns + 1, 2), range(1, board.rows + 1, 2)
    edges = {*((column, row) for column in across for row in (1, board.rows))}
    edges |= {(column, row) for column in (1, board.columns) for row in down}
    units = {(one.column, one.row) for one in board.hexes if one.counters and not board.inset}
    around = {at for unit in units for at in (unit, *_around(*unit))}
    return sorted((column, row) for column, row in edges | around if 1 <= column <= board.columns and 1 <= row <= board.rows)


def _around(column: int, row: int) -> tuple[tuple[int, int], ...]:
    """The neighbour across each edge; an edge begins at the corner of its number."""
    lower = 1 if column % 2 == 0 else 0
    return (
        (column + 1, row + lower),
        (column, row + 1),
        (column - 1, row + lower),
        (column - 1, row + lower - 1),
        (column, row - 1),
        (column + 1, row + lower - 1),
    )


def _marks(told: Hex, middle: Point, radius: float) -> list[PlacedMark]:
    """What lies in a hex: what is on its ground, then its counters side by side, below the number."""
    x, y = middle
    placed: list[PlacedMark] = []
    count = len(told.counters)
    if told.ground and told.counters:
        # So large that its rim shows around the counters.
        at, size = (middle, 0.62) if told.label else ((x, y + radius * _BELOW), 0.76)
        placed.append(_mark_at(Mark(told.ground.kind, ""), at, radius * size))
    elif told.ground:
        size = radius * (0.36 if told.label else 0.84)
        placed.append(_mark_at(told.ground, (x, y + radius * (0 if told.label else 0.25)), size))
    # The number above and the name below have room; elsewhere there is no name.
    roomy = told.label and radius >= _ROOMY
    size = radius * ((0.5, 0.42, 0.33) if roomy else (0.72, 0.6, 0.46))[max(count - 1, 0)]
    for place, mark in enumerate(told.counters):
        across = (place - (count - 1) / 2) * size * 2.02
        placed.append(_mark_at(mark, (x + across, y + radius * (0 if told.label else _BELOW)), size))
    return placed


_ROUND = {"disc": 0.82, "ring": 0.76}
"""The radius of round shapes with letters, as a share of the mark's size. A ring lies around its disc, off the letters."""
_RIM = 1.5
_CAPITALS = 0.72
"""The height of capital letters, as a share of their size."""


def _mark_at(mark: Mark, at: Point, size: float) -> PlacedMark:
    shape, width = mark.kind.shape, text_width(mark.letters, 1)
    if shape in _ROUND:
        # The corners of the letters keep off the rim: an X that a line goes through reads as a K.
        font = (size * _ROUND[shape] - _RIM / 2) / math.hypot(width / 2, _CAPITALS / 2)
    else:
        font = size * (1.75 if shape == "box" else 1.5) / max(width, _CAPITALS)
    return PlacedMark(mark.kind, mark.letters, _rounded(*at), round(size, 1), round(min(size * 1.15, font), 1))


_CORNERS: tuple[Point, ...] = ((1, 0), (0.5, 1), (-0.5, 1), (-1, 0), (-0.5, -1), (0.5, -1))
"""Of a hex, from the right one on, clockwise on the screen: shares of its radius across, and of half its height."""


def _corner(middle: Point, corners: Sequence[Point], number: int) -> str:
    across, down = corners[number % 6]
    return f"{middle[0] + across:.1f} {middle[1] + down:.1f}"


def _outline(middle: Point, corners: Sequence[Point]) -> str:
    return f"M{'L'.join(_corner(middle, corners, number) for number in range(6))}Z"


def _on_pixel(length: float) -> float:
    return round(length / _PIXEL) * _PIXEL


def _edges(patch: frozenset[At], sheet: _Sheet, within: frozenset[At]) -> str:
    """The lines around patches of hexes; if there is something that they lie `within`, none along its edge."""
    path: list[str] = []
    for column, row in sorted(patch):
        at = sheet.middle(column, row)
        for number, other in enumerate(_around(column, row)):
            if other not in patch and (not within or other in within):
                path.append(f"M{_corner(at, sheet.corners, number)}L{_corner(at, sheet.corners, number + 1)}")
    return "".join(path)


def _rounded(x: float, y: float) -> Point:
    return round(x, 1), round(y, 1)
