"""Clocks by phase: a long set-up, and days that are due each evening."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbmd.desk.changes import new_game
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Game
from pbmd.rules import Signup
from pbmd.rules.protocol import Refused
from pbmd.terms.terms import Terms
from tests.archive.made import export, verified
from tests.desk.world import World, address_of
from tests.rulesets.starship_squadrons.test_by_mail import ANNA, BEN

GAME = "border-1"
SATURDAY = datetime(2027, 3, 27, 12, tzinfo=UTC)
EVENINGS = "every day 21:00 Europe/Berlin"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk, on the day before summer time begins."""
    world = World(tmp_path)
    world.now = SATURDAY
    yield world
    world.close()


def begun(world: World, **terms: object) -> None:
    with changing_games(world.desk) as work:
        table = new_game.create_game(
            work, GAME, "starship_squadrons", Terms.model_validate({"second_thought": "0m"} | terms), {"map": "duel"}
        )
        for name in ("anna", "ben"):
            new_game.add_seat(work, table, Signup(name), new_game.Newcomer(address_of(name), name))
        new_game.start_game(work, table)


def deadline(world: World) -> datetime | None:
    return world.rows(Game)[0].deadline


def test_days_are_due_each_evening_after_a_set_up_of_five_days(world: World, tmp_path: Path) -> None:
    begun(world, phases={"set-up": {"deadline": "5d"}, "days": {"deadline": EVENINGS, "early": False}})
    assert deadline(world) == SATURDAY + timedelta(days=5)
    world.send("anna", ANNA, game=GAME)
    world.send("ben", BEN, game=GAME)
    assert world.pass_time(timedelta(minutes=1)) == 1
    # This evening is too near; on Sunday it is summer time.
    assert deadline(world) == datetime(2027, 3, 28, 19, tzinfo=UTC)
    for name in ("anna", "ben"):
        world.send(name, "PASS", game=GAME)
    assert world.pass_time(timedelta(hours=20)) == 0
    world.now = datetime(2027, 3, 28, 19, 1, tzinfo=UTC)
    assert world.pass_time() == 1
    assert deadline(world) == datetime(2027, 3, 29, 19, tzinfo=UTC)
    assert [str(problem) for problem in verified(export(world, tmp_path / "archive", GAME)).problems] == []


def test_what_the_rules_recommend_counts_for_kinds_without_a_deadline(world: World) -> None:
    begun(world, phases={"days": {"deadline": EVENINGS}})
    assert deadline(world) == SATURDAY + timedelta(days=7)


def test_a_kind_that_there_is_not_is_refused_with_those_that_there_are(world: World) -> None:
    with pytest.raises(Refused, match='Starship Squadrons has no phases of the kind "moves"; it has set-up and days'):
        begun(world, phases={"moves": {"deadline": "24h"}})
