"""The outlines of Diplomacy's standard map, made of coastlines and of seeds, into ``standard.outlines.toml`` beside its tables:

    pip install 'shapely>=2.1'
    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python -m tests.rulesets.diplomacy.coasts package/land-50m.json

``land-50m.json`` is the coastline of Natural Earth at 1 : 50,000,000, which is in the public domain
(https://www.naturalearthdata.com/about/terms-of-use/), as TopoJSON; the npm package world-atlas brings it (ISC licence).
``seeds.toml`` says what belongs to which province. Where two that do not border on each other would meet for a few units, their
border is drawn together to a point. Whatever else is wrong is said, and is to be mended in the seeds; nothing is written then.
"""

import json
import math
import sys
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box
from shapely.geometry.polygon import orient
from shapely.ops import polylabel

HERE = Path(__file__).parent
MAPS = HERE.parents[3] / "rulesets" / "diplomacy" / "maps"
SEEDS = tomllib.loads((HERE / "seeds.toml").read_text(encoding="utf-8"))
UNITS = 2
"""Units of the outlines for one of the sheet below, so that whole numbers are fine enough."""
SHEET = box(-412, -424, 432, 392)
AROUND = SHEET.buffer(400)
WINDOW = box(-60, 5, 110, 85)
"""In degrees: what can come to lie on the sheet."""
SMALLEST_ISLAND = 60.0
SMALLEST_LAKE = 900.0
COARSENESS = 2.0
"""Of the simplified coast, as `shapely.coverage_simplify` has it."""
STRAIT, SPIT = 1.6, 0.9
"""Water that is narrower than twice the first becomes land, and land that is then narrower than twice the second, water."""
SHORTEST = 8.0
"""A border that is shorter cannot be seen."""
POINT = 14.0
"""A border that is shorter than this, and should not be, becomes a point."""

Cell = tuple[int, int]
Edge = list[Cell]
Outlines = Mapping[str, Sequence[Edge]]
Pair = tuple[str, str]


# --- The coastline ---------------------------------------------------------------------------------------------------------


def coastline(path: str) -> Any:
    """All land within the window, in degrees."""
    topology = json.loads(Path(path).read_text(encoding="utf-8"))
    scale, origin = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = [np.cumsum(arc, axis=0) * scale + origin for arc in topology["arcs"]]
    shapes = [
        shapely.make_valid(Polygon(ring(arcs, rings[0]), [ring(arcs, each) for each in rings[1:]]))
        for geometry in topology["objects"]["land"]["geometries"]
        for rings in (geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]])
    ]
    return shapely.union_all([shape.intersection(WINDOW) for shape in shapes if shape.intersects(WINDOW)])


def ring(arcs: Sequence[Any], numbers: Iterable[int]) -> Any:
    """A ring of the topology; one that crosses the 180th meridian goes on behind it."""
    points = np.concatenate([arcs[number] if number >= 0 else arcs[~number][::-1] for number in numbers])
    turns = np.diff(points[:, 0], prepend=points[0, 0])
    points[:, 0] -= 360 * np.cumsum((turns > 180).astype(int) - (turns < -180).astype(int))
    points[:, 0] -= 360 * round((points[:, 0].max() + points[:, 0].min()) / 720)
    return points


# --- The projection: a cone, with a lens over the middle, and glasses where provinces are small ------------------------------

LOW, HIGH, MIDDLE, MERIDIAN = (math.radians(degrees) for degrees in (38, 62, 50, 14))
CONE = math.log(math.cos(LOW) / math.cos(HIGH)) / math.log(math.tan(math.pi / 4 + HIGH / 2) / math.tan(math.pi / 4 + LOW / 2))
SCALE = 1000 * math.cos(LOW) * math.tan(math.pi / 4 + LOW / 2) ** CONE / CONE
LENS, LENS_REACH, LENS_POWER = (-45.0, 0.0), 430.0, 1.3
TALL = 1.04
GLASSES = (
    ((-3.5, 54.3), 78.0, 0.72),
    ((21.0, 41.5), 80.0, 0.36),
    ((13.0, 42.3), 60.0, 0.45),
    ((6.0, 53.0), 60.0, 0.3),
    ((32.5, 40.0), 80.0, 0.5),
)
"""Each a place in degrees, how far around it, and by how much more is made larger there."""


def on_sheet(degrees: Any) -> Any:
    """Points of the sheet, x to the right and y down, for longitudes and latitudes."""
    points = through_lens(degrees)
    moved = points.copy()
    for place, reach, power in GLASSES:
        apart = points - through_lens(np.array([place]))
        moved += apart * power * np.exp(-(apart**2).sum(axis=1) / (2 * reach**2))[:, None]
    return moved


def through_lens(degrees: Any) -> Any:
    radius, turn = radius_of(degrees[:, 1]), CONE * (np.radians(degrees[:, 0]) - MERIDIAN)
    apart = np.column_stack((radius * np.sin(turn), radius * np.cos(turn) - radius_of(math.degrees(MIDDLE)))) - LENS
    far = np.hypot(apart[:, 0], apart[:, 1])[:, None]
    return LENS + apart * (1 + LENS_POWER) / (1 + LENS_POWER * far / LENS_REACH) * (1, TALL)


def radius_of(latitude: Any) -> Any:
    return SCALE / np.tan(np.pi / 4 + np.radians(latitude) / 2) ** CONE


def drawn(shape: Any, step: float = 0.5) -> Any:
    """A shape in degrees as one of the sheet."""
    return shapely.transform(shapely.segmentize(shape, step), on_sheet)


def points_of(seeds: Mapping[str, Any]) -> Mapping[str, Sequence[Point]]:
    return {name: [Point(point) for point in on_sheet(np.array(places, float))] for name, places in seeds.items()}


# --- The cells -------------------------------------------------------------------------------------------------------------


def land_of(path: str) -> Any:
    """Land as it is drawn: without fjords, islets and lakes, and with bridges."""
    bridges = [drawn(LineString(line), 0.1).buffer(wide) for lines in SEEDS["bridges"].values() for *line, wide in lines]
    land = shapely.union_all([drawn(coastline(path)).buffer(0), *bridges])
    for width in (STRAIT, -STRAIT - SPIT, SPIT):
        land = land.buffer(width, join_style="mitre")
    kept = (part for part in parts(land.intersection(SHEET)) if part.area > SMALLEST_ISLAND)
    return shapely.union_all(
        [Polygon(part.exterior, [lake for lake in part.interiors if Polygon(lake).area > SMALLEST_LAKE]) for part in kept]
    )


def parts(shape: Any) -> list[Any]:
    return [part for part in getattr(shape, "geoms", [shape]) if part.geom_type == "Polygon" and part.area > 1e-6]


def borders(seeds: Mapping[str, Any], area: Any) -> Any:
    """The lines within an area between what is nearest to seeds of one name and of another."""
    named = [(point, name) for name, points in points_of(seeds).items() for point in points]
    found = shapely.voronoi_polygons(MultiPoint([point for point, _ in named]), extend_to=AROUND, ordered=True)
    cells = defaultdict[str, list[Any]](list)
    for (_, name), cell in zip(named, found.geoms, strict=True):
        cells[name].append(cell)
    return shapely.union_all([shapely.union_all(each).boundary for each in cells.values()]).intersection(area)


def provinces(path: str) -> Mapping[str, Any]:
    """Polygons that cover the sheet, by their names."""
    land = land_of(path)
    lines = [land.boundary, SHEET.boundary, borders(SEEDS["land"], land), borders(SEEDS["sea"], SHEET.difference(land))]
    faces = list(shapely.polygonize([shapely.union_all(lines, grid_size=0.02)]).geoms)
    dry = [land.contains(face.representative_point()) for face in faces]
    seeds = {True: points_of(SEEDS["land"]), False: points_of(SEEDS["sea"])}
    owners = [nearest(face.representative_point(), seeds[is_dry]) for face, is_dry in zip(faces, dry, strict=True)]
    settle(faces, dry, owners, {**seeds[True], **seeds[False]}, parts(land))
    named = defaultdict[str, list[Any]](list)
    for face, name in zip(faces, owners, strict=True):
        named[name].append(face)
    return {name: shapely.union_all(found) for name, found in named.items()}


def nearest(point: Point, seeds: Mapping[str, Sequence[Point]]) -> str:
    return min(seeds, key=lambda name: min(map(point.distance, seeds[name])))


def settle(
    faces: Sequence[Any], dry: Sequence[bool], owners: list[str], seeds: Mapping[str, Sequence[Point]], islands: Sequence[Any]
) -> None:
    """Give what another province cuts off from all seeds of its own to the neighbour with which it has most in common. Islands
    and lakes stay."""
    settled = {
        place
        for place, face in enumerate(faces)
        if any(map(face.contains, seeds[owners[place]]))
        or any(abs(island.area - face.area) < 0.5 and island.intersects(face) for island in islands)
    }
    tree = shapely.STRtree(faces)
    left = {*range(len(faces))} - settled
    while meetings := [
        (length, place, other)
        for place in left
        for other in map(int, tree.query(faces[place]))
        if other in settled
        and dry[place] == dry[other]
        and (length := faces[place].boundary.intersection(faces[other].boundary).length)
    ]:
        _, place, other = max(meetings)
        owners[place] = owners[other]
        settled.add(place)
        left.remove(place)


# --- The outlines in whole numbers -----------------------------------------------------------------------------------------


def outlines(cells: Mapping[str, Any]) -> Outlines:
    """Closed rings for each, with the same points where two touch."""
    simple = shapely.coverage_simplify([*cells.values()], COARSENESS)
    return {
        name: [[cell(point) for point in edge.coords] for part in parts(shape) for edge in edges_of(orient(part))]
        for name, shape in zip(cells, simple, strict=True)
    }


def edges_of(part: Any) -> Sequence[Any]:
    return (part.exterior, *part.interiors)


def cell(point: Sequence[float]) -> Cell:
    left, top, right, bottom = SHEET.bounds
    x, y = min(right, max(left, point[0])), min(bottom, max(top, point[1]))
    return round((x - left) * UNITS), round((y - top) * UNITS)


def touching(found: Outlines) -> Mapping[Pair, set[tuple[Cell, Cell]]]:
    """The lines that two have in common."""
    names, shared = defaultdict[tuple[Cell, Cell], set[str]](set), defaultdict[Pair, set[tuple[Cell, Cell]]](set)
    for name, edges in found.items():
        for one, other in (line for edge in edges for line in pairwise(edge) if line[0] != line[1]):
            names[min(one, other), max(one, other)].add(name)
    for line, two in names.items():
        if len(two) == 2:
            shared[min(two), max(two)].add(line)
    return {pair: lines for pair, lines in shared.items() if not any(name[0] in "_~" for name in pair)}


def length(lines: Iterable[tuple[Cell, Cell]]) -> float:
    return sum(math.dist(*line) for line in lines) / UNITS


def drawn_together(found: Outlines, wanted: Collection[Pair]) -> Outlines:
    """The outlines with points in place of short borders that should not be."""
    for pair, lines in sorted(touching(found).items()):
        if pair not in wanted and length(lines) < POINT:
            for group in joined(lines):
                ends = [point for line in group for point in line]
                middle: Cell = tuple(map(round, np.mean(ends, axis=0)))  # type: ignore[assignment]
                found = {name: [moved(edge, {*ends}, middle) for edge in edges] for name, edges in found.items()}
    return {name: [edge for edge in edges if len({*edge}) > 2] for name, edges in found.items()}


def joined(lines: Iterable[tuple[Cell, Cell]]) -> Sequence[set[tuple[Cell, Cell]]]:
    """Lines that go on in each other, together."""
    groups: list[set[tuple[Cell, Cell]]] = []
    for line in lines:
        near = [group for group in groups if any({*line} & {*other} for other in group)]
        groups = [group for group in groups if group not in near] + [{line}.union(*near)]
    return groups


def moved(edge: Edge, points: Collection[Cell], to: Cell) -> Edge:
    points_now = [to if point in points else point for point in edge]
    return [point for place, point in enumerate(points_now) if not place or point != points_now[place - 1]]


# --- What is written -------------------------------------------------------------------------------------------------------


def wanted_borders(board: Mapping[str, Any]) -> Collection[Pair]:
    pairs = (
        sorted((province["id"], to[:3]))
        for province in board["province"]
        for reach in (province.get("army", []), *by_coast(province.get("fleet", [])))
        for to in reach
    )
    return {(one, other) for one, other in pairs}


def by_coast(fleet: Any) -> Iterable[Sequence[str]]:
    return fleet.values() if isinstance(fleet, dict) else [fleet]


def problems(found: Outlines, wanted: Collection[Pair]) -> Iterable[str]:
    met = {pair: length(lines) for pair, lines in touching(found).items()}
    yield from (f"{one} and {other} do not touch" for one, other in sorted({*wanted} - {*met}))
    yield from (f"{one} and {other} touch ({met[one, other]:.0f})" for one, other in sorted({*met} - {*wanted}))
    yield from (f"{one} and {other} hardly touch" for (one, other), long in sorted(met.items()) if long < SHORTEST)
    for name, edges in found.items():
        yield from (f"{name} crosses itself" for edge in edges if not Polygon(edge).is_valid)


def document(found: Outlines) -> str:
    """The outlines as the ruleset keeps them, as `pbmd.rendering.areas.rings_of` reads them."""
    spots = {name: cell(on_sheet(np.array([place]))[0]) for name, place in SEEDS["coasts"].items()}
    lines = [
        "# The outlines of the standard map, made by tests/rulesets/diplomacy/coasts from coastlines in the public domain.",
        f"sheet = {[*cell(SHEET.bounds[2:])]}",
        "[spots]",
        *(f'"{name}" = {[*at]}' for name, at in spots.items()),
    ]
    for name, edges in sorted(found.items()):
        lines += [f'[areas."{name}"]', f"at = {[*middle(name, edges)]}", f'outline = "{";".join(map(written, edges))}"']
    return "\n".join([*lines, ""])


def middle(name: str, edges: Sequence[Edge]) -> Cell:
    """Where its pieces stand: in the middle of its largest part, or as far from it as the seeds say."""
    point = polylabel(max(map(Polygon, edges), key=lambda part: part.area), 2)
    across, down = SEEDS["moved"].get(name, (0, 0))
    return round(point.x) + across, round(point.y) + down


def written(edge: Edge) -> str:
    points = edge[:-1] if edge[0] == edge[-1] else edge
    return " ".join(f"{x - before[0]} {y - before[1]}" for before, (x, y) in zip([(0, 0), *points], points, strict=False))


def main(path: str) -> None:
    """Write the outlines. Raises `SystemExit` that says what is wrong with them."""
    wanted = wanted_borders(tomllib.loads((MAPS / "standard.toml").read_text(encoding="utf-8")))
    found = drawn_together(outlines(provinces(path)), wanted)
    if wrong := [*problems(found, wanted)]:
        raise SystemExit("\n".join(wrong))
    (MAPS / "standard.outlines.toml").write_text(document(found), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
