"""Pieces and their moves on maps of places: what is drawn, what it says without colours, and what is refused."""

import math
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import pytest

from pbmd.rendering.chart import WIDEST, read_chart
from pbmd.rendering.labels import WIDTH
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.picture import PNG_ZOOM, content_id, inline_image, inline_svg, svg_png
from pbmd.rendering.strokes import strokes
from tests.processor_time import takes_at_most
from tests.rendering.maps import EVIL, OWNERS, SVG, assert_text_and_nothing_else, chart, node, svg_of, words
from tests.rendering.test_map_picture import rows_of

KINDS = [
    {"name": "sea", "shape": "diamond", "fill": "#1f5f8b", "words": "sea"},
    {"name": "foot", "shape": "box", "fill": "", "words": "foot"},
    {"name": "boat", "shape": "hull", "fill": "", "words": "boat"},
]
LEGEND = {"arrow": "moved", "failed": "in vain", "support": "helped", "clash": "met", "displaced": "driven out"}


def piece(at: str, **more: Any) -> dict[str, Any]:
    return {"at": at, "kind": "foot", "owner": "Red", "note": "", "displaced": False, **more}


def arrow(*path: str, failed: bool = False) -> dict[str, Any]:
    return {"path": list(path), "owner": "Red", "failed": failed}


def support(at: str, *of: str, failed: bool = False) -> dict[str, Any]:
    return {"at": at, "of": list(of), "failed": failed}


def moved(**more: Any) -> dict[str, Any]:
    """Four places in a row and one below, with these pieces and moves."""
    nodes = [node(name, 100 * place, 0) for place, name in enumerate("ABCD")]
    nodes.append(node("Sea", 150, 200, kind="sea"))
    return chart(*nodes, links=[["A", "B"], ["B", "C"], ["C", "D"]], kinds=KINDS, legend=LEGEND, **more)


def elements(svg: str, tag: str) -> list[ET.Element]:
    return list(ET.fromstring(svg).iter(f"{SVG}{tag}"))


def drawn(data: dict[str, Any], *centres: tuple[float, float]):
    """The strokes of a map whose nodes lie there."""
    found = read_chart(data)
    return strokes(found.moves, centres, [each.name for each in found.nodes], [each.owner for each in found.nodes])


ROW = ((0.0, 0.0), (100.0, 0.0), (200.0, 0.0), (300.0, 0.0), (150.0, 200.0))


def points(path: str) -> list[tuple[float, float]]:
    found = [tuple(map(float, pair)) for pair in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]
    return [(x, y) for x, y in found]


class TestArrows:
    def test_go_from_one_place_to_the_next_without_touching_the_nodes(self):
        (found,) = drawn(moved(arrows=[arrow("A", "B")]), *ROW).arrows
        assert points(found.line)[0] == (15, 0)
        assert points(found.head)[0] == (81, 0)
        assert all(y == 0 for _, y in points(found.line))

    def test_bend_around_a_place_that_lies_in_the_way(self):
        (found,) = drawn(moved(arrows=[arrow("A", "C")]), *ROW).arrows
        line = [*points(found.line), points(found.head)[0]]
        assert min(math.dist(each, ROW[1]) for each in line) > 18
        assert any(abs(y) > 18 for _, y in line)

    def test_that_come_against_each_other_bend_apart(self):
        one, other = drawn(moved(arrows=[arrow("A", "B"), arrow("B", "A")]), *ROW).arrows
        ways = [[y for _, y in points(found.line)[1:]] for found in (one, other)]
        assert max(ways[0]) < 0 < min(ways[1]) or max(ways[1]) < 0 < min(ways[0])

    def test_go_through_the_places_that_they_go_by(self):
        (found,) = drawn(moved(arrows=[arrow("A", "Sea", "D")]), *ROW).arrows
        assert (150, 200) in points(found.line)
        assert max(abs(math.dist(*leg)) for leg in pairwise(points(found.line))) < 60

    def test_between_places_upon_each_other_are_still_numbers(self):
        (found,) = drawn(moved(arrows=[arrow("A", "B")]), (5, 5), (5, 5), *ROW[2:]).arrows
        assert "nan" not in found.line + found.head

    def test_that_failed_are_broken_and_crossed(self):
        for failed in (False, True):
            svg = svg_of(moved(arrows=[arrow("A", "B", failed=failed)]))
            dashes = [each for each in elements(svg, "path") if each.get("stroke-dasharray")]
            assert bool(dashes) is failed
            assert ("in vain" in words(svg), "moved" in words(svg)) == (failed, not failed)
        assert drawn(moved(arrows=[arrow("A", "B", failed=True)]), *ROW).arrows[0].cross
        assert not drawn(moved(arrows=[arrow("A", "B")]), *ROW).arrows[0].cross


class TestSupports:
    def test_of_a_move_reach_the_middle_of_its_arrow(self):
        (found,) = drawn(moved(arrows=[arrow("A", "B")], supports=[support("Sea", "A", "B")]), *ROW).supports
        assert math.dist(found.ring, (48, 0)) < 6

    def test_of_a_piece_that_stays_end_beside_it(self):
        (found,) = drawn(moved(supports=[support("A", "B")]), *ROW).supports
        assert found.ring == (77, 0)

    def test_that_failed_are_broken_and_crossed(self):
        one, other = (drawn(moved(supports=[support("A", "B", failed=failed)]), *ROW).supports[0] for failed in (True, False))
        assert one.cross
        assert not other.cross
        assert "stroke-dasharray" in svg_of(moved(supports=[support("A", "B", failed=True)]))


class TestPieces:
    def test_stand_on_their_places_with_shape_letter_and_note(self):
        svg = svg_of(moved(pieces=[piece("A"), piece("B", kind="boat", owner="White", note="nc")]))
        assert [word for word in words(svg) if word in ("R", "W", "nc")][:3] == ["R", "W", "nc"]
        assert {"foot", "boat", "sea"} <= set(words(svg))

    def test_that_were_displaced_stand_beside_with_a_broken_outline_and_a_cross(self):
        one, other = drawn(moved(pieces=[piece("A"), piece("A", owner="White", displaced=True)]), *ROW).pieces
        assert one.at == ROW[0]
        assert math.dist(one.at, other.at) > 15
        svg = svg_of(moved(pieces=[piece("A", displaced=True)]))
        assert any(each.get("stroke-dasharray") for each in elements(svg, "rect"))
        assert "driven out" in words(svg)

    def test_on_anothers_place_leave_its_owner_to_be_seen(self):
        data = moved(pieces=[piece("A"), piece("B"), piece("C")])
        data["nodes"][0]["owner"], data["nodes"][1]["owner"] = "White", "Red"
        badges = [each.badge.name if each.badge else "" for each in drawn(data, *ROW).pieces]
        assert badges == ["White", "", ""]

    def test_clashes_are_bursts_around_their_places(self):
        (burst,) = drawn(moved(clashes=["B"]), *ROW).clashes
        assert {round(math.dist(each, ROW[1])) for each in points(burst)} == {20, 27}
        assert "met" in words(svg_of(moved(clashes=["B"])))


EVERYTHING = moved(
    pieces=[piece("A"), piece("B", kind="boat", owner="White", note="nc", displaced=True)],
    arrows=[arrow("A", "Sea", "B"), arrow("C", "D", failed=True)],
    supports=[support("D", "A", "B", failed=True), support("C", "Sea")],
    clashes=["D"],
)


def test_all_of_it_is_told_in_words():
    (told,) = elements(svg_of(EVERYTHING), "desc")
    assert told.text == (
        "Pieces: Red foot at A; White boat at B nc, displaced. Moves: Red from A by Sea to B; Red from C to D, failed. "
        "Supports: D of A to B, failed; C of Sea. Clashes: D."
    )


def test_a_map_without_moves_has_no_strokes():
    svg = svg_of(chart())
    assert [each.text for each in elements(svg, "desc")] == ["Taken: Vega."]
    assert not elements(svg, "path")


@pytest.mark.parametrize("wide", [WIDTH, 900, WIDEST])
@pytest.mark.usefixtures("full_size_pictures")
def test_a_sheet_is_as_wide_as_asked(wide: int):
    svg = svg_of({**EVERYTHING, "width": wide})
    assert ET.fromstring(svg).get("width") == str(wide)
    assert max(float(each.get("x", 0)) for each in elements(svg, "text")) <= wide
    png = svg_png(svg)
    assert rows_of(png)[0] == wide * (PNG_ZOOM if wide == WIDTH else 1)
    assert f'width="{wide}"' in inline_image(png, content_id(svg), svg)
    assert f"max-width:{wide}px" in inline_svg(svg)


@pytest.mark.usefixtures("full_size_pictures")
def test_moves_are_in_the_png_too():
    still, moving = (
        rows_of(svg_png(svg_of({**EVERYTHING, "arrows": arrows, "supports": []})))[2] for arrows in ([], EVERYTHING["arrows"])
    )
    assert still != moving


@pytest.mark.parametrize("field", ["words", "note", "owner"])
def test_hostile_words_are_text_and_nothing_else(field: str):
    data = {**EVERYTHING, "kinds": [{**kind, "words": EVIL} for kind in KINDS]} if field == "words" else dict(EVERYTHING)
    if field == "note":
        data["pieces"] = [piece("A", note='"><')]
    if field == "owner":
        data["owners"] = [{**OWNERS[0], "name": EVIL, "code": "<&"}]
        data |= {"pieces": [piece("A", owner=EVIL)], "arrows": [], "supports": []}
    assert_text_and_nothing_else(svg_of(data))


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"pieces": [piece("Nowhere")]}, r"pieces\[0\]\.at: there is no such node"),
        ({"pieces": [piece("A", kind="horse")]}, r"pieces\[0\]\.kind"),
        ({"pieces": [piece("A", owner="Blue")]}, r"pieces\[0\]\.owner"),
        ({"pieces": [piece("A")] * 201}, "pieces: 201"),
        ({"arrows": [arrow("A")]}, r"arrows\[0\]\.path: an arrow goes from one node to another"),
        ({"arrows": [arrow("A", "A")]}, r"arrows\[0\]\.path"),
        ({"arrows": [arrow("A", "Nowhere")]}, r"arrows\[0\]\.path"),
        ({"arrows": [arrow(*"AB" * 9)]}, "path: 18"),
        ({"arrows": [arrow("A", "B")] * 121}, "arrows: 121"),
        ({"supports": [support("A", "B", "C")]}, r"supports\[0\]\.of: there is no such arrow"),
        ({"supports": [support("A", "A")]}, r"supports\[0\]\.of"),
        ({"supports": [support("A")]}, r"supports\[0\]\.of"),
        ({"clashes": ["Nowhere"]}, r"clashes\[0\]"),
        ({"kinds": [{**KINDS[0], "shape": "castle"}]}, r"kinds\[0\]\.shape: shapes are box"),
        ({"kinds": [{**KINDS[0], "fill": "blue"}]}, r"kinds\[0\]\.fill"),
        ({"width": 100}, "width: a sheet is 640 to 1280 wide"),
        ({"width": "640"}, "width"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_its_place(wrong: dict[str, Any], place: str):
    with pytest.raises(MapError, match=place):
        read_chart({**moved(), **wrong})


def test_the_most_that_can_be_on_a_map_is_placed_soon():
    nodes = [node(f"N{n}", n % 12, n // 12) for n in range(120)]
    arrows = [arrow(f"N{n}", f"N{(n * 7 + 5) % 120}") for n in range(120) if n != (n * 7 + 5) % 120]
    found = read_chart(chart(*nodes, arrows=arrows, kinds=KINDS))
    centres = [(50.0 * (n % 12), 90.0 * (n // 12)) for n in range(120)]
    with takes_at_most(3):
        strokes(found.moves, centres, [each.name for each in found.nodes], [None] * 120)
