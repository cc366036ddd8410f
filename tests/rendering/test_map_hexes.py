"""Maps of hexes: what a ruleset may say of one, what is refused, and what the picture shows."""

import math
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from pbmd.rendering.hex_places import hex_drawing
from pbmd.rendering.hexes import MOST_ACROSS, MOST_BOARDS, SHAPES, distance, read_boards
from pbmd.rendering.labels import WIDTH, text_width
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.picture import svg_png
from tests.colours import contrast
from tests.rendering.maps import EVIL, SVG, assert_text_and_nothing_else, smallest_letters, svg_of, told, words

pytestmark = pytest.mark.usefixtures("small_pictures")


def kind(name: str, shape: str = "box", fill: str = "#e9f1ff", broken: bool = False, words: str = "") -> dict[str, Any]:
    return {"name": name, "shape": shape, "fill": fill, "broken": broken, "words": words or f"a {name}"}


def hexagon(at: str, *counters: list[str], ground: list[str] | None = None, label: str = "") -> dict[str, Any]:
    return {"at": at, "label": label, "ground": ground, "counters": list(counters)}


def board(*hexes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "Halfway", "note": "0504", "columns": 5, "rows": 4, "shaded": [], "hexes": list(hexes), **more}


def boards(*several: dict[str, Any], **more: Any) -> dict[str, Any]:
    some = board(hexagon("0203", ["own", "ID"], ["seen", "3"], ground=["star", "S"]), hexagon("0404", label="Aldane"))
    return {
        "title": "A map",
        "boards": list(several) or [some],
        "kinds": [kind("own"), kind("seen", "diamond"), kind("star", "star"), kind("never", "disc")],
        "legend": {"shaded": "a limit"},
        "notes": ["Numbers are numbers."],
        **more,
    }


def test_every_hex_has_its_printed_number_and_every_board_its_name():
    found = words(svg_of(boards()))
    assert [word for word in found if word.isdigit() and len(word) == 4] == [
        "0504", *(f"{column:02}{row:02}" for column in range(1, 6) for row in range(1, 5))
    ]  # fmt: skip
    assert {"A map", "Halfway", "Aldane", "ID", "3", "Numbers are numbers."} <= set(found)


def test_the_legend_explains_what_there_is_and_nothing_else():
    found = set(words(svg_of(boards())))
    assert {"a own", "a seen", "a star"} <= found
    assert not {"a never", "a limit"} & found
    assert "a limit" in words(svg_of(boards(board(shaded=["0101"]))))


def test_even_columns_lie_half_a_hex_lower():
    """Flat tops: neighbours in a row are one and a half radii apart, and half a hex up or down."""
    drawn = hex_drawing(read_boards(boards())).boards[0]
    at = {number.words: number.at for number in drawn.numbers}
    tall = at["0102"][1] - at["0101"][1]
    assert at["0201"][1] - at["0101"][1] == pytest.approx(tall / 2, abs=0.2)
    assert at["0301"][1] == at["0101"][1]
    assert at["0201"][0] - at["0101"][0] == pytest.approx(1.5 * tall / 3**0.5, abs=0.2)


def test_a_patch_of_shaded_hexes_has_a_line_around_it_and_none_inside():
    for shaded, edges in ((["0202"], 6), (["0202", "0203"], 10), (["0202", "0303", "0203"], 12), (["0101", "0505"], 12)):
        drawn = hex_drawing(read_boards(boards(board(rows=5, shaded=shaded)))).boards[0]
        assert drawn.edges.count("M") == edges, shaded


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (9, 7), (19, 15), (MOST_ACROSS, 40)])
def test_boards_keep_to_the_sheet_and_do_not_overlap(columns: int, rows: int):
    last = hexagon(f"{columns:02}{rows:02}", ["own", "123"], ["seen", "XX"], ["own", "1"])
    told = boards(*(board(last, columns=columns, rows=rows) for _ in range(2)))
    drawn = hex_drawing(read_boards(told))
    corners = [tuple(map(float, pair)) for one in drawn.boards for pair in re.findall(r"([\d.-]+) ([\d.-]+)", one.grid)]
    assert min(x for x, _ in corners) >= 0
    assert max(x for x, _ in corners) <= WIDTH
    assert max(y for _, y in corners) < drawn.height
    first, second = drawn.boards
    assert max(float(y) for y in re.findall(r" ([\d.]+)", first.grid)) < second.heading.at[1]
    assert svg_png(svg_of(told)).startswith(b"\x89PNG")


def test_kinds_of_marks_look_different_without_their_colour():
    """The same letter in the same hex: every shape, whole or broken, makes another picture."""
    pictures: set[str] = set()
    for shape in SHAPES:
        for broken in (False, True):
            told = boards(board(hexagon("0101", ["one", "A"])), kinds=[kind("one", shape, "#ffffff", broken, words="it")])
            pictures.add(svg_of(told))
    # What has no outline cannot have a broken one.
    assert len(pictures) == 2 * len(SHAPES) - sum(shape in ("star", "point") for shape in SHAPES)


@pytest.mark.parametrize("columns", [5, 19])
@pytest.mark.parametrize("letters", ["XP", "KP", "WM", "Zm", "12", "?"])
@pytest.mark.parametrize("shape", ["disc", "ring"])
@pytest.mark.parametrize("on_ground", [True, False])
def test_no_line_of_a_round_mark_goes_through_its_letters(shape: str, letters: str, columns: int, on_ground: bool):
    """An X that a ring goes through reads as a K."""
    mark = ["mark", letters]
    told = hexagon("0203", ground=mark) if on_ground else hexagon("0203", mark)
    page = ET.fromstring(svg_of(boards(board(told, columns=columns), kinds=[kind("mark", shape)])))
    (text,) = (element for element in page.iter(f"{SVG}text") if element.text == letters)
    x, y, size = float(text.attrib["x"]), float(text.attrib["y"]), float(text.attrib["font-size"])
    # From the middle of the mark, a little above the line on which the letters stand, to their farthest corner.
    reach = math.hypot(text_width(letters, size) / 2, size * 0.36)
    circles = [circle for circle in page.iter(f"{SVG}circle") if (float(circle.attrib["cx"]), y) == (x, y)]
    around = [circle for circle in circles if abs(float(circle.attrib["cy"]) - (y - size * 0.36)) < 0.2]
    assert around
    for circle in around:
        assert float(circle.attrib["r"]) - float(circle.attrib["stroke-width"]) / 2 >= reach - 0.1


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"boards": []}, "boards: a map has at least one"),
        ({"boards": [board()] * (MOST_BOARDS + 1)}, "boards: 13"),
        ({"boards": [board(columns=40, rows=99)] * 2}, "more than the 6000 hexes"),
        ({"boards": [board(columns=MOST_ACROSS + 1)]}, r"boards\[0\]: a board has 1 to 40"),
        ({"boards": [board(rows=0)]}, r"boards\[0\]: a board has"),
        ({"boards": [board(hexagon("0101"), hexagon("0101"))]}, r"boards\[0\]\.hexes: one is told twice"),
        ({"boards": [board(hexagon("0601"))]}, r"boards\[0\]\.hexes\[0\]\.at: it is not on the board"),
        ({"boards": [board(hexagon("ab01"))]}, r"boards\[0\]\.hexes\[0\]\.at: a hex is written"),
        ({"boards": [board(shaded=["0105"])]}, r"boards\[0\]\.shaded: it is not on the board"),
        ({"boards": [board(hexagon("0101", *[["own", "1"]] * 4))]}, r"boards\[0\]\.hexes\[0\]\.counters: at most 3"),
        ({"boards": [board(hexagon("0101", ["none", "1"]))]}, r"boards\[0\]\.hexes\[0\]: there is no such kind"),
        ({"kinds": [kind("own", "blob")]}, r"kinds\[0\]\.shape"),
        ({"kinds": [kind("own", fill='#fff" onload="x')]}, r"kinds\[0\]\.fill"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_its_place(wrong: dict[str, Any], place: str):
    with pytest.raises(MapError, match=place):
        read_boards(boards(**wrong))


@pytest.mark.parametrize("field", ["title", "name", "note", "label", "letters", "words", "legend", "notes"])
def test_hostile_words_are_text_and_nothing_else(field: str):
    data = {
        "title": boards(title=EVIL),
        "name": boards(board(name=EVIL)),
        "note": boards(board(note=EVIL)),
        "label": boards(board(hexagon("0101", label=EVIL))),
        "letters": boards(board(hexagon("0101", ["own", EVIL]))),
        "words": boards(kinds=[kind(name, words=EVIL) for name in ("own", "seen", "star")]),
        "legend": boards(board(shaded=["0101"]), legend={"shaded": EVIL}),
        "notes": boards(notes=[EVIL]),
    }[field]
    assert_text_and_nothing_else(svg_of(data))


# --- What happened --------------------------------------------------------------------------------------------------------

STROKES = [
    {"name": "shot", "colour": "#1d3fa0", "broken": False, "words": "fired"},
    {"name": "answer", "colour": "#c2410c", "broken": True, "words": "enemy fired"},
]
LEGEND = {"shaded": "a limit", "reach": "your sensors", "burst": "destroyed"}


def fought(*lines: list[str], columns: int = 19, **more: Any) -> dict[str, Any]:
    """A board with these lines."""
    one = board(hexagon("0203", ["own", "ID"]), columns=columns, rows=12, lines=list(lines), **more)
    return boards(one, strokes=STROKES, legend=LEGEND)


def points(path: str) -> list[tuple[float, float]]:
    found = [tuple(map(float, pair)) for pair in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]
    return [(x, y) for x, y in found]


class TestLines:
    def test_are_drawn_explained_and_told(self):
        svg = svg_of(fought(["shot", "0203", "0903"], ["answer", "0903", "0303"], bursts=["0903"]))
        assert {"fired", "enemy fired", "destroyed"} <= {*words(svg)}
        assert told(svg) == "Halfway. Fired: 0203 to 0903. Enemy fired: 0903 to 0303. Destroyed: 0903."
        assert "enemy fired" not in words(svg_of(fought(["shot", "0203", "0903"])))

    def test_differ_without_colours(self):
        pictures = (svg_of(fought([name, "0203", "0903"])) for name in ("shot", "answer"))
        one, other = (re.findall("<path [^>]*>", svg) for svg in pictures)
        assert [re.sub("#[0-9a-f]{6}", "", path) for path in one] != [re.sub("#[0-9a-f]{6}", "", path) for path in other]

    def test_begin_and_end_off_the_letters_of_counters(self):
        (line,) = hex_drawing(read_boards(fought(["shot", "0203", "0903"]))).boards[0].lines
        (mark,) = hex_drawing(read_boards(fought(["shot", "0203", "0903"]))).boards[0].marks
        assert math.dist(points(line.path)[0], mark.at) >= mark.size * 0.9

    def test_that_come_against_each_other_lie_apart(self):
        one, other = hex_drawing(read_boards(fought(["shot", "0203", "0903"], ["answer", "0903", "0203"]))).boards[0].lines
        assert abs(points(one.path)[0][1] - points(other.path)[0][1]) > 5

    def test_go_through_no_number(self):
        drawn = hex_drawing(read_boards(fought(["shot", "0203", "0403"]))).boards[0]
        assert "0304" not in {number.words for number in drawn.numbers}
        assert {"0203", "0202", "0103"} <= {number.words for number in drawn.numbers}


class TestReach:
    def test_has_a_dotted_line_around_all_that_is_reached(self):
        for reach, edges in (([["0505", 0]], 6), ([["0505", 1]], 18), ([["0505", 1], ["0505", 2]], 30), ([["0101", 0]], 2)):
            drawn = hex_drawing(read_boards(fought(reach=reach))).boards[0]
            assert drawn.reach.count("M") == edges, reach
        assert "your sensors" in words(svg_of(fought(reach=[["0505", 1]])))

    def test_is_measured_in_steps(self):
        assert [distance((5, 5), at) for at in ((5, 5), (6, 4), (6, 5), (6, 6), (4, 4), (5, 9), (9, 5))] == [
            0,
            1,
            1,
            2,
            1,
            4,
            4,
        ]


class TestInset:
    def test_lies_beside_the_legend_and_is_smaller(self):
        large = board(hexagon("0203", ["own", "ID"]), columns=19, rows=12)
        small = board(
            hexagon("0404", ["own", "2"], ["seen", "3"], label="Aldane"), name="Jump board", columns=9, rows=7, inset=True
        )
        drawn = hex_drawing(read_boards(boards(large, small)))
        inset = drawn.boards[1]
        corners = points(inset.grid.replace(" ", ","))
        assert max(x for x, _ in corners) <= WIDTH
        assert max(y for _, y in corners) < drawn.height
        left = min(x for x, _ in corners)
        assert left > WIDTH / 3
        for entry in drawn.legend:
            assert entry.at[0] + 22 + text_width(entry.words) <= left
        svg = svg_of(boards(large, small))
        assert {"Aldane", "Jump board"} <= {*words(svg)}

    @pytest.mark.parametrize("told", [[board(inset=True)], [board(inset=True), board()]])
    def test_is_the_last_of_several(self, told: list[dict[str, Any]]):
        with pytest.raises(MapError, match="only the last of several"):
            read_boards(boards(*told))


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"lines": [["beam", "0101", "0102"]]}, r"boards\[0\]\.lines\[0\]: there is no such stroke"),
        ({"lines": [["shot", "0101"]]}, r"boards\[0\]\.lines\[0\]: a line goes from one hex to another"),
        ({"lines": [["shot", "0101", "0101"]]}, r"boards\[0\]\.lines\[0\]: a line goes"),
        ({"lines": [["shot", "0101", "9901"]]}, r"boards\[0\]\.lines\[0\]: it is not on the board"),
        ({"lines": [["shot", "0101", "0102"]] * 61}, "lines: 61"),
        ({"bursts": ["9901"]}, r"boards\[0\]\.bursts: it is not on the board"),
        ({"reach": [["0101", -1]]}, r"boards\[0\]\.reach: how far a hex reaches"),
        ({"reach": [["0101", True]]}, r"boards\[0\]\.reach: how far"),
        ({"reach": [["0101", 1]] * 61}, "reach: 61"),
    ],
)
def test_strokes_that_cannot_be_drawn_are_refused(wrong: dict[str, Any], place: str):
    with pytest.raises(MapError, match=place):
        read_boards(fought(**wrong) if "lines" not in wrong else fought(*wrong["lines"]))


def test_strokes_stand_out_from_paper_and_numbers_can_be_read():
    svg = svg_of(fought(["shot", "0203", "0903"], ["answer", "0903", "0303"], bursts=["0903"], reach=[["0203", 4]]))
    strokes = {colour for colour in re.findall(r'stroke="(#[0-9a-f]{6})"', svg) if colour != "#ffffff"}
    assert not {colour for colour in strokes if contrast(colour, "#ffffff") < 3}
    assert smallest_letters(svg) >= 9


@pytest.mark.parametrize("field", ["words", "name", "legend"])
def test_hostile_words_of_strokes_are_text_and_nothing_else(field: str):
    data = fought(["shot", "0203", "0903"], bursts=["0903"], reach=[["0203", 4]])
    match field:
        case "legend":
            data["legend"] = dict.fromkeys(LEGEND, EVIL)
        case "name":
            data["strokes"] = [{**STROKES[0], "name": EVIL, "words": ""}]
            data["boards"][0]["lines"] = [[EVIL, "0203", "0903"]]
        case _:
            data["strokes"] = [{**STROKES[0], "words": EVIL}]
    assert_text_and_nothing_else(svg_of(data))
