"""Words that people have for a command that is called otherwise: they are told of it, and nothing is done by them."""

from itertools import chain

import pytest

from pbmd.desk.language.commands import Language
from pbmd.desk.language.gm_commands import MASTERS
from pbmd.desk.language.player_commands import PLAYERS
from pbmd.rules.protocol import Line


@pytest.mark.parametrize(
    ("line", "usage"),
    [
        ("I'll be away from 24 December to 2 January", "ABSENT FROM"),
        ("I’m on holiday next week", "ABSENT FROM"),
        ("Cancel my holiday", "CANCEL ABSENCE"),
        ("I need a substitute for two weeks", "SUBSTITUTE"),
        ("What is my token?", "NEW TOKEN"),
        ("Please send me the history", "REPORT"),
        ("Withdraw my orders", "CANCEL ORDERS"),
        ("I withdraw from the game", "RESIGN"),
        ("Concede", "RESIGN"),
        ("Let's agree to a draw", "PROPOSE"),
        ("My vote is yes", "VOTE"),
        ("Message to Borealis:", "PRESS TO"),
        ("When is the deadline?", "STATUS"),
        ("Could I have more time, please?", "EXTEND"),
        ("Sign me up for another game", "JOIN"),
    ],
)
def test_of_players_lead_to_the_command(line: str, usage: str) -> None:
    assert PLAYERS.command(Line(1, line)) is None
    assert PLAYERS.nearest(line).startswith(usage)


@pytest.mark.parametrize(
    ("line", "usage"),
    [
        ("Give everyone one more day", "EXTEND"),
        ("Please give Altair another day", "EXTEND"),
        ("Could you extend by 48h for him?", "EXTEND"),
        ("Kick Altair", "EJECT"),
        ("Reject 3", "REFUSE"),
        ("Tell everybody: we go on", "ANNOUNCE"),
        ("PRESS TO Altair", "ANNOUNCE"),
        ("End the game", "ABANDON"),
        ("I think we should resume soon", "RESUME"),
    ],
)
def test_of_the_game_master_lead_to_the_command(line: str, usage: str) -> None:
    assert MASTERS.command(Line(1, line)) is None
    assert MASTERS.nearest(line).startswith(usage)


@pytest.mark.parametrize(
    "line",
    [
        "We are awaymen", "Tokens", "Build 3 ships", "Hello Ann,", "Best wishes", "far-away stars", "Give up Aquila",
        "Retire F3", "Have a nice holiday!", "Happy holidays to all",
    ],
)  # fmt: skip
def test_within_longer_words_are_none(line: str) -> None:
    assert PLAYERS.nearest(line) == ""


@pytest.mark.parametrize("language", [PLAYERS, MASTERS], ids=["players", "game master"])
def test_each_leads_to_one_command_only(language: Language) -> None:
    words = [*chain.from_iterable(form.called for form in language.forms)]
    assert len({*words}) == len(words)
    assert all(each == each.casefold() for each in words)


def test_a_command_spelt_with_a_slip_is_still_known() -> None:
    assert PLAYERS.nearest("Statsu").startswith("STATUS")
    assert MASTERS.nearest("Anounce").startswith("ANNOUNCE")


def test_a_command_as_it_is_written_comes_before_other_words_in_its_line() -> None:
    assert PLAYERS.nearest("Extend, since I was away").startswith("EXTEND")
