"""The daemon when its ledger is damaged while it runs: it ends, says so past the ledger, and is not begun again in vain."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.cli.common import DAMAGED
from pbmd.daemon import threads
from pbmd.daemon.threads import Daemon
from pbmd.daemon.tick import tick
from pbmd.demo.office import LocalOffice
from pbmd.desk.books.desk import utc_now
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.tables import Game, GameStatus
from pbmd.post.accounts import ImapAccount, Secret
from pbmd.post.imap.fetched import Watermark
from pbmd.post.imap.inbox import Inbox
from tests.desk.world import World
from tests.ledger.damages import OF_JOURNALS, OF_ROWS, Pages, wipe
from tests.test_daemon import PATIENCE_SECONDS, letter, process, queue, rows, told, wait_until, words, world_at


@pytest.fixture
def office() -> Iterator[LocalOffice]:
    with LocalOffice("pbmd.test", ["games", "anna"]) as office:
        yield office


@pytest.fixture
def world(tmp_path: Path, office: LocalOffice) -> Iterator[World]:
    with closing(world_at(office, tmp_path)) as world:
        yield world


def mails_of_anna(office: LocalOffice) -> bytes:
    """All that has come to her, who is the game master where pbmd runs as a process."""
    account = ImapAccount(host=office.host, port=office.imap_port, tls="none", user="anna", secret=Secret.literal("demo"))
    with closing(Inbox(account)) as inbox:
        inbox.connect()
        return b"".join(mail.raw for batch in inbox.scan(Watermark(0, 0)) for mail in batch)


def ended(world: World, meanwhile: Callable[[], object]) -> DamagedLedger:
    """What a daemon says that has to end because of something that is done while it runs. None of its threads is left."""
    before = threading.active_count()
    caught: list[DamagedLedger] = []

    def run() -> None:
        with pytest.raises(DamagedLedger) as problem:
            Daemon(world.desk).run()
        caught.append(problem.value)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until(lambda: "running" in words(world))
    meanwhile()
    thread.join(PATIENCE_SECONDS)
    assert not thread.is_alive()
    assert threading.active_count() <= before + 1  # the watch over deadlines goes on
    return caught[0]


@pytest.mark.parametrize("table", ["mailbox", "letter", "outbox", "log", "game"])
def test_damage_that_any_thread_comes_upon_ends_them_all(world: World, office: LocalOffice, table: str) -> None:
    world.start()
    queue(world, "a")

    def damage() -> None:
        wipe(world.folder / "ledger.sqlite", table)
        office.deliver("games@pbmd.test", letter(1))  # a transaction, after which nobody can go by what was read before

    assert "malformed" in str(ended(world, damage))
    log = world.desk.settings.log_file  # which is not there if nobody came to write it
    assert not log.exists() or "stopped" not in log.read_text()


def test_the_daily_look_finds_what_nobody_has_come_upon(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "BACKUP_SECONDS", 0.2)
    world.start()
    OF_ROWS["an entry of an index"](Pages(world.folder / "ledger.sqlite"))
    assert "missing from index" in str(ended(world, lambda: None))


def test_a_game_with_a_journal_that_was_altered_is_paused_and_the_game_master_told_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "BACKUP_SECONDS", 0.05)
    monkeypatch.setattr(threads, "LOOK_EVERY", timedelta(seconds=0.05))
    world.start("galaxy-8")
    world.start()
    OF_JOURNALS["an altered entry"](Pages(world.folder / "ledger.sqlite"))
    daemon = Daemon(world.desk)
    thread = threading.Thread(target=daemon.run)
    thread.start()
    wait_until(lambda: "broken" in words(world))
    looks: list[int] = []
    look = threads.look_at_all
    monkeypatch.setattr(threads, "look_at_all", lambda desk: (look(desk), looks.append(1)))
    wait_until(lambda: len(looks) >= 2)
    daemon.stop()
    thread.join(PATIENCE_SECONDS)
    assert {game.name: game.status for game in rows(world, Game)} == {
        "galaxy-7": GameStatus.PAUSED,
        "galaxy-8": GameStatus.RUNNING,
    }
    [mail] = [mail for mail in world.outbox("alarm") if "a journal is not what was written" in mail.raw.decode()]
    assert "galaxy-7: entry" in " ".join(mail.raw.decode().split())
    assert words(world).count("broken") == 1


def test_who_is_started_by_cron_looks_at_the_journals_once_a_day(world: World) -> None:
    world.start("galaxy-8")
    world.start()
    now = utc_now()
    world.desk = replace(world.desk, now=lambda: now)
    tick(world.desk)
    OF_JOURNALS["an altered entry"](Pages(world.folder / "ledger.sqlite"))
    tick(world.desk)
    assert "broken" not in words(world)
    for _ in range(2):
        now += timedelta(days=1)
        tick(world.desk)
    assert {game.name: game.status for game in rows(world, Game)} == {
        "galaxy-7": GameStatus.PAUSED,
        "galaxy-8": GameStatus.RUNNING,
    }
    [mail] = [mail for mail in world.outbox("alarm") if "a journal is not what was written" in mail.raw.decode()]
    assert mail.tries  # in that very pass; the post office here does not know its recipient
    assert words(world).count("broken") == 1


def test_who_is_started_by_cron_finds_what_only_a_look_at_the_whole_does(world: World) -> None:
    world.settle(backups={"keep": 0})
    world.start()
    OF_ROWS["an entry of an index"](Pages(world.folder / "ledger.sqlite"))
    with pytest.raises(DamagedLedger, match="missing from index"):
        tick(world.desk)


def test_a_backup_that_fails_because_the_ledger_is_damaged_ends_the_daemon(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "BACKUP_SECONDS", 0.2)
    monkeypatch.setattr(threads, "LOOK_EVERY", timedelta(days=10_000))
    world.settle(backups={"keep": 1})
    world.start()
    OF_ROWS["an entry of an index"](Pages(world.folder / "ledger.sqlite"))
    assert "missing from index" in str(ended(world, lambda: None))


def test_from_damage_to_the_way_back(tmp_path: Path, office: LocalOffice) -> None:
    data = tmp_path / "data"
    with process(tmp_path, office, "run") as daemon:
        wait_until(lambda: told(tmp_path, "running"))
        with process(tmp_path, office, "backup") as backup:
            assert backup.wait(PATIENCE_SECONDS) == 0
        wipe(data / "ledger.sqlite", "letter")
        office.deliver("games@pbmd.test", letter(1))
        complaints = daemon.communicate(timeout=PATIENCE_SECONDS)[1]
    assert daemon.returncode == DAMAGED
    assert "Traceback" not in complaints
    assert complaints.splitlines()[-1].startswith("pbmd: the ledger is damaged: SQLite says: ")
    assert told(tmp_path, "damaged")
    assert b"Subject: [pbmd] the ledger is damaged" in mails_of_anna(office)
    assert "pbmd restore" in (data / "dashboard" / "index.html").read_text()
    with process(tmp_path, office, "run") as again:
        assert again.wait(PATIENCE_SECONDS) == DAMAGED
    [file] = (data / "backups").glob("ledger-*.sqlite")
    with process(tmp_path, office, "restore", str(file)) as restore:
        assert restore.wait(PATIENCE_SECONDS) == 0
    with process(tmp_path, office, "tick") as tick:
        assert tick.wait(PATIENCE_SECONDS) == 0
    assert told(tmp_path, "letter")  # the one that arrived when nobody could store it
    assert mails_of_anna(office).count(b"Subject: [pbmd] the ledger is damaged") == 1
