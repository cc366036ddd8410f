"""The present in the middle of a step can be asked: what letters have made of the position since the last report."""

import email
import json
from datetime import timedelta
from typing import Any

import pytest

from pbmd.desk.seat_pages.last_report import seat_told
from pbmd.post.tags import SeatNumber
from tests.desk.world import World

SINCE = "Something has taken effect since then"


@pytest.fixture
def bazaar(world: World) -> World:
    """A game of Bazaar (tests/rules/bazaar) in its first day, without reminders."""
    world.start(ruleset="bazaar", reminders=())
    return world


def files(world: World) -> dict[str, Any]:
    """The JSON files of the last answer."""
    parts = email.message_from_bytes(world.outbox("acknowledgement")[-1].raw).walk()
    found = {part.get_filename(): part.get_payload(decode=True) for part in parts if part.get_filename()}
    return {str(name): json.loads(data) for name, data in found.items() if str(name).endswith(".json")}


def next_day(world: World) -> None:
    for seat in ("Altair", "Borealis", "Cygnus"):
        world.send(seat, "Bid 1")
    assert world.pass_time(timedelta(minutes=1)) == 1


@pytest.mark.parametrize("day", [1, 2])
def test_report_has_the_last_one_and_how_it_is_now_with_the_form_for_that(bazaar: World, day: int) -> None:
    if day == 2:
        next_day(bazaar)
    before = 9 if day == 1 else 8
    assert SINCE not in bazaar.send("Borealis", "REPORT")
    bazaar.send("Altair", "Give 2 to Borealis")
    report, _, now = bazaar.send("Borealis", "REPORT").partition("HOW IT IS NOW")
    assert f"Your coins: {before}\n" in report
    assert f"Your coins: {before + 2}\n" in now
    assert f"#orders\n## You have {before + 2} coins.\n# Bid 1\n" in now


def test_the_form_in_an_answer_can_be_sent_back(bazaar: World) -> None:
    bazaar.send("Altair", "Give 2 to Borealis")
    form = "#orders" + bazaar.send("Borealis", "REPORT").partition("#orders")[2].partition("#end")[0] + "#end\n"
    answer = bazaar.send("Borealis", form.replace("# Bid 1", "Bid 1"))
    assert answer.startswith("Borealis: your orders for turn 1 are in.")
    assert "  Bid 1\n" in answer


def test_a_report_of_a_turn_is_that_and_nothing_else(bazaar: World) -> None:
    next_day(bazaar)
    bazaar.send("Altair", "Shout cheap")
    assert "HOW IT IS NOW" not in bazaar.send("Borealis", "REPORT 1")


def test_who_may_not_know_of_it_finds_nothing_new(bazaar: World) -> None:
    bazaar.send("Altair", "Give 2 to Borealis")
    answer = bazaar.send("Cygnus", "STATUS\nREPORT\nREPORT DATA")
    assert SINCE not in answer
    assert "Now  " not in answer
    assert [*files(bazaar)] == ["report.json"]


def test_status_tells_that_there_is_something(bazaar: World) -> None:
    assert "Now  " not in bazaar.send("Borealis", "STATUS")
    bazaar.send("Altair", "Shout cheap")
    assert "Now       something has taken effect since your last report." in bazaar.send("Borealis", "STATUS")


def test_report_data_has_a_file_of_now(bazaar: World) -> None:
    bazaar.send("Altair", "Give 2 to Borealis")
    bazaar.send("Borealis", "REPORT DATA")
    found = files(bazaar)
    assert (found["report-now.json"]["reported"], found["report-now.json"]["view"]["coins"]) == ("now", 11)
    assert found["report-now.json"]["orders"]["remarks"] == ["You have 11 coins."]


def test_a_seats_page_shows_it(bazaar: World) -> None:
    of = SeatNumber(bazaar.game().id or 0, bazaar.seat("Borealis").number)
    assert seat_told(bazaar.desk, of).now == ""
    bazaar.send("Altair", "Give 2 to Borealis")
    assert "Your coins: 11" in seat_told(bazaar.desk, of).now


def test_after_the_next_report_nothing_is_left_of_it(bazaar: World) -> None:
    bazaar.send("Altair", "Give 2 to Borealis\nShout cheap")
    next_day(bazaar)
    assert SINCE not in bazaar.send("Borealis", "REPORT")


def test_nor_after_a_rollback_took_it_back(bazaar: World) -> None:
    next_day(bazaar)
    bazaar.send("Altair", "Give 2 to Borealis")
    next_day(bazaar)
    bazaar.sure("ROLLBACK TO TURN 2 because of an error")
    assert SINCE not in bazaar.send("Borealis", "REPORT")
