"""Maps of areas (``view.data["map"]`` with ``areas``), checked, and everything on them with its coordinates.

title    a line above the map
sheet    [width, height] of what is drawn, in whole units: all coordinates are in them, and it comes out as wide as every map
grounds  what areas are: name, fill ("#rrggbb"), line (of borders), ink (of labels); those that come later are drawn upon those
         before
areas    name, label (what is written there, or ""), ground (a name of `grounds`), owner (a name of `owners`, or ""), at ([x,
         y], where its label and its pieces stand), centre (whether it has a mark, which shows the owner), outline (see
         `rings_of`)
spots    other places where pieces stand and moves end: name, and at
owners   as on other maps: colour is that of pieces, arrows and marks, and fill, which may be left out, that of areas
legend   see `moves`; centre and free are marks of areas that are owned, and that are not
notes    sentences at the bottom
kinds, pieces, arrows, supports, clashes    see `moves`, with names of areas and spots; each may be left out

Neighbours touch where their outlines have the same points. An owner's colour is never alone: its letters stand on each mark, or
on the piece beside it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from pbmd.rendering.labels import LINE_HEIGHT, RADIUS, WIDTH, Point, fitted
from pbmd.rendering.legend import ROOM, ROW_HEIGHT, Entry, Text, legend, lines_of
from pbmd.rendering.map_parts import MOST_NOTES, NOTE_CHARS, MapError, Owner, entries, owner_of, plain, read_colour, read_owners
from pbmd.rendering.moves import LEGEND, Kind, Moves, Piece, read_kinds, read_moves
from pbmd.rendering.strokes import Strokes, strokes

MOST_AREAS = 200
MOST_SPOTS = 60
MOST_GROUNDS = 12
MOST_CHARS = 100_000
"""Of all outlines together: the work that a picture can make."""
LARGEST = 20_000
"""The longest side of a sheet."""
NAME_SIZE = 16.2
"""Of labels: 9 pixels on a telephone, which has 358 for a sheet."""
_LABEL_CHARS = 12
_TITLE_HEIGHT = 44
_OUTLINE = re.compile(r"-?[0-9]{1,5}(?: -?[0-9]{1,5})*")
_BELOW = 27.0
"""Of the baseline of a label under a piece or a mark; where there is neither, it stands in the middle."""
_IN_THE_MIDDLE = 6.0
_BESIDE = (16.0, -12.0)
"""Where the mark of an area stands that has a piece in its place, from there."""

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Backdrop:
    """See the module."""

    name: str
    fill: str
    line: str
    ink: str


@dataclass(frozen=True, slots=True)
class Area:
    """See the module."""

    name: str
    label: str
    ground: Backdrop
    owner: Owner | None
    at: Point
    centre: bool
    outline: str


@dataclass(frozen=True, slots=True)
class Spot:
    """See the module."""

    name: str
    at: Point


@dataclass(frozen=True, slots=True)
class Areas:
    """See the module. Pieces and moves are at places in `areas` and then in `spots`; `fills` are those of owners, by name."""

    title: str
    sheet: Cell
    grounds: tuple[Backdrop, ...]
    areas: tuple[Area, ...]
    spots: tuple[Spot, ...]
    owners: tuple[Owner, ...]
    fills: Mapping[str, str]
    legend: Mapping[str, str]
    notes: tuple[str, ...]
    moves: Moves


class Shape(NamedTuple):
    """An area as a path in the units of the sheet, with its colour."""

    path: str
    fill: str


class Label(NamedTuple):
    """What is written in an area, on that ground."""

    words: str
    at: Point
    ground: Backdrop


class Mark(NamedTuple):
    """The mark of an area, with the letters of its owner unless it is `bare`: then a piece of that owner stands beside it."""

    at: Point
    owner: Owner | None
    bare: bool


@dataclass(frozen=True, slots=True)
class AreasDrawing:
    """Everything with its coordinates; `scale` is that of shapes, which lie `top` below the upper edge and are `depth` high."""

    title: str
    width: int
    height: float
    top: float
    depth: float
    scale: float
    shapes: tuple[tuple[Backdrop, tuple[Shape, ...]], ...]
    labels: tuple[Label, ...]
    marks: tuple[Mark, ...]
    moves: Strokes
    kinds: Mapping[str, Kind]
    fills: Mapping[str, str]
    name_size: float
    legend: tuple[Entry, ...]
    notes: tuple[Text, ...]


# --- What a view says -----------------------------------------------------------------------------------------------------


def read_areas(data: Mapping[str, Any]) -> Areas:
    """The map in a view's data. Raises `MapError`."""
    sheet = _sheet(data["sheet"])
    owners, kinds = read_owners(data), read_kinds(data)
    by_name = {owner.name: owner for owner in owners}
    grounds = tuple(_ground(entry, f"grounds[{place}]") for place, entry in enumerate(entries(data, "grounds", MOST_GROUNDS)))
    told = entries(data, "areas", MOST_AREAS)
    if sum(len(entry["outline"]) for entry in told) > MOST_CHARS:
        raise MapError(f"areas: the outlines have more than the {MOST_CHARS} characters that can be drawn")
    of_name = {ground.name: ground for ground in grounds}
    areas = tuple(_area(entry, f"areas[{place}]", of_name, by_name) for place, entry in enumerate(told))
    for place, entry in enumerate(told):
        _keep_to(sheet, entry["outline"], f"areas[{place}].outline")
    further = entries(data, "spots", MOST_SPOTS)
    spots = tuple(Spot(plain(spot["name"]), _at(spot, f"spots[{place}]")) for place, spot in enumerate(further))
    # By the names as given: what is shown may be shortened.
    places = {entry["name"]: place for place, entry in enumerate((*told, *further))}
    if len(places) != len(areas) + len(spots) or not areas:
        raise MapError("areas: there is at least one, and no two places have the same name")
    return Areas(
        plain(data["title"]),
        sheet,
        grounds,
        areas,
        spots,
        owners,
        {owner.name: _fill(entry, owner) for entry, owner in zip(data["owners"], owners, strict=True)},
        {key: plain(str(data["legend"].get(key, ""))) for key in ("centre", "free", *LEGEND)},
        tuple(plain(note, NOTE_CHARS) for note in entries(data, "notes", MOST_NOTES)),
        read_moves(data, places, by_name, kinds),
    )


def rings_of(outline: str) -> list[list[Cell]]:
    """The rings of an outline, each as its points; the last is joined to the first.

    Rings are parted by semicolons. Each is written as whole numbers with blanks between them: x and y of its first point, and
    those of each other as they differ from the one before. Raises `MapError`.
    """
    return [_ring(written) for written in outline.split(";")]


def _ring(written: str) -> list[Cell]:
    numbers = [int(number) for number in written.split(" ")] if _OUTLINE.fullmatch(written) else []
    if len(numbers) < 6 or len(numbers) % 2:
        raise MapError("a ring of an outline is written as three pairs of whole numbers, or more")
    return list(zip(accumulate(numbers[::2]), accumulate(numbers[1::2]), strict=True))


def _keep_to(sheet: Cell, outline: str, where: str) -> None:
    try:
        rings = rings_of(outline)
    except MapError as problem:
        raise MapError(f"{where}: {problem}") from problem
    if any(not (0 <= x <= sheet[0] and 0 <= y <= sheet[1]) for ring in rings for x, y in ring):
        raise MapError(f"{where}: it does not keep to the sheet")


def _sheet(told: Sequence[int]) -> Cell:
    if len(told) != 2 or any(type(side) is not int or not 1 <= side <= LARGEST for side in told) or told[1] > 2 * told[0]:
        raise MapError(f"sheet: its width and height are 1 to {LARGEST}, and it is at most twice as high as wide")
    return told[0], told[1]


def _ground(entry: Mapping[str, Any], where: str) -> Backdrop:
    colours = (read_colour(entry[key], f"{where}.{key}") for key in ("fill", "line", "ink"))
    return Backdrop(plain(entry["name"]), *colours)


def _fill(entry: Mapping[str, Any], owner: Owner) -> str:
    return read_colour(entry["fill"], f"the fill of {owner.name}") if "fill" in entry else owner.colour


def _area(entry: Mapping[str, Any], where: str, grounds: Mapping[str, Backdrop], owners: Mapping[str, Owner]) -> Area:
    if plain(entry["ground"]) not in grounds:
        raise MapError(f"{where}.ground: there is no such ground")
    return Area(
        plain(entry["name"]),
        plain(entry["label"], _LABEL_CHARS),
        grounds[plain(entry["ground"])],
        owner_of(entry, where, owners),
        _at(entry, where),
        bool(entry["centre"]),
        entry["outline"],
    )


def _at(entry: Mapping[str, Any], where: str) -> Point:
    x, y = entry["at"]
    if any(type(number) is not int or not 0 <= number <= LARGEST for number in (x, y)):
        raise MapError(f"{where}.at: coordinates are whole numbers, 0 to {LARGEST}")
    return x, y


# --- Where everything goes ------------------------------------------------------------------------------------------------


def areas_drawing(found: Areas) -> AreasDrawing:
    """The map with everything in its place."""
    scale = WIDTH / found.sheet[0]
    every = (*found.areas, *found.spots)
    places = [(round(each.at[0] * scale, 1), round(each.at[1] * scale + _TITLE_HEIGHT, 1)) for each in every]
    standing = {piece.at: piece for piece in found.moves.pieces if not piece.displaced}
    there = list(zip(found.areas, places[: len(found.areas)], map(standing.get, range(len(found.areas))), strict=True))
    marked = [place for place, area in enumerate(found.areas) if area.centre]
    depth = round(found.sheet[1] * scale, 1)
    below = legend(found.owners, _kinds(found), _TITLE_HEIGHT + depth + RADIUS + 10)
    bottom = max((entry.at[1] for entry in below), default=_TITLE_HEIGHT + depth) + ROW_HEIGHT
    lines = lines_of(found.notes, bottom)
    return AreasDrawing(
        title=fitted(found.title, ROOM),
        width=WIDTH,
        height=round(bottom + len(lines) * LINE_HEIGHT - LINE_HEIGHT / 2),
        top=_TITLE_HEIGHT,
        depth=depth,
        scale=round(scale, 4),
        shapes=tuple((ground, tuple(_shapes(found, ground))) for ground in found.grounds),
        labels=tuple(_label(area, at, area.centre or piece is not None) for area, at, piece in there if area.label),
        marks=tuple(_mark(area, at, piece) for area, at, piece in there if area.centre),
        moves=strokes(found.moves, places, [each.name for each in every], [None] * len(every), {*standing, *marked}),
        kinds={f"kind {kind.name}": kind for kind in found.moves.kinds},
        fills=found.fills,
        name_size=NAME_SIZE,
        legend=below,
        notes=lines,
    )


def _shapes(found: Areas, ground: Backdrop) -> Iterable[Shape]:
    for area in found.areas:
        if area.ground is ground:
            yield Shape(_path(area.outline), found.fills[area.owner.name] if area.owner else ground.fill)


def _path(outline: str) -> str:
    """An outline, which is checked, as a path of SVG: first points as they are, and lines by their differences."""
    rings = (ring.split(" ", 2) for ring in outline.split(";"))
    return "".join(f"M{x} {y}l{others}z" for x, y, others in rings)


def _label(area: Area, at: Point, occupied: bool) -> Label:
    return Label(area.label, (at[0], round(at[1] + (_BELOW if occupied else _IN_THE_MIDDLE), 1)), area.ground)


def _mark(area: Area, at: Point, piece: Piece | None) -> Mark:
    if piece is None:
        return Mark(at, area.owner, False)
    return Mark((round(at[0] + _BESIDE[0], 1), round(at[1] + _BESIDE[1], 1)), area.owner, piece.owner is area.owner)


def _kinds(found: Areas) -> list[tuple[str, str]]:
    """The kinds of pieces, marks and strokes that there are and that the legend explains, with its words."""
    there = {piece.kind for piece in found.moves.pieces}
    kinds = [(f"kind {kind.name}", kind.words) for kind in found.moves.kinds if kind in there]
    marked = {"centre" if area.owner else "free" for area in found.areas if area.centre}
    used = [*sorted(marked), *found.moves.used()]
    return [(kind, words) for kind, words in (*kinds, *((kind, found.legend[kind]) for kind in used)) if words]
