"""In each game that comes with pbmd a seat falls asleep, is not waited for, and wakes up; and its archive verifies."""

from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.awaiting import awaited
from pbmd.ledger.tables import Seat
from pbmd.rules.dice import HmacDice
from tests.archive.made import export, verified
from tests.desk.bunches import GAME, desk, drawn_fast
from tests.desk.world import World

GAMES = ("cosmic_conquest", "diplomacy", "galactic_overlord", "local_cluster", "societies", "starship_squadrons")
MINUTE = timedelta(minutes=1)


def due(world: World) -> list[Seat]:
    """The seats that are waited for."""
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named(GAME)
        assert table is not None
        names = [seat.name for seat in awaited(table)]
    return [seat for seat in world.rows(Seat) if seat.name in names]


def others_send(world: World, sleeper: str) -> None:
    """All who are awaited send orders, but for one."""
    rules = world.desk.ruleset(world.game().ruleset)
    for seat in due(world):
        position = rules.load(world.position())
        if seat.name != sleeper and seat.name in rules.awaiting(position):
            dice = HmacDice(sha256(f"{seat.name} {len(world.letters())}".encode()).digest(), b"orders")
            orders = rules.random_orders(position, seat.name, dice) or "ORDERS"
            world.send(seat.name, orders, sender=seat.address)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("slug", GAMES)
def test_a_sleeper_is_not_waited_for_until_they_are_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    drawn_fast(monkeypatch)
    with desk(tmp_path / "home", slug, missed_in_a_row=1, deadline="72h") as world:
        sleeper = world.rows(Seat)[0]
        for _ in range(20):
            others_send(world, sleeper.name)
            if not world.pass_time(MINUTE) and sleeper.name in [seat.name for seat in due(world)]:
                world.pass_time(timedelta(hours=73))
            if world.seat(sleeper.name).is_asleep:
                break
        assert world.seat(sleeper.name).is_asleep
        resolved = len(world.journal("resolved"))
        for _ in range(10):  # a letter may only ask for something, or wait for its turn
            assert sleeper.name not in [seat.name for seat in due(world)]
            if len(world.journal("resolved")) == resolved:
                others_send(world, sleeper.name)
                world.pass_time(MINUTE)
        assert len(world.journal("resolved")) > resolved, "the others alone have ended a step, long before its deadline"
        answer = world.send(sleeper.name, "I'M BACK", sender=sleeper.address)
        assert "Welcome back." in answer
        assert not world.seat(sleeper.name).is_asleep
        others_send(world, sleeper.name)
        world.pass_time(timedelta(hours=73))
        archive = export(world, tmp_path / "archive", GAME)
        assert [str(problem) for problem in verified(archive).problems] == []
