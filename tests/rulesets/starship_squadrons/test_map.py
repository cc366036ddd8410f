"""The pictures of the boards in the reports: own, seen, remembered and "?" told apart by shape and letters.

That no secret changes a byte of them is proved with all else that readers get in `test_noninterference.py`.
"""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from pbmd.rendering.picture import map_svg, svg_png
from pbmd.rules import GM, PUBLIC, Reader, ScriptedDice, Signup, View, seat_reader
from pbmd.rules.options import complete
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.harness import Played, play, world

pytestmark = pytest.mark.usefixtures("small_pictures")

SVG = "{http://www.w3.org/2000/svg}"
START = world(
    ["Duke M1 @0607"],
    ["Thunder M1 @1209"],
    questions=["ben Q1 @1511", "anna Q1 @0303"],
    bodies=["Port planet 0607 limit 1 owner 1 starport", "Sun star 1008 limit 2", "Big gas_giant 0404 limit 1"],
)


def view_of(reader: Reader) -> View:
    done = play(START, anna="PASS", ben="PASS")
    return ruleset.view(done.position, done.events, reader)


def words(view: View) -> str:
    svg = map_svg(view)
    assert svg is not None
    return " ".join(element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text"))


@pytest.mark.rule("SQ-57", "SQ-67", "SQ-88")
def test_the_jump_board_names_every_system_and_boards_with_counters_are_drawn() -> None:
    options = complete(ruleset.info.options, {})
    state = ruleset.setup([Signup("anna"), Signup("ben")], options, ScriptedDice(()))
    for reader in (PUBLIC, GM, seat_reader("anna")):
        text = words(ruleset.view(state, (), reader))
        for name in ("Aldane", "Brisk", "Halfway", "Corrin", "Dorrit", "Xanthe", "Zenith"):
            assert name in text, (reader, name)
    boards = words(view_of(seat_reader("anna")))
    assert "Field" in boards
    assert "Home Two" in boards


@pytest.mark.rule("SQ-88", "SQ-67")
def test_coordinates_can_be_read() -> None:
    text = words(view_of(seat_reader("anna")))
    assert len(set(re.findall(r"\b\d{4}\b", text))) >= 19 * 15 or {"0101", "1915"} <= set(re.findall(r"\b\d{4}\b", text))


def test_what_is_on_the_boards_is_seen_by_those_who_may() -> None:
    anna, public = words(view_of(seat_reader("anna"))), words(view_of(PUBLIC))
    assert "?" in anna
    assert "Thunder" not in public
    assert "Duke" not in public
    assert map_svg(view_of(seat_reader("anna"))) != map_svg(view_of(PUBLIC))


# --- What happened --------------------------------------------------------------------------------------------------------

DUEL = world(["Duke M6 A9 R9 D9 S4 @0607", "Port A5 R9 D9 @0303"], ["Swift M1 A1 R2 D1 @0907", "Thunder D99 @1209"])
SHOTS = {"anna": "MOVE 1 Duke TO 0807\nFIRE 1 Duke AT Swift\nHOLD FIRE 2 Duke", "ben": "FIRE 1 Swift AT Duke"}


def boards_of(done: Played, reader: Reader) -> dict[str, Any]:
    """The boards of the map, by name."""
    told = ruleset.view(done.position, done.events, reader).data["map"]
    return {board["name"]: board for board in told["boards"]}


@pytest.mark.rule("SQ-88")
def test_lines_lead_from_who_fired_to_who_was_fired_at_for_both_sides() -> None:
    done = play(DUEL, **SHOTS)
    one, other = (boards_of(done, seat_reader(seat))["Field"] for seat in ("anna", "ben"))
    assert [*one["lines"]] == [["fired", "0807", "0907"], ["fired upon", "0907", "0807"], ["moved", "0607", "0707", "0807"]]
    assert [*other["lines"]] == [["fired upon", "0807", "0907"], ["fired", "0907", "0807"]]
    assert one["bursts"] == other["bursts"] == ["0907"]


def test_the_picture_says_so_in_words() -> None:
    done = play(DUEL, **SHOTS)
    said = str(map_svg(ruleset.view(done.position, done.events, seat_reader("anna"))))
    assert "Field. You fired: 0807 to 0907. Enemy fired: 0907 to 0807. Moved: 0607 to 0807. Destroyed: 0907." in said
    assert re.search("Field: you fired, enemy fired and losses in 0907", said)


@pytest.mark.rule("SQ-R25", "SQ-R26")
def test_what_lay_under_a_question_and_was_destroyed_shows_to_its_owner_alone() -> None:
    start = world(["Duke M6 A9 R9 D9 @0607"], ["Ghost D1 @0907"], questions=["ben Q1 @0907", "ben Q2 @1111"])
    done = play(start, anna="FIRE 1 Duke AT ? 0907", ben="PASS")
    one, other = (boards_of(done, seat_reader(seat))["Field"] for seat in ("anna", "ben"))
    assert (one["lines"], one["bursts"]) == ([["fired", "0607", "0907"]], [])
    assert (other["lines"], other["bursts"]) == ([["fired upon", "0607", "0907"]], ["0907"])


@pytest.mark.rule("SQ-57")
def test_the_public_sees_no_line_and_no_reach() -> None:
    told = ruleset.view(*(lambda done: (done.position, done.events))(play(DUEL, **SHOTS)), PUBLIC).data["map"]
    assert not [board for board in told["boards"] if board.get("lines") or board.get("bursts") or board.get("reach")]


@pytest.mark.rule("SQ-27", "SQ-R33")
def test_the_reach_of_sensors_is_the_readers_own() -> None:
    done = play(DUEL, anna="PASS", ben="PASS")
    assert boards_of(done, seat_reader("anna"))["Field"]["reach"] == [["0607", 4]]
    assert boards_of(done, seat_reader("ben"))["Field"]["reach"] == []
    assert boards_of(done, GM)["Field"]["reach"] == []


def test_a_move_that_goes_on_is_one_line() -> None:
    done = play(DUEL, anna="MOVE 1 Duke TO 0607, 0707, 0807\nMOVE 2 Duke TO 0907, 1007", ben="PASS")
    assert boards_of(done, seat_reader("anna"))["Field"]["lines"] == [["moved", "0607", "0707", "0807", "0907", "1007"]]


def test_a_board_on_which_all_was_lost_is_drawn_and_the_jump_board_beside_it() -> None:
    start = world(["Duke D1 @0607"], ["Gun A9 R9 S1 @0907"], questions=["ben Q1 @0907"], fire_removes="one")
    drawn = boards_of(play(start, anna="PASS", ben="FIRE 1 Gun AT Duke"), seat_reader("anna"))
    assert drawn["Field"]["bursts"] == ["0607"]
    assert [name for name, board in drawn.items() if board.get("inset")] == ["Jump board"]


def test_it_can_be_made_a_png() -> None:
    svg = map_svg(view_of(seat_reader("ben")))
    assert svg is not None
    assert svg_png(svg).startswith(b"\x89PNG")


def test_pictures_hold_no_links_and_no_scripts() -> None:
    svg = map_svg(view_of(seat_reader("anna")))
    assert svg is not None
    assert "<script" not in svg
    assert "href" not in svg
