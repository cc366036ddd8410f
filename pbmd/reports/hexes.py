"""Maps of hexes (``view.data["map"]`` with ``boards``), checked, and everything on them with its coordinates.

title    a line above the map
boards   drawn one below the other: name (a heading), note (behind it, in small letters), columns and rows (how many), shaded
         (hexes that are stressed, with a broken line around each patch of them), hexes (those that are not empty, each once)
hexes    at ("ccrr", as printed), label (a name at the lower edge, or ""), ground (a mark that lies in the middle, or None),
         counters (marks side by side, three at most); a mark is [kind, letters], and letters may be empty
kinds    of marks, each with name, shape (see `SHAPES`), fill ("#rrggbb", or "" for an outline alone), broken (whether its
         outline is), words (for the legend; a kind without words, or without a mark on the map, is not explained there)
legend   what shaded hexes are called
notes    sentences at the bottom

Hexes have flat tops, and even columns lie half a hex lower than odd ones. No kind is told by its colour alone.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pbmd.reports.labels import LINE_HEIGHT, RADIUS, WIDTH, Point, fitted, text_width
from pbmd.reports.legend import ROOM, ROW_HEIGHT, SIDE, Entry, Text, legend, lines_of
from pbmd.reports.parts import MOST_NOTES, NOTE_CHARS, MapError, entries, ink_on, plain, read_colour

MOST_BOARDS = 12
MOST_ACROSS = 40
"""Columns of a board: with more, its hexes would have no room for letters."""
MOST_HEXES = 6000
"""Of all boards together: the work that a picture can make."""
MOST_KINDS = 20
MOST_COUNTERS = 3
SHAPES = ("box", "diamond", "disc", "star", "ringed", "ring", "point")
_LETTERS = 3
_TITLE_HEIGHT = 44
_HEADING = 34
_BETWEEN = 14
_LARGEST = 38.0
"""Of the distance from the middle of a hex to its corners."""
_INK = "#1b2230"
"""Of letters on marks without a fill: they stand on paper."""
_SMALL, _LEGIBLE = 12.0, 16.2
"""Of the numbers of hexes: seven pixels on a telephone, and nine."""
_ROOMY = 32.0
"""Hexes of such a radius have room for legible numbers, each one; of others those at the edges have numbers, and those around
counters."""
_PIXEL = 0.8
"""Of the PNG. Hexes that are whole pixels apart look alike, and what looks alike takes little room: a third less in all."""
_TALL = math.sqrt(3)
"""The height of a hex, as a multiple of that distance."""


@dataclass(frozen=True, slots=True)
class Kind:
    """See the module; `ink` is the colour of letters on it."""

    name: str
    shape: str
    fill: str
    broken: bool
    words: str
    ink: str


class Mark(NamedTuple):
    """A mark of that kind with its letters."""

    kind: Kind
    letters: str


@dataclass(frozen=True, slots=True)
class Hex:
    """See the module; columns and rows begin with 1."""

    column: int
    row: int
    label: str
    ground: Mark | None
    counters: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """See the module."""

    name: str
    note: str
    columns: int
    rows: int
    shaded: frozenset[tuple[int, int]]
    hexes: tuple[Hex, ...]


@dataclass(frozen=True, slots=True)
class Boards:
    """See the module."""

    title: str
    boards: tuple[Board, ...]
    kinds: tuple[Kind, ...]
    shaded: str
    notes: tuple[str, ...]


class PlacedMark(NamedTuple):
    """A mark with its middle; `size` is half its width, `font` the size of its letters."""

    kind: Kind
    letters: str
    at: Point
    size: float
    font: float


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """A board with everything in its place. `grid`, `patches` and `edges` are paths; `font` is the size of hex numbers."""

    heading: Text
    note: Text
    font: float
    grid: str
    patches: str
    edges: str
    numbers: tuple[Text, ...]
    labels: tuple[Text, ...]
    label_font: float
    marks: tuple[PlacedMark, ...]


@dataclass(frozen=True, slots=True)
class HexDrawing:
    """Everything with its coordinates; `kinds` are those of the entries of the legend, by name."""

    title: str
    width: float
    height: float
    boards: tuple[BoardDrawing, ...]
    kinds: Mapping[str, Kind]
    legend: tuple[Entry, ...]
    notes: tuple[Text, ...]


# --- What a view says -----------------------------------------------------------------------------------------------------


def read_boards(data: Mapping[str, Any]) -> Boards:
    """The map in a view's data. Raises `MapError`."""
    kinds = tuple(_kind(entry, place) for place, entry in enumerate(entries(data, "kinds", MOST_KINDS)))
    by_name = {kind.name: kind for kind in kinds}
    told = entries(data, "boards", MOST_BOARDS)
    if not told:
        raise MapError("boards: a map has at least one")
    if sum(max(0, entry["columns"]) * max(0, entry["rows"]) for entry in told) > MOST_HEXES:
        raise MapError(f"boards: they have more than the {MOST_HEXES} hexes that can be drawn")
    boards = tuple(_board(entry, f"boards[{place}]", by_name) for place, entry in enumerate(told))
    notes = tuple(plain(note, NOTE_CHARS) for note in entries(data, "notes", MOST_NOTES))
    return Boards(plain(data["title"]), boards, kinds, plain(str(data["legend"].get("shaded", ""))), notes)


def _kind(entry: Mapping[str, Any], place: int) -> Kind:
    where, fill = f"kinds[{place}]", entry["fill"]
    if entry["shape"] not in SHAPES:
        raise MapError(f"{where}.shape: there is no such shape")
    return Kind(
        plain(entry["name"]),
        entry["shape"],
        fill and read_colour(fill, f"{where}.fill"),
        bool(entry["broken"]),
        plain(entry["words"]),
        ink_on(fill) if fill else _INK,
    )


def _board(entry: Mapping[str, Any], where: str, kinds: Mapping[str, Kind]) -> Board:
    columns, rows = entry["columns"], entry["rows"]
    if not (1 <= columns <= MOST_ACROSS and 1 <= rows <= 99):
        raise MapError(f"{where}: a board has 1 to {MOST_ACROSS} columns and 1 to 99 rows")
    shaded = frozenset(_at(at, f"{where}.shaded", columns, rows) for at in entry["shaded"])
    hexes = tuple(_hex(told, f"{where}.hexes[{place}]", columns, rows, kinds) for place, told in enumerate(entry["hexes"]))
    if len({(one.column, one.row) for one in hexes}) != len(hexes):
        raise MapError(f"{where}.hexes: one is told twice")
    return Board(plain(entry["name"]), plain(entry["note"], NOTE_CHARS), columns, rows, shaded, hexes)


def _at(at: str, where: str, columns: int, rows: int) -> tuple[int, int]:
    if not (len(at) == 4 and at.isascii() and at.isdigit()):
        raise MapError(f"{where}: a hex is written as four digits")
    column, row = int(at[:2]), int(at[2:])
    if not (1 <= column <= columns and 1 <= row <= rows):
        raise MapError(f"{where}: it is not on the board")
    return column, row


def _hex(entry: Mapping[str, Any], where: str, columns: int, rows: int, kinds: Mapping[str, Kind]) -> Hex:
    if len(entry["counters"]) > MOST_COUNTERS:
        raise MapError(f"{where}.counters: at most {MOST_COUNTERS} have room in a hex")
    ground = _mark(entry["ground"], where, kinds) if entry["ground"] else None
    counters = tuple(_mark(mark, where, kinds) for mark in entry["counters"])
    return Hex(*_at(entry["at"], f"{where}.at", columns, rows), plain(entry["label"]), ground, counters)


def _mark(told: Sequence[str], where: str, kinds: Mapping[str, Kind]) -> Mark:
    name, letters = told
    if plain(name) not in kinds:
        raise MapError(f"{where}: there is no such kind of mark")
    return Mark(kinds[plain(name)], plain(letters, _LETTERS))


# --- Where it goes --------------------------------------------------------------------------------------------------------


def hex_drawing(told: Boards) -> HexDrawing:
    """The map with everything in its place."""
    boards: list[BoardDrawing] = []
    top = float(_TITLE_HEIGHT)
    for board in told.boards:
        drawn, top = _drawn(board, top)
        boards.append(drawn)
        top += _BETWEEN
    used = {mark.kind.name for board in told.boards for one in board.hexes for mark in (*one.counters, one.ground) if mark}
    kinds = {kind.name: kind for kind in told.kinds if kind.words and kind.name in used}
    words = [(name, kind.words) for name, kind in kinds.items()]
    if told.shaded and any(board.shaded for board in told.boards):
        words.append(("", told.shaded))
    below = legend((), words, top + RADIUS)
    bottom = max((entry.at[1] for entry in below), default=top) + ROW_HEIGHT
    notes = lines_of(told.notes, bottom)
    height = round(bottom + len(notes) * LINE_HEIGHT - LINE_HEIGHT / 2)
    return HexDrawing(fitted(told.title, ROOM), WIDTH, height, tuple(boards), kinds, below, notes)


def _drawn(board: Board, top: float) -> tuple[BoardDrawing, float]:
    """The board with its upper edge at `top`, and where it ends."""
    size = min(_LARGEST, (WIDTH - 2 * SIDE) / (1.5 * board.columns + 0.5))
    across, tall = int(1.5 * size / _PIXEL) * _PIXEL, int(_TALL * size / 2 / _PIXEL) * 2 * _PIXEL
    radius = across / 1.5
    left = _on_pixel((WIDTH - radius * (1.5 * board.columns + 0.5)) / 2) + radius
    first = _on_pixel(top + _HEADING) + tall / 2
    corners = tuple((radius * x, tall / 2 * y) for x, y in _CORNERS)

    def middle(column: int, row: int) -> Point:
        return left + across * (column - 1), first + tall * (row - 1 + (0.5 if column % 2 == 0 else 0))

    font = _LEGIBLE if radius >= _ROOMY else _SMALL
    everywhere = [(column, row) for column in range(1, board.columns + 1) for row in range(1, board.rows + 1)]
    numbers = (
        Text(f"{column:02}{row:02}", _rounded(x, y - tall / 2 + font * 0.98), "middle")
        for (column, row), (x, y) in ((at, middle(*at)) for at in (everywhere if radius >= _ROOMY else _numbered(board)))
    )
    heading = fitted(board.name, ROOM)
    behind = SIDE + text_width(heading) + 10
    label_font = round(min(_LEGIBLE, radius * 0.42), 1)
    drawing = BoardDrawing(
        heading=Text(heading, (SIDE, round(top + 22, 1))),
        note=Text(fitted(board.note, (WIDTH - SIDE - behind) * 1.25), (round(behind, 1), round(top + 22, 1))),
        font=font,
        grid="".join(_outline(middle(*at), corners) for at in everywhere),
        patches="".join(_outline(middle(*at), corners) for at in sorted(board.shaded)),
        edges=_edges(board, middle, corners),
        numbers=tuple(numbers),
        labels=tuple(
            Text(
                fitted(one.label, radius * 2.4 * 19 / label_font),
                _rounded(middle(one.column, one.row)[0], middle(one.column, one.row)[1] + tall / 2 - label_font * 0.42),
                "middle",
            )
            for one in board.hexes
            if one.label
        ),
        label_font=label_font,
        marks=tuple(mark for one in board.hexes for mark in _marks(one, middle(one.column, one.row), radius)),
    )
    half = 0.5 if board.columns > 1 else 0
    return drawing, first + tall * (board.rows - 0.5 + half) + 4


def _numbered(board: Board) -> list[tuple[int, int]]:
    """The hexes that have numbers where there is no room for all: every second at the edges, and those around counters."""
    across, down = range(1, board.columns + 1, 2), range(1, board.rows + 1, 2)
    edges = {*((column, row) for column in across for row in (1, board.rows))}
    edges |= {(column, row) for column in (1, board.columns) for row in down}
    units = {(one.column, one.row) for one in board.hexes if one.counters}
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
        at, size = (middle, 0.62) if told.label else ((x, y + radius * 0.24), 0.76)
        placed.append(_mark_at(Mark(told.ground.kind, ""), at, radius * size))
    elif told.ground:
        size = radius * (0.36 if told.label else 0.7)
        placed.append(_mark_at(told.ground, (x, y + radius * (0 if told.label else 0.25)), size))
    # The number above and the name below have room; elsewhere there is no name.
    size = radius * ((0.5, 0.42, 0.33) if told.label else (0.72, 0.5, 0.35))[max(count - 1, 0)]
    for place, mark in enumerate(told.counters):
        across = (place - (count - 1) / 2) * size * 2.02
        placed.append(_mark_at(mark, (x + across, y + radius * (0 if told.label else 0.24)), size))
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


def _edges(board: Board, middle: Callable[[int, int], Point], corners: Sequence[Point]) -> str:
    """The lines around patches of shaded hexes."""
    path: list[str] = []
    for column, row in sorted(board.shaded):
        at = middle(column, row)
        for number, other in enumerate(_around(column, row)):
            if other not in board.shaded:
                path.append(f"M{_corner(at, corners, number)}L{_corner(at, corners, number + 1)}")
    return "".join(path)


def _rounded(x: float, y: float) -> Point:
    return round(x, 1), round(y, 1)
