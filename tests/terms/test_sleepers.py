"""The terms of seats that sleep: what makes no sense is refused in words, and games without them are written as ever."""

from typing import Any

import pytest

from pbmd.terms.phases import TermProblem, with_changes
from pbmd.terms.sleepers import sleeper_rule, step_of
from pbmd.terms.terms import Terms


@pytest.mark.parametrize(
    ("said", "term", "problem"),
    [
        ({"sleeper": "offer"}, "sleeper", "say how many"),
        ({"sleeper": "disorder", "missed_in_a_row": 0}, "sleeper", "say how many"),
        ({"missed_in_a_row": 3, "missed_in_all": 2}, "missed_in_all", "must be more than missed_in_a_row"),
        ({"missed_in_a_row": 3, "missed_in_all": 3}, "missed_in_all", "3 in a row are as many in all"),
        ({"missed_in_a_row": -1}, "missed_in_a_row", "greater than or equal to 0"),
        ({"missed_in_a_row": 2, "sleeper": "snores"}, "sleeper", "'default', 'offer' or 'disorder'"),
    ],
)
def test_what_makes_no_sense_is_refused(said: dict[str, Any], term: str, problem: str) -> None:
    with pytest.raises(TermProblem, match=problem) as refused:
        with_changes(Terms(), said, ())
    assert refused.value.term == term


def test_terms_that_say_nothing_of_it_are_written_as_ever() -> None:
    written = Terms(missed_in_a_row=0, missed_in_all=0, sleeper="default").model_dump_json()
    assert written == Terms().model_dump_json()
    assert "missed" not in written
    assert "sleeper" not in written


@pytest.mark.parametrize(
    ("said", "timing", "words"),
    [
        (
            {"missed_in_a_row": 3},
            "simultaneous",
            "3 turns in a row is asleep: the game waits for them no longer, and the rules act for their seat",
        ),
        (
            {"missed_in_a_row": 2, "missed_in_all": 4, "sleeper": "offer"},
            "phased",
            "2 phases in a row or 4 phases in all is asleep: the game waits for them no longer, and their seat is offered to",
        ),
        (
            {"missed_in_a_row": 1, "sleeper": "disorder"},
            "sequential",
            "a move is asleep: the game waits for them no longer, and their seat is in civil disorder, until they send",
        ),
    ],
)
def test_they_are_told_in_a_sentence(said: dict[str, Any], timing: str, words: str) -> None:
    assert f"Whoever misses {words}" in sleeper_rule(Terms(**said), step_of(timing))
    assert sleeper_rule(Terms(), step_of(timing)) == ""
