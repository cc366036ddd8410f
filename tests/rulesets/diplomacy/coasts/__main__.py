"""The outlines of Diplomacy's standard map, made of coastlines and of seeds, into ``rulesets/diplomacy/maps/standard.json``:

    pip install 'shapely>=2.1' && npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python -m tests.rulesets.diplomacy.coasts package/land-50m.json

``land-50m.json`` of the npm package world-atlas (2.0.2) is the coastline of Natural Earth at 1 : 50,000,000, which is in the public
domain (naturalearthdata.com/about/terms-of-use); the package, under the ISC licence, brings it as TopoJSON. The seeds beside this
file say what belongs to which province. Where two that do not border on each other would touch for a few units, their border is
drawn together to a point; what else is wrong is said, and has to be mended in the seeds.
"""

import json
import math
import sys
import tomllib
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import shapely
import shapely.geometry.polygon
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box
from shapely.ops import polylabel, unary_union

HERE = Path(__file__).parent
MAPS = HERE.parents[3] / "rulesets" / "diplomacy" / "maps"
SEEDS = tomllib.loads((HERE / "seeds.toml").read_text())
UNITS = 2
"""Units of the outlines for one of the sheet, so that coasts are smooth in whole numbers."""
FRAME = box(-412, -424, 432, 392)
AROUND = FRAME.buffer(400)
SMALLEST = 60.0
SHORT = 14.0


# --- The coastline ---


def coastline(path):
    topology = json.loads(Path(path).read_text())
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = [np.cumsum(arc, axis=0) * (sx, sy) + (tx, ty) for arc in topology["arcs"]]
    shapes = [
        shapely.make_valid(Polygon(ring(arcs, rings[0]), [ring(arcs, each) for each in rings[1:]]))
        for geometry in topology["objects"]["land"]["geometries"]
        for rings in (geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]])
    ]
    window = box(-60, 5, 110, 85)
    return unary_union([shape.intersection(window) for shape in shapes if shape.intersects(window)])


def ring(arcs, numbers):
    """A ring of the topology; one that crosses the 180th meridian goes on behind it."""
    points = np.concatenate([arcs[number] if number >= 0 else arcs[~number][::-1] for number in numbers])
    turns = np.diff(points[:, 0], prepend=points[0, 0])
    points[:, 0] -= 360 * np.cumsum((turns > 180).astype(int) - (turns < -180).astype(int))
    points[:, 0] -= 360 * round((points[:, 0].max() + points[:, 0].min()) / 720)
    return points


# --- The projection: a cone, with a lens over the crowded middle ---

LOW, HIGH, MIDDLE, MERIDIAN = (math.radians(degrees) for degrees in (38, 62, 50, 14))
CONE = math.log(math.cos(LOW) / math.cos(HIGH)) / math.log(
    math.tan(math.pi / 4 + HIGH / 2) / math.tan(math.pi / 4 + LOW / 2)
)
SCALE = math.cos(LOW) * math.tan(math.pi / 4 + LOW / 2) ** CONE / CONE
LENS = ((-45.0, 0.0), 430.0, 1.3)
GLASSES = (
    ((-3.5, 54.3), 78.0, 0.72),
    ((21.0, 41.5), 80.0, 0.36),
    ((13.0, 42.3), 60.0, 0.45),
    ((6.0, 53.0), 60.0, 0.3),
    ((32.5, 40.0), 80.0, 0.5),
)
"""Where there are many small provinces: a place in degrees, how far around it, and by how much they are made larger there."""
TALL = 1.04


def through_lens(degrees):
    def cone(latitude):
        return SCALE / np.tan(np.pi / 4 + np.radians(latitude) / 2) ** CONE

    radius, turn = cone(degrees[:, 1]), CONE * (np.radians(degrees[:, 0]) - MERIDIAN)
    flat = np.column_stack((radius * np.sin(turn), radius * np.cos(turn) - cone(math.degrees(MIDDLE)))) * 1000
    centre, reach, power = LENS
    apart = flat - centre
    far = np.hypot(apart[:, 0], apart[:, 1])[:, None]
    return centre + apart * (1 + power) / (1 + power * far / reach) * (1, TALL)


def on_sheet(degrees):
    points = through_lens(degrees)
    added = np.zeros_like(points)
    for place, wide, power in GLASSES:
        apart = points - through_lens(np.array([place]))
        added += apart * power * np.exp(-(apart**2).sum(axis=1) / (2 * wide**2))[:, None]
    return points + added


def drawn(shape, step=0.5):
    return shapely.transform(shapely.segmentize(shape, step), on_sheet)


def points_of(seeds):
    return {name: [Point(point) for point in on_sheet(np.array(places, float))] for name, places in seeds.items()}


# --- The cells ---


def land_of(path):
    land = drawn(coastline(path)).buffer(0)
    for lines in SEEDS["bridges"].values():
        for *line, wide in lines:
            land = land.union(drawn(LineString(line), 0.1).buffer(wide))
    land = land.buffer(1.6, join_style="mitre").buffer(-2.5, join_style="mitre").buffer(0.9, join_style="mitre")
    for lines in SEEDS["channels"].values():
        for *line, wide in lines:
            land = land.difference(drawn(LineString(line), 0.1).buffer(wide))
    land = land.intersection(FRAME.buffer(60))
    return unary_union([Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area > 900])
                        for part in parts(land) if part.area > SMALLEST])


def parts(shape):
    return [part for part in getattr(shape, "geoms", [shape]) if part.geom_type == "Polygon" and part.area > 1e-6]


def borders(seeds, area):
    """The lines within an area between what is nearest to seeds of one name and of another."""
    points, names = zip(*((point, name) for name, all_of in points_of(seeds).items() for point in all_of), strict=True)
    cut = defaultdict(list)
    for name, cell in zip(names, shapely.voronoi_polygons(MultiPoint(points), extend_to=AROUND, ordered=True).geoms, strict=True):
        cut[name].append(cell)
    return unary_union([unary_union(cells).boundary for cells in cut.values()]).intersection(area)


def cells_of(path):
    """The provinces as polygons that cover the sheet."""
    land = land_of(path).intersection(FRAME)
    sea = FRAME.difference(land)
    lines = [land.boundary, FRAME.boundary, borders(SEEDS["land"], land), borders(SEEDS["sea"], sea)]
    faces = list(shapely.polygonize([shapely.union_all(lines, grid_size=0.02)]).geoms)
    middles = [face.representative_point() for face in faces]
    dry = [land.contains(middle) for middle in middles]
    seeds = {kind: points_of(SEEDS[kind]) for kind in ("land", "sea")}
    owners = [
        min(seeds["land" if is_dry else "sea"].items(), key=lambda item: min(middle.distance(seed) for seed in item[1]))[0]
        for middle, is_dry in zip(middles, dry, strict=True)
    ]
    settle(faces, dry, owners, seeds["land"] | seeds["sea"], parts(land))
    named = defaultdict(list)
    for face, name in zip(faces, owners, strict=True):
        named[name].append(face)
    return {name: unary_union(of) for name, of in named.items()}


def settle(faces, dry, owners, seeds, islands):
    """Give what lies apart from all seeds of its owner, and is no island, to its neighbours."""
    settled = {
        place
        for place, face in enumerate(faces)
        if any(face.contains(seed) for seed in seeds[owners[place]])
        or any(abs(island.area - face.area) < 0.5 and island.intersects(face) for island in islands)
    }
    tree = shapely.STRtree(faces)
    left = set(range(len(faces))) - settled
    while left:
        meet = [
            (faces[p].boundary.intersection(faces[o].boundary).length, p, int(o))
            for p in left for o in tree.query(faces[p]) if o in settled and dry[p] == dry[o]
        ]
        if not meet or not max(meet)[0]:
            print("apart:", [(owners[p], dry[p], round(faces[p].area)) for p in left])
            break
        _, place, other = max(meet)
        owners[place] = owners[other]
        settled.add(place)
        left.remove(place)


# --- The outlines in whole numbers ---


def outlines(cells):
    names = list(cells)
    simple = shapely.coverage_simplify([cells[name] for name in names], 2.0)
    left, top = FRAME.bounds[:2]

    def whole(points):
        return [(round((x - left) * UNITS), round((y - top) * UNITS)) for x, y in points]

    return {
        name: [whole(edge.coords) for part in map(shapely.geometry.polygon.orient, parts(shape)) for edge in (part.exterior, *part.interiors)]
        for name, shape in zip(names, simple, strict=True)
    }


def touching(rings):
    """The segments that two have in common, by the pair."""
    found, shared = defaultdict(set), defaultdict(set)
    for name, edges in rings.items():
        for edge in edges:
            for one, other in pairwise(edge):
                if one != other:
                    found[min(one, other), max(one, other)].add(name)
    for segment, names in found.items():
        if len(names) == 2:
            shared[tuple(sorted(names))].add(segment)
    return shared


def wanted(board):
    return {
        tuple(sorted((province["id"], to[:3])))
        for province in board["province"]
        for reach in (province.get("army", []), *by_coast(province.get("fleet", [])))
        for to in reach
    }


def by_coast(fleet):
    return fleet.values() if isinstance(fleet, dict) else [fleet]


def length(segments):
    return sum(math.dist(*segment) for segment in segments)


def drawn_together(rings, pairs):
    """The outlines without short borders of those that do not border on each other."""
    for pair, segments in sorted(touching(rings).items()):
        if pair in pairs or any(name[0] in "_~" for name in pair) or length(segments) > SHORT * UNITS:
            continue
        for group in joined(segments):
            middle = tuple(round(v) for v in np.mean([p for s in group for p in s], axis=0))
            moved = {point for segment in group for point in segment}
            rings = {n: [without_doubles([middle if p in moved else p for p in edge]) for edge in edges] for n, edges in rings.items()}
    return rings


def joined(segments):
    groups = []
    for segment in segments:
        near = [group for group in groups if any(set(segment) & set(other) for other in group)]
        groups = [group for group in groups if group not in near] + [{segment}.union(*near)]
    return groups


def without_doubles(edge):
    return [point for place, point in enumerate(edge) if not place or point != edge[place - 1]]


def main():
    board = tomllib.loads((MAPS / "standard.toml").read_text())
    pairs = wanted(board)
    cells = cells_of(sys.argv[1])
    rings = drawn_together(outlines(cells), pairs)
    rings = {n: [e for e in edges if len(set(e)) > 2] for n, edges in rings.items()}
    met = {pair: length(s) / UNITS for pair, s in touching(rings).items() if not any(name[0] in "_~" for name in pair)}
    print("missing:", *sorted("-".join(p) for p in pairs - set(met)))
    print("too many:", *sorted(f"{p[0]}-{p[1]}({met[p]:.0f})" for p in set(met) - pairs))
    print("short:", *sorted(f"{p[0]}-{p[1]}({met[p]:.0f})" for p in set(met) & pairs if met[p] < 8))
    for n, edges in rings.items():
        for e in edges:
            if not Polygon(e).is_valid: print("not simple:", n, shapely.is_valid_reason(Polygon(e)))
    target = MAPS / "standard.json"
    target.write_text(document(rings))
    print(target.name, target.stat().st_size, "bytes,", sum(map(len, (e for edges in rings.values() for e in edges))), "points")
    debug(board, rings)


def document(rings):
    """The outlines as the ruleset keeps them: one line for each area, as `pbmd.reports.areas.rings_of` reads them."""
    width, height = (round((FRAME.bounds[side + 2] - FRAME.bounds[side]) * UNITS) for side in (0, 1))
    left, top = FRAME.bounds[:2]

    def cell(x, y):
        return [min(width, max(0, round((x - left) * UNITS))), min(height, max(0, round((y - top) * UNITS)))]

    areas = {name: {"at": middle(name, edges), "outline": ";".join(map(written, edges))} for name, edges in sorted(rings.items())}
    spots = {name: cell(*on_sheet(np.array([place]))[0]) for name, place in SEEDS["coasts"].items()}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(area)}" for name, area in areas.items())
    return f'{{"sheet": {json.dumps([width, height])},\n"spots": {json.dumps(spots)},\n"areas": {{\n{lines}\n}}}}\n'


def middle(name, edges):
    """Where its pieces stand: in the middle of its largest part, or a little beside."""
    largest = max((Polygon(edge).buffer(0) for edge in edges), key=lambda part: part.area)
    point = polylabel(max(parts(largest), key=lambda part: part.area), 2)
    across, down = SEEDS["moved"].get(name, (0, 0))
    return [round(point.x) + across, round(point.y) + down]


def written(edge):
    points = edge[:-1] if edge[0] == edge[-1] else edge
    return " ".join(f"{x - before[0]} {y - before[1]}" for before, (x, y) in zip([(0, 0), *points], points, strict=False))


def debug(board, rings):
    W, H = (FRAME.bounds[2]-FRAME.bounds[0])*UNITS, (FRAME.bounds[3]-FRAME.bounds[1])*UNITS
    seas = set(SEEDS["sea"])
    o = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {W} {H}" width="{W}" height="{H}">']
    pal = ["#f7d9c4","#d9ead3","#fff2cc","#ead1dc","#d0e0e3","#f4cccc","#e2d5b8"]
    for i,(n, edges) in enumerate(rings.items()):
        d = "".join("M"+"L".join(f"{x} {y}" for x,y in e)+"Z" for e in edges)
        o.append(f'<path d="{d}" fill="{"#ccddee" if n in seas else "#bbb" if n[0]=="_" else pal[i%7]}" stroke="#444" stroke-width="2"/>')
        big = max((Polygon(e) for e in edges), key=lambda p: p.area)
        c = polylabel(shapely.make_valid(big) if big.is_valid else big.buffer(0), 4) if (big.is_valid) else big.centroid
        o.append(f'<text x="{c.x}" y="{c.y}" font-size="26" text-anchor="middle">{n}</text>')
    left, top = FRAME.bounds[:2]
    for kind in ("land","sea"):
        for n,ps in points_of(SEEDS[kind]).items():
            for p in ps: o.append(f'<circle cx="{(p.x-left)*UNITS}" cy="{(p.y-top)*UNITS}" r="4" fill="{"#c00" if kind=="land" else "#00c"}"/>')
    o.append("</svg>")
    open("/tmp/wa/debug.svg","w").write("\n".join(o))
    from resvg_py import svg_to_bytes
    open("/tmp/wa/debug.png","wb").write(bytes(svg_to_bytes(svg_string="\n".join(o))))


if __name__ == "__main__":
    main()
