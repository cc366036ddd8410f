"""The map in the reports of Cosmic Conquest: the public facts and the reader's own, and nothing else.

That no secret changes a byte of it is proved with all else that readers get in `test_noninterference.py`.
"""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from markupsafe import Markup

from pbmd.rendering.picture import map_svg
from pbmd.rendering.render import report_html, report_text
from pbmd.rules import GM, PUBLIC, HmacDice, Reader, seat_reader
from rulesets.cosmic_conquest import ruleset
from rulesets.cosmic_conquest.tables import COLOURS, PAINTS
from tests.rulesets.budgets import SMALL
from tests.rulesets.cosmic_conquest.harness import Played, faction, mail, play, position
from tests.rulesets.cosmic_conquest.strategies import Turn, turns

DOCUMENT = position(
    "Sol 20 Red, Deneb 9 Green, Groombridge 1 Green", faction("Red", name="Red Concord"), faction("Green", "psionic")
)


def output(told: Any, node: Any) -> str:
    """What the map says of a system: the legend has it once for independent ones."""
    return node["value"] or told["legend"]["free"].removeprefix("independent, output ").removesuffix(" if none is told")


def words(view: Any) -> list[str]:
    svg = map_svg(view)
    assert svg is not None
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def data_of(turn: Turn) -> dict[Reader, Any]:
    """What each reader may know after the turn."""
    state = ruleset.load(turn.document)
    for place, (seat, text) in enumerate(turn.letters, start=1):
        state = ruleset.receive(state, mail(seat, text, place)).position
    for seat in ruleset.awaiting(state):
        state = ruleset.miss(state, seat).position
    resolution = ruleset.resolve(state, HmacDice(turn.secret, b""))
    readers = [PUBLIC, GM, *map(seat_reader, ruleset.seats(state))]
    return {reader: ruleset.view(resolution.position, resolution.events, reader).data for reader in readers}


@pytest.mark.rule("CC-65")
def test_it_has_every_system_with_its_output_and_every_link_once() -> None:
    data = ruleset.view(ruleset.load(DOCUMENT), (), PUBLIC).data
    assert [
        (node["name"], node["x"], node["y"], node["owner"], output(data["map"], node)) for node in data["map"]["nodes"]
    ] == [(star["name"], star["x"], star["y"], star["owner"], str(star["output"])) for star in data["systems"]]
    both = {frozenset((star["name"], other)) for star in data["systems"] for other in star["neighbours"]}
    assert len(data["map"]["links"]) == len(both)
    assert {frozenset(link) for link in data["map"]["links"]} == both


def test_it_shows_everybody_which_systems_are_whose_and_stresses_the_readers_own() -> None:
    state = ruleset.load(DOCUMENT)
    owned = {PUBLIC: set[str](), GM: set[str](), seat_reader("Red"): {"Sol"}, seat_reader("Green"): {"Deneb", "Groombridge"}}
    for reader, own in owned.items():
        view = ruleset.view(state, (), reader)
        assert {node["name"] for node in view.data["map"]["nodes"] if node["own"]} == own
        assert {"Red 1", "Green 2", "R", "Gn", "Sol 20"} <= set(words(view))


def test_it_rings_what_was_taken_in_the_turn() -> None:
    done = play(DOCUMENT, [("Red", "Conquer Groombridge with 20 units"), ("Green", "Pass")])
    assert done.of("conquest")
    ringed = [node["name"] for node in done.view(PUBLIC)["map"]["nodes"] if node["ringed"]]
    assert ringed == [data["system"] for data in done.of("conquest")]


def arrows(played: Played) -> list[tuple[list[str], str, bool]]:
    return [(arrow["path"], arrow["owner"], arrow["failed"]) for arrow in played.view(PUBLIC)["map"]["arrows"]]


def test_it_has_an_arrow_for_each_attack_and_tells_which_were_in_vain() -> None:
    done = play(DOCUMENT, [("Red", "Conquer Groombridge with 20 units"), ("Green", "Pass")])
    assert arrows(done) == [(["Sol", "Groombridge"], "Red", False)]
    done = play(DOCUMENT, [("Red", "Conquer Groombridge with 1 unit"), ("Green", "Defend Groombridge with 9 units")], [1, 10])
    assert arrows(done) == [(["Sol", "Groombridge"], "Red", True)]
    assert "Moves: Red from Sol to Groombridge, failed." in str(map_svg(ruleset.view(done.position, done.events, PUBLIC)))


def test_an_attack_comes_from_the_nearest_system_that_the_attacker_held_before() -> None:
    """Green loses Groombridge in the turn in which it attacks Sol from there; Red swaps with it."""
    start = position("Sol 20 Red, Groombridge 20 Green, Deneb 9 Green", faction("Red"), faction("Green", "psionic"))
    done = play(start, [("Red", "Conquer Groombridge with 9 units"), ("Green", "Conquer Sol with 9 units")])
    assert sorted(arrows(done)) == [(["Groombridge", "Sol"], "Green", False), (["Sol", "Groombridge"], "Red", False)]


def test_who_has_lost_all_has_no_colour_on_the_map() -> None:
    start = position("Sol 20 Red, Groombridge 20 Green, Deneb 9 Green", faction("Red"), faction("Green", "psionic"))
    letters = [
        ("Red", "Conquer Groombridge with 1 unit"),
        ("Green", "Defend Groombridge with 9 units\nConquer Sol with 9 units"),
    ]
    done = play(start, letters, [1, 10])
    assert sorted(arrows(done)) == [(["Groombridge", "Sol"], "Green", False), (["Sol", "Groombridge"], "", True)]


def test_its_words_say_who_has_how_much_and_what_was_taken() -> None:
    done = play(DOCUMENT, [("Red", "Conquer Groombridge with 20 units"), ("Green", "Pass")])
    assert done.view(PUBLIC)["map"]["caption"] == "Red 2; Green 1; Red took Groombridge"


def test_every_colour_has_a_paint_and_letters_of_its_own() -> None:
    assert tuple(PAINTS) == COLOURS
    assert (
        len({paint["code"] for paint in PAINTS.values()}) == len({paint["colour"] for paint in PAINTS.values()}) == len(COLOURS)
    )


@given(turns())
@SMALL
def test_it_says_nothing_that_the_public_tables_do_not(turn: Turn) -> None:
    """All readers get the picture of the public; it differs in what is their own, which the table of systems has, too."""
    known = data_of(turn)
    public = known[PUBLIC]
    for data in known.values():
        plain = {**data["map"], "nodes": [{**node, "own": False} for node in data["map"]["nodes"]]}
        assert plain == public["map"]
    facts = {(star["name"], star["owner"], str(star["output"])) for star in public["systems"]}
    assert {(node["name"], node["owner"], output(public["map"], node)) for node in public["map"]["nodes"]} == facts


def test_the_report_has_the_picture_in_html_and_the_neighbours_in_text() -> None:
    view = ruleset.view(ruleset.load(DOCUMENT), (), PUBLIC)
    text = report_text(ruleset, view)
    assert re.search(r"^Sol +Red +20  Alpha Centauri, Groombridge, Sirius$", text, re.M)
    assert "<svg" not in report_html(ruleset, view)
    assert '<img src="cid:x">' in report_html(ruleset, view, Markup('<img src="cid:x">'))
