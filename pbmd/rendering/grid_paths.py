"""What is drawn on the squares of a map, as few long paths: one for all that is of one colour. There may be hundreds of squares
on a map, and every report has its own, so that each character stands a million times in a long game's archive."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pbmd.rendering.grid import Border, GridDrawing, Placed
from pbmd.rendering.labels import Point
from pbmd.rendering.map_parts import Owner

_LETTER = re.compile(r"[A-Za-z0-9]")
LETTER = 16.2
"""The size of letters in dots: nine pixels on a telephone."""
TALL, _WIDE = 21.0, (21.0, 27.0)
"""Of a dot with a letter, and with two."""
_ROOMY = 46.0
"""Squares of such a size have room for a dot with letters."""
_INK = "#1b2230"
"""What is the reader's own and nobody's land."""


class Layer(NamedTuple):
    """A path in a colour."""

    colour: str
    path: str


class Row(NamedTuple):
    """Codes beside each other: where the middle of each is, their common baseline, and what they are."""

    across: str
    down: str
    words: str


class Lettered(NamedTuple):
    """A dot that is as wide as its letters: its left upper corner, and where they stand."""

    left: float
    top: float
    wide: float
    words: str
    at: Point


class Codes(NamedTuple):
    """The codes of owners that are written in one ink."""

    ink: str
    rows: tuple[Row, ...]


class OwnedSquare(NamedTuple):
    """What everybody sees of a square that somebody holds: its upper left corner, whether there is a dot on it, and how many
    letters the dot has."""

    column: int
    row: int
    at: Point
    owner: Owner
    marked: bool
    letters: int


@dataclass(frozen=True, slots=True)
class GridPaths:
    """From the lowest to the topmost: land and its codes, frames around what is the reader's own, whole and broken, rings, the
    middles of dots, dots with letters, the middles of thin rings, squares that are crossed out with their crosses, the lines of
    the grid, the borders, and those of them that are fronts. Paths may be empty."""

    land: tuple[Layer, ...]
    codes: tuple[Codes, ...]
    code_size: float
    own: tuple[Layer, ...]
    broken: tuple[Layer, ...]
    rings: str
    marks: tuple[Point, ...]
    dot: float
    letters: tuple[Lettered, ...]
    open: tuple[Point, ...]
    ring: float
    holes: str
    crosses: str
    lines: str
    borders: str
    fronts: str


def grid_paths(drawing: GridDrawing) -> GridPaths:
    """The squares of a map as paths."""
    squares, size = drawing.squares, drawing.size
    lettered = _those(squares, "letter") if size >= _ROOMY else []
    roomy, letters = bool(lettered), round(max(size * 0.46, 12, min(16.2, size * 0.8)), 1)
    whole = [placed for placed in _those(squares, "own") if not placed.square.broken]
    dots = [placed for placed in _those(squares, "marked") if placed not in lettered]
    holes = _those(squares, "crossed")
    owned = _owned(squares)
    return GridPaths(
        land=_land(owned, size),
        codes=_codes(owned, size, letters, roomy=roomy),
        code_size=letters,
        own=_layers(_frame(placed, size) for placed in whole),
        broken=_layers(_frame(placed, size) for placed in _those(squares, "broken")),
        rings="".join(_box(placed.at, size, 0.05) for placed in _those(squares, "ringed")),
        marks=tuple(_moved(placed.at, size * 0.77, size * 0.23) for placed in dots),
        dot=round(size * 0.15, 1),
        letters=tuple(_letter(placed, size) for placed in lettered),
        open=tuple(_moved(placed.at, size / 2, size / 2) for placed in _those(squares, "open")),
        ring=round(size * 0.2, 1),
        holes="".join(_box(placed.at, size) for placed in holes),
        crosses="".join(_cross(placed.at, size) for placed in holes),
        lines=_lines(drawing),
        borders=_edges(drawing.borders),
        fronts=_edges(_fronts(drawing)),
    )


def _owned(squares: Iterable[Placed]) -> tuple[OwnedSquare, ...]:
    return tuple(
        OwnedSquare(square.column, square.row, at, square.owner, square.marked, len(square.letter))
        for square, at in squares
        if square.owner
    )


def _those(squares: Iterable[Placed], mark: str) -> list[Placed]:
    """The squares that have this mark."""
    return [placed for placed in squares if getattr(placed.square, mark)]


def _frame(placed: Placed, size: float) -> tuple[str, str]:
    return _ink(placed), _box(placed.at, size, 0.11)


def _letter(placed: Placed, size: float) -> Lettered:
    wide = _WIDE[len(placed.square.letter) - 1]
    left, top = _moved(placed.at, size - wide - 3, 3)
    return Lettered(
        left, top, wide, placed.square.letter, (round(left + wide / 2, 1), round(top + TALL / 2 + LETTER * 0.36, 1))
    )


@lru_cache(maxsize=16)
def _land(squares: tuple[OwnedSquare, ...], size: float) -> tuple[Layer, ...]:
    """The land of owners, which is the same for all readers of a turn."""
    return _layers((owner.colour, _box(at, size, wide=count)) for owner, at, count in _stretches(squares))


def _stretches(squares: Iterable[OwnedSquare]) -> list[tuple[Owner, Point, int]]:
    """Where each stretch of squares beside each other begins that have one owner, and how many they are."""
    found: list[tuple[Owner, Point, int]] = []
    last: tuple[int, int, Owner] | None = None
    for square in squares:
        if last == (square.row, square.column - 1, square.owner):
            _, begin, count = found.pop()
            found.append((square.owner, begin, count + 1))
        else:
            found.append((square.owner, square.at, 1))
        last = (square.row, square.column, square.owner)
    return found


def _layers(parts: Iterable[tuple[str, str]]) -> tuple[Layer, ...]:
    """One path for each colour, in the order in which they come first."""
    found: dict[str, list[str]] = {}
    for colour, path in parts:
        found.setdefault(colour, []).append(path)
    return tuple(Layer(colour, "".join(paths)) for colour, paths in found.items())


@lru_cache(maxsize=16)
def _codes(squares: tuple[OwnedSquare, ...], size: float, letters: float, *, roomy: bool) -> tuple[Codes, ...]:
    """A row of the map has one text for each ink; a code that is more than a letter has one of its own. They are the same for
    all readers of a turn."""
    found: dict[str, dict[tuple[float, int], list[tuple[float, str]]]] = {}
    for place, square in enumerate(squares):
        across, down = _moved(square.at, *_code(square, size, letters, roomy=roomy))
        alone = -1 if _LETTER.fullmatch(square.owner.code) else place
        found.setdefault(square.owner.ink, {}).setdefault((down, alone), []).append((across, square.owner.code))
    return tuple(Codes(ink, tuple(_row(down, codes) for (down, _), codes in rows.items())) for ink, rows in found.items())


def _code(square: OwnedSquare, size: float, letters: float, *, roomy: bool) -> Point:
    """Where in a square its owner's code stands: a dot needs room beside it, one with letters more."""
    if square.letters and roomy:
        return (size - _WIDE[square.letters - 1] - 1) / 2, size * 0.62 + letters * 0.36
    return size * (0.4 if square.marked else 0.5), size * 0.5 + letters * 0.36


def _row(down: float, codes: Sequence[tuple[float, str]]) -> Row:
    return Row(" ".join(_number(across) for across, _ in codes), _number(down), "".join(code for _, code in codes))


def _ink(placed: Placed) -> str:
    return placed.square.owner.ink if placed.square.owner else _INK


def _moved(at: Point, across: float, down: float) -> Point:
    return round(at[0] + across, 1), round(at[1] + down, 1)


@lru_cache(maxsize=4096)
def _box(at: Point, size: float, within: float = 0, wide: int = 1) -> str:
    """A square, or one within it that leaves such a part of it free at each side; or a stretch of squares so many `wide`."""
    side, length = _number(size * (1 - 2 * within)), _number(size * (wide - 2 * within))
    return f"M{_pair(_moved(at, size * within, size * within))}h{length}v{side}h-{length}z"


def _cross(at: Point, size: float) -> str:
    near, far = size * 0.2, size * 0.8
    ends = (_pair(_moved(at, *to)) for to in ((near, near), (far, far), (far, near), (near, far)))
    return "M{}L{}M{}L{}".format(*ends)


def _fronts(drawing: GridDrawing) -> tuple[Border, ...]:
    return tuple(border for border in drawing.borders if border.front)


@lru_cache(maxsize=32)
def _edges(borders: tuple[Border, ...]) -> str:
    """All readers of a turn have the same."""
    return "".join(map(_edge, borders))


def _edge(border: Border) -> str:
    (left, top), (right, bottom) = border.start, border.end
    along = f"h{_number(right - left)}" if top == bottom else f"v{_number(bottom - top)}"
    return f"M{_pair(border.start)}{along}"


def _lines(drawing: GridDrawing) -> str:
    (left, top), size = drawing.at, drawing.size
    columns, rows = (range(round(length / size) + 1) for length in (drawing.across, drawing.down))
    upright = (f"M{_pair((left + column * size, top))}v{_number(drawing.down)}" for column in columns)
    return "".join((*upright, *(f"M{_pair((left, top + row * size))}h{_number(drawing.across)}" for row in rows)))


def _pair(at: Point) -> str:
    return f"{_number(at[0])} {_number(at[1])}"


@lru_cache(maxsize=4096)
def _number(value: float) -> str:
    return f"{round(value, 1):g}"
