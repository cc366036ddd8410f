"""The desk rests when nothing is to be done, and is woken by whatever there is."""

import os
import time
from datetime import timedelta

import pytest
from sqlalchemy import text, update
from sqlalchemy.engine import make_url
from sqlmodel import col

from pbmd.daemon import evidence, rest
from pbmd.daemon.evidence import NotedEvidence
from pbmd.daemon.rest import LONGEST_SECONDS, Rest, seconds_to_mail
from pbmd.desk.changes import pauses
from pbmd.ledger import change_watch
from pbmd.ledger.change_watch import SETTLED_SECONDS, ChangeWatch
from pbmd.ledger.database import open_engine
from pbmd.ledger.tables import Letter, LetterState, Outbox, OutboxState
from tests.desk.world import World


def _settled(watch: ChangeWatch, world: World) -> None:
    """Let what was written so far be long ago."""
    long_ago = time.time() - 2 * SETTLED_SECONDS
    os.utime(f"{world.desk.engine.url.database}-wal", (long_ago, long_ago))
    watch.has_changed()
    assert not watch.has_changed()


def _address(world: World) -> str:
    if world.database:
        pytest.skip("on a server others may have written at any time")
    return world.desk.engine.url.render_as_string(hide_password=False)


def test_a_commit_of_anybody_is_seen_and_a_reader_is_none(running: World) -> None:
    watch = ChangeWatch(_address(running))
    assert watch.has_changed(), "nobody knows what was before"
    running.act("galaxy-7", pauses.pause, "a journey")
    _settled(watch, running)
    other = open_engine(_address(running))
    with other.connect() as connection:
        connection.execute(text("SELECT count(*) FROM game")).scalar_one()
    other.dispose()
    assert not watch.has_changed()
    other = open_engine(_address(running))
    with other.begin() as connection:
        connection.execute(text("UPDATE game SET turn = turn + 1"))
    assert watch.has_changed()
    other.dispose()


def test_a_commit_is_seen_in_a_ledger_that_is_a_link(running: World) -> None:
    link = running.folder / "link.sqlite"
    link.symlink_to(make_url(_address(running)).database or "")
    watch = ChangeWatch(f"sqlite:///{link}")
    running.act("galaxy-7", pauses.pause, "a journey")
    _settled(watch, running)
    with running.desk.engine.begin() as connection:
        connection.execute(text("UPDATE game SET turn = turn + 1"))
    assert watch.has_changed()


def test_what_was_written_just_now_may_be_written_again_without_a_trace(running: World) -> None:
    watch = ChangeWatch(_address(running))
    running.act("galaxy-7", pauses.pause, "a journey")
    assert watch.has_changed()
    assert watch.has_changed()


def test_what_a_commit_has_written_is_looked_at_until_the_disk_has_it_and_it_can_be_read(
    running: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite writes, waits for the disk, and only then lets others see it: nothing of the file changes then."""
    watch = ChangeWatch(_address(running))
    running.act("galaxy-7", pauses.pause, "a journey")
    _settled(watch, running)
    log = f"{running.desk.engine.url.database}-wal"
    began = time.time()
    os.utime(log, (began, began))
    for seconds in (0.5, 2, 4):  # the disk is busy
        monkeypatch.setattr(change_watch.time, "time", lambda seconds=seconds: began + seconds)
        assert watch.has_changed()
    monkeypatch.setattr(change_watch.time, "time", lambda: began + 60)
    watch.has_changed()
    assert not watch.has_changed()


def test_a_ledger_on_a_server_may_have_changed_at_any_time() -> None:
    watch = ChangeWatch("postgresql+psycopg://pbmd@localhost/pbmd")
    assert watch.has_changed()
    assert watch.has_changed()


def test_it_rests_until_something_is_due(running: World) -> None:
    rests = Rest(running.desk)
    assert rests.is_over(), "nothing was looked at yet"
    rests.begin()
    assert not rests.is_over()
    due = rest.next_due(running.desk)
    assert due is not None
    running.now = due
    assert rests.is_over()


def test_it_rests_no_longer_when_the_clock_was_set(running: World) -> None:
    rests = Rest(running.desk)
    rests.begin()
    assert not rests.clock_was_set()
    running.set_ahead += timedelta(seconds=2)
    assert rests.is_over()
    assert rests.clock_was_set(), "mail may be due"


def test_it_looks_at_everything_now_and_then(running: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest, "LONGEST_SECONDS", 0.0)
    rests = Rest(running.desk)
    rests.begin()
    assert rests.is_over()


def test_the_sender_waits_for_the_next_mail(running: World) -> None:
    with running.desk.engine.begin() as connection:
        connection.execute(update(Outbox).values(state=OutboxState.SENT))
    assert seconds_to_mail(running.desk) == LONGEST_SECONDS
    later = running.now + timedelta(seconds=7)
    with running.desk.engine.begin() as connection:
        connection.execute(update(Outbox).values(state=OutboxState.QUEUED, next_try_at=later))
    assert seconds_to_mail(running.desk) == 7


def test_a_reading_that_found_nothing_is_written_down_when_something_waits_for_it(
    running: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = NotedEvidence(running.desk)
    assert noted.is_wanted(), "the first shows that the mailbox can be read"
    assert not noted.is_wanted()
    due = rest.next_due(running.desk)
    assert due is not None
    running.now = due
    assert noted.is_wanted(), "a game waits for it"
    running.now -= timedelta(hours=1)
    assert not noted.is_wanted()
    monkeypatch.setattr(noted, "seldom", 0.0)
    assert noted.is_wanted(), "it is long ago"


def test_a_letter_that_waits_for_what_comes_before_it_waits_for_each_reading(running: World) -> None:
    noted = NotedEvidence(running.desk)
    noted.is_wanted()
    running.arrive(running.letter("Altair", "Build 1 Battleship"))
    assert not noted.is_wanted(), "it is dealt with as it is"
    with running.desk.engine.begin() as connection:
        connection.execute(update(Letter).where(col(Letter.state) == LetterState.NEW).values(game_id=1))
    assert noted.is_wanted()


def test_whether_a_letter_waits_is_not_looked_for_among_all_letters_there_are(running: World) -> None:
    noted = NotedEvidence(running.desk)
    noted.is_wanted()
    assert not [plan for plan in running.plans(noted.is_wanted) if "ix_letter_game_id" in plan]


@pytest.mark.parametrize("minutes", [2, 30, 0])
def test_no_alarm_is_raised_because_a_reading_was_not_written_down(running: World, minutes: int) -> None:
    running.settle(alarms={"mailbox_minutes": minutes})
    noted = NotedEvidence(running.desk)
    assert noted.seldom + running.desk.settings.imap.poll_seconds <= (minutes or 60) * 60
    assert noted.seldom <= evidence.SELDOM_SECONDS
