"""Who was given more time keeps the turn open until they have sent orders, or their time is over."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.desk.world import BEGIN, NAMES, World, body_of

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def running(world: World) -> World:
    """A game of three days a turn, with a minute for second thoughts."""
    world.count(second_thought="1m")
    for seat in NAMES[:2]:
        world.send(seat, "Add 1")
    return world


def test_the_last_orders_of_others_do_not_end_the_turn(running: World) -> None:
    assert "stays open until then" in " ".join(running.send("Altair", "EXTEND 24h because of Sunday").split())
    running.send("Cygnus", "Add 1")
    assert running.pass_time(HOUR) == 0
    assert "until you have sent orders again" in " ".join(running.send("Altair", "STATUS").split())
    running.send("Altair", "Add 3")
    assert "WAIT" not in running.send("Altair", "STATUS")
    assert running.pass_time(2 * MINUTE) == 1


def test_orders_that_arrived_before_and_are_read_after_do_not_end_the_wait(running: World) -> None:
    earlier = running.now
    running.now += MINUTE
    running.master("EXTEND 24h FOR Altair")
    running.send("Altair", "Add 2", at=earlier)
    running.send("Cygnus", "Add 1")
    assert running.pass_time(HOUR) == 0
    running.send("Altair", "Add 3")
    assert running.pass_time(2 * MINUTE) == 1


def test_ready_lets_it_go_on_too(running: World) -> None:
    running.send("Altair", "EXTEND 24h")
    running.send("Cygnus", "Add 1")
    running.send("Altair", "READY")
    assert running.pass_time(2 * MINUTE) == 1


def test_it_ends_with_their_time(running: World) -> None:
    running.send("Altair", "EXTEND 24h")
    running.send("Cygnus", "Add 1")
    deadline = BEGIN + 4 * DAY
    assert running.pass_time(deadline - running.now) == 0
    assert running.pass_time(MINUTE) == 1


@pytest.mark.parametrize("by", ["EXTEND 24h FOR Altair", "APPROVE 1"])
def test_so_it_is_when_the_game_master_gives_it(running: World, by: str) -> None:
    if by == "APPROVE 1":
        running.send("Altair", "EXTEND 48h")
    running.master(by)
    running.send("Cygnus", "Add 1")
    assert running.pass_time(HOUR) == 0
    running.send("Altair", "Add 2")
    assert running.pass_time(2 * MINUTE) == 1


def test_the_mail_about_time_of_one_seat_says_so(running: World) -> None:
    running.master("EXTEND 24h FOR Altair")
    assert "The turn stays open until then" in " ".join(body_of(running.outbox("notice", "Altair")[-1]).split())
    assert "The deadline of all others stays" in " ".join(body_of(running.outbox("notice", "Borealis")[-1]).split())


def test_who_asked_for_time_for_all_is_told_that_the_turn_waits_for_them(running: World) -> None:
    running.send("Altair", "EXTEND 48h")
    running.master("APPROVE 1")
    told = [" ".join(body_of(mail).split()) for seat in NAMES[:2] for mail in running.outbox("notice", seat)]
    assert ["stays open until then" in each for each in told] == [False, True, False]


def test_time_for_all_that_the_game_master_gives_holds_nothing(running: World) -> None:
    running.master("EXTEND 24h")
    running.send("Cygnus", "Add 1")
    assert running.pass_time(2 * MINUTE) == 1


def test_a_wait_that_they_have_said_outlasts_their_orders(running: World) -> None:
    running.send("Altair", "WAIT")
    running.send("Altair", "EXTEND 24h")
    running.send("Altair", "Add 2")
    running.send("Cygnus", "Add 1")
    assert running.pass_time(HOUR) == 0


def test_a_wait_that_they_say_then_outlasts_them_too(running: World) -> None:
    running.send("Altair", "EXTEND 24h")
    running.send("Altair", "WAIT")
    running.send("Altair", "Add 2")
    running.send("Cygnus", "Add 1")
    assert running.pass_time(HOUR) == 0


@pytest.mark.parametrize(("said", "resolved"), [("WAIT", 0), ("READY", 1)])
def test_what_they_said_before_they_were_given_time_and_pbmd_read_after_it(running: World, said: str, resolved: int) -> None:
    """The WAIT is in force; the READY does not end what they got later, but their orders do."""
    before = running.now
    running.now += HOUR
    running.master("EXTEND 24h FOR Altair")
    answer = " ".join(running.send("Altair", said, at=before).split())
    assert ("or more time that you were given since" in answer) is (said == "READY")
    running.send("Cygnus", "Add 1")
    assert running.pass_time(HOUR) == 0
    running.send("Altair", "Add 2")
    assert running.pass_time(2 * MINUTE) == resolved


def test_the_next_turn_waits_for_nobody(running: World) -> None:
    running.send("Altair", "EXTEND 24h")
    running.send("Cygnus", "Add 1")
    running.pass_time(5 * DAY)
    for seat in NAMES:
        running.send(seat, "Add 1")
    assert running.pass_time(2 * MINUTE) == 1


def test_the_journal_does_not_tell_whether_there_are_orders_or_a_wait(tmp_path: Path) -> None:
    """An entry more or less in its public part would show what nobody may know."""
    told: list[list[tuple[str, str]]] = []
    for before in ("", "Add 1", "WAIT"):
        folder = tmp_path / before[:3]
        folder.mkdir(exist_ok=True)
        other = World(folder)
        other.count(who_has_sent="nothing")
        if before:
            other.send("Altair", before)
        count = len(other.journal())
        other.send("Altair", "EXTEND 24h")
        told.append([(entry.kind, entry.public) for entry in other.journal()[count:]])
        assert json.loads(other.journal("wait")[-1].secret)["until"] == "orders"
        other.close()
    assert told[0] == told[1] == told[2]


def test_moves_that_are_carried_out_at_once_need_none_of_it(world: World) -> None:
    world.start(ruleset="relay")
    world.send("Altair", "EXTEND 3h")
    assert world.journal("wait") == []
