"""Maps of hexes (``view.data["map"]`` with ``boards``), checked. `hex_places` has everything on them with its coordinates.

title    a line above the map
boards   drawn one below the other: name (a heading), note (behind it, in small letters), columns and rows (how many), shaded
         (hexes that are stressed, with a broken line around each patch of them), hexes (those that are not empty, each once),
         and perhaps lines, bursts, reach and inset
lines    of a board: a name of `strokes`, then the hexes from the first to the last
bursts   of a board: hexes in which something was lost
reach    of a board: pairs of a hex and how many hexes it reaches; a dotted line goes around all that is reached
inset    whether a board is drawn small, beside the legend; that can only be the last of several
hexes    at ("ccrr", as printed), label (a name at the lower edge, or ""), ground (a mark that lies in the middle, or None),
         counters (marks side by side, three at most); a mark is [kind, letters], and letters may be empty
kinds    of marks, each with name, shape (see `SHAPES`), fill ("#rrggbb", or "" for an outline alone), broken (whether its
         outline is), words (for the legend; a kind without words, or without a mark on the map, is not explained there)
strokes  kinds of lines: name, colour ("#rrggbb"), broken, words (for the legend; for those who see no picture a verb: "fired")
legend   what shaded hexes, bursts and reach are called
notes    sentences at the bottom

Hexes have flat tops, and even columns lie half a hex lower than odd ones. No kind is told by its colour alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from pbmd.rendering.map_parts import MOST_NOTES, NOTE_CHARS, MapError, entries, entries_if_any, ink_on, plain, read_colour

MOST_BOARDS = 12
MOST_ACROSS = 40
"""Columns of a board: with more, its hexes would have no room for letters."""
MOST_HEXES = 6000
"""Of all boards together: the work that a picture can make."""
MOST_KINDS = 20
MOST_COUNTERS = 3
LOOKS = ("shaded", "reach", "burst")
SHAPES = ("box", "diamond", "disc", "star", "ringed", "ring", "point")
_LETTERS = 3
MOST_STROKES = 10
MOST_LINES = 60
MOST_ON_LINE = 40
MOST_REACH = 60
_INK = "#1b2230"
"""Of letters on marks without a fill: they stand on paper."""


At = tuple[int, int]
"""Column and row of a hex, from 1."""


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
class Stroke:
    """A kind of lines; see the module."""

    name: str
    colour: str
    broken: bool
    words: str


class Line(NamedTuple):
    """A line of that kind through the middles of these hexes."""

    stroke: Stroke
    path: tuple[At, ...]


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
    shaded: frozenset[At]
    hexes: tuple[Hex, ...]
    lines: tuple[Line, ...]
    bursts: tuple[At, ...]
    reached: frozenset[At]
    inset: bool


@dataclass(frozen=True, slots=True)
class Boards:
    """See the module."""

    title: str
    boards: tuple[Board, ...]
    kinds: tuple[Kind, ...]
    strokes: tuple[Stroke, ...]
    legend: Mapping[str, str]
    notes: tuple[str, ...]


# --- What a view says -----------------------------------------------------------------------------------------------------


def read_boards(data: Mapping[str, Any]) -> Boards:
    """The map in a view's data. Raises `MapError`."""
    kinds = tuple(_kind(entry, place) for place, entry in enumerate(entries(data, "kinds", MOST_KINDS)))
    by_name = {kind.name: kind for kind in kinds}
    strokes = tuple(_stroke(entry, place) for place, entry in enumerate(entries_if_any(data, "strokes", MOST_STROKES)))
    strokes_by_name = {stroke.name: stroke for stroke in strokes}
    told = entries(data, "boards", MOST_BOARDS)
    if not told:
        raise MapError("boards: a map has at least one")
    if sum(max(0, entry["columns"]) * max(0, entry["rows"]) for entry in told) > MOST_HEXES:
        raise MapError(f"boards: they have more than the {MOST_HEXES} hexes that can be drawn")
    boards = tuple(_board(entry, f"boards[{place}]", by_name, strokes_by_name) for place, entry in enumerate(told))
    if any(board.inset for board in boards[:-1]) or (boards[-1].inset and len(boards) == 1):
        raise MapError("boards: only the last of several can be an inset")
    notes = tuple(plain(note, NOTE_CHARS) for note in entries(data, "notes", MOST_NOTES))
    legend = {key: plain(str(data["legend"].get(key, ""))) for key in LOOKS}
    return Boards(plain(data["title"]), boards, kinds, strokes, legend, notes)


def _stroke(entry: Mapping[str, Any], place: int) -> Stroke:
    colour = read_colour(entry["colour"], f"strokes[{place}].colour")
    return Stroke(plain(entry["name"]), colour, bool(entry["broken"]), plain(entry["words"]))


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


def _board(entry: Mapping[str, Any], where: str, kinds: Mapping[str, Kind], strokes: Mapping[str, Stroke]) -> Board:
    columns, rows = entry["columns"], entry["rows"]
    if not (1 <= columns <= MOST_ACROSS and 1 <= rows <= 99):
        raise MapError(f"{where}: a board has 1 to {MOST_ACROSS} columns and 1 to 99 rows")
    shaded = frozenset(_at(at, f"{where}.shaded", columns, rows) for at in entry["shaded"])
    hexes = tuple(_hex(told, f"{where}.hexes[{place}]", columns, rows, kinds) for place, told in enumerate(entry["hexes"]))
    if len({(one.column, one.row) for one in hexes}) != len(hexes):
        raise MapError(f"{where}.hexes: one is told twice")
    lines = tuple(
        _line(told, f"{where}.lines[{place}]", columns, rows, strokes)
        for place, told in enumerate(entries_if_any(entry, "lines", MOST_LINES))
    )
    bursts = tuple(_at(at, f"{where}.bursts", columns, rows) for at in entries_if_any(entry, "bursts", columns * rows))
    return Board(
        name=plain(entry["name"]),
        note=plain(entry["note"], NOTE_CHARS),
        columns=columns,
        rows=rows,
        shaded=shaded,
        hexes=hexes,
        lines=lines,
        bursts=tuple(dict.fromkeys(bursts)),
        reached=_reached(entries_if_any(entry, "reach", MOST_REACH), f"{where}.reach", columns, rows),
        inset=bool(entry.get("inset")),
    )


def _line(told: Sequence[str], where: str, columns: int, rows: int, strokes: Mapping[str, Stroke]) -> Line:
    name, *hexes = told
    if plain(name) not in strokes:
        raise MapError(f"{where}: there is no such stroke")
    path = tuple(_at(at, where, columns, rows) for at in hexes)
    if not 2 <= len(path) <= MOST_ON_LINE or any(one == other for one, other in pairwise(path)):
        raise MapError(f"{where}: a line goes from one hex to another")
    return Line(strokes[plain(name)], path)


def _reached(told: Sequence[Sequence[Any]], where: str, columns: int, rows: int) -> frozenset[At]:
    """All hexes of the board that one of these reaches."""
    sources = {(_at(at, where, columns, rows), reach) for at, reach in told}
    if not all(type(reach) is int and reach >= 0 for _, reach in sources):
        raise MapError(f"{where}: how far a hex reaches is a whole number")
    everywhere = ((column, row) for column in range(1, columns + 1) for row in range(1, rows + 1))
    return frozenset(at for at in everywhere if any(distance(at, source) <= reach for source, reach in sources))


def distance(one: At, other: At) -> int:
    """Steps between two hexes."""
    across, down = (a - b for a, b in zip(_cube(*one), _cube(*other), strict=True))
    return max(abs(across), abs(down), abs(across + down))


def _cube(column: int, row: int) -> At:
    """Two coordinates along edges: even columns lie half a hex lower."""
    return column, row - 1 - (column - 1 - (column - 1) % 2) // 2


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
