"""Votes in each game that comes with pbmd: the same words, and an end that an archive proves."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.desk.changes import new_game
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import GameStatus
from pbmd.rules.options import complete
from pbmd.simulate import signups
from pbmd.terms.terms import Terms
from tests.archive.made import export, verified
from tests.desk.world import World, address_of, body_of
from tests.golden.plays import OPTIONS, PLAYERS

GAME = "galaxy-7"


def begin(world: World, slug: str, **terms: Any) -> list[str]:
    """A running game of that ruleset; the names of its seats."""
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, GAME, slug, Terms(votes="all", reminders=(), **terms), OPTIONS.get(slug, {}))
        options = complete(table.ruleset.info.options, OPTIONS.get(slug, {}))
        for signup in signups(table.ruleset, PLAYERS[slug], options):
            new_game.add_seat(work, table, signup, new_game.Newcomer(address_of(signup.seat), signup.holder or "Somebody"))
        new_game.start_game(work, table)
        return [seat.name for seat in table.seats]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("slug", [slug for slug in PLAYERS if slug != "diplomacy"])
def test_a_draw_ends_the_game_and_its_archive_holds(world: World, tmp_path: Path, slug: str) -> None:
    first, *others = begin(world, slug)
    world.send(first, "PROPOSE DRAW")
    for seat in others:
        world.now += timedelta(minutes=1)
        world.send(seat, "VOTE YES")
    assert world.game().status is GameStatus.FINISHED
    assert "The players have agreed on a draw" in " ".join(body_of(world.outbox("notice", first)[-1]).split())
    found = verified(export(world, tmp_path / "archive"))
    assert (found.problems, found.checked["votes of players"]) == ([], 1)


def test_where_the_rules_have_the_vote_themselves_no_reason_is_lost(world: World) -> None:
    first, *_ = begin(world, "diplomacy")
    answer = " ".join(world.send(first, "PROPOSE DRAW because nobody can win").split())
    assert "PROPOSE: that is the order DRAW here, which takes no reason; send it without one." in answer
    assert not world.journal("proposed")
    assert not world.journal("orders")


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("slug", PLAYERS)
def test_a_pause_stops_the_clock_and_ends_by_itself(world: World, slug: str) -> None:
    first, *others = begin(world, slug, deadline="72h", who_has_sent="nothing")
    world.send(first, "PROPOSE PAUSE FOR 3 days")
    for seat in others:
        world.send(seat, "VOTE YES")
    assert world.game().status is GameStatus.PAUSED
    deadline = world.game().deadline
    world.pass_time(timedelta(days=3))
    assert world.game().status is GameStatus.RUNNING
    assert (deadline is None) == (world.game().deadline is None)
    assert deadline is None or world.game().deadline == deadline + timedelta(days=3)


@pytest.mark.parametrize("votes", ["all", "none"])
def test_in_diplomacy_a_proposed_draw_is_the_order_that_is_a_vote_for_one(world: World, votes: str) -> None:
    """Whatever players may vote on besides."""
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, GAME, "diplomacy", Terms(votes=votes, reminders=(), second_thought="0m"), {})
        for signup in signups(table.ruleset, 2, complete(table.ruleset.info.options, {})):
            new_game.add_seat(work, table, signup, new_game.Newcomer(address_of(signup.seat), "Somebody"))
        new_game.start_game(work, table)
        first, second = (seat.name for seat in table.seats)
    answer = " ".join(world.send(first, "PROPOSE DRAW\nall hold").split())
    assert "DRAW" in answer
    assert not world.journal("proposed")
    assert not world.outbox("notice", second)
    world.send(second, "all hold\nDRAW")
    world.pass_time(timedelta(hours=2))
    assert world.game().status is GameStatus.FINISHED
    assert "All have agreed to a draw" in body_of(world.outbox("report", second)[-1])
