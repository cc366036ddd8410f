"""The pictures of the boards in the reports: own, seen, remembered and "?" told apart by shape and letters.

That no secret changes a byte of them is proved with all else that readers get in `test_noninterference.py`.
"""

import re
import xml.etree.ElementTree as ET

import pytest

from pbmd.reports.picture import map_svg, svg_png
from pbmd.rules import GM, PUBLIC, Reader, ScriptedDice, Signup, View, seat_reader
from pbmd.rules.options import complete
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.harness import play, world

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


def test_it_can_be_made_a_png() -> None:
    svg = map_svg(view_of(seat_reader("ben")))
    assert svg is not None
    assert svg_png(svg).startswith(b"\x89PNG")


def test_pictures_hold_no_links_and_no_scripts() -> None:
    svg = map_svg(view_of(seat_reader("anna")))
    assert svg is not None
    assert "<script" not in svg
    assert "href" not in svg
