"""Phased rulesets without mail: at the stand-alone adjudicator, and in games of random players."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbmd.adjudicate import Adjudication, Deadline, Entry, Letter, adjudicate
from pbmd.rules import Dice, Resolution, ScriptedDice
from pbmd.simulate import Plan, play
from tests.rules import count, tides

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
POSITION = {
    "ruleset": "tides",
    "turn": 1,
    "phase": "phase 1a",
    "captains": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}],
}


def played(*entries: Entry) -> Adjudication:
    return adjudicate(tides.ruleset, POSITION, entries, lambda _step, _sheets: ScriptedDice((1, 6)))


def places(result: Adjudication) -> list[int]:
    return [captain["place"] for captain in result.document["captains"]]


class TestTheAdjudicator:
    def test_ends_the_phase_after_the_last_letter(self) -> None:
        result = played(Letter(NOON, "Ann", "March 3"))
        assert (result.document["turn"], result.document["phase"]) == (1, "phase 1b")
        assert places(result) == [3, 0, 0]
        assert [captain["missed"] for captain in result.document["captains"]] == [0, 0, 1]

    def test_takes_a_replacement_that_came_when_all_had_sent(self) -> None:
        letters = [Letter(NOON, "Ann", "March 3"), Letter(NOON, "Cid", "March 4"), Letter(NOON + HOUR, "Ann", "March 5")]
        result = played(*letters)
        assert places(result) == [5, 0, 4]
        assert result.document["phase"] == "phase 1b"

    def test_ends_one_phase_at_each_deadline(self) -> None:
        result = played(
            Letter(NOON, "Ann", "March 3"),
            Letter(NOON, "Cid", "March 4"),
            Deadline(NOON + HOUR),
            Letter(NOON + 2 * HOUR, "Bob", "March 5"),
            Letter(NOON + 2 * HOUR, "Ann", "March 6"),
            Deadline(NOON + 3 * HOUR),
        )
        assert result.document["phase"] == "phase 1f"
        assert places(result) == [3, 5, 4]
        assert [verdict.code for _, verdict in result.verdicts if verdict.code] == ["wrong_phase"]


def test_random_players_play_every_phase_of_every_day() -> None:
    seen: list[tuple[int, str]] = []

    def resolve(position: Any, dice: Dice) -> Resolution[Any]:
        seen.append((tides.ruleset.turn(position), tides.ruleset.step_name(position)))
        assert not tides.ruleset.awaiting(position)
        return tides.ruleset.resolve(position, dice)

    watched = replace(tides.ruleset, resolve=resolve)
    game = play(Plan(lambda: watched, 3, {"days": 2}, 1, 100), 0)
    assert not game.problem, game.trace
    days = [(day, f"phase 1{phase}") for day in (1, 2) for phase in "abf"]
    assert seen == [(0, "set-up"), *days]
    assert (game.turns, game.ended) == (7, True)


def test_a_step_has_no_name_and_no_hours_unless_the_rules_say_so() -> None:
    assert count.ruleset.step_name(count.Position(1, {}, {})) == ""
    assert count.ruleset.hours is None
