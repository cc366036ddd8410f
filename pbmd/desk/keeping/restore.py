"""Going back to a backup of the ledger.

What came after the backup is gone from the ledger, and players may hold mails about it. So it is found out, as far as the
ledger that is replaced can still be read, and said; mails that have gone out since do not go out again; and a game of which
reports have gone out since is paused, because its turns would be resolved again in another way.
"""

import os
import secrets
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from pbmd.desk.books.desk import KEY, private_files
from pbmd.desk.keeping.backups import ledger_file
from pbmd.ledger.backup import copy_to, look_at, sync_folder
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.database import migrate, sqlite_url
from pbmd.ledger.looks import Progress, opened
from pbmd.ledger.schema import WrongSchema
from pbmd.settings import Settings

_SIDES = ("-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Lost:
    """What a game has in the ledger that is replaced and not in the backup: the entries of its journal from `first` to `last`,
    the head of the last, and how many reports of it have gone out since."""

    game: str
    first: int
    last: int
    head: str
    reports: int


@dataclass(frozen=True, slots=True)
class Difference:
    """What the replaced ledger has and the backup has not. `readable` is False if nobody can tell."""

    readable: bool
    letters: int = 0
    lost: tuple[Lost, ...] = ()
    sent: tuple[str, ...] = ()

    @property
    def reported(self) -> tuple[str, ...]:
        """The games whose reports have gone out since."""
        return tuple(each.game for each in self.lost if each.reports)


def difference(backup: Path, present: Path) -> Difference:
    """What would be lost. `sent` are the keys of mails that the backup would send, and that have gone out."""
    if not present.exists():
        return Difference(readable=False)
    try:
        with opened(present) as ledger, opened(backup) as old:
            letters = _count(ledger, "letter") - _count(old, "letter")
            heads = dict(old.execute("SELECT id, chain_number FROM game"))
            last_mail = old.execute("SELECT coalesce(max(id), 0) FROM outbox").fetchone()[0]
            reported = dict(
                ledger.execute(
                    "SELECT game_id, count(*) FROM outbox WHERE kind = 'report' AND id > ? AND state IN ('sent', 'sending') "
                    "GROUP BY game_id",
                    (last_mail,),
                )
            )
            lost = tuple(
                Lost(name, heads.get(game, 0) + 1, number, head, reported.get(game, 0))
                for game, name, number, head in ledger.execute(
                    "SELECT id, name, chain_number, chain_head FROM game ORDER BY id"
                )
                if number > heads.get(game, 0)
            )
            waiting = [key for (key,) in old.execute("SELECT key FROM outbox WHERE state IN ('queued', 'sending')")]
            gone = [
                key
                for key in waiting
                if ledger.execute("SELECT 1 FROM outbox WHERE key = ? AND state = 'sent'", (key,)).fetchone()
            ]
    except sqlite3.DatabaseError:
        return Difference(readable=False)
    return Difference(True, max(letters, 0), lost, tuple(gone))


@contextmanager
def made_ready(settings: Settings, backup: Path, lacks: Difference, progress: Progress) -> Generator[Path]:
    """A copy of the backup beside the ledger that this pbmd can use: brought up to date and looked at. It is gone afterwards,
    unless it was put somewhere else. Raises `DamagedLedger`, `OSError` and `sqlite3.Error`."""
    ledger = ledger_file(settings)
    ledger.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = ledger.with_name(f".{ledger.name}.restored")
    try:
        copy_to(backup, fresh, progress)
        with private_files():
            _bring_up_to_date(fresh)
        _mark(fresh, lacks)
        yield fresh
    finally:
        for path in (fresh, *(fresh.with_name(fresh.name + side) for side in _SIDES)):
            path.unlink(missing_ok=True)


def _bring_up_to_date(ledger: Path) -> None:
    try:
        migrate(sqlite_url(ledger))
    except WrongSchema as problem:
        raise DamagedLedger("it is not of this version of pbmd, nor of an older one") from problem
    except SQLAlchemyError as problem:
        told = getattr(problem, "orig", None) or type(problem).__name__
        raise DamagedLedger(f"it cannot be brought up to date for this version of pbmd: {told}") from None
    with closing(sqlite3.connect(ledger, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")  # one file is all of it
    look_at(ledger)


def put_back(settings: Settings, fresh: Path, now: datetime) -> Path | None:
    """Put what was made ready in the place of the ledger, which must be in nobody's use, and give where the replaced one is
    now; None if there was none. At every instant there is one of the two. Raises `OSError` and `sqlite3.Error`."""
    ledger = ledger_file(settings)
    aside = ledger.with_name(f"{ledger.stem}-replaced-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}{ledger.suffix}")
    is_there = ledger.exists()
    if is_there:
        _fold_in(ledger)
    # Else SQLite would take the log of the old ledger for that of the new one, also where the old one itself is gone.
    for side in _SIDES:
        if (path := ledger.with_name(ledger.name + side)).exists():
            os.replace(path, aside.with_name(aside.name + side))
    if is_there:
        os.link(ledger, aside)
    os.replace(fresh, ledger)
    sync_folder(ledger.parent)
    return aside if is_there else None


def put_key_back(settings: Settings, backup: Path) -> str:
    """Put the key beside the backup back if there is none, or else the one beside the other backups, and give what is to be
    said about it; empty if nothing is. Raises `OSError`."""
    key, kept = settings.data / KEY, backup.with_name(KEY)
    if not key.exists() and not kept.exists():
        kept = settings.data / settings.backups.folder / KEY
    if not kept.exists():
        return "" if key.exists() else f"there is no {KEY}: without it all replies to earlier mails prove nothing"
    if key.exists():
        same = key.read_bytes() == kept.read_bytes()
        return "" if same else f"{key} is another key than {kept}: replies to mails of the other one prove nothing"
    with open(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(kept.read_bytes())
    return f"{key} was put back, too"


def _mark(ledger: Path, lacks: Difference) -> None:
    """What has gone out is not sent again, and what is sent from now on is of another era."""
    connection = sqlite3.connect(ledger, isolation_level=None)
    try:
        connection.execute("BEGIN")
        connection.executemany("UPDATE outbox SET state = 'sent' WHERE key = ?", [(key,) for key in lacks.sent])
        connection.execute(f"PRAGMA user_version = {secrets.randbelow(2**31 - 1) + 1}")
        connection.execute("COMMIT")
    finally:
        connection.close()


def _fold_in(ledger: Path) -> None:
    """Bring what is in the write-ahead log into the file. Of a damaged ledger it stays beside it."""
    try:
        connection = sqlite3.connect(ledger, isolation_level=None)
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            connection.close()
    except sqlite3.DatabaseError:
        return


def _count(ledger: sqlite3.Connection, table: str) -> int:
    return ledger.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608  (a name of ours)
