"""How long a turn stays open after the last orders, where nobody has said it."""

import pytest

from pbmd.terms.second_thought import second_thought_of
from pbmd.terms.terms import Terms
from pbmd.terms.times import parse_duration


@pytest.mark.parametrize(
    ("rule", "pause"),
    [
        ("24h", "1h"),
        ("72h", "3h"),
        ("36h", "90m"),
        ("1 week", "6h"),
        ("4 weeks", "6h"),
        ("1h", "2m"),
        ("10 min", "0m"),
        ("every Friday 20:00 Europe/Berlin", "6h"),
        ("every Tue, Sat 18:00 UTC", "3h"),
        ("every day 21:30 Europe/London", "1h"),
        ("rules", "1h"),
    ],
)
def test_it_is_a_24th_of_the_shortest_turn_and_six_hours_at_most(rule: str, pause: str) -> None:
    assert second_thought_of(rule) == pause
    parse_duration(pause)


def test_a_length_that_is_given_is_kept() -> None:
    assert Terms.model_validate({"second_thought": "10m"}).second_thought == "10m"
    assert (
        Terms.model_validate({}).second_thought == Terms.model_validate({"second_thought": " Pace "}).second_thought == "pace"
    )


def test_percents_are_written_with_or_without_their_sign() -> None:
    assert Terms.model_validate({"min_met": "80 %"}).min_met == Terms.model_validate({"min_met": 80}).min_met == 80
    with pytest.raises(ValueError, match="less than or equal to 100"):
        Terms.model_validate({"min_met": "101%"})
