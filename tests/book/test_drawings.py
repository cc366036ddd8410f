"""Maps come into a book if they are drawings of pbmd's own kind."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pbmd.archive.write.presentation import charts_of
from pbmd.book.drawings import chart_picture, chart_table, map_picture
from pbmd.book.elements import plain_words

MAP = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" viewBox="0 0 640 480" font-family="\'Open Sans\', Arial">'
    "<title>Cosmic Conquest</title><desc>Red moves to Sol.</desc>{}</svg>"
)


def test_the_words_of_a_map_are_told_to_who_cannot_see_it() -> None:
    picture = map_picture(MAP.format('<rect x="1" y="2" width="3" height="4" fill="#111a2e"/>'), "turn 2")
    assert picture is not None
    assert picture.alt == "Map, turn 2. Cosmic Conquest. Red moves to Sol. The report has the same in words."
    assert ET.fromstring(picture.svg)[2].attrib == {"x": "1", "y": "2", "width": "3", "height": "4", "fill": "#111a2e"}


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        '<rect onload="alert(1)"/>',
        '<image href="file:///etc/passwd" width="9" height="9"/>',
        '<use href="#a"/>',
        "<style>* { fill: red }</style>",
        '<foreignObject><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject>',
        '<rect fill="url(http://example.org/x)"/>',
        '<rect fill="url(#a)"/>',
        '<a href="x"><text>x</text></a>',
        '<rect style="fill:red"/>',
        '<text class="x">x</text>',
        '<rect xmlns="http://example.org/"/>',
        '<text paint-order="stroke;fill:red">x</text>',
        "<?xml-stylesheet href='x'?>",
        "<!-- x -->",
        "</svg><svg>",
    ],
)
def test_a_drawing_with_anything_else_in_it_is_left_out(inside: str) -> None:
    assert map_picture(MAP.format(inside), "turn 2") is None


@pytest.mark.parametrize(
    "svg",
    ["", "no drawing", "<svg/>", MAP.format("").replace('"640"', '"6400000"', 1), "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>"],
)
def test_what_is_no_drawing_of_that_size_is_left_out(svg: str) -> None:
    assert map_picture(svg, "turn 2") is None


def test_all_maps_of_the_samples_are_drawings_of_ours(sample) -> None:
    for slug in ("cosmic_conquest", "diplomacy", "societies", "starship_squadrons"):
        drawings = [path.read_text() for path in Path(sample(slug)).glob("data/turns/*/maps/*.svg")]
        assert drawings
        assert all(map_picture(svg, "turn") for svg in drawings)


def test_letters_keep_their_rim_in_the_way_that_an_epub_may_have_it() -> None:
    """`paint-order` is not among the attributes of SVG 1.1, and checkers of EPUBs refuse what is not."""
    picture = map_picture(MAP.format('<text paint-order="stroke" stroke="#111a2e" fill="#ffffff">Sol</text>'), "turn 2")
    assert picture is not None
    assert ET.fromstring(picture.svg)[2].attrib == {"stroke": "#111a2e", "fill": "#ffffff", "style": "paint-order:stroke"}


def test_a_chart_is_a_drawing_and_a_table_of_the_same_numbers(story) -> None:
    told = story("societies")
    numbers = {(step.shown.turn if step.shown.step >= 0 else None): step.numbers for step in told.steps}
    chart = charts_of(told.archive, [step.shown for step in told.steps], numbers)[0]
    picture, table = chart_picture(chart), chart_table(chart)
    assert ET.fromstring(picture.svg).get("role") == "img"
    assert "same numbers" in picture.alt
    words = [[plain_words(cell.runs) for cell in row] for row in table.rows]
    assert words[0] == ["Turn", "Altair", "Borealis", "Cygnus"]
    last = told.steps[-1].numbers["Cities"]
    assert words[-1] == ["8", *(str(last[seat]) for seat in words[0][1:])]
