"""What became of orders whose step was never resolved, told from the entries of the journal alone."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.archive.write.open_step_orders import orders_left
from pbmd.archive.write.reader import Archive
from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.rollback import roll_back
from tests.archive.kept import archived
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import NAMES, World

GAME = "galaxy-7"
HOUR = timedelta(hours=1)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with closing(World(tmp_path)) as world:
        yield world


def left(world: World) -> list[Any]:
    """The game is abandoned; what is told of the orders that waited: seat, lines, state."""
    world.act(GAME, abandon)
    *_, last = Archive(archived(world, world.folder / "archive")).stretches()
    return [(each.seat, each.lines, each.state) for each in orders_left(last)]


def test_a_letter_on_file_gives_way_to_the_next_of_its_seat_only(world: World) -> None:
    world.count()
    for seat, text in (("Altair", "Add 1"), ("Borealis", "Add 2"), ("Altair", "Add 3\nAdd 4"), ("Altair", "nonsense")):
        world.send(seat, text)
    assert left(world) == [
        ("Altair", ("Add 1",), "replaced"),
        ("Borealis", ("Add 2",), "filed"),
        ("Altair", ("Add 3", "Add 4"), "filed"),
        ("Altair", ("nonsense",), "refused"),
    ]


def test_what_was_cancelled_is_told_so(world: World) -> None:
    world.count()
    for seat, text in (("Altair", "Add 1"), ("Borealis", "Add 2"), ("Altair", "CANCEL ORDERS")):
        world.send(seat, text)
    assert left(world) == [("Altair", ("Add 1",), "cancelled"), ("Borealis", ("Add 2",), "filed")]


def test_moves_that_were_sent_ahead_are_there(world: World) -> None:
    past_turn_0(relay(world))
    for seat, text in (("Borealis", "Add 2"), ("Cygnus", "Add 3"), ("Borealis", "Add 4"), ("Cygnus", "CANCEL ORDERS")):
        world.now += HOUR
        world.send(seat, text)
    assert left(world) == [
        ("Borealis", ("Add 2",), "replaced"),
        ("Cygnus", ("Add 3",), "cancelled"),
        ("Borealis", ("Add 4",), "filed"),
    ]


def test_of_a_game_that_went_back_the_orders_are_told_that_are_on_file_again(world: World) -> None:
    world.count()
    for seat in NAMES:
        world.send(seat, "Add 1")
    world.pass_time(4 * timedelta(days=1))
    world.send("Altair", "Add 7")
    world.now += HOUR
    world.act(GAME, roll_back, 1, "")
    assert left(world) == [
        ("Altair", ("Add 7",), "rolled-back"),
        *((seat, ("Add 1",), "filed") for seat in NAMES),
    ]


def test_when_they_came_is_when_the_mail_server_had_them(world: World) -> None:
    world.count()
    came = world.now
    world.now += HOUR
    world.send("Altair", "Add 1", at=came)
    world.act(GAME, abandon)
    *_, last = Archive(archived(world, world.folder / "archive")).stretches()
    assert [each.arrived for each in orders_left(last)] == [datetime(2026, 11, 20, 12, 0, tzinfo=UTC)]


def test_once_a_step_is_resolved_nothing_of_it_is_left(world: World) -> None:
    world.count()
    world.send("Altair", "Add 1")
    world.pass_time(timedelta(days=4))
    assert left(world) == []
