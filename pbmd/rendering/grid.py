"""Maps of squares (``view.data["map"]`` with ``columns``), checked, and everything on them with its coordinates.

title    a line above the map
columns  labels of the columns, left to right; rows: labels of the rows, top to bottom
squares  those that are not empty: column and row (from 0), owner (a name of `owners`, or ""), own (the reader's own), marked
         (a dot), crossed (crossed out), ringed (stressed by a dashed line), and perhaps letter (one or two in the dot, if it
         has room), broken (the frame of the reader's own is) and open (a thin ring); none is told twice
owners   name, colour ("#rrggbb"), code (one or two letters: the colour for those who cannot see it), note
legend   what own, broken, marked, crossed, ringed and open squares are called; a kind without words is not explained
notes    sentences at the bottom
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from pbmd.rendering.labels import LINE_HEIGHT, RADIUS, WIDTH, Point, fitted
from pbmd.rendering.legend import ROOM, ROW_HEIGHT, SIDE, Entry, Text, legend, lines_of
from pbmd.rendering.map_parts import MOST_NOTES, NOTE_CHARS, MapError, Owner, entries, owner_of, plain, read_owners

MOST_LINES = 40
"""Columns or rows: with more, letters on a square would be too small to be read on a telephone."""
_LABEL_CHARS = 3
_LABELS = 34
"""Room for the labels at the left, and above."""
_TITLE_HEIGHT = 44
_LARGEST = 60
_KINDS = ("own", "broken", "marked", "crossed", "ringed", "open")
_TOLD = ("marked", "crossed", "ringed", "broken", "open")
"""Those that are told to those who do not see the picture."""
_LETTERS = 2


class Square(NamedTuple):
    """See the module."""

    column: int
    row: int
    owner: Owner | None
    own: bool
    marked: bool
    crossed: bool
    ringed: bool
    letter: str = ""
    broken: bool = False
    open: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """See the module."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    squares: tuple[Square, ...]
    owners: tuple[Owner, ...]
    legend: Mapping[str, str]
    notes: tuple[str, ...]


class Border(NamedTuple):
    """An edge between squares of different owners; `front` if both have one."""

    start: Point
    end: Point
    front: bool


class Placed(NamedTuple):
    """A square with its upper left corner."""

    square: Square
    at: Point


@dataclass(frozen=True, slots=True)
class GridDrawing:
    """Everything with its coordinates; `size` is that of a square, `at` and `across`, `down` the place of the whole grid."""

    title: str
    width: float
    height: float
    size: float
    at: Point
    across: float
    down: float
    labels: tuple[Text, ...]
    squares: tuple[Placed, ...]
    borders: tuple[Border, ...]
    legend: tuple[Entry, ...]
    notes: tuple[Text, ...]
    words: str


def read_grid(data: Mapping[str, Any]) -> Grid:
    """The map in a view's data. Raises `MapError`."""
    columns, rows = (
        tuple(plain(label, _LABEL_CHARS) for label in entries(data, key, MOST_LINES)) for key in ("columns", "rows")
    )
    if not columns or not rows:
        raise MapError("columns, rows: a map has at least one of each")
    owners = read_owners(data)
    by_name = {owner.name: owner for owner in owners}
    told = entries(data, "squares", MOST_LINES**2)
    squares = tuple(_square(entry, f"squares[{place}]", len(columns), len(rows), by_name) for place, entry in enumerate(told))
    if len({(square.column, square.row) for square in squares}) != len(squares):
        raise MapError("squares: one is told twice")
    words = {kind: plain(str(data["legend"].get(kind, ""))) for kind in _KINDS}
    notes = tuple(plain(note, NOTE_CHARS) for note in entries(data, "notes", MOST_NOTES))
    return Grid(plain(data["title"]), columns, rows, squares, owners, words, notes)


def grid_drawing(grid: Grid) -> GridDrawing:
    """The map with everything in its place."""
    size = round(min(_LARGEST, (WIDTH - _LABELS - SIDE) / len(grid.columns)), 1)
    left = round((WIDTH - _LABELS - SIDE - size * len(grid.columns)) / 2 + _LABELS, 1)
    top = float(_TITLE_HEIGHT + LINE_HEIGHT)
    across, down = round(size * len(grid.columns), 1), round(size * len(grid.rows), 1)
    used = [kind for kind in _KINDS if grid.legend[kind] and any(getattr(square, kind) for square in grid.squares)]
    below = legend(grid.owners, ((kind, grid.legend[kind]) for kind in used), top + down + RADIUS + 12)
    bottom = max((entry.at[1] for entry in below), default=top + down) + ROW_HEIGHT
    notes = lines_of(grid.notes, bottom)
    every = max(1, -(-LINE_HEIGHT // int(size)))
    labels = (
        *(
            Text(label, (round(left + (place + 0.5) * size, 1), top - 8), "middle")
            for place, label in enumerate(grid.columns)
            if place % every == 0
        ),
        *(
            Text(label, (left - 8, round(top + (place + 0.5) * size + 6, 1)), "end")
            for place, label in enumerate(grid.rows)
            if place % every == 0
        ),
    )

    lefts, tops = _lines(left, size, len(grid.columns)), _lines(top, size, len(grid.rows))

    def corner(column: int, row: int) -> Point:
        return lefts[column], tops[row]

    return GridDrawing(
        title=fitted(grid.title, ROOM),
        width=WIDTH,
        height=round(bottom + len(notes) * LINE_HEIGHT - LINE_HEIGHT / 2),
        size=size,
        at=(left, top),
        across=across,
        down=down,
        labels=labels,
        squares=tuple(Placed(square, corner(square.column, square.row)) for square in grid.squares),
        borders=tuple(Border(corner(*one), corner(*other), front) for one, other, front in _borders(_land(grid))),
        legend=below,
        notes=notes,
        words=_in_words(grid),
    )


def _in_words(grid: Grid) -> str:
    """Which squares are marked in which way."""
    said = ((kind, [_called(grid, square, kind) for square in grid.squares if getattr(square, kind)]) for kind in _TOLD)
    words = ((grid.legend[kind], squares) for kind, squares in said if squares and grid.legend[kind])
    return " ".join(f"{called[:1].upper()}{called[1:]}: {', '.join(squares)}." for called, squares in words)


def _called(grid: Grid, square: Square, kind: str) -> str:
    letter = f" ({square.letter})" if kind == "marked" and square.letter else ""
    return f"{grid.columns[square.column]}{grid.rows[square.row]}{letter}"


Corner = tuple[int, int]


def _lines(first: float, size: float, squares: int) -> list[float]:
    """Where the lines between so many squares are: few numbers, of which all corners are made."""
    return [round(first + place * size, 1) for place in range(squares + 1)]


def _land(grid: Grid) -> tuple[tuple[int, int, str], ...]:
    """The squares that have an owner, with its name."""
    return tuple((square.column, square.row, square.owner.name) for square in grid.squares if square.owner)


@lru_cache(maxsize=16)
def _borders(land: tuple[tuple[int, int, str], ...]) -> Sequence[tuple[Corner, Corner, bool]]:
    """The edges at which a territory ends, as pairs of corners, and whether another begins there. All readers of a turn have
    the same borders, and often those of the turn before."""
    owners = {(column, row): owner for column, row, owner in land}
    edges: set[tuple[Corner, Corner, bool]] = set()
    for (column, row), owner in owners.items():
        for across, down, edge in (
            (-1, 0, ((column, row), (column, row + 1))),
            (1, 0, ((column + 1, row), (column + 1, row + 1))),
            (0, -1, ((column, row), (column + 1, row))),
            (0, 1, ((column, row + 1), (column + 1, row + 1))),
        ):
            other = owners.get((column + across, row + down))
            if other != owner:
                edges.add((*edge, other is not None))
    return sorted(edges)


def _square(entry: Mapping[str, Any], where: str, columns: int, rows: int, owners: Mapping[str, Owner]) -> Square:
    held_by = owner_of(entry, where, owners)
    column, row = entry["column"], entry["row"]
    if not (isinstance(column, int) and isinstance(row, int) and 0 <= column < columns and 0 <= row < rows):
        raise MapError(f"{where}: it is not on the map")
    marks = bool(entry["own"]), bool(entry["marked"]), bool(entry["crossed"]), bool(entry["ringed"])
    letter = plain(str(told), _LETTERS) if (told := entry.get("letter", "")) != "" else ""
    return Square(column, row, held_by, *marks, letter, bool(entry.get("broken")), bool(entry.get("open")))
