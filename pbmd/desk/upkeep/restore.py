"""Going back to a backup of the ledger.

What came after the backup is gone from the ledger, and players may have mails about it. So pbmd finds out, as far as the
replaced ledger can still be read, and says so; mails that have gone out since do not go out again; and a game whose reports
have gone out since is paused, because its turns would be resolved again differently.
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
from pbmd.desk.books.server_key import KEY, copy_of_key, key_trouble, known_key, replace_key
from pbmd.desk.upkeep.backups import ledger_file
from pbmd.files import keep_file, keep_in_place
from pbmd.ledger.backup import copy_to, look_at
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.damage_check import Progress, open_read_only
from pbmd.ledger.database import begin_era, migrate, open_engine, sqlite_url
from pbmd.ledger.schema import WrongSchema
from pbmd.ledger.tables import Game, GameStatus
from pbmd.rules import Refused
from pbmd.settings import Settings
from pbmd.terms.times import EPOCH

_SIDES = ("-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Lost:
    """What a game has in the replaced ledger and not in the backup: the entries of its journal from `first` to `last`, the head
    of the last, and how many reports of it have gone out since."""

    game: str
    first: int
    last: int
    head: str
    reports: int


@dataclass(frozen=True, slots=True)
class Difference:
    """What the replaced ledger has and the backup does not. `readable` is False if nobody can know."""

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
    """The same for two readable ledgers: what is in `ledger` and not in the `old` one."""
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
    """A SQLite file opened only for reading, from whatever version of pbmd. Raises `DBAPIError`."""
    with open_read_only(path) as file:
        engine = create_engine("sqlite://", creator=lambda: file, poolclass=StaticPool, hide_parameters=True)
        with engine.connect() as connection:
            yield connection


@contextmanager
def made_ready(settings: Settings, backup: Path, lacks: Difference, progress: Progress) -> Generator[Path]:
    """A copy of the backup beside the ledger that this pbmd can use: brought up to date and checked. It is deleted afterwards,
    unless it was moved elsewhere. Raises `DamagedLedger`, `OSError` and `sqlite3.Error`."""
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
    _make_one_file(ledger)
    look_at(ledger)


def put_back(settings: Settings, fresh: Path, now: datetime) -> Path | None:
    """Put the prepared copy in the place of the ledger, which nobody may be using, and return where the replaced one is now;
    None if there was none. At every instant one of the two exists. Raises `OSError` and `sqlite3.Error`."""
    ledger = ledger_file(settings)
    aside = ledger.with_name(f"{ledger.stem}-replaced-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}{ledger.suffix}")
    is_there = ledger.exists()
    if is_there:
        _fold_in(ledger)
    # Else SQLite would take the log of the old ledger for that of the new one, even if the old one itself is gone.
    for side in _SIDES:
        if (path := ledger.with_name(ledger.name + side)).exists():
            keep_in_place(path, aside.with_name(aside.name + side))
    if is_there:
        os.link(ledger, aside)
    keep_in_place(fresh, ledger)
    return aside if is_there else None


def put_key_back(settings: Settings, backup: Path, fresh: Path, *, force: bool) -> tuple[str, bool]:
    """Put the prepared ledger's key in its place: the one beside the backup, or beside the other backups, if the present one is
    lost, damaged or different. Returns what to say about it, empty if nothing, and whether it is a new one: with `force`, if
    there is no other. Raises `Refused` without, and `OSError`."""
    with _looking_at(fresh) as ledger:
        known = known_key(ledger)
    key = settings.data / KEY
    trouble = key_trouble(key, known)
    right = [copy for copy in (backup.with_name(KEY), copy_of_key(settings)) if not key_trouble(copy, known)]
    if not trouble:
        others = [copy for copy in right if copy.read_bytes() != key.read_bytes()]
        return (
            f"{key} is another key than {others[0]}: replies to mails of the other one prove nothing" if others else "",
            False,
        )
    if right:
        keep_file(key, right[0].read_bytes())
        return f"{key} was put back, too", False
    if not force:
        raise Refused(
            f"{key} {trouble}, and without it no reply to an earlier mail proves anything: copy {KEY} there from beside a "
            "backup; nothing was changed. If it is lost: --force goes on with a new one, and tells all players"
        )
    engine = open_engine(sqlite_url(fresh))
    try:
        with engine.begin() as connection:
            replace_key(settings, connection)
    finally:
        engine.dispose()
    _make_one_file(fresh)
    return f"{key} is a new one", True


def _make_one_file(ledger: Path) -> None:
    with closing(sqlite3.connect(ledger, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


def mark(ledger: Connection, lacks: Difference) -> None:
    """What has gone out is not sent again, what is sent from now on belongs to a new era, and dice that were promised are
    promised anew: when the game is next loaded at the desk, and at the latest when the clock looks at it, which is due now."""
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
    """Merge the write-ahead log into the file. For a damaged ledger it stays beside it."""
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
