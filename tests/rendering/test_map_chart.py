"""What a ruleset may say of a map, and what is refused."""

from typing import Any

import pytest

from pbmd.rendering.chart import MOST_LINKS, MOST_NODES, MapError, plain, read_chart
from pbmd.rendering.chart_places import chart_drawing
from tests.rendering.maps import OWNERS, chart, crowd, node


def test_nodes_have_their_owners_and_links_their_ends():
    found = read_chart(chart())
    assert [(n.name, n.owner and n.owner.name, n.own, n.ringed) for n in found.nodes] == [
        ("Sol", "Red", True, False), ("Vega", None, False, True), ("Mira", None, False, False)
    ]  # fmt: skip
    assert found.links == ((0, 1), (1, 2))


def test_a_link_told_from_both_ends_is_one():
    assert read_chart(chart(links=[["Sol", "Vega"], ["Vega", "Sol"]])).links == ((0, 1),)


@pytest.mark.parametrize(
    ("colour", "ink"), [("#ffffff", "#000000"), ("#ffd60a", "#000000"), ("#000000", "#ffffff"), ("#0000aa", "#ffffff")]
)
def test_letters_can_be_read_on_their_colour(colour, ink):
    assert read_chart(chart(owners=[{**OWNERS[0], "colour": colour}])).owners[0].ink == ink


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"nodes": []}, "nodes: a map has at least one"),
        ({"nodes": [node("Sol", 0, 0), node("Sol", 1, 1)], "links": []}, "nodes: two have the same name"),
        ({"nodes": [node("Sol", 0, 0, "Blue")], "links": []}, r"nodes\[0\]\.owner"),
        ({"nodes": [node("Sol", float("nan"), 0)], "links": []}, r"nodes\[0\]\.x"),
        ({"nodes": [node("Sol", 0, 1e300)], "links": []}, r"nodes\[0\]\.y"),
        ({"links": [["Sol", "Nowhere"]]}, r"links\[0\]"),
        ({"links": [["Sol"]]}, r"links\[0\]"),
        ({"links": [["Sol", "Vega"]] * (MOST_LINKS + 1)}, "links: 501"),
        ({"owners": [{**OWNERS[0], "colour": '#fff" onload="x'}]}, r"owners\[0\]\.colour"),
        ({"owners": [{**OWNERS[0], "colour": "red"}]}, r"owners\[0\]\.colour"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_its_place(wrong: dict[str, Any], place: str):
    with pytest.raises(MapError, match=place):
        read_chart(chart(**wrong))


def test_there_is_an_end_to_the_size_of_a_map():
    read_chart(crowd(MOST_NODES))
    with pytest.raises(MapError, match="nodes: 121"):
        read_chart(crowd(MOST_NODES + 1))


@pytest.mark.parametrize(
    ("text", "shown"),
    [("  a\n b\x00c\u202ed ", "a b c d"), ("x" * 100, "x" * 59 + "…"), ("<b>&", "<b>&"), ("Zoë 星", "Zoë 星")],
)
def test_words_are_one_line_of_what_can_be_printed(text, shown):
    assert plain(text) == shown


@pytest.mark.parametrize("more", [{}, {"kinds": [{"name": "A", "shape": "box", "fill": "", "words": "army"}]}])
def test_what_one_owner_has_side_by_side_hangs_together_unless_there_are_pieces(more: dict[str, Any]):
    nodes = [node("Sol", 0, 0, "Red"), node("Vega", 50, 80, "Red"), node("Mira", 100, 20, "White"), node("Wolf", 90, 90)]
    links = [["Sol", "Vega"], ["Vega", "Mira"], ["Mira", "Wolf"]]
    drawn = chart_drawing(read_chart(chart(*nodes, links=links, **more)))
    assert [each.owner.name if each.owner else "" for each in drawn.links] == (["", "", ""] if more else ["Red", "", ""])
