"""The stand-alone adjudicator on a sequential ruleset."""

from datetime import UTC, datetime, timedelta
from typing import Any

from pbmd.adjudicate import Adjudication, Deadline, Entry, Letter, adjudicate
from pbmd.rules import ScriptedDice, Status
from tests.rules.relay import ruleset

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SEATS = ("Ann", "Bob", "Cid")
POSITION = {
    "ruleset": "relay",
    "turn": 3,
    "options": {"die": False},
    "runners": [{"name": name, "holder": ""} for name in SEATS],
    "waiting": list(SEATS),
}


def play(*what: tuple[str, str] | str, document: dict[str, Any] = POSITION, dice: tuple[int, ...] = ()) -> Adjudication:
    """The entries in this order, a minute apart: letters as (seat, text), "deadline" for a mark."""
    entries: list[Entry] = []
    for minute, entry in enumerate(what):
        at = NOON + minute * timedelta(minutes=1)
        entries.append(Deadline(at) if isinstance(entry, str) else Letter(at, *entry))
    scripted = ScriptedDice(dice)
    return adjudicate(ruleset, document, entries, lambda _step, _sheets: scripted)


def scores(result: Adjudication) -> list[int]:
    return [runner["score"] for runner in result.document["runners"]]


def kinds(result: Adjudication) -> list[str]:
    return [event.kind for event in result.events]


def test_a_move_is_carried_out_when_it_comes() -> None:
    result = play(("Ann", "Add 2"))
    assert scores(result) == [2, 0, 0]
    assert result.document["waiting"] == ["Bob", "Cid"]
    assert len(result.views) == 1


def test_a_move_before_its_time_waits_for_it() -> None:
    assert scores(play(("Cid", "Add 4"), ("Ann", "Add 2"))) == [2, 0, 0]
    result = play(("Cid", "Add 4"), ("Ann", "Add 2"), ("Bob", "Add 3"))
    assert scores(result) == [2, 3, 4]
    assert result.document["turn"] == 4
    assert len(result.views) == 3


def test_the_order_is_that_of_arrival() -> None:
    late, early = Letter(NOON + timedelta(minutes=1), "Bob", "Add 3"), Letter(NOON, "Ann", "Add 2")
    result = adjudicate(ruleset, POSITION, [late, early], lambda _step, _sheets: ScriptedDice(()))
    assert [event.data["by"] for event in result.events if event.kind == "added"] == ["Ann", "Bob"]


def test_nobody_is_skipped_without_a_mark() -> None:
    result = play(("Bob", "Add 3"))
    assert scores(result) == [0, 0, 0]
    assert result.document["waiting"] == list(SEATS)


def test_a_mark_skips_whose_move_it_is_and_lets_what_waits_follow() -> None:
    result = play(("Bob", "Add 3"), "deadline")
    assert scores(result) == [0, 3, 0]
    assert kinds(result) == ["skipped", "move", "added"]
    assert result.document["waiting"] == ["Cid"]


def test_a_mark_skips_all_of_whom_any_may_move() -> None:
    result = play(("Bob", "Add 3"), "deadline", document=POSITION | {"turn": 0})
    assert kinds(result) == ["move", "added", "skipped", "skipped", "turn ended"]


def test_what_needs_no_move_takes_effect_at_once() -> None:
    result = play(("Cid", "Offer Bob"), ("Bob", "Accept Cid"))
    assert scores(result) == [0, 1, 1]
    assert kinds(result) == ["offer", "agreed"]
    assert result.document["waiting"] == list(SEATS)
    assert len(result.views) == 1


def test_a_move_that_is_due_in_the_position_is_carried_out_first() -> None:
    sheet = {"seat": "Ann", "arrival": [0, 0], "lines": ["Add 7"]}
    assert scores(play(document=POSITION | {"sheets": [sheet]})) == [7, 0, 0]
    assert scores(play(("Bob", "Add 2"), document=POSITION | {"sheets": [sheet]})) == [7, 2, 0]
    assert scores(play(document=POSITION | {"sheets": [sheet | {"seat": "Bob"}]})) == [0, 0, 0]


def test_a_refused_letter_is_no_move() -> None:
    result = play(("Ann", "Add 2\nSub 3"))
    assert result.document["waiting"] == list(SEATS)
    assert [verdict.status for _, verdict in result.verdicts].count(Status.ERROR) >= 1


def test_dice_are_rolled_in_the_order_of_the_moves() -> None:
    result = play(("Bob", "Add 3"), ("Ann", "Add 2"), document=POSITION | {"options": {"die": True}}, dice=(6, 1))
    assert scores(result) == [8, 4, 0]
    assert result.dice == ((6, 6), (6, 1))
