"""What is drawn on the squares of a map, as few long paths: one for all that is of one colour. There may be hundreds of squares
on a map, and every report has its own, so that each character stands a million times in a long game's archive."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbmd.reports.grid import Border, GridDrawing, Placed
from pbmd.reports.labels import Point
from pbmd.reports.parts import Owner

_LETTER = re.compile(r"[A-Za-z0-9]")
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


class Codes(NamedTuple):
    """The codes of owners that are written in one ink."""

    ink: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class GridPaths:
    """From the lowest to the topmost: land and its codes, frames around what is the reader's own, rings, the middles of dots,
    squares that are crossed out with their crosses, the lines of the grid, and the borders. Paths may be empty."""

    land: tuple[Layer, ...]
    codes: tuple[Codes, ...]
    code_size: float
    own: tuple[Layer, ...]
    rings: str
    marks: tuple[Point, ...]
    dot: float
    holes: str
    crosses: str
    lines: str
    borders: str


def grid_paths(drawing: GridDrawing) -> GridPaths:
    """The squares of a map as paths."""
    squares, size = drawing.squares, drawing.size
    letters = round(max(size * 0.46, 12, min(16.2, size * 0.8)), 1)
    return GridPaths(
        land=_layers((owner.colour, _box(at, size, wide=count)) for owner, at, count in _stretches(squares)),
        codes=_codes(squares, size, letters),
        code_size=letters,
        own=_layers((_ink(placed), _box(placed.at, size, 0.11)) for placed in squares if placed.square.own),
        rings="".join(_box(placed.at, size, 0.05) for placed in squares if placed.square.ringed),
        marks=tuple(_moved(placed.at, size * 0.77, size * 0.23) for placed in squares if placed.square.marked),
        dot=round(size * 0.15, 1),
        holes="".join(_box(placed.at, size) for placed in squares if placed.square.crossed),
        crosses="".join(_cross(placed.at, size) for placed in squares if placed.square.crossed),
        lines=_lines(drawing),
        borders="".join(map(_edge, drawing.borders)),
    )


def _stretches(squares: Iterable[Placed]) -> list[tuple[Owner, Point, int]]:
    """The land of owners: where each stretch of squares beside each other begins, and how many they are."""
    found: list[tuple[Owner, Point, int]] = []
    last: tuple[int, int, Owner] | None = None
    for square, at in squares:
        owner = square.owner
        if owner is not None and last == (square.row, square.column - 1, owner):
            _, begin, count = found.pop()
            found.append((owner, begin, count + 1))
        elif owner is not None:
            found.append((owner, at, 1))
        last = (square.row, square.column, owner) if owner is not None else None
    return found


def _layers(parts: Iterable[tuple[str, str]]) -> tuple[Layer, ...]:
    """One path for each colour, in the order in which they come first."""
    found: dict[str, list[str]] = {}
    for colour, path in parts:
        found.setdefault(colour, []).append(path)
    return tuple(Layer(colour, "".join(paths)) for colour, paths in found.items())


def _codes(squares: Iterable[Placed], size: float, letters: float) -> tuple[Codes, ...]:
    """A row of the map has one text for each ink; a code that is more than a letter has one of its own."""
    found: dict[str, dict[tuple[float, int], list[tuple[float, str]]]] = {}
    for place, (square, at) in enumerate(squares):
        if square.owner:
            across, down = _moved(at, size * (0.4 if square.marked else 0.5), size * 0.5 + letters * 0.36)
            alone = -1 if _LETTER.fullmatch(square.owner.code) else place
            found.setdefault(square.owner.ink, {}).setdefault((down, alone), []).append((across, square.owner.code))
    return tuple(Codes(ink, tuple(_row(down, codes) for (down, _), codes in rows.items())) for ink, rows in found.items())


def _row(down: float, codes: Sequence[tuple[float, str]]) -> Row:
    return Row(" ".join(_number(across) for across, _ in codes), _number(down), "".join(code for _, code in codes))


def _ink(placed: Placed) -> str:
    return placed.square.owner.ink if placed.square.owner else _INK


def _moved(at: Point, across: float, down: float) -> Point:
    return round(at[0] + across, 1), round(at[1] + down, 1)


def _box(at: Point, size: float, within: float = 0, wide: int = 1) -> str:
    """A square, or one within it that leaves such a part of it free at each side; or a stretch of squares so many `wide`."""
    side, length = _number(size * (1 - 2 * within)), _number(size * (wide - 2 * within))
    return f"M{_pair(_moved(at, size * within, size * within))}h{length}v{side}h-{length}z"


def _cross(at: Point, size: float) -> str:
    near, far = size * 0.2, size * 0.8
    ends = (_pair(_moved(at, *to)) for to in ((near, near), (far, far), (far, near), (near, far)))
    return "M{}L{}M{}L{}".format(*ends)


def _edge(border: Border) -> str:
    (left, top), (right, bottom) = border
    along = f"h{_number(right - left)}" if top == bottom else f"v{_number(bottom - top)}"
    return f"M{_pair(border.start)}{along}"


def _lines(drawing: GridDrawing) -> str:
    (left, top), size = drawing.at, drawing.size
    columns, rows = (range(round(length / size) + 1) for length in (drawing.across, drawing.down))
    upright = (f"M{_pair((left + column * size, top))}v{_number(drawing.down)}" for column in columns)
    return "".join((*upright, *(f"M{_pair((left, top + row * size))}h{_number(drawing.across)}" for row in rows)))


def _pair(at: Point) -> str:
    return f"{_number(at[0])} {_number(at[1])}"


def _number(value: float) -> str:
    return f"{round(value, 1):g}"
