"""With `domination_needs_gm` a society wins by domination only when the game master has said so, by mail."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.desk.changes.options import set_option
from pbmd.desk.changes.rollback import roll_back
from pbmd.ledger.tables import GameStatus, Outbox, Request, RequestState
from tests.desk.world import World, body_of
from tests.rulesets.societies.test_by_mail import GAME, NAMES, opened, send

DAY = timedelta(days=1)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A game in which Bob and Cat concede to Ann in the first turn."""
    world = opened(tmp_path)
    world.act(GAME, set_option, "domination_needs_gm", "true")
    for name in NAMES[1:]:
        send(world, name, "Concede to Ann")
    yield world
    world.close()


def asked(world: World) -> list[Outbox]:
    return [mail for mail in world.outbox("alarm") if mail.key.startswith("request")]


def next_turn(world: World) -> None:
    assert world.pass_time(DAY + timedelta(hours=1)) == 1


@pytest.mark.rule("SO-175", "SO-R94")
def test_the_game_master_is_asked_when_all_concede_and_their_yes_ends_the_game(world: World) -> None:
    assert asked(world) == []
    next_turn(world)
    assert world.game(GAME).status is GameStatus.RUNNING
    (mail,) = asked(world)
    assert "All others concede the game to Ann" in " ".join(body_of(mail).split())
    assert "the rules go on by it" in " ".join(world.reply(mail, "APPROVE 1").split())
    assert world.position(GAME)["gm_concession"] == "Ann"
    next_turn(world)
    assert world.game(GAME).status is GameStatus.FINISHED
    assert world.position(GAME)["result"]["victories"] == [{"society": "Ann", "kind": "domination"}]


def test_they_are_asked_once_as_long_as_it_stands(world: World) -> None:
    next_turn(world)
    next_turn(world)
    assert len(asked(world)) == 1


def test_without_their_yes_the_game_goes_on(world: World) -> None:
    next_turn(world)
    world.reply(asked(world)[0], "REFUSE 1")
    for _ in range(2):
        next_turn(world)
    assert (world.game(GAME).status, len(asked(world))) == (GameStatus.RUNNING, 1)


def test_a_concession_that_is_withdrawn_ends_the_question_and_another_asks_again(world: World) -> None:
    next_turn(world)
    send(world, "Bob", "Withdraw concession")
    next_turn(world)
    assert world.rows(Request)[0].state is RequestState.ENDED
    assert "came to nothing" in world.reply(asked(world)[0], "APPROVE 1")
    send(world, "Bob", "Concede to Ann")
    next_turn(world)
    assert [mail.key.rpartition(" ")[2] for mail in asked(world)] == ["1", "2"]


def test_a_turn_that_is_taken_back_takes_the_question_with_it(world: World) -> None:
    next_turn(world)
    world.act(GAME, roll_back, 1)
    assert world.rows(Request)[0].state is RequestState.ENDED


def test_the_word_is_in_the_journal_and_not_for_all_eyes(world: World) -> None:
    next_turn(world)
    world.reply(asked(world)[0], "APPROVE 1")
    (entry,) = world.journal("ruled")
    assert "Ann" not in entry.public
    assert json.loads(entry.secret)["key"] == "domination Ann"


def test_where_it_is_not_wanted_nobody_is_asked(tmp_path: Path) -> None:
    world = opened(tmp_path)
    for name in NAMES[1:]:
        send(world, name, "Concede to Ann")
    next_turn(world)
    assert (world.game(GAME).status, asked(world)) == (GameStatus.FINISHED, [])
    world.close()
