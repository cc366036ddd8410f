"""The picture of who holds which base: the public facts, and of the reader's own only which panel is his and what is damaged.

That no secret changes a byte of it for others is proved with all else that readers get in `test_noninterference.py`.
"""

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from markupsafe import Markup

from pbmd.rendering.picture import map_svg
from pbmd.rendering.render import report_html
from pbmd.rules import GM, PUBLIC, Reader, View, seat_reader
from rulesets.galactic_overlord import ruleset
from tests.rulesets.budgets import SMALL
from tests.rulesets.galactic_overlord.harness import Played, base, play, player, position
from tests.rulesets.galactic_overlord.strategies import Turn, turns

ALTAIR = seat_reader("Altair")


def raid(**options: Any) -> Played:
    """Altair takes Cygnus, at whose home nobody is, and Borealis attacks in vain."""
    start = position(
        player("Altair", "2 Lasertitan"),
        player("Borealis", "1 Laserfrigate"),
        player("Cygnus", bp=7),
        player("Deneb", "9 Lasertitan"),
    )
    letters = [
        ("Altair", "Attack Cygnus with all\nLTFLTF"),
        ("Borealis", "Attack Deneb with all\nLTFLTF"),
        ("Deneb", "LFTLFT"),
    ]
    return play(start, letters, **options)


def shown(played: Played, reader: Reader = PUBLIC) -> View:
    return ruleset.view(played.position, played.events, reader)


def map_of(played: Played, reader: Reader = PUBLIC) -> dict[str, Any]:
    return shown(played, reader).data["map"]


def panel(told: dict[str, Any], name: str) -> dict[str, Any]:
    return next(panel for panel in told["panels"] if panel["name"] == name)


def words(view: View) -> list[str]:
    svg = map_svg(view)
    assert svg is not None
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.rule("GO-71")
def test_each_base_stands_with_who_has_built_it_in_the_colour_of_who_holds_it() -> None:
    told = map_of(raid())
    assert [(token["owner"], token["label"], token["ringed"]) for token in panel(told, "Cygnus")["tokens"]] == [
        ("Altair", "1", True),
        ("Altair", "2", True),
        ("Altair", "3", True),
    ]
    assert {token["owner"] for token in panel(told, "Altair")["tokens"]} == {"Altair"}
    assert {"A: 6", "B: 3", "D: 3"} <= {*words(shown(raid()))}


@pytest.mark.rule("GO-69")
def test_who_fought_whom_is_an_arrow_that_says_what_came_of_it() -> None:
    told = map_of(raid())
    assert told["arrows"] == [
        {"by": ["Altair"], "to": "Cygnus", "failed": False, "words": "nobody at home, took 3 bases"},
        {"by": ["Borealis"], "to": "Deneb", "failed": True, "words": "beaten off"},
    ]
    assert told["caption"].endswith("Altair attacked Cygnus: nobody at home, took 3 bases. Borealis attacked Deneb: beaten off")


@pytest.mark.rule("GO-72", "GO-73")
def test_a_fleet_is_a_bar_with_the_classes_of_which_there_are_most() -> None:
    start = position(
        player("Altair", "3 Laserfrigate, 7 Lasercruiser, 1 Lasertitan, 1 Torpedofrigate", bp=12), player("Cygnus")
    )
    found = panel(map_of(play(start, [])), "Altair")
    assert (found["bar"], found["text"]) == (12, "12 ships: 7 Lasercruisers, 3 Laserfrigates, 2 others")
    assert panel(map_of(play(start, [])), "Cygnus")["text"] == "no ships"


def test_the_title_tells_the_turn_and_before_the_first_which_comes() -> None:
    played = raid()
    assert map_of(played)["title"] == "Turn 4: who holds which base"
    before = ruleset.view(played.position, (), PUBLIC)
    assert before.data["map"]["title"] == "Before turn 5: who holds which base"


def test_who_is_out_of_the_game_is_drawn_as_long_as_his_bases_are_there() -> None:
    told = map_of(raid())
    found = panel(told, "Cygnus")
    assert (found["value"], found["bar"], found["text"]) == ("eliminated", None, "")
    start = position(player("Altair"), player("Cygnus"), player("Zaphod", bases=0))
    assert [panel["name"] for panel in map_of(play(start, []))["panels"]] == ["Altair", "Cygnus"]


@pytest.mark.rule("GO-R76")
def test_what_is_damaged_is_told_to_its_owner_alone() -> None:
    start = position(player("Altair", "3 Laserfrigate@1, 2 Lasertitan"), player("Cygnus", "1 Lasertitan@1"))
    played = play(start, [])
    hatched = {
        reader: [panel["hatched"] for panel in map_of(played, reader)["panels"]]
        for reader in (PUBLIC, ALTAIR, seat_reader("Cygnus"), GM)
    }
    assert hatched == {PUBLIC: [0, 0], ALTAIR: [3, 0], seat_reader("Cygnus"): [0, 1], GM: [3, 1]}


@given(turns())
@SMALL
def test_all_readers_get_the_picture_of_the_public_but_for_what_is_their_own(turn: Turn) -> None:
    played = turn.played()
    public = map_of(played)
    for seat in ruleset.seats(played.position):
        told = map_of(played, seat_reader(seat))
        assert [each["name"] for each in told["panels"] if each["own"]] in ([seat], [])
        assert [each["name"] for each in told["panels"] if each["hatched"]] in ([seat], [])
        assert {**told, "panels": [{**each, "own": False, "hatched": 0} for each in told["panels"]]} == public


def test_so_many_bases_that_they_have_no_room_are_counted() -> None:
    start = position(player("Altair", bases=100), player("Cygnus"), bases=[base("Port-Royal", "Cygnus", "Altair")])
    tokens = panel(map_of(play(start, [])), "Altair")["tokens"]
    assert [(token["owner"], token["count"]) for token in tokens] == [("Altair", 100), ("Cygnus", 1)]


def test_so_many_factions_that_they_have_no_room_are_left_to_the_table() -> None:
    start = position(*(player(f"House {place}", bases=1 + (place == 43)) for place in range(44)))
    view = shown(play(start, []))
    told = view.data["map"]
    assert len(told["panels"]) == 40
    assert told["notes"] == ["The 40 largest factions are drawn; the table has all."]
    assert "House 43" in words(view)


def test_the_report_shows_it_once() -> None:
    page = report_html(ruleset, shown(raid()), Markup('<img src="cid:x">'))
    assert page.count('<img src="cid:x">') == 1
    assert "<svg" not in report_html(ruleset, shown(raid()))
