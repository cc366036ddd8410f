"""Whole games of random players."""

from typing import Any

import pytest

from pbmd.rules import Ruleset
from pbmd.rules.options import complete
from pbmd.simulate import Plan, play, signups
from rulesets.cosmic_conquest import ruleset

OPTIONS = complete(ruleset.info.options, {})


def load() -> Ruleset[Any]:
    return ruleset


@pytest.mark.rule("CC-01", "CC-119")
@pytest.mark.parametrize("players", [2, 5, 12])
def test_random_players_play_a_game_with_legal_orders_only(players: int) -> None:
    game = play(Plan(load, players, OPTIONS, seed=1, max_turns=12), 0)
    assert (game.problem, game.errors) == ("", 0)
    assert game.ended or game.turns == 12


def test_the_seats_of_a_simulated_game_are_colours() -> None:
    assert [asked.seat for asked in signups(ruleset, 3, OPTIONS)] == ["Red", "Yellow", "Green"]


def test_a_game_comes_to_an_end() -> None:
    game = play(Plan(load, 3, OPTIONS, seed=1, max_turns=60), 0)
    assert game.ended
    assert game.winners
