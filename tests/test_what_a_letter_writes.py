"""What a letter with orders costs the disk, from the mailbox to the mail that has gone out: bytes of the ledger, and waits.

Neither hangs on the machine's load. A page that is written in several transactions counts each time.
"""

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

from pbmd.daemon.evidence import NotedEvidence
from pbmd.daemon.heartbeat import work_pass
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.desk.ingest import read_mailbox
from pbmd.desk.sending.sender import new_pace, send_due
from pbmd.ledger import database
from pbmd.ledger.change_watch import write_ahead_log
from pbmd.post.imap.fetched import Fetched
from pbmd.post.smtp.client import Sent
from pbmd.settings import read_settings
from tests.benchmarks.estate import start_games, write_settings
from tests.benchmarks.letters import letters

WARM, COUNTED = 20, 20
MOST_BYTES, MOST_TOGETHER = 56_000, 19_000
"""Of the write-ahead log for each letter, by itself or of twenty: 52 kB and 17 kB when this was written. It was 156 kB before
pages were small, mails compressed by their words, and changed in place."""
MOST_WAITS = 2
"""For a letter by itself: for its answer, and for its answer having gone out."""


class _Taken:
    """A mail server that takes everything at once."""

    null_refused = False

    def send(self, *_: object) -> Sent:
        return Sent()


@contextmanager
def _connected() -> Generator[Any]:
    yield _Taken()


class _Mailbox:
    """A mailbox with some new letters."""

    def __init__(self) -> None:
        self.new: list[Fetched] = []
        self.last = 0

    def put(self, raw: bytes) -> None:
        self.last += 1
        now = datetime.now(UTC).replace(microsecond=0)
        self.new.append(Fetched(1, self.last, now, len(raw), raw, truncated=False))

    def scan(self, *_: object, **__: object) -> Iterator[list[Fetched]]:
        if self.new:
            yield self.new
        self.new = []

    def tidy(self, uids: Sequence[int], uidvalidity: int) -> None:
        """They stay where they are."""


class _Daemon:
    """What the threads of a daemon do for letters, one after the other; counts what that costs."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.waits, self.mailbox = desk, 0, _Mailbox()
        self._pace, self._evidence = new_pace(desk), NotedEvidence(desk)
        self._log = Path(f"{desk.engine.url.database}-wal")
        event.listen(desk.engine, "commit", self._commit)

    def deal_with(self, *raws: bytes) -> None:
        for raw in raws:
            self.mailbox.put(raw)
        read_mailbox(self.desk, self.mailbox, give_way=self._work, evidence_is_wanted=self._evidence.is_wanted)
        assert send_due(self.desk, _connected, pace=self._pace, told=True) == len(raws)

    def _work(self) -> None:
        work_pass(self.desk, lambda: None)

    def _commit(self, connection: Connection) -> None:
        options = connection.get_execution_options()
        self.waits += not (options.get("pbmd_reads") or options.get("pbmd_hasty"))

    def written(self) -> int:
        """The bytes of the write-ahead log."""
        return self._log.stat().st_size if self._log.exists() else 0


@pytest.fixture
def daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[tuple[_Daemon, list[bytes]]]:
    settings = write_settings(tmp_path, 143, "nobody")
    written = list(letters(start_games(settings, 10), WARM + COUNTED, seed=3))
    desk = open_desk(read_settings(settings))
    daemon = _Daemon(desk)
    monkeypatch.setattr("pbmd.desk.ingest.make_lasting", _must_not_be_called)
    for raw in written[:WARM]:
        daemon.deal_with(raw)
    with desk.engine.connect() as connection:
        connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert daemon.written() == 0
    daemon.waits = 0
    yield daemon, written[WARM:]
    desk.engine.dispose()


def _must_not_be_called(_engine: Engine) -> None:
    raise AssertionError("the letters were on the disk with their answers")


def test_a_letter_by_itself(daemon: tuple[_Daemon, list[bytes]]) -> None:
    works, written = daemon
    for raw in written:
        works.deal_with(raw)
    assert works.written() / COUNTED <= MOST_BYTES
    assert works.waits <= MOST_WAITS * COUNTED


def test_letters_that_come_together_share_what_they_cost(daemon: tuple[_Daemon, list[bytes]]) -> None:
    works, written = daemon
    works.deal_with(*written)
    assert works.written() / COUNTED <= MOST_TOGETHER
    assert works.waits <= COUNTED / 3


def test_what_is_hasty_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "SYNCHRONOUS", "FULL")
    desk = open_desk(read_settings(write_settings(tmp_path, 143, "nobody")))
    levels = []
    for engine in (desk.engine, database.hasty(desk.engine), database.hasty(database.beside(desk.engine)), desk.engine):
        with engine.begin() as connection:
            levels.append(connection.exec_driver_sql("PRAGMA synchronous").scalar_one())
    assert levels == [2, 1, 1, 2]
    desk.engine.dispose()


def test_what_was_written_hastily_can_be_made_lasting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "SYNCHRONOUS", "FULL")
    kept: list[Path] = []
    monkeypatch.setattr(database, "keep_content", kept.append)
    desk = open_desk(read_settings(write_settings(tmp_path, 143, "nobody")))
    database.make_lasting(desk.engine)
    assert kept == [Path(f"{desk.engine.url.database}-wal")]
    monkeypatch.setattr(database, "keep_content", _fails)
    with pytest.raises(OperationalError):
        database.make_lasting(desk.engine)
    desk.engine.dispose()


def test_a_ledger_that_is_a_link_is_made_lasting_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "SYNCHRONOUS", "FULL")
    kept: list[Path] = []
    monkeypatch.setattr(database, "keep_content", kept.append)
    (tmp_path / "ledger.sqlite").symlink_to(tmp_path / "elsewhere.sqlite")
    url = database.sqlite_url(tmp_path / "ledger.sqlite")
    database.migrate(url)
    engine = database.open_engine(url)
    with database.hasty(engine).begin() as connection:
        connection.exec_driver_sql("UPDATE era SET number = 1")
    database.make_lasting(engine)
    engine.dispose()
    assert kept == [tmp_path / "elsewhere.sqlite-wal"]


def test_a_ledger_without_a_log_beside_it_is_made_lasting_itself_and_keeps_its_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "SYNCHRONOUS", "FULL")
    path = tmp_path / "ledger.sqlite"
    database.migrate(database.sqlite_url(path))
    engine = database.open_engine(database.sqlite_url(path))
    write_ahead_log(path).unlink(missing_ok=True)
    synced, closed = list[Path](), list[Path]()

    def sync(handle: int) -> None:
        synced.append(Path(f"/proc/self/fd/{handle}").readlink())

    def close(handle: int) -> None:
        closed.append(Path(f"/proc/self/fd/{handle}").readlink())
        really_close(handle)

    really_close = os.close
    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "close", close)
    for _ in range(2):
        database.make_lasting(engine)
    assert synced == [path, path]
    assert path not in closed
    path.unlink()
    with pytest.raises(OperationalError):
        database.make_lasting(engine)


def _fails(_path: Path) -> None:
    raise OSError(28, "no space left on device")
