"""How many bytes are kept of a turn, in the ledger and in an archive: what does not hang on the machine must not creep."""

from datetime import timedelta
from pathlib import Path

from sqlalchemy import update

from pbmd.desk.due.advance import advance_games
from pbmd.desk.upkeep.sizes import sizes
from pbmd.desk.upkeep.tidying import tidy
from pbmd.ledger.tables import Outbox, OutboxState
from tests.benchmarks.growing import export_game
from tests.desk.world import NAMES, World

TURNS = 12
MOST_KEPT, MOST_ARCHIVED = 48_000, 32_000
"""Bytes a turn of three who send an order each: a quarter more than the 38,912 and 25,747 that were found."""


def played(world: World) -> None:
    for _ in range(TURNS):
        world.now += timedelta(hours=6)
        for seat in NAMES:
            world.send(seat, "Add 1", read=True)
        advance_games(world.desk)
        world.now += timedelta(minutes=1)
        world.pass_time()


def kept(world: World) -> int:
    with world.desk.engine.begin() as connection:
        connection.execute(update(Outbox).values(state=OutboxState.SENT, sent_at=world.now))
    world.now += timedelta(days=world.desk.settings.server.outbox_days + 1)
    tidy(world.desk, rest=lambda _: None)
    told = sizes(world.desk)
    return told.whole - told.free


def archived(world: World, to: Path) -> int:
    export_game(world.desk, to)
    return sum(path.stat().st_size for path in to.rglob("*") if path.is_file())


def test_a_turn_keeps_no_more_than_it_did(tmp_path: Path) -> None:
    home = tmp_path / "desk"
    home.mkdir()
    world = World(home)
    try:
        world.count(deadline="365d")
        played(world)
        first = kept(world), archived(world, tmp_path / "first")
        played(world)
        second = kept(world), archived(world, tmp_path / "second")
        assert world.game().step == 2 * TURNS
    finally:
        world.close()
    of_turn = [(after - before) / TURNS for before, after in zip(first, second, strict=True)]
    assert of_turn[0] <= MOST_KEPT, of_turn
    assert of_turn[1] <= MOST_ARCHIVED, of_turn
