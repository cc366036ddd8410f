"""WAIT orders: several days in one step, and what wakes a side (section 7.6, SQ-R80)."""

import re
from html import unescape
from typing import Any

import pytest

from pbmd.rendering.render import report_html
from pbmd.rules import seat_reader
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.harness import Played, fault, play, world


def waited(*args: Any, n: int = 4, **options: Any) -> Played:
    """Both wait; nothing in these tests takes as long as the game may."""
    return play(world(*args, **options), anna=f"WAIT {n}", ben=f"WAIT {n}")


def in_html(done: Played, seat: str) -> str:
    """What the report of that seat reads like in a mail program that shows HTML."""
    page = report_html(ruleset, ruleset.view(done.position, done.events, seat_reader(seat)))
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def day(done: Played) -> int:
    return done.document["day"]


@pytest.mark.rule("SQ-R80", "SQ-49")
def test_days_nobody_is_awaited_for_are_resolved_at_once() -> None:
    done = waited()
    assert day(done) == 5 + 4
    assert ruleset.awaiting(done.position) == ("anna", "ben")
    assert len(done.questions("anna")) == 4
    for number in ("5", "8"):
        assert f"Day {number}" in done.told("anna")
    assert day(play(world(), anna="WAIT 4", ben="WAIT 2")) == 5 + 2


@pytest.mark.rule("SQ-R80")
def test_who_waits_is_not_awaited_and_misses_nothing() -> None:
    done = play(world(), anna="WAIT 3", ben="PASS")
    assert day(done) == 6
    assert done.player("anna")["wait"] == 2
    assert ruleset.awaiting(done.position) == ("ben",)
    done = play(done.document)
    assert (done.player("anna")["wait"], done.player("anna")["missed"], done.player("ben")["missed"]) == (1, 0, 1)
    done = play(done.document, ben="PASS")
    assert done.player("anna")["wait"] == 0
    assert ruleset.awaiting(done.position) == ("anna", "ben")


@pytest.mark.rule("SQ-R80")
def test_orders_of_a_waiting_player_replace_the_wait() -> None:
    start = world(["Duke M3 @0607"], waits={"anna": 5})
    done = play(start, anna="MOVE 1 Duke TO 0605", ben="PASS")
    assert (done.at("Duke"), done.player("anna")["wait"]) == ("Field 0605", 0)
    assert play(start, anna="MOVE 1 Duke TO 0605\nWAIT 3", ben="PASS").player("anna")["wait"] == 2


@pytest.mark.rule("SQ-R80")
def test_the_orders_of_the_mail_are_for_its_day_and_the_other_days_have_default_orders() -> None:
    start = world(["Duke M1 U9 supplies 5 damage 6 D9 @0607"])
    done = play(start, anna="MOVE 1 Duke TO 0601\nNO REPAIR Duke\nWAIT 3", ben="WAIT 9")
    assert done.at("Duke") == "Field 0606"
    assert done.damage("Duke") == 4


@pytest.mark.rule("SQ-R80")
def test_the_last_of_two_waits_counts_and_the_limits() -> None:
    start = world(waits={})
    assert play(start, anna="WAIT 9\nWAIT 2", ben="PASS").player("anna")["wait"] == 1
    assert fault(world(allow_wait=False), "anna", "PASS\nWAIT 3")
    assert fault(world(turn_mode="phases"), "anna", "PASS\nWAIT 3")


@pytest.mark.rule("SQ-R80", "SQ-64")
def test_the_arrival_of_an_own_group_wakes_its_side_only() -> None:
    groups = ["T1 anna day 5 Near:0303"]
    done = waited(["Duke J1 @T1"], transits=groups, n=9)
    # It arrives in the evening of day 6.
    assert day(done) == 7
    assert ruleset.awaiting(done.position) == ("anna",)
    assert done.player("ben")["wait"] == 7


@pytest.mark.rule("SQ-R80")
def test_a_hit_wakes_its_side_only() -> None:
    start = world(["Duke M1 D99 @0607"], ["Gun A1 R9 @0601"], default_fire="nearest")
    done = play(start, anna="WAIT 9", ben="WAIT 9")
    assert day(done) == 6
    assert ruleset.awaiting(done.position) == ("anna",)


@pytest.mark.rule("SQ-R80")
def test_a_question_found_by_sensors_wakes_and_one_lost_by_firing_does_not() -> None:
    start = world(["Duke M1 @0607"], ["Swift S3 M1 @0606"], questions=["anna Q1 @0607"])
    done = play(start, anna="WAIT 9", ben="WAIT 9")
    assert "anna" in ruleset.awaiting(done.position)
    assert day(done) == 6
    # A transit group arrives for ben, so that the days do not go on for ever.
    fired = world(["Duke M1 A3 R9 @0607"], ["Swift D99 @0601", "Late J1 @T1"], questions=["anna Q1 @0607"],
                  transits=["T1 ben day 5 Near:0303"])  # fmt: skip
    done = play(fired, anna="FIRE 1 Duke AT Swift\nWAIT 9", ben="WAIT 9")
    assert "Q1" not in done.questions("anna")
    assert done.player("anna")["wait"] == 8


@pytest.mark.rule("SQ-R80", "SQ-R73")
def test_a_planet_that_changes_hands_wakes_everybody() -> None:
    start = world(["Duke A1 @T1"], bodies=["Port planet 0607 limit 1"], transits=["T1 anna day 5 Field:0607"])
    done = play(start, anna="WAIT 9", ben="WAIT 9")
    assert day(done) == 7
    assert ruleset.awaiting(done.position) == ("anna", "ben")


@pytest.mark.rule("SQ-R80")
def test_enemy_counters_that_appear_on_a_board_of_ones_own_wake() -> None:
    for questions in ([], ["ben Q1 @T1"]):
        start = world(["Duke M1 @0607"], ["Swift J1 M1 @T1"], questions=questions, transits=["T1 ben day 5 Field:1515"])
        done = play(start, anna="WAIT 9", ben="WAIT 9")
        assert (day(done), ruleset.awaiting(done.position)) == (7, ("anna", "ben"))
    elsewhere = world(["Duke M1 @0607"], ["Swift J1 M1 @T1"], transits=["T1 ben day 5 Near:1515"])
    done = play(elsewhere, anna="WAIT 9", ben="WAIT 9")
    assert ruleset.awaiting(done.position) == ("ben",)
    # A "?" of hers is enough to have a stake in a board.
    staked = world([], ["Swift J1 M1 @T1"], questions=["anna Q1 @Near:0101"], transits=["T1 ben day 5 Near:1515"])
    assert ruleset.awaiting(play(staked, anna="WAIT 9", ben="WAIT 9").position) == ("anna", "ben")


@pytest.mark.rule("SQ-R80")
def test_enemy_counters_that_were_seen_the_day_before_do_not_wake() -> None:
    start = world(["Duke M1 @0607"], ["Swift M1 @1515", "Late J1 @T1"], transits=["T1 ben day 5 Field:1515"])
    done = play(start, anna="WAIT 9", ben="WAIT 9")
    assert ruleset.awaiting(done.position) == ("ben",)


@pytest.mark.rule("SQ-R80", "SQ-R72")
def test_all_players_of_a_side_are_woken() -> None:
    start = world(["Duke M1 D99 @0607"], ["Gun A1 R9 @0601"], players="anna ben carl", default_fire="nearest")
    done = play(start, anna="WAIT 9", ben="WAIT 9", carl="WAIT 9")
    assert ruleset.awaiting(done.position) == ("anna", "carl")


@pytest.mark.rule("SQ-R80", "SQ-R74")
def test_waiting_ends_with_the_game() -> None:
    done = play(world(day=26), anna="WAIT 28", ben="WAIT 28")
    assert ruleset.outcome(done.position) is not None
    assert done.document["phase"] == "over"


@pytest.mark.rule("SQ-R80", "SQ-R26")
@pytest.mark.parametrize("hidden", [[], ["Ghost D50 M1 @1010"]])
def test_who_is_fired_at_is_woken_whatever_lies_there(hidden: list[str]) -> None:
    """All see who waits: the enemy must not learn from it whether the shot met anything."""
    start = world(["Gun A5 R9 @0808"], hidden, questions=["ben Q1 @1010"], waits={"ben": 3})
    done = play(start, anna="FIRE 1 Gun AT ?")
    assert ruleset.awaiting(done.position) == ("anna", "ben")
    assert done.player("ben")["wait"] == 0


WOKEN = {
    "fired at": (
        world(["Duke M1 D99 @0607"], ["Gun A1 R9 @0601"], default_fire="nearest"),
        "Your WAIT has ended 8 days early: your side was fired at. Orders are due again for day 6.",
    ),
    "sensors": (
        world(["Duke M1 @0607"], ["Swift S3 M1 @0606"], questions=["anna Q1 @0607"]),
        'Your WAIT has ended 8 days early: enemy sensors found a "?" of your side. Orders are due again for day 6.',
    ),
    "arrival": (
        world(["Duke J1 @T1"], transits=["T1 anna day 5 Near:0303"]),
        "Your WAIT has ended 7 days early: a group of your side came out of jump. Orders are due again for day 7.",
    ),
    "enemies": (
        world(["Duke M1 @0607"], ["Swift J1 M1 @T1"], transits=["T1 ben day 5 Field:1515"]),
        "Your WAIT has ended 7 days early: enemy counters came up at Field. Orders are due again for day 7.",
    ),
    "planet": (
        world([], ["Duke A1 @T1"], bodies=["Port planet 0607 limit 1"], transits=["T1 ben day 5 Field:0607"]),
        "Your WAIT has ended 7 days early: a planet changed hands. Orders are due again for day 7.",
    ),
}


@pytest.mark.rule("SQ-R80")
@pytest.mark.parametrize(("start", "words"), WOKEN.values(), ids=WOKEN)
def test_a_wait_that_ended_early_says_so_and_why_and_that_orders_are_awaited(start: Any, words: str) -> None:
    done = play(start, anna="WAIT 9", ben="WAIT 9")
    reports = " ".join(done.told("anna").split()), in_html(done, "anna")
    for report in reports:
        assert words in report
    assert "anna" in ruleset.awaiting(done.position)
    # Nobody else is told why; that the wait is over stands in everybody's table of the sides.
    for reader in ("ben", ""):
        assert words not in done.told(reader)


@pytest.mark.rule("SQ-R80")
def test_a_wait_that_has_run_out_says_that_orders_are_awaited() -> None:
    done = waited(n=2)
    assert "Your WAIT is over. Orders are due again for day 7." in done.told("anna")
    for still in (play(world(), anna="WAIT 9", ben="PASS"), play(world(waits={"anna": 5}), anna="PASS", ben="PASS")):
        assert "Your WAIT" not in still.told("anna")
    assert "Your WAIT" not in waited(day=26, n=28).told("anna")


@pytest.mark.rule("SQ-R80", "SQ-R72")
def test_why_an_ally_woke_the_side_is_told_only_to_those_who_may_know() -> None:
    """Where allies keep to themselves all that can be told is what everybody sees: that the side waits no more."""
    start = world(
        ["Duke J1 @T1 by anna", "Other M1 @Near:0101 by carl"],
        players="anna ben carl",
        transits=["T1 anna day 5 Near:0303"],
        share_side=False,
    )
    done = play(start, anna="WAIT 9", ben="WAIT 9", carl="WAIT 9")
    assert "a group of your side came out of jump" in done.told("anna")
    assert "Your WAIT has ended 7 days early: something has happened to an ally of yours." in done.told("carl")
    assert "a group of your side came out of jump" not in done.told("carl")
