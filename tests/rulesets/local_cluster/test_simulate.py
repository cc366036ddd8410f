"""Whole games of random players."""

from typing import Any

import pytest

from pbmd.rules import GM, PUBLIC, HmacDice, Ruleset, canonical_json, seat_reader
from pbmd.rules.options import complete
from pbmd.simulate import Plan, play, signups
from rulesets.local_cluster import ruleset
from tests.rulesets.local_cluster.harness import mail

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
def test_a_game_comes_to_an_end_and_can_be_repeated() -> None:
    plan = Plan(load, 2, complete(ruleset.info.options, {"victory_planets": 5}), seed=1, max_turns=600)
    one = play(plan, 0)
    assert one.problem == ""
    assert one.ended
    assert play(plan, 0) == one


@pytest.mark.rule("LC-R08", "LC-91", "LC-R14")
def test_every_position_of_a_game_can_be_stored_and_seen() -> None:
    """A game of four, of whom one is idle and one sends everything too early."""
    assert ruleset.ready is not None
    dice = HmacDice(b"game", b"")
    at = ruleset.setup(signups(ruleset, 4, OPTIONS), OPTIONS, dice)
    seats = ruleset.seats(at)
    kinds: set[str] = set()
    for place in range(1, 60):
        awaited = ruleset.awaiting(at)
        if not awaited:
            break
        if awaited[0] == seats[3]:
            at = ruleset.miss(at, seats[3]).position
        else:
            text = ruleset.random_orders(at, awaited[0], dice)
            receipt = ruleset.receive(at, mail(awaited[0], text, place))
            assert receipt.filed, receipt.verdicts
            at = receipt.position
        while ruleset.outcome(at) is None and ruleset.ready(at):
            resolution = ruleset.resolve(at, dice)
            at = resolution.position
            kinds |= {event.kind for event in resolution.events}
            assert ruleset.load(ruleset.dump(at)) == at
            for reader in (GM, PUBLIC, *map(seat_reader, seats)):
                assert canonical_json(ruleset.view(at, resolution.events, reader).data)
    assert {"skipped", "became_npc", "turn_ended", "built"} <= kinds
