"""What an outage of the mailbox took of the time before a deadline is given back, and everybody is told."""

import json
from datetime import timedelta

import pytest

from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.due import outages
from pbmd.desk.due.advance import advance_games
from pbmd.desk.due.outages import note_unreadable
from pbmd.desk.ingest import _note_reading
from pbmd.ledger.tables import GameStatus, Outage
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import BEGIN, NAMES, World, address_of, body_of

HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
DEADLINE = BEGIN + 72 * HOUR


def read(world: World) -> int:
    """The mailbox is read to its end, and the desk does what is due; gives the number of steps resolved."""
    _note_reading(world.desk, mailbox_name(world.desk), world.now)
    return advance_games(world.desk)


def outage(world: World, before: timedelta, length: timedelta) -> None:
    """The mailbox cannot be read for so long, beginning so long before the deadline; tries fail now and then."""
    world.now = DEADLINE - before
    for _ in range(4):
        note_unreadable(world.desk)
        advance_games(world.desk)
        world.now += length / 4
    read(world)


def hours_later(world: World) -> float:
    deadline = world.game().deadline
    assert deadline is not None
    return (deadline - DEADLINE) / HOUR


@pytest.mark.parametrize(
    ("before", "length", "later"),
    [
        (3, 2, 2),  # over before the deadline
        (3, 3, 3),  # until the deadline
        (3, 7, 4 + 3),  # over it: what was taken counts from its end
        (8, 4, 2),  # only the last six hours count
        (20, 30, 10 + 6),
        (0.5, 0.25, 0.25),
        (0.5, 0.2, 0),  # too short to matter
        (8, 2, 0),  # too long before the deadline
        (6.1, 0.3, 0),
    ],
)
def test_what_was_taken_of_the_last_six_hours_is_given_back(running, before, length, later):
    outage(running, before * HOUR, length * HOUR)
    assert hours_later(running) == pytest.approx(later, abs=1 / 60)


def test_the_deadline_that_passed_in_an_outage_ends_no_turn(running):
    outage(running, HOUR, 3 * HOUR)
    assert (running.log("nmr"), running.log("resolved")) == ([], [])
    running.now = DEADLINE + 3 * HOUR - SECOND
    assert read(running) == 0
    running.now += 5 * SECOND
    assert read(running) == 1


def test_orders_in_the_time_that_was_given_back_count(running):
    outage(running, HOUR, 2 * HOUR)
    assert "orders for turn 1 are in" in running.send("Altair", "Add 3", at=DEADLINE + 90 * MINUTE)


def test_the_evidence_is_in_the_journal_and_the_log(running):
    outage(running, 2 * HOUR, HOUR)
    [entry] = running.journal("shifted")
    assert json.loads(entry.public) == {
        "turn": 1,
        "outage": 1,
        "from": "2026-11-23T10:00:00.000000Z",
        "until": "2026-11-23T11:00:00.000000Z",
        "before": "2026-11-23T12:00:00.000000Z",
        "deadline": "2026-11-23T13:00:00.000000Z",
        "seats": {},
    }
    [line] = running.log("shifted")
    assert line.detail == (
        "1 h; deadline Mon 23 Nov 2026 13:00 UTC: the mailbox could not be read from Mon 23 Nov 2026 10:00 UTC to "
        "Mon 23 Nov 2026 11:00 UTC"
    )
    assert line.cause == "outage 1 of the mailbox"


def test_each_player_is_told_and_the_game_master_once_for_all_games(running):
    running.count("galaxy-8", ("Deneb", "Vega"))
    outage(running, 2 * HOUR, HOUR)
    for seat in (*NAMES, "Deneb", "Vega"):
        [notice] = running.outbox("notice", seat)
        text = " ".join(body_of(notice).split())
        assert "could not be read from Mon 23 Nov 2026 10:00 UTC to Mon 23 Nov 2026 11:00 UTC" in text
        assert "13:00 UTC" in text
    [mail] = running.outbox("alarm")
    assert "galaxy-7: Mon 23 Nov 2026 13:00 UTC\n  galaxy-8: Mon" in body_of(mail)


def test_an_outage_that_took_nothing_is_told_to_nobody(running):
    outage(running, 40 * HOUR, 20 * HOUR)
    assert (running.outbox("notice"), running.outbox("alarm"), running.journal("shifted")) == ([], [], [])
    assert [row.ended - row.began for row in running.rows(Outage)] == [20 * HOUR]


def test_a_game_may_have_another_length_or_none(world):
    world.count("galaxy-7", outage_window="1h")
    world.count("galaxy-8", outage_window="0h")
    outage(world, 3 * HOUR, 3 * HOUR)
    assert world.game("galaxy-7").deadline == DEADLINE + HOUR
    assert world.game("galaxy-8").deadline == DEADLINE


def test_grace_is_time_to_send_orders_too(world):
    world.count(grace="2h")
    outage(world, timedelta(0), HOUR)  # wholly in the grace
    assert hours_later(world) == pytest.approx(2)  # one hour from the end of it, and the same grace behind it


def test_time_before_the_turn_began_is_not_given_back(world):
    world.count(deadline="1h")
    note_unreadable(world.desk)
    world.now += 30 * MINUTE
    read(world)
    assert world.game().deadline == BEGIN + 90 * MINUTE


def test_a_seat_with_a_deadline_of_its_own_gets_back_what_was_taken_of_that(running):
    running.act(
        "galaxy-7", lambda work, table: deadline_changes.extend(work, table, 10 * HOUR, "me", seat=table.seat("Altair"))
    )
    running.now = DEADLINE + 8 * HOUR
    read(running)  # the others have missed it
    note_unreadable(running.desk)
    running.now += HOUR
    read(running)
    assert running.seat("Altair").deadline == DEADLINE + 11 * HOUR
    assert running.game().deadline == DEADLINE
    assert json.loads(running.journal("shifted")[0].public)["seats"] == {"Altair": "2026-11-23T23:00:00.000000Z"}
    assert [mail.recipient for mail in running.outbox("notice")][-1] == address_of("Altair")


def test_nothing_is_given_back_while_a_game_is_paused_or_when_the_game_master_has_closed_the_turn(running):
    running.act("galaxy-7", pauses.pause)
    outage(running, 3 * HOUR, 2 * HOUR)
    assert running.journal("shifted") == []
    assert running.game().status is GameStatus.PAUSED
    running.act("galaxy-7", pauses.resume)
    with running.work() as work:
        table = work.table(1)
        table.game.closed_at = table.game.due_at = running.now
    note_unreadable(running.desk)
    running.now += HOUR
    assert read(running) == 1
    assert running.journal("shifted") == []


def test_each_outage_counts_once_whatever_ends_pbmd_between(running, monkeypatch):
    running.count("galaxy-8", ("Deneb", "Vega"))
    running.now = DEADLINE - 2 * HOUR
    note_unreadable(running.desk)
    running.now += HOUR
    monkeypatch.setattr(outages, "_moved", _killed)
    with pytest.raises(KeyboardInterrupt):
        read(running)
    assert running.game("galaxy-8").deadline == DEADLINE + HOUR
    monkeypatch.undo()
    running.now += MINUTE
    read(running)
    read(running)
    assert [running.game(name).deadline for name in ("galaxy-7", "galaxy-8")] == [DEADLINE + HOUR] * 2
    assert len(running.journal("shifted")) == 2
    assert len(running.outbox("alarm")) == 1


def _killed(*_):
    raise KeyboardInterrupt


def test_two_outages_are_given_back_both(running):
    outage(running, 5 * HOUR, HOUR)
    outage(running, 3 * HOUR, HOUR)
    assert hours_later(running) == 2


def test_a_game_that_makes_trouble_is_paused_and_the_others_get_their_time(running, monkeypatch):
    running.count("galaxy-8", ("Deneb", "Vega"))
    real = outages._shift

    def breaks(work, table, lost):
        if table.game.name == "galaxy-7":
            raise ZeroDivisionError
        real(work, table, lost)

    monkeypatch.setattr(outages, "_shift", breaks)
    outage(running, 2 * HOUR, HOUR)
    assert running.game("galaxy-7").status is GameStatus.PAUSED
    assert running.game("galaxy-8").deadline == DEADLINE + HOUR


def test_in_a_game_of_moves_the_clock_of_the_move_goes_on_later(world):
    past_turn_0(relay(world))
    deadline = world.game().deadline
    assert deadline is not None
    world.now = deadline - 2 * HOUR
    note_unreadable(world.desk)
    world.now += HOUR
    read(world)
    assert world.game().deadline == deadline + HOUR
