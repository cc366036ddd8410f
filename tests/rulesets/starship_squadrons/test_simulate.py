"""Whole games of random players."""

from typing import Any

import pytest

from pbmd.rules import HmacDice, Ruleset
from pbmd.rules.options import complete
from pbmd.simulate import Plan, play
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.strategies import random_world


def load() -> Ruleset[Any]:
    return ruleset


@pytest.mark.rule("SQ-04", "SQ-R74")
@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {}),
        (2, {"map": "duel"}),
        (2, {"map": "duel", "turn_mode": "phases"}),
        (
            4,
            {
                "players_per_side": 2,
                "map": "random",
                "systems": 5,
                "fog": "sensors",
                "damage_model": "labelled",
                "day_limit": 12,
            },
        ),
        (8, {"players_per_side": 4, "points": 900, "share_side": False, "turn_mode": "phases", "day_limit": 3}),
    ],
)
def test_random_players_play_with_legal_orders_only_and_games_end(players: int, options: dict[str, Any]) -> None:
    plan = Plan(load, players, complete(ruleset.info.options, options), seed=1, max_turns=300)
    game = play(plan, 0)
    assert (game.problem, game.errors, game.ended) == ("", 0, True)


FORMS = ("MOVE", "FIRE", "HOLD FIRE", "TRANSFER", "REPAIR", "JUMP", "PLACE", "FLEET", "WAIT", "AT ?", "NEAREST", " THEN ")


def test_random_players_use_every_kind_of_order_in_the_long_run() -> None:
    sent = ""
    for number in range(150):
        document = random_world(number)
        document["options"] |= {"turn_mode": "plotted", "allow_wait": True}
        document["phase"] = "day"
        state = ruleset.load(document)
        for seat in ruleset.awaiting(state):
            sent += ruleset.random_orders(state, seat, HmacDice(b"orders", number.to_bytes(2, "big"))) + "\n"
    for words in FORMS:
        assert words in sent, f"no random player ever writes {words!r}"
