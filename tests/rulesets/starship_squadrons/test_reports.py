"""What a report says of what can be done next and of how one stands, and what it leaves out."""

import re
from typing import Any

import pytest

from pbmd.rendering.render import map_text, report_html, report_text
from pbmd.rules import PUBLIC, ScriptedDice, Signup, seat_reader
from pbmd.rules.options import complete
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.harness import Played, play, receive, world


def at_setup(**options: Any) -> Any:
    chosen = complete(ruleset.info.options, options)
    return ruleset.setup([Signup("anna"), Signup("ben")], chosen, ScriptedDice(()))


def map_of(position: Any, seat: str) -> dict[str, Any]:
    return ruleset.view(position, (), seat_reader(seat)).data["map"]


def report(position: Any, seat: str) -> list[str]:
    """As text and as HTML, in one line each."""
    view = ruleset.view(position, (), seat_reader(seat))
    return [
        " ".join(re.sub(r"<[^>]*>", " ", text).split()) for text in (report_text(ruleset, view), report_html(ruleset, view))
    ]


class TestSetUp:
    """Where one may deploy."""

    def test_stands_in_the_report_and_in_the_form(self) -> None:
        position = at_setup(map="duel")
        for text in report(position, "anna"):
            assert re.search(r"(?i)where you may deploy Tarn ?: columns 01 to 05", text)
        assert "## You may deploy in Tarn (columns 01 to 05)." in ruleset.order_form(position, "anna").splitlines()
        assert "where you may deploy" not in report_text(ruleset, ruleset.view(position, (), PUBLIC)).lower()

    def test_is_drawn(self) -> None:
        (board,) = [board for board in map_of(at_setup(map="duel"), "anna")["boards"] if board["name"] == "Tarn"]
        zone = {each["at"] for each in board["hexes"] if each["ground"] == ["zone", ""]}
        bodies = {each["at"] for each in board["hexes"]} - zone
        inside = {f"{column:02}{row:02}" for column in range(1, 6) for row in range(1, board["rows"] + 1)}
        assert zone == inside - bodies
        assert board["note"].endswith("; deploy in columns 01 to 05")

    def test_is_the_whole_board_where_the_map_says_so(self) -> None:
        boards = map_of(at_setup(), "anna")["boards"]
        assert [board["name"] for board in boards if board["note"].endswith("deploy anywhere here")] == ["Aldane", "Brisk"]
        assert all("anywhere on its board" in text for text in report(at_setup(), "anna"))


def test_a_jump_board_with_nothing_on_it_is_not_drawn() -> None:
    remembered = world([], ["Swift M4 @0607"], anchors=False)
    for one in (ruleset.load(remembered), ruleset.load(world(["Duke J4 M4 D1 A9 @0607"], anchors=False))):
        told = map_of(one, "anna")["boards"]
        on_it = any(each["counters"] for board in told for each in board["hexes"] if board["name"] == "Jump board")
        assert [board["name"] for board in told] == (["Field", "Jump board"] if on_it else ["Field"])
    reserve = world([], questions=["anna Q1 reserve"], anchors=False)
    assert [board["name"] for board in map_of(ruleset.load(reserve), "anna")["boards"]] == ["Jump board"], "something is"


def test_what_has_no_room_is_named() -> None:
    places = ("@0607", "@Home_One:0607", "@Home_Two:0607")
    told = map_of(ruleset.load(world([f"Duke{number} M4 A9 {place}" for number, place in enumerate(places)])), "anna")
    assert len(told["boards"]) == 3
    assert sum(board["columns"] * board["rows"] for board in told["boards"]) <= 640
    drawn = {board["name"] for board in told["boards"]}
    assert told["notes"][1:] == [f"Not drawn, for want of room: {({'Field', 'Home One', 'Home Two'} - drawn).pop()}."]


def test_the_score_and_the_last_day_are_told_once() -> None:
    for text in report(at_setup(), "anna"):
        assert text.lower().count("how you stand") == 1
        assert "Your side has 70 points" in text
        assert "After day 28 the higher score wins; all capitals, or no enemy squadron left, wins at once." in text
    for text in report(ruleset.load(world()), "anna"):
        assert "no enemy squadron left wins at once." in text
        assert "capitals" not in text


def you(done: Played, seat: str) -> dict[str, Any]:
    return done.view(seat_reader(seat))["you"]


class TestYou:
    """What became of the reader, which stands first."""

    def test_says_of_a_move_that_was_too_far_that_it_is_not_there(self) -> None:
        done = play(world(["Gun M1 A5 R3 @0808"]), anna="MOVE 1 Gun TO 0810", ben="PASS")
        assert you(done, "anna")["orders"] == [["MOVE 1 Gun TO 0810", "not there yet"]]

    def test_has_each_order_and_what_was_not_done_of_it(self) -> None:
        done = play(world(["Gun M1 A5 R3 @0808"]), anna="MOVE 1 Gun TO 0809\nFIRE 1 Gun AT NEAREST", ben="PASS")
        told = you(done, "anna")
        assert told["orders"] == [
            ["MOVE 1 Gun TO 0809", "carried out"],
            ["FIRE 1 Gun AT NEAREST", "Gun: it had no such target within 3"],
        ]
        assert done.told("anna").count("FIRE 1 Gun AT NEAREST") == 1
        assert "FIRE 1 Gun AT NEAREST" not in done.told("ben")

    def test_says_what_each_side_lost(self) -> None:
        done = play(world(["Gun A99 R9 @0808"], ["Prey D1 M1 @0809"]), anna="FIRE 1 Gun AT NEAREST", ben="PASS")
        assert you(done, "anna")["headline"] == "The enemy lost Prey."
        assert you(done, "ben")["headline"] == "Your side lost Prey."

    def test_says_what_the_rules_built_for_who_sent_nothing(self) -> None:
        start = ruleset.dump(at_setup(map="duel"))
        done = play(start, anna="SQUADRON Scout: J4 M6 S5")
        assert you(done, "anna")["headline"] == ""
        assert you(done, "ben")["headline"] == "The rules set up your side: 6 squadrons."
        assert "ben sent no orders." in done.told("anna")
        assert "sent no orders" not in done.told("ben")


def test_the_form_has_what_can_be_done_at_the_end_of_the_day() -> None:
    hurt = world(
        ["Duke J4 M4 D5 A9 U4 damage 2 fuel 4 @0607", "Tender J4 M4 D2 U8 supplies 4 fuel 4 @0607"],
        questions=["anna Q1 reserve"],
        anchors=False,
    )
    form = ruleset.order_form(ruleset.load(hurt), "anna").splitlines()
    heads = {line.split()[1] for line in form if line.startswith("# ")}
    assert {"REPAIR", "TRANSFER", "JUMP", "PLACE", "WAIT"} <= heads
    assert form[-2:] == ["## In place of all that, to let a day pass as well:", "# WAIT 2"]


def test_the_form_tells_of_orders_that_cannot_be_carried_out_now() -> None:
    form = ruleset.order_form(ruleset.load(world(["Duke M4 D5 A9 @0607"], anchors=False)), "anna").splitlines()
    assert "## Also, where they can be carried out:" in form
    assert "## JUMP <squadron> TO <system> <hex>" in form


class TestFollowOn:
    """Lines that need what a refused line would have brought."""

    @pytest.mark.parametrize("line", ["BUY ADMIRAL 1 FOR Flagship", "PLACE Q1 ON Flagship", "FLEET Alpha: Flagship, Q1"])
    def test_are_told_which_line_is_to_be_mended(self, line: str) -> None:
        document = ruleset.dump(at_setup())
        text = f"SQUADRON Scout: J4 M6 S5\nSQUADRON Flagship: J4 M6 S55 A20\nBUY ? 2\n{line}"
        verdict = receive(document, "anna", text).verdicts[-1]
        assert verdict.message == "Flagship is missing, as line 2 was refused; mend that one, and send this again."

    def test_of_questions_that_were_not_bought(self) -> None:
        text = "SQUADRON Scout: J4 M6 S5\nBUY ? 9000\nPLACE Q1 ON Scout"
        message = receive(ruleset.dump(at_setup()), "anna", text).verdicts[-1].message
        assert message == 'The "?" is missing, as line 2 was refused; mend that one, and send this again.'

    def test_mistakes_of_their_own_are_told_as_ever(self) -> None:
        text = "SQUADRON Scout: J4 M6 S5\nSQUADRON Flagship: J4 M6 S55 A20\nBUY ADMIRAL 900 FOR Scout\nBUY SUPPLY 1 FOR Nobody"
        messages = [verdict.message for verdict in receive(ruleset.dump(at_setup()), "anna", text).verdicts[2:]]
        assert messages[0].startswith("this costs 3600 points")
        assert messages[1].startswith('there is no unit built above "Nobody"')


def test_counters_that_are_alike_stand_together() -> None:
    done = play(world(["Duke M4 @0607", "Baron M4 @0607", "Earl M5 @0607"], ["Thunder M4 @0601"]), anna="PASS", ben="PASS")
    text = done.told("anna")
    assert re.search(r" Duke, Baron J0 M4 .*?, each Earl J0 M5 ", text)


def test_of_the_own_side_the_report_tells_losses_once() -> None:
    done = play(world(["Duke M1 @0607"], ["Thunder A20 R9 D30 @0606"]), anna="PASS", ben="FIRE ALL AT NEAREST")
    assert "Your side lost Duke." in done.told("anna")
    assert "Duke (Concord) destroyed" not in done.told("anna")
    assert "Duke (Concord) destroyed" in done.told("")


def test_the_map_in_words_has_all_that_lies_on_the_boards_and_later_reports_the_planets() -> None:
    done = play(world(["Duke M1 @0607"], ["Thunder M1 @0601"]), anna="PASS", ben="PASS")
    view = ruleset.view(done.position, (), seat_reader("anna"))
    words = " ".join(map_text(ruleset, view).split())
    bodies = [body for system in view.data["planets"] for body in system["bodies"]]
    assert all(f"{body['hex']} {body['name']}, {body['kind']}, limit {body['limit']}" in words for body in bodies)
