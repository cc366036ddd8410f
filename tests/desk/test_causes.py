"""Every line of the log about a game says what it rests on: a letter, a receipt, a reading of the mailbox, a command."""

import re
from datetime import timedelta

import pytest

from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.changes.seats import Holder, send_new_token
from pbmd.desk.questions.seat_offers import offer
from pbmd.ledger.log_file import format_line
from pbmd.ledger.tables import LogLine
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import World, address_of

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
RESTS_ON = re.compile(r"\b(letter \d+|receipt \d+|mail \d+|mailbox read until .* UTC|the command line)\b")


def without_cause(world: World) -> list[str]:
    return [format_line(line) for line in world.log() if line.game != "-" and not RESTS_ON.search(format_line(line))]


@pytest.fixture
def commanded(world: World) -> World:
    """A desk at which all that tests do as the game master is done with commands."""
    plain = world.act

    def act(name, what, *args, **more):
        def caused(work, table):
            work.cause = "the command line"
            return what(work, table, *args, **more)

        return plain(name, caused)

    world.act = act
    return world


def test_what_players_write(running: World) -> None:
    before = len(running.log())
    for text in ("Add 1", "nonsense", "ORDERS FOR TURN 9\nAdd 1", "WAIT", "READY", "CANCEL ORDERS", "EXTEND 1h", "EXTEND 90h"):
        running.send("Altair", text)
    for text in ("PRESS TO ALL\nhello\nEND PRESS", "NEW TOKEN", "STATUS"):
        running.send("Borealis", text)
    running.send("Borealis", "Add 1", sender="mallory@evil.test")
    running.reply(running.questions()[-1], "NO")
    running.send("Cygnus", "ADDRESS new@players.test")
    running.reply(running.questions(address_of("Cygnus"))[-1], "YES")
    running.reply(running.questions("new@players.test")[-1], "YES")
    running.send("Altair", "Add 1", headers={"Auto-Submitted": "auto-replied"})
    running.resign("Altair")
    whats = {line.what for line in running.log()[before:]}
    assert {"orders", "refused", "wait", "ready", "cancelled", "extended", "request", "press", "token"} <= whats
    assert {"held", "denied", "confirmed", "address", "letter", "resigned"} <= whats
    assert [line for line in without_cause(running) if " created " not in line and " joined " not in line] == [
        format_line(line) for line in running.log("started")
    ]


def test_a_letter_that_was_held_and_the_one_that_confirms_it(running: World) -> None:
    running.send("Altair", "Add 1", sender=address_of("Altair"), to="games@pbmd.test")
    running.reply(running.questions()[-1], "YES")
    [line] = running.log("orders")
    assert line.cause == "letter 1, confirmed by letter 2"


def test_what_the_clock_does(world: World) -> None:
    world.count(deadline="48h", reminders=("24h",))
    world.send("Altair", "Add 1")
    world.pass_time(25 * HOUR)
    world.pass_time(24 * HOUR)
    [reminder, _] = world.log("reminder")
    assert reminder.cause == "mailbox read until Sat 21 Nov 2026 13:00:00 UTC"
    assert [line.cause for line in world.log("nmr")] == ["mailbox read until Sun 22 Nov 2026 13:00:00 UTC"] * 2
    [resolved] = world.log("resolved")
    receipt = world.log("orders")[0].detail.removeprefix("receipt ")
    assert resolved.cause == f"newest orders receipt {receipt}; mailbox read until Sun 22 Nov 2026 13:00:00 UTC"


def test_what_is_resolved_early_rests_on_the_orders_that_came_last(running: World) -> None:
    for seat in ("Altair", "Borealis", "Cygnus"):
        running.send(seat, "Add 1")
    running.pass_time(timedelta(minutes=1))
    [resolved] = running.log("resolved")
    assert resolved.cause.startswith(f"newest orders {running.log('orders')[-1].detail}; mailbox read until ")


def test_a_question_that_nobody_answers(running: World) -> None:
    running.send("Altair", "RESIGN")
    running.pass_time(8 * DAY)
    running.send("Borealis", "STATUS")
    [line] = running.log("expired")
    assert line.cause == "letter 1, asked about Fri 20 Nov 2026 12:00 UTC"


def test_what_the_game_master_does(commanded: World) -> None:
    commanded.count()
    begun = len(commanded.log())
    commanded.act("galaxy-7", deadline_changes.extend, HOUR, "the game master")
    commanded.act("galaxy-7", pauses.pause)
    commanded.act("galaxy-7", pauses.resume)
    commanded.act("galaxy-7", lambda work, table: offer(work, table, "Altair", "dora@players.test", Holder("", "UTC")))
    commanded.act("galaxy-7", lambda work, table: send_new_token(work, table, table.seat("Borealis")))
    commanded.act("galaxy-7", deadline_changes.resolve_now)
    lines: list[LogLine] = commanded.log()[begun:]
    assert {"extended", "paused", "resumed", "offered", "token", "nmr", "resolved"} <= {line.what for line in lines}
    assert {line.cause for line in lines} == {"the command line"}


def test_moves_and_skips(world: World) -> None:
    past_turn_0(relay(world))
    begun = len(world.log())
    world.send("Altair", "Add 1")
    world.pass_time(100 * HOUR)
    lines = world.log()[begun:]
    assert next(line.cause for line in lines if line.what == "resolved") == "letter 4"
    assert all(line.cause.startswith("mailbox read until ") for line in lines if line.what == "nmr")
    assert [line for line in lines if line.what == "nmr"]
    assert len(without_cause(world)) == len([line for line in world.log() if line.what in ("created", "joined", "started")])


def test_mail_that_was_read_twice_names_its_letters(running: World) -> None:
    raw = running.letter("Altair", "Add 1")
    running.arrive(raw)
    running.arrive(raw)
    [line] = running.log("duplicate")
    assert line.cause == "letter 1"
