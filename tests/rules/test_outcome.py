"""How the end of a game is told: with the reason that the rules give, and who has won where that does not say it."""

import pytest

from pbmd.rules import Outcome

SEATS = ("Ann", "Bob", "Cat")


@pytest.mark.parametrize(
    ("winners", "reason", "told"),
    [
        (("Ann",), "Ann is the last one left.", "Ann is the last one left."),
        (("Ann",), "the target was reached", "the target was reached. Winner: Ann."),
        (("Ann", "Bob"), "The north wins!", "The north wins! Winners: Ann, Bob."),
        (("Ann", "Bob"), "Ann has won. Bob has won.", "Ann has won. Bob has won."),
        # Whose victory it is must not be guessed from a list of results.
        (("Ann",), "The end: Ann 7, Bob 3.", "The end: Ann 7, Bob 3. Winner: Ann."),
        (("Ann", "Bob"), "Ann has done it.", "Ann has done it. Winners: Ann, Bob."),
        (("Ann",), "Annabel is gone.", "Annabel is gone. Winner: Ann."),
        ((), "The time is up.", "The time is up. Nobody has won."),
        ((), "The time is up; nobody has won.", "The time is up; nobody has won."),
        ((), "All agreed to a draw in turn 3.", "All agreed to a draw in turn 3."),
    ],
)
def test_who_has_won_is_told_once(winners: tuple[str, ...], reason: str, told: str) -> None:
    assert Outcome(winners, reason).told(SEATS) == told
