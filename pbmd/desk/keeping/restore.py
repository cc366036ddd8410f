"""Going back to a backup of the ledger.

What came after the backup is gone from the ledger, and players may hold mails about it. So it is found out, as far as the
ledger that is replaced can still be read, and said; mails that have gone out since do not go out again; and a game of which
reports have gone out since is paused, because its turns would be resolved again in another way.
"""

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, create_engine, func, select, text, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import StaticPool
from sqlmodel import col

from pbmd.desk.books.desk import private_files
from pbmd.desk.books.server_key import KEY
from pbmd.desk.keeping.backups import ledger_file
from pbmd.ledger.backup import copy_to, look_at, sync_folder
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.database import begin_era, migrate, open_engine, sqlite_url
from pbmd.ledger.looks import Progress, opened
from pbmd.ledger.schema import WrongSchema
from pbmd.ledger.tables import Game, GameStatus
from pbmd.settings import Settings
from pbmd.terms.times import EPOCH

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
        with _looking_at(present) as ledger, _looking_at(backup) as old:
            return compared(old, ledger)
    except (DBAPIError, DamagedLedger):
        return Difference(readable=False)


def compared(old: Connection, ledger: Connection) -> Difference:
    """The same of two ledgers that can be read: what is in `ledger` and not in the `old` one."""
    letters = _count(ledger, "letter") - _count(old, "letter")
    heads = {row.id: row.chain_number for row in old.execute(text("SELECT id, chain_number FROM game"))}
    last_mail = old.execute(text("SELECT coalesce(max(id), 0) FROM outbox")).scalar_one()
    reported = {row.game_id: row.reports for row in ledger.execute(_REPORTED, {"last": last_mail})}
    lost = tuple(
        Lost(row.name, heads.get(row.id, 0) + 1, row.chain_number, row.chain_head, reported.get(row.id, 0))
        for row in ledger.execute(text("SELECT id, name, chain_number, chain_head FROM game ORDER BY id"))
        if row.chain_number > heads.get(row.id, 0)
    )
    waiting = old.execute(text("SELECT key FROM outbox WHERE state IN ('queued', 'sending')")).scalars()
    gone = [key for key in waiting if ledger.execute(_WAS_SENT, {"key": key}).first()]
    return Difference(True, max(letters, 0), lost, tuple(gone))


_REPORTED = text(
    "SELECT game_id, count(*) AS reports FROM outbox WHERE kind = 'report' AND id > :last AND state IN ('sent', 'sending') "
    "GROUP BY game_id"
)
_WAS_SENT = text("SELECT 1 FROM outbox WHERE key = :key AND state = 'sent'")


@contextmanager
def _looking_at(path: Path) -> Generator[Connection]:
    """A SQLite file to be read only, of whatever version of pbmd. Raises `DBAPIError`."""
    with opened(path) as file:
        engine = create_engine("sqlite://", creator=lambda: file, poolclass=StaticPool, hide_parameters=True)
        with engine.connect() as connection:
            yield connection


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
            _bring_up_to_date(fresh, lacks)
        yield fresh
    finally:
        for path in (fresh, *(fresh.with_name(fresh.name + side) for side in _SIDES)):
            path.unlink(missing_ok=True)


def _bring_up_to_date(ledger: Path, lacks: Difference) -> None:
    try:
        migrate(sqlite_url(ledger))
    except WrongSchema as problem:
        raise DamagedLedger("it is not of this version of pbmd, nor of an older one") from problem
    except SQLAlchemyError as problem:
        told = getattr(problem, "orig", None) or type(problem).__name__
        raise DamagedLedger(f"it cannot be brought up to date for this version of pbmd: {told}") from None
    engine = open_engine(sqlite_url(ledger))
    try:
        with engine.begin() as connection:
            mark(connection, lacks)
    finally:
        engine.dispose()
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


def mark(ledger: Connection, lacks: Difference) -> None:
    """What has gone out is not sent again, what is sent from now on is of another era, and dice that were promised are promised
    anew: by whoever first has the game at the desk, and at the latest when the clock looks at it, which it is to do now."""
    if lacks.sent:
        ledger.execute(text("UPDATE outbox SET state = 'sent' WHERE key = :key"), [{"key": key} for key in lacks.sent])
    ledger.execute(update(Game).where(*_HAS_PROMISED).values(draws_anew=True))
    ledger.execute(update(Game).where(*_HAS_PROMISED, col(Game.status) == GameStatus.RUNNING).values(due_at=EPOCH))
    begin_era(ledger)


_HAS_PROMISED = col(Game.status) != GameStatus.FINISHED, func.length(col(Game.secret)) > 0


def promised_before(ledger: Connection) -> list[int]:
    """The games whose dice are still to be promised anew."""
    games = select(col(Game.id)).where(col(Game.draws_anew)).order_by(col(Game.id))
    return [game for game in ledger.execute(games).scalars() if game is not None]


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


def _count(ledger: Connection, table: str) -> int:
    return ledger.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()  # noqa: S608  (a name of ours)
