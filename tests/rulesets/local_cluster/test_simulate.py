"""Whole games of random players."""

from typing import Any

import pytest

from pbmd.rules import Ruleset
from pbmd.rules.options import complete
from pbmd.simulate import Plan, play
from rulesets.local_cluster import ruleset

OPTIONS = complete(ruleset.info.options, {})


def load() -> Ruleset[Any]:
    return ruleset


@pytest.mark.rule("LC-07", "LC-11")
@pytest.mark.parametrize("players", [2, 5, 12])
def test_random_players_play_a_game_with_legal_orders_only(players: int) -> None:
    game = play(Plan(load, players, OPTIONS, seed=1, max_turns=players * 12), 0)
    assert (game.problem, game.errors) == ("", 0)
    assert game.ended or game.turns >= players * 12


@pytest.mark.rule("LC-82", "LC-83")
def test_a_game_comes_to_an_end() -> None:
    game = play(Plan(load, 2, complete(ruleset.info.options, {"victory_planets": 5}), seed=1, max_turns=600), 0)
    assert (game.problem, game.ended) == ("", True)
