"""What somebody is told of a seat that they are offered: what everybody may know, and no more."""

import re
from datetime import UTC, datetime

import pytest

from pbmd.desk.changes import pauses
from pbmd.desk.changes.gm import eject
from tests.desk.world import World, body_of

DORA = "dora@players.test"


def offer(world: World) -> str:
    """The mail in which Dora is offered Cygnus, its lines made one."""
    world.master(f"REPLACE Cygnus BY {DORA}")
    if not world.questions(DORA):
        world.reply(world.questions("gm@pbmd.test")[-1], "YES")
    text = body_of(world.questions(DORA)[-1])
    assert max(map(len, text.splitlines())) <= 72
    return " ".join(text.split())


def empty(world: World) -> World:
    with world.work() as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        eject(work, table, table.seat("Cygnus"))
    return world


def test_turn_deadline_pace_and_how_the_seat_stands(world: World) -> None:
    world.start(second_thought="3h")
    told = offer(empty(world))
    assert "Now turn 1; 2 of 3 seats have players" in told
    assert "Deadline Mon 23 Nov 2026 12:00 UTC, in 3 days" in told
    assert "Pace You have 3 days for each turn" in told
    assert "the turn is resolved 3 h after the last have come" in told
    assert "Seat Nobody plays it." in told
    assert re.search(r"It has .+: \d+ \(the others \d+, \d+\)", told)


def test_a_seat_that_is_played_and_a_clock_that_stands(world: World) -> None:
    world.start()
    world.act("galaxy-7", pauses.pause)
    told = offer(world)
    assert "all 3 seats have players; the game is paused" in told
    assert "Deadline" not in told
    assert "The present player keeps it until somebody says YES" in told


def test_the_standby_list_is_told_the_same(world: World) -> None:
    world.start(listed=True)
    world.send("Dora", "STANDBY galaxy-7", to="games@pbmd.test")
    world.confirm("dora@players.test")
    empty(world)
    world.master("OFFER Cygnus")
    assert "Now turn 1; 2 of 3 seats have players" in " ".join(body_of(world.questions(DORA)[-1]).split())


@pytest.mark.parametrize("who_has_sent", ["count", "nothing"])
def test_what_others_have_sent_and_who_has_time_of_their_own_makes_no_difference(world: World, who_has_sent: str) -> None:
    told: list[str] = []
    later = datetime(2026, 11, 24, tzinfo=UTC)
    for secret in (False, True):
        other = World(world.folder)
        other.start(who_has_sent=who_has_sent)
        empty(other)
        if secret:
            other.send("Altair", "Build 2 Laserfrigates")
            other.send("Borealis", "WAIT")
        with other.changed("Borealis") as seat:
            seat.deadline = later if secret else None
        told.append(offer(other))
        other.close()
    assert told[0] == told[1]
