"""Maps of hexes: what a ruleset may say of one, what is refused, and what the picture shows."""

import math
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from pbmd.reports.hexes import MOST_ACROSS, MOST_BOARDS, SHAPES, hex_drawing, read_boards
from pbmd.reports.labels import WIDTH, text_width
from pbmd.reports.parts import MapError
from pbmd.reports.picture import svg_png
from tests.reports.maps import EVIL, SVG, assert_text_and_nothing_else, svg_of, words

pytestmark = pytest.mark.usefixtures("small_pictures")


def kind(name: str, shape: str = "box", fill: str = "#e9f1ff", broken: bool = False, words: str = "") -> dict[str, Any]:
    return {"name": name, "shape": shape, "fill": fill, "broken": broken, "words": words or f"a {name}"}


def hexagon(at: str, *counters: list[str], ground: list[str] | None = None, label: str = "") -> dict[str, Any]:
    return {"at": at, "label": label, "ground": ground, "counters": list(counters)}


def board(*hexes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "Halfway", "note": "0504", "columns": 5, "rows": 4, "shaded": [], "hexes": list(hexes), **more}


def boards(*told: dict[str, Any], **more: Any) -> dict[str, Any]:
    some = board(hexagon("0203", ["own", "ID"], ["seen", "3"], ground=["star", "S"]), hexagon("0404", label="Aldane"))
    return {
        "title": "A map",
        "boards": list(told) or [some],
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
