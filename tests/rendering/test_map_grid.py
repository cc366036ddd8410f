"""Maps of squares: what a ruleset may say of one, what is refused, and what the picture shows."""

import re
from typing import Any

import pytest

from pbmd.rendering.grid import MOST_LINES, grid_drawing, read_grid
from pbmd.rendering.grid_paths import LETTER, grid_paths
from pbmd.rendering.labels import WIDTH, text_width
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.picture import svg_png
from tests.rendering.maps import EVIL, OWNERS, assert_text_and_nothing_else, faint, smallest_letters, svg_of, told, words

pytestmark = pytest.mark.usefixtures("small_pictures")


def square(column: int, row: int, owner: str = "", **more: Any) -> dict[str, Any]:
    """A square; `more` are its marks."""
    marks = {"own": False, "marked": False, "crossed": False, "ringed": False, **more}
    return {"column": column, "row": row, "owner": owner, **marks}


def grid(*squares: dict[str, Any], side: int = 4, **more: Any) -> dict[str, Any]:
    """The map of these squares, or of some."""
    some = (square(0, 0, "Red", own=True, marked=True), square(1, 0, "Red", ringed=True), square(2, 0, "White"))
    return {
        "title": "A map",
        "columns": [chr(ord("A") + place) for place in range(side)] if side <= 26 else [str(place) for place in range(side)],
        "rows": [str(place + 1) for place in range(side)],
        "squares": list(squares) or [*some, square(3, 3, crossed=True)],
        "owners": OWNERS,
        "legend": {"own": "yours", "marked": "wonder", "crossed": "nuked", "ringed": "captured"},
        "notes": ["Letters are letters."],
        **more,
    }


def test_the_picture_has_labels_codes_owners_and_legend():
    found = words(svg_of(grid()))
    assert found[:9] == ["A map", "A", "B", "C", "D", "1", "2", "3", "4"]
    assert [word for word in found if not word.strip("RW")] == ["RRW", "R", "W"]
    assert {"Red 1", "White 0", "yours", "wonder", "nuked", "captured", "Letters are letters."} <= set(found)


def test_what_no_square_is_needs_no_words():
    found = words(svg_of(grid(square(0, 0, "Red"))))
    assert not {"yours", "wonder", "nuked", "captured"} & set(found)


def test_borders_are_where_a_territory_ends():
    """Two squares of Red side by side have six edges in common with others, and none between them; White has its own edge."""
    drawn = grid_drawing(read_grid(grid(square(0, 0, "Red"), square(1, 0, "Red"))))
    assert len(drawn.borders) == 6
    drawn = grid_drawing(read_grid(grid(square(0, 0, "Red"), square(1, 0, "White"))))
    assert len(drawn.borders) == 7
    assert not grid_drawing(read_grid(grid(square(0, 0, crossed=True)))).borders


def test_a_front_is_where_two_territories_meet():
    drawn = grid_drawing(read_grid(grid(square(0, 0, "Red"), square(1, 0, "White"), square(0, 1, "Red"))))
    assert [(border.start, border.end) for border in drawn.borders if border.front] == [
        ((round(drawn.at[0] + drawn.size, 1), drawn.at[1]), (round(drawn.at[0] + drawn.size, 1), drawn.at[1] + drawn.size))
    ]
    assert grid_paths(drawn).fronts.count("M") == 1


LEGEND = {"own": "yours", "broken": "pays nothing", "marked": "wonder", "ringed": "taken", "open": "you can settle"}
MARKED = (
    square(0, 0, "Red", own=True, broken=True, marked=True, letter="Tr"),
    square(1, 0, "White", marked=True, ringed=True),
    square(1, 1, open=True),
)


def test_marks_are_drawn_explained_and_told():
    svg = svg_of(grid(*MARKED, legend=LEGEND))
    assert {"Tr", *LEGEND.values()} <= {*words(svg)}
    assert told(svg) == "Wonder: A1 (Tr), B1. Taken: B1. Pays nothing: A1. You can settle: B2."


@pytest.mark.parametrize(("side", "there"), [(6, True), (12, True), (13, False), (MOST_LINES, False)])
def test_letters_of_marks_are_written_where_there_is_room(side: int, there: bool):
    assert ("Tr" in words(svg_of(grid(*MARKED, legend=LEGEND, side=side)))) is there


@pytest.mark.parametrize("side", [4, 12])
def test_the_letters_of_a_mark_keep_off_those_of_the_owner_and_within_the_dot(side: int):
    drawn = grid_drawing(read_grid(grid(*MARKED, side=side)))
    paths = grid_paths(drawn)
    (letter,), (codes, *_) = paths.letters, paths.codes
    assert letter.left >= float(codes.rows[0].across.split()[0]) + text_width("R", paths.code_size) / 2 - 2
    assert letter.left + letter.wide < drawn.at[0] + drawn.size
    assert text_width("Tr", LETTER) <= letter.wide


def test_a_broken_frame_a_thin_ring_and_a_dashed_one_differ_without_colours():
    pictures = {
        re.sub("#[0-9a-f]{6}", "", svg_of(grid(square(0, 0, "Red", own=True, **marks), legend={})))
        for marks in ({}, {"broken": True}, {"open": True}, {"ringed": True})
    }
    assert len(pictures) == 4


def test_marks_stand_out_from_paper_and_can_be_read_on_a_telephone():
    svg = svg_of(grid(*MARKED, legend=LEGEND, owners=[{**owner, "colour": "#1d3fa0"} for owner in OWNERS]))
    assert not faint(svg) - {"#868c96"}, "the lines of the grid"
    assert smallest_letters(svg) >= 9


@pytest.mark.parametrize("side", [1, 6, 17, MOST_LINES])
def test_the_picture_keeps_to_the_sheet(side: int):
    drawn = grid_drawing(read_grid(grid(*(square(place, place, "Red") for place in range(side)), side=side)))
    assert drawn.at[0] + drawn.across <= WIDTH
    assert drawn.at[1] + drawn.down < drawn.height
    svg = svg_of(grid(side=max(side, 4)))
    assert min(float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)) >= 12
    assert svg_png(svg).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"columns": []}, "columns, rows: a map has at least one of each"),
        ({"rows": []}, "columns, rows: a map has at least one of each"),
        ({"columns": ["A"] * (MOST_LINES + 1)}, "columns: 41"),
        ({"squares": [square(0, 0), square(0, 0)]}, "squares: one is told twice"),
        ({"squares": [square(4, 0)]}, r"squares\[0\]: it is not on the map"),
        ({"squares": [square(0, -1)]}, r"squares\[0\]: it is not on the map"),
        ({"squares": [square(0, 0) | {"column": 0.5}]}, r"squares\[0\]: it is not on the map"),
        ({"squares": [square(0, 0) | {"row": "0"}]}, r"squares\[0\]"),
        ({"squares": [square(0, 0, "Blue")]}, r"squares\[0\]\.owner"),
        ({"owners": [{**OWNERS[0], "colour": '#fff" onload="x'}]}, r"owners\[0\]\.colour"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_its_place(wrong: dict[str, Any], place: str):
    with pytest.raises(MapError, match=place):
        read_grid(grid(**wrong))


@pytest.mark.parametrize("field", ["title", "columns", "owner", "code", "note", "legend", "notes", "letter"])
def test_hostile_words_are_text_and_nothing_else(field: str):
    data = {
        "title": grid(title=EVIL),
        "columns": grid(columns=[EVIL, "B", "C", "D"]),
        "owner": grid(square(0, 0, EVIL), owners=[{**OWNERS[0], "name": EVIL}]),
        "code": grid(square(0, 0, "Red"), owners=[{**OWNERS[0], "code": EVIL}]),
        "note": grid(square(0, 0, "Red"), owners=[{**OWNERS[0], "note": EVIL}]),
        "legend": grid(legend=dict.fromkeys(("own", "marked", "crossed", "ringed"), EVIL)),
        "notes": grid(notes=[EVIL]),
        "letter": grid(square(0, 0, "Red", marked=True, letter=EVIL)),
    }[field]
    assert_text_and_nothing_else(svg_of(data))
