"""Ties between places, marks at them and little signs on maps of places: what is drawn, said, and refused."""

import re
from itertools import pairwise
from typing import Any

import pytest

from pbmd.rendering.chart import read_chart
from pbmd.rendering.chart_places import chart_drawing
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.ties import LOOKS
from tests.rendering.maps import (
    EVIL,
    OWNERS,
    assert_text_and_nothing_else,
    chart,
    faint,
    node,
    smallest_letters,
    svg_of,
    told,
    words,
)

SIGNS = [{"name": "f", "shape": "triangle", "words": "fleet"}, {"name": "r", "shape": "square", "words": "resource"}]
LEGEND = {"jagged": "at war", "double": "trade", "barred": "blockaded", "halo": "to move"}


def row(*nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Three places in a row, or these, which may have signs."""
    three = (node("A", 0, 0, "Red"), node("B", 100, 0), node("C", 200, 0))
    return chart(*(nodes or three), legend=LEGEND, signs=SIGNS, **more)


def tie(one: str, other: str, look: str = "jagged") -> dict[str, Any]:
    return {"between": [one, other], "look": look}


class TestTies:
    @pytest.mark.parametrize(("look", "called"), [("jagged", "at war"), ("double", "trade")])
    def test_are_drawn_explained_and_told(self, look: str, called: str):
        svg = svg_of(row(ties=[tie("B", "A", look)]))
        assert called in words(svg)
        assert told(svg) == f"{called.capitalize()}: A and B."

    def test_look_different_without_colours(self):
        shapes = [re.sub("#[0-9a-f]{6}", "", svg_of(row(ties=[tie("A", "B", look)]))) for look in LOOKS]
        assert len({*shapes}) == len(LOOKS)

    def test_told_twice_are_one(self):
        assert len(read_chart(row(ties=[tie("A", "B"), tie("B", "A")])).ties) == 1

    def test_bend_around_a_place_in_their_way(self):
        (straight,), (bent,) = (chart_drawing(read_chart(row(ties=[tie("A", other)]))).ties for other in "BC")
        assert straight.way.count("L") == 1
        assert bent.way.count("L") > 4

    def test_keep_to_their_way(self):
        (drawn,) = chart_drawing(read_chart(row(ties=[tie("A", "B")]))).ties
        heights = [float(y) for y in re.findall(r",(-?[\d.]+)", drawn.line)]
        middle = float(re.findall(r",(-?[\d.]+)", drawn.way)[0])
        assert max(abs(y - middle) for y in heights) < 6
        assert all((one - middle) * (other - middle) <= 0 for one, other in pairwise(heights))

    def test_have_arrows_beside_them(self):
        def ways(*ties: dict[str, Any]) -> list[int]:
            data = row(arrows=[{"path": ["A", "B"], "owner": "Red", "failed": False}], ties=list(ties))
            return [arrow.line.count("L") for arrow in chart_drawing(read_chart(data)).moves.arrows]

        assert ways() == [1]
        assert ways(tie("B", "A"))[0] > 4

    @pytest.mark.parametrize(
        ("wrong", "problem"),
        [
            ([tie("A", "A")], r"ties\[0\]\.between: a tie is between two nodes"),
            ([tie("A", "Nowhere")], r"ties\[0\]\.between"),
            ([{"between": ["A"], "look": "jagged"}], r"ties\[0\]\.between"),
            ([tie("A", "B", "curly")], r"ties\[0\]\.look: looks are jagged, double"),
            ([tie("A", "B")] * 201, "ties: 201"),
        ],
    )
    def test_that_cannot_be_drawn_are_refused(self, wrong: list[dict[str, Any]], problem: str):
        with pytest.raises(MapError, match=problem):
            read_chart(row(ties=wrong))


class TestMarks:
    @pytest.mark.parametrize(("mark", "called"), [("barred", "blockaded"), ("halo", "to move")])
    @pytest.mark.parametrize("owner", ["Red", ""])
    def test_are_drawn_explained_and_told(self, mark: str, called: str, owner: str):
        plain, marked = (svg_of(row(node("A", 0, 0, owner, **{mark: there}), node("B", 9, 9))) for there in (False, True))
        assert called in words(marked)
        assert called not in words(plain)
        assert told(marked) == f"{called.capitalize()}: A."
        assert len(marked) > len(plain)


class TestSigns:
    def test_are_counted_explained_and_told(self):
        svg = svg_of(row(node("A", 0, 0, "Red", signs=[["f", 2], ["r", 12]]), node("B", 9, 9)))
        assert {"fleet", "resource", "12", "A 7"} <= {*words(svg)}
        assert told(svg) == "Signs: A 2 fleet, 12 resource."

    @pytest.mark.parametrize("at", [(0, 0), (100, 0), (50, 90)])
    def test_stand_between_a_place_and_its_name(self, at: tuple[int, int]):
        three = [node("North", 0, 0), node("East", 100, 0), node("South", 50, 90)]
        for each in three:
            each["signs"] = [["f", 3]] if (each["x"], each["y"]) == at else []
        (placed,) = (placed for placed in chart_drawing(read_chart(row(*three))).nodes if placed.signs)
        assert placed.label
        first, last = placed.signs[0].at[0], placed.signs[-1].at[0]
        match placed.label.anchor:
            case "end":
                assert placed.label.at[0] < first < last < placed.at[0]
            case "start":
                assert placed.at[0] < first < last < placed.label.at[0]
            case _:
                assert first < last < placed.label.at[0]

    @pytest.mark.parametrize("wrong", [[["x", 1]], [["f", 0]], [["f", True]], [["f", 1000]], [["f", 1.5]]])
    def test_that_there_are_not_are_refused(self, wrong: list[Any]):
        with pytest.raises(MapError, match=r"nodes\[0\]\.signs: each is a kind that there is"):
            read_chart(row(node("A", 0, 0, signs=wrong)))

    def test_have_shapes_that_there_are(self):
        with pytest.raises(MapError, match=r"signs\[0\]\.shape: shapes are square, triangle"):
            read_chart({**row(), "signs": [{**SIGNS[0], "shape": "moon"}]})


EVERYTHING = row(
    node("A", 0, 0, "Red", own=True, halo=True, signs=[["f", 2], ["r", 12]]),
    node("B", 100, 0, barred=True, signs=[["f", 1]]),
    node("C", 200, 90, ringed=True),
    ties=[tie("A", "B"), tie("A", "C", "double")],
    owners=OWNERS[:1],
)


def test_all_of_it_stands_out_from_paper_and_can_be_read_on_a_telephone():
    svg = svg_of(EVERYTHING)
    assert not faint(svg)
    assert smallest_letters(svg) >= 9


def test_an_arrow_in_a_pale_colour_has_an_edge_of_ink():
    def strokes(owner: str) -> list[str]:
        svg = svg_of(row(arrows=[{"path": ["A", "B"], "owner": owner, "failed": False}]))
        return re.findall(r'<path [^>]*stroke="(#[0-9a-f]{6})"', svg)

    assert strokes("White") == ["#ffffff", "#1b2230", "#ffffff"]
    assert strokes("Red") == ["#ffffff", "#e5383b"]


def test_an_arrow_is_not_drawn_upon_the_colour_of_its_owner():
    nodes = [node("A", 0, 0, "Red"), node("B", 9, 0, "Red"), node("C", 9, 9, "Red")]
    data = row(*nodes, links=[["A", "B"], ["B", "C"]], arrows=[{"path": ["B", "A"], "owner": "Red", "failed": False}])
    assert [bool(link.owner) for link in chart_drawing(read_chart(data)).links] == [False, True]


@pytest.mark.parametrize("field", ["name", "words", "legend"])
def test_hostile_words_are_text_and_nothing_else(field: str):
    data = dict(EVERYTHING)
    match field:
        case "legend":
            data["legend"] = dict.fromkeys(LEGEND, EVIL)
        case "name":
            data["signs"] = [{**SIGNS[0], "name": EVIL, "words": ""}, *SIGNS]
            data["nodes"] = [node("A", 0, 0, signs=[[EVIL, 4]]), *data["nodes"][1:]]
        case _:
            data["signs"] = [{**sign, "words": EVIL} for sign in SIGNS]
    assert_text_and_nothing_else(svg_of(data))
