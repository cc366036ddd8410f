"""Whole games of random players."""

from typing import Any

import pytest

from pbmd.rules import HmacDice, Ruleset
from pbmd.rules.options import complete
from pbmd.simulate import Plan, play
from rulesets.societies import ruleset
from tests.rulesets.societies.harness import world

OPTIONS = complete(ruleset.info.options, {})


def load() -> Ruleset[Any]:
    return ruleset


@pytest.mark.rule("SO-13", "SO-R98")
@pytest.mark.parametrize("players", [2, 5, 12, 24])
def test_random_players_play_with_legal_orders_only(players: int) -> None:
    game = play(Plan(load, players, OPTIONS, seed=1, max_turns=12), 0)
    assert (game.problem, game.errors) == ("", 0)
    assert game.ended or game.turns == 12


@pytest.mark.rule("SO-170", "SO-171", "SO-174", "SO-175")
def test_games_come_to_an_end() -> None:
    game = play(Plan(load, 3, OPTIONS, seed=1, max_turns=200), 0)
    assert (game.problem, game.ended) == ("", True)
    assert game.winners


FORMS = (
    *("Spy", "spies", "defend", "Trade with", "caravan", "Research", "arm", "nuke", "SDI", "city", "cities", " for ", "engine"),
    *("spaceship", "KGB", "cut", "Give ", "Attack ", "Targets", "Revolution", "war on", "eace with", "Spoils", "oncede"),
)


def test_random_players_use_every_kind_of_order_in_the_long_run() -> None:
    start = world(
        "aabb / aacc", "Ann tech 15 gold 9000 armies 20 nukes 3 spies 3", "Bob tech 9 gold 900 armies 9",
        "Cat tech 3 gold 99 armies 9",
        wonders="KGB Ann A1, NASCAR Ann A2, Mafia Bob C1", wars="Ann Cat 3", turn=70,
    )  # fmt: skip
    state = ruleset.load(start)
    sent = "\n".join(
        ruleset.random_orders(state, seat, HmacDice(b"orders", number.to_bytes(2, "big")))
        for number in range(300)
        for seat in ruleset.awaiting(state)
    )
    for words in FORMS:
        assert words in sent, f"no random player ever writes {words!r}"
