"""The daemon: its threads, what wakes and stops them, and servers and a ledger that fail for a while."""

import logging
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from datetime import time as datetime_time
from pathlib import Path
from secrets import token_hex
from types import SimpleNamespace
from typing import Any

import jinja2
import pytest
import schedule
from sqlalchemy import event, update
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, select
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.daemon import evidence, heartbeat, outbox, parts, rest, sign, threads
from pbmd.daemon import tick as tick_module
from pbmd.daemon.installation import AlreadyRunning, only_one
from pbmd.daemon.refusals import SMTP_REFUSALS, LoginWaits, SenderWaits
from pbmd.daemon.rest import seconds_to_mail
from pbmd.daemon.threads import Daemon
from pbmd.daemon.tick import tick
from pbmd.demo.office import LocalOffice
from pbmd.desk import mailroom
from pbmd.desk.books import installation
from pbmd.desk.books.desk import Desk, open_desk, utc_now
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.pauses import pause
from pbmd.desk.clerk import deal_with
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.desk.letter import arrival_queue
from pbmd.desk.letter.opened_letter import Arrived
from pbmd.desk.mail.draft import Draft
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.publish.webhooks import post_news
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger import database
from pbmd.ledger.database import reading
from pbmd.ledger.tables import Alarm, Game, Letter, LogLine, Mailbox, Outage, Outbox, OutboxState
from pbmd.post import outage
from pbmd.post.accounts import ImapAccount, Secret
from pbmd.post.imap.connection import LoginRefused
from pbmd.post.imap.inbox import Inbox
from pbmd.post.imap.lock import FOLDER, Installation, Lock, Sign, read_sign
from pbmd.post.smtp.client import SmtpError
from pbmd.rendering.render import environment, report_text
from pbmd.rules import PUBLIC, View
from pbmd.settings import Imap, Smtp, read_settings
from tests.acceptance.wire import Wire
from tests.benchmarks.sink import running_sink
from tests.desk.world import World
from tests.mailservers import PASSWORD, Dovecot, free_ports
from tests.post.hooked import Chat, chat
from tests.rules import count

PATIENCE_SECONDS = 120.0


@pytest.fixture
def office() -> Iterator[LocalOffice]:
    with LocalOffice("pbmd.test", ["games", "anna"]) as office:
        yield office


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """What was asked for a pause, which is short here: (failures in a row, refused)."""
    asked: list[tuple[int, bool]] = []

    def backoff(attempt: int, failure: outage.Failure, *, jitter: float) -> float:
        asked.append((attempt, failure is outage.Failure.REFUSED))
        return 0.05

    monkeypatch.setattr(outage, "backoff", backoff)
    return asked


@pytest.fixture
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for a ledger that somebody else has locked. To be asked for before the `world`."""
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)


@pytest.fixture
def world(tmp_path: Path, office: LocalOffice) -> Iterator[World]:
    with closing(world_at(office, tmp_path)) as world:
        yield world


def world_at(office: LocalOffice, folder: Path) -> World:
    """A desk with the real clock whose servers are the local post office."""
    world = World(folder)
    world.desk = replace(world.desk, now=utc_now)
    use(world, imap={"port": office.imap_port}, smtp={"port": office.smtp_port})
    return world


def use(world: World, *, imap: dict[str, Any] | None = None, smtp: dict[str, Any] | None = None) -> None:
    """Change how the desk reaches its servers."""
    old = world.desk.settings
    base: dict[str, Any] = {"host": "127.0.0.1", "tls": "none"}
    reads = {**base, "user": "games", "password": "demo", "poll_seconds": 1, **(imap or {"port": old.imap.port})}
    sends = {**base, **(smtp or {"port": old.smtp.port})}
    world.desk = replace(world.desk, settings=old.model_copy(update={"imap": Imap(**reads), "smtp": Smtp(**sends)}))


@contextmanager
def running(world: World) -> Iterator[Daemon]:
    """A daemon in a thread, ended at the end."""
    daemon = Daemon(world.desk)
    thread = threading.Thread(target=daemon.run)
    thread.start()
    try:
        yield daemon
    finally:
        daemon.stop()
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()


def wait_until(condition: Callable[[], Any]) -> Any:
    ends = time.monotonic() + PATIENCE_SECONDS
    while not (found := condition()):
        assert time.monotonic() < ends, "waited too long"
        time.sleep(0.02)
    return found


def rows(world: World, kind: type[Any], *conditions: Any) -> list[Any]:
    """Rows by id, read so that the daemon need not wait."""
    with Session(reading(world.desk.engine), expire_on_commit=False) as session:
        return list(session.exec(select(kind).where(*conditions).order_by(col(kind.id))))


def words(world: World) -> list[str]:
    return [line.what for line in rows(world, LogLine)]


def letter(number: int, text: str = "STATUS") -> bytes:
    head = f"From: anna@pbmd.test\r\nTo: games@pbmd.test\r\nSubject: x\r\nMessage-ID: <{number}@pbmd.test>\r\n\r\n"
    return f"{head}{text}\r\n".encode()


def queue(world: World, key: str) -> None:
    with changing_games(world.desk) as work:
        mail_to(work, "anna@pbmd.test", Draft("notice", key, "a subject", "Dear Anna"))


def sent(world: World) -> int:
    return len(rows(world, Outbox, col(Outbox.state) == OutboxState.SENT))


def test_letters_are_read_mail_is_sent_and_the_end_is_clean(world: World, office: LocalOffice) -> None:
    office.deliver("games@pbmd.test", letter(1))
    queue(world, "a")
    with running(world):
        wait_until(lambda: rows(world, Letter, col(Letter.state) == "done"))
        wait_until(lambda: sent(world) == 1)
    assert words(world)[0] == "running"
    assert words(world)[-1] == "stopped"
    assert "stopped" in world.desk.settings.log_file.read_text()


def test_it_has_compiled_what_reports_need_before_one_is_due_and_runs_on_without_what_cannot_be_had(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    world.count()
    world.count("galaxy-8")
    with changing_games(world.desk) as work:
        work.session.exec(update(Game).where(col(Game.name) == "galaxy-8").values(ruleset="nowhere"))
    environment.cache_clear()
    world.settle(game={"phases": {"retreat": {"deadline": "12h"}}})
    with running(world):
        wait_until(lambda: "the templates of the ruleset nowhere cannot be loaded" in caplog.text)
        assert caplog.text.count("[game.phases.retreat] in the settings: no ruleset has phases of that kind") == 1
        with monkeypatch.context() as none:
            none.setattr(jinja2.Environment, "compile", None)
            assert report_text(count.ruleset, View(PUBLIC, 4, {"greeting": "Hello", "events": [], "total": 9}))


@contextmanager
def process(folder: Path, office: LocalOffice, *words: str) -> Iterator[subprocess.Popen[str]]:
    """pbmd in a process of its own, with its data in that folder; its ledger is there."""
    settings = settings_at(folder, office)
    open_desk(read_settings(settings)).engine.dispose()
    command = [sys.executable, "-m", "pbmd", *words, "--settings", str(settings)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def ticked(folder: Path, office: LocalOffice) -> tuple[int, str]:
    """How `pbmd tick` ends with its data in that folder, and what it complains of."""
    done = CliRunner().invoke(app, ["tick", "--settings", str(settings_at(folder, office))])
    return done.exit_code, done.stderr


def settings_at(folder: Path, office: LocalOffice) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "pbmd.toml").write_text(f"""
[server]
address = "games@pbmd.test"
gm = "anna@pbmd.test"
[imap]
host = "127.0.0.1"
port = {office.imap_port}
tls = "none"
user = "games"
password = "demo"
[smtp]
host = "127.0.0.1"
port = {office.smtp_port}
tls = "none"
""")
    return folder / "pbmd.toml"


def told(folder: Path, word: str) -> bool:
    """Whether the dashboard log of that data has the word."""
    log = folder / "data" / "dashboard.log"
    return log.exists() and f" {word} " in log.read_text()


@pytest.mark.parametrize("step", [timedelta(hours=-1), timedelta(hours=1), timedelta(days=-400)])
def test_the_heart_beats_on_when_the_local_time_is_set(world: World, monkeypatch: pytest.MonkeyPatch, step: timedelta) -> None:
    """As at the end of summer time, and whenever a clock is corrected; a letter that waits is dealt with all the same."""
    stepped = timedelta(0)

    class LocalTime(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # pyright: ignore[reportIncompatibleMethodOverride]
            return datetime.now(tz) + stepped

    known = SimpleNamespace(datetime=LocalTime, timedelta=timedelta, time=datetime_time)
    monkeypatch.setattr(schedule, "datetime", known)
    beats: list[int] = []
    beat = heartbeat.work_pass
    monkeypatch.setattr(parts, "work_pass", lambda *args: (beats.append(1), beat(*args)))
    monkeypatch.setattr(threads, "HEARTBEAT_SECONDS", 0.05)
    with running(world):
        wait_until(lambda: len(beats) >= 2)
        stepped = step
        world.arrive(letter(1))  # nobody wakes the desk for it
        wait_until(lambda: rows(world, Letter, col(Letter.state) == "done"))
        counted = len(beats)
        wait_until(lambda: len(beats) > counted + 3)


def test_sigterm_ends_it_without_waiting_for_what_is_next(tmp_path: Path, office: LocalOffice) -> None:
    """Which is another look at the mailbox, and at the backups, in a minute."""
    with process(tmp_path, office, "run") as daemon:
        wait_until(lambda: told(tmp_path, "running"))
        begun = time.monotonic()
        daemon.send_signal(signal.SIGTERM)
        complaints = daemon.communicate(timeout=PATIENCE_SECONDS)[1]
    assert time.monotonic() - begun < 30
    assert daemon.returncode == 0, complaints
    assert told(tmp_path, "stopped")


def test_an_end_leaves_letters_that_wait_for_the_next_start(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    daemon, dealt_with = Daemon(world.desk), list[int]()

    def deal(work: Transaction, arrived: Arrived, *more: Any) -> None:
        dealt_with.append(arrived.id)
        if len(dealt_with) == 2:
            daemon.stop()
        deal_with(work, arrived, *more)

    monkeypatch.setattr(arrival_queue, "BATCH", 1)
    monkeypatch.setattr(mailroom, "deal_with", deal)
    for number in range(5):
        world.arrive(letter(number))
    daemon.run()
    assert [each.state for each in rows(world, Letter)] == ["done"] * 2 + ["new"] * 3
    assert words(world)[-1] == "stopped"
    with running(world):
        wait_until(lambda: len(rows(world, Letter, col(Letter.state) == "done")) == 5)
    assert len(dealt_with) == 5


def test_mail_of_the_first_games_goes_out_while_a_pass_is_at_work_on_others(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Event(), threading.Event()
    monkeypatch.setattr(rest, "LONGEST_SECONDS", 10_000.0)
    monkeypatch.setattr(parts, "work_pass", lambda *_: (begun.set(), ended.wait(2 * PATIENCE_SECONDS)))
    with running(world):
        try:
            wait_until(begun.is_set)
            queue(world, "a")
            wait_until(lambda: sent(world) == 1)
            queue(world, "b")
            wait_until(lambda: sent(world) == 2)
        finally:
            ended.set()


def test_memory_is_given_back_after_much_work_once_no_letter_waits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else once a minute: it takes a while, which a letter would wait for."""
    done, daemons = list[str](), list[Daemon]()

    def work(_desk: Any, mail_waits: Callable[[], object], _letters_wait: Any) -> None:
        done.append("work")
        time.sleep(1.1 * threads.WORK_SECONDS)
        if done.count("work") < 3:
            wait_until(lambda: daemons)[0]._letters_came.set()

    monkeypatch.setattr(parts, "work_pass", work)
    monkeypatch.setattr(threads, "give_back", lambda: done.append("given back"))
    with running(world) as daemon:
        daemons.append(daemon)
        wait_until(lambda: len(done) > 4)
    assert done[:5] == ["work", "given back", "work", "work", "given back"]  # the first is that of the minute


def test_a_game_is_shown_while_a_pass_is_at_work_on_others(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    events, roused = list[threading.Event](), list[bool]()

    def long_pass(_desk: Any, _mail_waits: Any, letters_wait: Callable[[], bool]) -> None:
        wait_until(lambda: events)
        events[0].clear()
        letters_wait()  # which is asked after each game
        roused.append(events[0].is_set())

    monkeypatch.setattr(threads, "show_on", lambda _desk, _stopping, written, _is_ours: events.append(written))
    monkeypatch.setattr(parts, "work_pass", long_pass)
    with running(world):
        wait_until(lambda: roused)
    assert roused[0]


@contextmanager
def connected(office: LocalOffice) -> Iterator[Inbox]:
    """A connection besides that of the daemon."""
    inbox = Inbox(ImapAccount(host=office.host, port=office.imap_port, tls="none", user="games", secret=Secret.literal("demo")))
    with closing(inbox):
        inbox.connect()
        yield inbox


def signs(office: LocalOffice) -> list[Sign]:
    """What daemons have put into the mailbox to keep others away."""
    with connected(office) as inbox:
        if not inbox._client.folder_exists(FOLDER):
            return []
        return [sign for item in inbox._client.newest_messages(FOLDER, 100, 4000) if (sign := read_sign(item))]


@pytest.mark.parametrize("words", ["run", "tick"])
def test_a_second_daemon_on_the_same_mailbox_says_who_holds_it_and_ends(
    tmp_path: Path, office: LocalOffice, words: str
) -> None:
    with process(tmp_path / "one", office, "run") as first:
        wait_until(lambda: signs(office))
        with process(tmp_path / "two", office, words) as second:
            complaints = second.communicate(timeout=PATIENCE_SECONDS)[1]
        assert second.returncode == 3
        assert "another pbmd reads INBOX already: on " in complaints
        assert str(tmp_path / "one" / "data") in complaints
        assert "Traceback" not in complaints
        assert told(tmp_path / "two", "imap-taken")
        office.deliver("games@pbmd.test", letter(1))
        wait_until(lambda: told(tmp_path / "one", "letter"))
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=PATIENCE_SECONDS)
    assert signs(office) == []
    assert not told(tmp_path / "two", "letter")


def test_after_a_kill_the_same_daemon_starts_again_at_once_and_a_copy_of_its_data_does_not(
    tmp_path: Path, office: LocalOffice
) -> None:
    with process(tmp_path / "one", office, "run") as first:
        wait_until(lambda: signs(office))
        first.kill()
        first.communicate()
    shutil.copytree(tmp_path / "one" / "data", tmp_path / "two" / "data")
    assert "another pbmd reads INBOX already" in ticked(tmp_path / "two", office)[1]
    [left] = signs(office)
    with process(tmp_path / "one", office, "run") as again:
        [new] = wait_until(lambda: [sign for sign in signs(office) if sign.mark != left.mark and len(signs(office)) == 1])
        assert new.by == left.by
        again.send_signal(signal.SIGTERM)
        again.communicate(timeout=PATIENCE_SECONDS)
    assert again.returncode == 0


def test_cron_and_the_daemon_of_one_data_folder_do_not_keep_each_other_out(tmp_path: Path, office: LocalOffice) -> None:
    with process(tmp_path, office, "tick") as tick:
        assert "pbmd:" not in tick.communicate(timeout=PATIENCE_SECONDS)[1]
    assert tick.returncode == 0
    with process(tmp_path, office, "run") as daemon:
        wait_until(lambda: told(tmp_path, "running"))
        daemon.send_signal(signal.SIGTERM)
        daemon.communicate(timeout=PATIENCE_SECONDS)
    assert daemon.returncode == 0


def test_cron_gives_the_mailbox_back_so_that_another_machine_follows_at_once(tmp_path: Path, office: LocalOffice) -> None:
    assert ticked(tmp_path / "one", office)[0] == 0
    assert signs(office) == []
    with process(tmp_path / "two", office, "run") as second:
        wait_until(lambda: signs(office))
        wait_until(lambda: told(tmp_path / "two", "imap-follows"))
        second.send_signal(signal.SIGTERM)
        second.communicate(timeout=PATIENCE_SECONDS)
    assert second.returncode == 0
    assert str(tmp_path / "one" / "data") in (tmp_path / "two" / "data" / "dashboard.log").read_text()
    assert not told(tmp_path / "two", "alarm")


def test_cron_gives_the_mailbox_back_though_the_connection_was_lost_meanwhile(
    world: World, office: LocalOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(desk: Any) -> None:
        wire.cut()
        wire.mend()

    wire = Wire(office.imap_port)
    use(world, imap={"port": wire.port})
    monkeypatch.setattr(tick_module, "back_up_if_due", lose)
    tick(world.desk)
    wire.cut()
    assert signs(office) == []


def test_cron_that_ends_badly_gives_the_mailbox_back_too(
    world: World, office: LocalOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(desk: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tick_module, "back_up_if_due", fail)
    with pytest.raises(KeyboardInterrupt):
        tick(world.desk)
    assert signs(office) == []


def test_two_that_take_turns_by_cron_find_out(tmp_path: Path, office: LocalOffice) -> None:
    for folder in ("one", "two", "one", "two"):
        assert ticked(tmp_path / folder, office)[0] == 0
    assert not told(tmp_path / "one", "alarm")
    assert "two pbmds take turns with the mailbox" in (tmp_path / "two" / "data" / "dashboard.log").read_text()
    assert ticked(tmp_path / "one", office)[0] == 0
    assert told(tmp_path / "one", "alarm")


def test_a_copy_of_a_data_folder_in_use_sends_none_of_its_mails(
    world: World, tmp_path: Path, office: LocalOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(world):
        wait_until(lambda: signs(office))
        (tmp_path / "copy").mkdir()
        copy = World(tmp_path / "copy")
        copy.desk = replace(copy.desk, now=utc_now)
        use(copy, imap={"port": office.imap_port}, smtp={"port": office.smtp_port})
        queue(copy, "a")
        with pytest.raises(AlreadyRunning, match="another pbmd reads INBOX"):
            Daemon(copy.desk).run()
    assert sent(copy) == 0
    copy.close()


def test_a_second_daemon_on_the_same_data_is_refused(world: World) -> None:
    with only_one(world.desk.settings.data), pytest.raises(AlreadyRunning, match=f"is at work on .* .process {os.getpid()}.;"):
        Daemon(world.desk).run()
    assert words(world) == []


@pytest.mark.parametrize("left", ["", "x", "aaaa 1 2 3 4\n", "\x00\xff" * 60])
def test_a_lock_file_that_is_damaged_gives_a_new_name_that_stays(tmp_path: Path, left: str) -> None:
    (tmp_path / "pbmd.lock").write_text(left, encoding="latin-1")
    names: list[str] = []
    for _ in range(2):
        with only_one(tmp_path) as name:
            names.append(name)
    assert names[0] == names[1]
    assert len(names[0]) == 16


def test_the_data_folder_of_a_clone_of_the_machine_gets_a_new_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = tmp_path / "machine-id"
    monkeypatch.setattr(installation, "MACHINE_ID", machine)
    names: list[str] = []
    for is_machine in ("", "5f3a\n", "5f3a\n", "77aa\n"):
        machine.write_text(is_machine)
        with only_one(tmp_path) as name:
            names.append(name)
    assert names[1] == names[2]
    assert len(set(names)) == 3
    machine.unlink()  # not every system has one
    with only_one(tmp_path) as name, closing((tmp_path / "pbmd.lock").open()) as file:
        assert file.read().startswith(name)


def test_a_daemon_that_lost_its_connection_looks_for_others_before_it_reads_on(
    world: World, office: LocalOffice, pauses: list[tuple[int, bool]]
) -> None:
    wire = Wire(office.imap_port)
    use(world, imap={"port": wire.port})
    daemon = Daemon(world.desk)
    ended: list[str] = []

    def run() -> None:
        with pytest.raises(AlreadyRunning) as caught:
            daemon.run()
        ended.append(str(caught.value))

    thread = threading.Thread(target=run)
    thread.start()
    [ours] = wait_until(lambda: signs(office))
    wire.cut()
    with connected(office) as inbox:  # meanwhile the sign becomes old, and somebody else comes
        inbox._client.delete_folder(FOLDER)
        inbox.hold(Lock(Installation("bbbb", "zeus", "/data")))
        office.deliver("games@pbmd.test", letter(1))
        wire.mend()
        thread.join(PATIENCE_SECONDS)
    wire.cut()
    assert "on zeus, data folder /data" in ended[0]
    assert ours.by.host not in ended[0]
    assert rows(world, Letter) == []


def test_what_it_writes_is_for_its_owner_only(world: World) -> None:
    before = os.umask(0o022)
    try:
        with running(world):
            wait_until(world.desk.settings.log_file.exists)
    finally:
        os.umask(before)
    assert world.desk.settings.log_file.stat().st_mode & 0o777 == 0o600


def test_a_ledger_that_is_locked_for_a_moment_loses_nothing(
    in_haste: None, world: World, office: LocalOffice, caplog: pytest.LogCaptureFixture
) -> None:
    with running(world):
        wait_until(lambda: "running" in words(world))
        with closing(sqlite3.connect(world.folder / "ledger.sqlite", isolation_level=None, timeout=60)) as other:
            other.execute("BEGIN IMMEDIATE")
            office.deliver("games@pbmd.test", letter(1))
            wait_until(lambda: "letters cannot be stored just now (database is locked)" in caplog.text)
            assert other.execute("SELECT count(*) FROM letter").fetchone() == (0,)
            other.execute("ROLLBACK")
        wait_until(lambda: rows(world, Letter, col(Letter.state) == "done"))


def test_a_ledger_that_is_moved_away_and_put_back_loses_nothing(
    world: World, office: LocalOffice, pauses: list[tuple[int, bool]], caplog: pytest.LogCaptureFixture
) -> None:
    ledger, away = world.folder / "ledger.sqlite", world.folder / "away.sqlite"
    with running(world):
        office.deliver("games@pbmd.test", letter(1))
        wait_until(lambda: rows(world, Letter, col(Letter.state) == "done"))
        ledger.rename(away)
        office.deliver("games@pbmd.test", letter(2))
        wait_until(lambda: "cannot be stored just now" in caplog.text)
        assert not ledger.exists()
        away.rename(ledger)
        wait_until(lambda: len(rows(world, Letter, col(Letter.state) == "done")) == 2)
    assert len(rows(world, Letter)) == 2
    assert words(world).count("letter") == 2


def test_a_ledger_that_fails_when_it_is_asked_for_the_next_mail_ends_no_sending(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = threading.Event()

    def fail_once(desk: Desk) -> float:
        if failed.is_set():
            return seconds_to_mail(desk)
        failed.set()
        raise OperationalError("SELECT", None, sqlite3.OperationalError("unable to open database file"))

    monkeypatch.setattr(outbox, "LEDGER_SECONDS", 0.05)
    monkeypatch.setattr(outbox, "seconds_to_mail", fail_once)
    with running(world):
        wait_until(failed.is_set)
        queue(world, "a")
        wait_until(lambda: sent(world) == 1)


def test_a_full_disk_loses_nothing_and_floods_no_mail_server(
    world: World, office: LocalOffice, pauses: list[tuple[int, bool]], caplog: pytest.LogCaptureFixture
) -> None:
    most = 1  # SQLite takes the size that the file has now
    text = token_hex(450_000)  # what compresses better would fit in

    def limit(connection: Any, *_: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {most}")

    event.listen(world.desk.engine, "checkout", limit)
    with running(world):
        office.deliver("games@pbmd.test", letter(1, text))
        wait_until(lambda: len(pauses) >= 3)
        assert rows(world, Letter) == []
        most = 1_000_000
        wait_until(lambda: rows(world, Letter, col(Letter.state) == "done"))
    assert [attempt for attempt, _ in pauses[:3]] == [1, 2, 3]
    assert "cannot be stored just now (database or disk is full)" in caplog.text
    assert text[:20] not in caplog.text


def test_a_folder_that_cannot_be_opened_is_told_once_and_tried_less_and_less_often(
    world: World, pauses: list[tuple[int, bool]]
) -> None:
    use(world, imap={"port": world.desk.settings.imap.port, "folder": "Games"})
    with running(world):
        wait_until(lambda: len(pauses) >= 4)
    assert [attempt for attempt, _ in pauses[:4]] == [1, 2, 3, 4]
    assert [word for word in words(world) if word.startswith("imap")] == ["imap-lost"]


@contextmanager
def reading_from_dovecot(world: World, dovecot: Dovecot) -> Iterator[str]:
    """A daemon that reads a folder of a fresh mailbox and leaves letters where they are; gives the name of the user."""
    user = dovecot.new_user()
    dovecot.doveadm("mailbox", "create", "-u", user, "Orders")
    base = {"host": "localhost", "port": dovecot.imap_port, "user": user, "password": PASSWORD}
    use(world, imap={**base, "folder": "Orders", "processed": "leave"})
    with running(world):
        yield user


_NOT_FOUND = 68


def found_its_folder(dovecot: Dovecot, *command: str, standard_input: bytes) -> bool:
    """Have Dovecot's own tool do something. It may not find a folder that was just made anew while a session has the former one
    open; then it has done nothing."""
    try:
        dovecot.doveadm(*command, standard_input=standard_input)
    except subprocess.CalledProcessError as problem:
        if problem.returncode != _NOT_FOUND:
            raise
        return False
    return True


@pytest.mark.dovecot
@pytest.mark.parametrize("change", ["renumbered", "made anew", "expunged"])
def test_whatever_happens_to_the_folder_under_a_running_daemon_every_letter_counts_once(
    world: World, dovecot: Dovecot, pauses: list[tuple[int, bool]], change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "SELDOM_SECONDS", 0.0)  # each reading is written down, so that its end shows

    def do(*command: str, standard_input: bytes = b"") -> None:
        wait_until(lambda: found_its_folder(dovecot, *command, standard_input=standard_input))

    def arrive(number: int) -> None:
        do("save", "-u", user, "-m", "Orders", standard_input=letter(number))

    def stored(count: int) -> None:
        wait_until(lambda: len(rows(world, Letter)) == count)

    with reading_from_dovecot(world, dovecot) as user:
        arrive(1)
        arrive(2)
        stored(2)
        if change == "renumbered":
            dovecot.doveadm("mailbox", "update", "-u", user, "--uid-validity", "77", "Orders")
        elif change == "made anew":
            dovecot.doveadm("mailbox", "delete", "-u", user, "Orders")
            dovecot.doveadm("mailbox", "create", "-u", user, "Orders")
            do("mailbox", "update", "-u", user, "--uid-validity", "77", "Orders")
            arrive(2)  # as a person does who puts back what is left
        else:
            dovecot.doveadm("expunge", "-u", user, "mailbox", "Orders", "all")
        arrive(3)
        stored(3)
        seen = rows(world, Mailbox)[0].read_through
        wait_until(lambda: rows(world, Mailbox)[0].read_through > seen)
    assert [each.raw.count(b"Message-ID: <%d@" % number) for number, each in enumerate(rows(world, Letter), 1)] == [1, 1, 1]
    [box] = rows(world, Mailbox)
    assert (box.uidvalidity == 77) == (change != "expunged")


def test_a_mailbox_that_can_be_read_again_is_told(world: World, office: LocalOffice, pauses: list[tuple[int, bool]]) -> None:
    wire = Wire(office.imap_port)
    wire.cut()
    use(world, imap={"port": wire.port})
    with running(world):
        wait_until(lambda: len(pauses) >= 2)
        wire.mend()
        wait_until(lambda: "imap-back" in words(world))
    wire.cut()
    assert [word for word in words(world) if word.startswith("imap")] == ["imap-lost", "imap-back"]


def test_a_refused_login_waits_long_and_is_told_once_in_the_log_and_each_time_to_who_watches(
    world: World, pauses: list[tuple[int, bool]], caplog: pytest.LogCaptureFixture
) -> None:
    use(world, imap={"port": world.desk.settings.imap.port, "password": "wr0ng"})
    with running(world):
        wait_until(lambda: len(pauses) >= 2)
    assert pauses[:2] == [(1, True), (2, True)]
    assert [word for word in words(world) if word.startswith("imap")] == ["imap-refused"]
    assert caplog.text.count("refused the login of games") >= 2
    assert "wr0ng" not in caplog.text + world.desk.settings.log_file.read_text()


def test_a_login_that_is_refused_after_the_server_was_away_is_told_besides(
    world: World, office: LocalOffice, pauses: list[tuple[int, bool]]
) -> None:
    wire = Wire(office.imap_port)
    wire.cut()
    use(world, imap={"port": wire.port, "password": "wrong"})
    with running(world):
        wait_until(lambda: "imap-lost" in words(world))
        wire.mend()
        wait_until(lambda: "imap-refused" in words(world))
    wire.cut()


def test_tick_shows_a_refusing_server_a_login_as_seldom_as_the_daemon_does_and_tells_it_once(
    world: World, office: LocalOffice
) -> None:
    use(world, imap={"port": office.imap_port, "password": "wr0ng"})
    began = utc_now()
    refused: list[int] = []
    for minute in range(40):
        world.desk = replace(world.desk, now=lambda minute=minute: began + timedelta(minutes=minute))
        with pytest.raises(LoginRefused) as caught:
            tick(world.desk)
        if isinstance(caught.value, LoginWaits):
            assert "has refused the login of games, which is tried again from " in str(caught.value)
        else:
            refused.append(minute)
    assert refused == [0, 1, 3, 7, 15, 31]
    assert [word for word in words(world) if word.startswith("imap")] == ["imap-refused"]
    use(world, imap={"port": office.imap_port})
    world.desk = replace(world.desk, now=lambda: began + timedelta(minutes=64))
    tick(world.desk)
    use(world, imap={"port": office.imap_port, "password": "wr0ng"})
    with pytest.raises(LoginRefused, match="refused the login"):
        tick(world.desk)
    assert [word for word in words(world) if word.startswith("imap")] == ["imap-refused"] * 2


@pytest.mark.parametrize(("wrong", "told"), [(-15, "ahead of this machine's: letters that come in time"), (15, "behind")])
def test_a_mail_server_with_another_time_is_told_once_a_day(world: World, wrong: int, told: str) -> None:
    world.desk = replace(world.desk, now=utc_now)
    tick(world.desk)
    assert "server-clock" not in words(world)
    world.desk = replace(world.desk, now=lambda: utc_now() + timedelta(minutes=wrong))
    for _ in range(2):
        tick(world.desk)
    [line] = rows(world, LogLine, col(LogLine.what) == "server-clock")
    assert told in line.detail


def closed_port() -> int:
    return free_ports(1)[0]


def test_tick_says_why_no_mail_goes_out(world: World) -> None:
    use(world, smtp={"port": closed_port()})
    with changing_games(world.desk) as work:
        mail_to(work, "anna@pbmd.test", Draft("notice", "notice", "a subject", "a text"))
    with pytest.raises(SmtpError, match="Connection refused"):
        tick(world.desk)
    assert words(world) == ["smtp-lost"]
    assert "smtp-lost" in world.desk.settings.log_file.read_text()
    assert "Connection refused" in rows(world, Outbox)[0].error


def test_tick_writes_the_pages_though_no_mail_goes_out(world: World) -> None:
    use(world, smtp={"port": closed_port()})
    with changing_games(world.desk) as work:
        mail_to(work, "anna@pbmd.test", Draft("notice", "notice", "a subject", "a text"))
    with pytest.raises(SmtpError):
        tick(world.desk)
    assert "smtp-lost" in (world.desk.settings.data / "dashboard" / "mail.html").read_text("utf-8")


class Unwilling:
    """An SMTP server that takes no mail of ours, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def handle_DATA(self, *_: object) -> str:  # noqa: N802
        self.asked += 1
        return "550 5.4.5 Daily user sending limit exceeded"


def test_tick_asks_a_server_that_refuses_the_sender_as_seldom_as_the_daemon_does(world: World, office: LocalOffice) -> None:
    for name in "abcdef":
        queue(world, name)
    unwilling, began = Unwilling(), utc_now()
    tried: list[int] = []
    with running_sink(unwilling) as port:
        use(world, smtp={"port": port})
        for minute in range(20):
            world.desk = replace(world.desk, now=lambda minute=minute: began + timedelta(minutes=minute))
            before = unwilling.asked
            with pytest.raises(SmtpError) as caught:
                tick(world.desk)
            if isinstance(caught.value, SenderWaits):
                assert "which is tried again from " in str(caught.value)
            tried += [minute] * (unwilling.asked - before)
    assert tried == [0, 1, 3, 7, 15]
    assert [word for word in words(world) if word.startswith("smtp")] == ["smtp-lost"]
    use(world, smtp={"port": office.smtp_port})
    world.desk = replace(world.desk, now=lambda: began + timedelta(minutes=40))
    tick(world.desk)
    assert sent(world) == 6
    assert not (world.desk.settings.data / SMTP_REFUSALS).exists()


def test_of_what_is_amiss_the_game_master_is_told_though_each_pass_of_the_desk_fails(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ValueError

    world.settle(alarms={"disk_megabytes": 10**9})
    monkeypatch.setattr("pbmd.daemon.parts.work_pass", fail)
    with running(world):
        wait_until(lambda: rows(world, Alarm, Alarm.kind == "disk"))


STEPS = (
    *("look_daily", "look_now_and_then", "_read", "work_pass", "give_up_waiting"),
    *("back_up_if_due", "send_archives", "watch", "show"),
)


@pytest.mark.parametrize("trouble", [OSError(28, "No space left on device"), ValueError("a defect")], ids=["disk", "defect"])
@pytest.mark.parametrize("step", STEPS)
def test_tick_does_all_else_though_one_step_fails_and_says_so(
    world: World, step: str, trouble: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise trouble

    queue(world, "a")
    done: list[str] = []
    monkeypatch.setattr(tick_module, "post_news", lambda _: done.append("news"))
    monkeypatch.setattr(tick_module, step, fail)
    with pytest.raises(type(trouble)):
        tick(world.desk)
    assert (sent(world), done) == (1, ["news"])


def test_tick_tells_of_both_servers_when_both_are_down(world: World) -> None:
    use(world, imap={"port": closed_port()}, smtp={"port": closed_port()})
    with changing_games(world.desk) as work:
        mail_to(work, "anna@pbmd.test", Draft("notice", "notice", "a subject", "a text"))
    with pytest.raises(SmtpError, match=r"refused.*nor could the mailbox be read: .*refused"):
        tick(world.desk)
    assert words(world) == ["imap-lost", "smtp-lost"]


def test_an_smtp_server_that_fails_is_told_once_and_waking_the_sender_tries_no_sooner(
    world: World, office: LocalOffice, pauses: list[tuple[int, bool]]
) -> None:
    wire = Wire(office.smtp_port)
    wire.cut()
    use(world, smtp={"port": wire.port})
    queue(world, "a")
    with running(world) as daemon:
        wait_until(lambda: len(pauses) >= 3)
        begun, before = time.monotonic(), len(pauses)
        while time.monotonic() - begun < 0.3:
            daemon._outbox.woken.set()
            time.sleep(0.001)
        tries = len(pauses) - before
        assert tries <= (time.monotonic() - begun) / 0.05 + 1
        wire.mend()
        wait_until(lambda: "smtp-back" in words(world))
        wait_until(lambda: sent(world) == 1)
    wire.cut()
    assert [attempt for attempt, _ in pauses[:3]] == [1, 2, 3]
    assert [word for word in words(world) if word.startswith("smtp")] == ["smtp-lost", "smtp-back"]


def test_a_defect_is_told_by_its_place_without_its_text(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> int:
        raise RuntimeError("Build 2 Laserbattleships")

    for place, name in ((parts, "work_pass"), (threads, "read_mailbox"), (outbox, "send_due")):
        monkeypatch.setattr(place, name, broken)
    with caplog.at_level(logging.DEBUG), running(world):
        wait_until(lambda: caplog.text.count("RuntimeError in tests.test_daemon.broken") >= 3)
        wait_until(lambda: rows(world, Alarm, Alarm.kind == "failing"))
    assert "Laserbattleships" not in caplog.text
    assert len(rows(world, Alarm, Alarm.kind == "failing")) == 1


class Clock:
    """The time, and what the test lets pass besides; nobody sets it."""

    def __init__(self) -> None:
        self.began, self.base, self.passed = time.monotonic(), utc_now(), 0.0

    def steady(self) -> float:
        """Seconds of this clock."""
        return time.monotonic() - self.began + self.passed

    def __call__(self) -> datetime:
        return self.base + timedelta(seconds=self.steady())

    def let_pass(self, minutes: int) -> None:
        """One by one: who compares both clocks just then must not think that one of them was set."""
        for _ in range(minutes):
            self.passed += 60
            time.sleep(0.01)


def test_an_outage_shortly_before_a_deadline_moves_it_and_a_short_one_does_not(
    world: World, office: LocalOffice, pauses: list[tuple[int, bool]]
) -> None:
    wire, clock = Wire(office.imap_port), Clock()
    use(world, imap={"port": wire.port})
    world.desk = replace(world.desk, now=clock, steady=clock.steady)
    world.count(deadline="3h", minimum_time="3h")
    deadline = world.game().deadline
    assert deadline is not None
    with running(world):
        wait_until(lambda: rows(world, Mailbox, col(Mailbox.read_through).is_not(None)))
        for minutes in (3, 40):
            wire.cut()
            wait_until(lambda: rows(world, Outage, col(Outage.ended).is_(None)))
            clock.let_pass(minutes)
            wire.mend()
            wait_until(lambda: not rows(world, Outage, col(Outage.ended).is_(None)))
    short, long = (row.ended - row.began for row in rows(world, Outage)[:2])
    assert short < timedelta(minutes=15) < long
    [line] = rows(world, LogLine, col(LogLine.what) == "shifted")
    assert world.game().deadline - deadline == pytest.approx(long, abs=timedelta(minutes=1))
    assert line.cause == "outage 2 of the mailbox"
    assert pauses


def test_what_the_server_says_does_not_count_when_the_clock_is_set_while_it_is_asked(world: World) -> None:
    lock = sign.lock_of(world.desk, "installation")

    def now() -> datetime:
        return utc_now() + (timedelta(hours=2) if lock.server_ahead is not None else timedelta(0))

    world.desk = replace(world.desk, now=now, steady=time.monotonic)
    look_at_clock(world.desk)
    inbox = Inbox(world.desk.settings.imap_account(), now=world.desk.now)
    inbox.connect()
    sign.hold(world.desk, inbox, lock)
    look_at_clock(world.desk)
    [line] = rows(world, LogLine, col(LogLine.what) == "alarm")
    assert "it was set 2 h ahead" in line.detail
    assert "all-clear" not in words(world)
    inbox.close()


@pytest.fixture
def chatty(world: World, tmp_path: Path) -> Iterator[Chat]:
    """A server of a chat to which the news of the game go."""
    with chat() as told:
        file = tmp_path / "galaxy-7.webhook"
        file.write_text(f"http://127.0.0.1:{told.port}/x")
        world.count()
        world.settle(webhook={"files": {"galaxy-7": file}, "seconds": 5})
        post_news(world.desk)  # from here on
        world.act("galaxy-7", pause, "")
        yield told


def test_news_are_posted_and_a_chat_that_does_not_answer_holds_nothing_up(
    world: World, office: LocalOffice, chatty: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "NEWS_SECONDS", 0.02)
    chatty.silent_seconds = 3
    office.deliver("games@pbmd.test", letter(1))
    queue(world, "a")
    with running(world):
        wait_until(lambda: chatty.said)
        wait_until(lambda: rows(world, Letter, col(Letter.state) == "done"))
        wait_until(lambda: sent(world) >= 1)
        assert len(chatty.said) == 1, "nothing has waited for its answer"


def test_tick_posts_news_at_its_end(world: World, chatty: Chat) -> None:
    tick(world.desk)
    assert len(chatty.said) == 1
