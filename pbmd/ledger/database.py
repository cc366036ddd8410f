"""Opening the ledger: the engine with its durability settings, and the schema brought up to date."""

import secrets
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, ExceptionContext, event, func, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import PoolProxiedConnection, QueuePool
from sqlmodel import col, create_engine

import pbmd.ledger
from pbmd.files import keep_content, keep_content_of_locked
from pbmd.ledger import postgresql
from pbmd.ledger.change_watch import write_ahead_log
from pbmd.ledger.damage import UnfitLedger, damage_told
from pbmd.ledger.damage_check import file_uri
from pbmd.ledger.schema import is_newest, is_older, schema_of
from pbmd.ledger.tables import Era

T = TypeVar("T")


@dataclass
class Turns:
    """Turns at writing. Other processes know nothing about them; between processes SQLite's own lock decides."""

    _guard: threading.Lock = field(default_factory=threading.Lock)
    _waiting: deque[threading.Lock] = field(default_factory=deque[threading.Lock])
    _taken: bool = False

    @property
    def waiting(self) -> int:
        """How many threads wait for their turn now."""
        return len(self._waiting)

    def take(self, seconds: float) -> bool:
        """Wait for the turn, for `seconds` at most, and return whether it came. Whoever gets True must `give` it back."""
        mine = threading.Lock()
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            mine.acquire()
            self._waiting.append(mine)
        if mine.acquire(timeout=seconds):
            return True
        with self._guard:
            if mine in self._waiting:
                self._waiting.remove(mine)
                return False
        return True  # it came in the instant in which we stopped waiting

    def give(self) -> None:
        """End the turn; it goes to whoever has waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False


BUSY_SECONDS = 20


def sqlite_url(path: Path) -> str:
    """The SQLAlchemy address of a SQLite file."""
    return f"sqlite:///{path}"


def open_engine(url: str, turns: Turns | None = None, *, begins: bool = False) -> Engine:
    """An engine for the ledger. On SQLite: write-ahead log, every commit on disk before it counts, foreign keys kept; the
    threads of this process write one after the other, in `turns`. Its file must exist, unless the caller `begins` it: a file
    that is moved away is an outage, and what is put in its place is opened afresh. On PostgreSQL every writer holds one lock,
    unless it writes `beside` others.

    Its exceptions name no values: those are orders, addresses and tokens, and exceptions end in logs. Damage raises
    `DamagedLedger`.
    """
    if (address := make_url(url)).get_backend_name() == "postgresql":
        # A connection that died while nobody used it, as when the server was restarted, is replaced.
        waits = postgresql.waits(address, BUSY_SECONDS)
        engine = create_engine(url, connect_args=waits, pool_pre_ping=True, hide_parameters=True)
        postgresql.prepare(engine)
        return engine
    path = Path(address.database or "")
    opened = partial(sqlite3.connect, file_uri(path, "rwc" if begins else "rw"), uri=True, timeout=BUSY_SECONDS)
    # Each connection keeps pages of the file in memory, so the one that was used last is taken again.
    connects = partial(opened, check_same_thread=False)
    engine = create_engine(url, creator=connects, pool_use_lifo=True, hide_parameters=True)
    event.listen(engine, "connect", partial(_prepare_sqlite, path))
    _take_turns(engine, turns or Turns(), path)
    event.listen(engine, "handle_error", _tell_damage)
    return engine


def is_shared(url: str) -> bool:
    """Whether several pbmds may work on the ledger at this address: on PostgreSQL they may, on a file not."""
    return make_url(url).get_backend_name() == "postgresql"


def reading(engine: Engine) -> Engine:
    """The same database for reading only: a consistent snapshot that never makes a writer wait."""
    return engine.execution_options(pbmd_reads=True)


def beside(engine: Engine) -> Engine:
    """The same database for writing at the same time as others who write this way: each must be sure to touch nothing that the
    others may touch. On SQLite, which has one writer, nothing changes."""
    return engine.execution_options(pbmd_beside=True)


def hasty(engine: Engine) -> Engine:
    """The same database for writing what may be lost in a power cut, and is not waited for: it is on the disk with whatever is
    committed after it in another way, and not later than when `make_lasting` returns. If the process ends nothing is lost. On
    PostgreSQL nothing changes."""
    return engine.execution_options(pbmd_hasty=True)


def close_idle(engine: Engine) -> None:
    """Close the connections to a file that nobody uses now, but for one: each keeps a megabyte of its pages and as much of
    statements, and a burst of letters needs four or five of them. The one that stays keeps the file's log where it is: it goes
    with the last connection."""
    pool = engine.pool
    if engine.dialect.name != "sqlite" or not isinstance(pool, QueuePool):
        return
    idle = list[PoolProxiedConnection]()
    with suppress(sqlite3.Error):  # one that was closed before is opened for it: whoever needs the file tells that it is away
        while pool.checkedin():
            idle.append(engine.raw_connection())
    for each in idle[1:]:
        each.invalidate()
    for each in idle[:1]:  # given back last, it is the one that is taken next
        each.close()


def padded(values: Iterable[T]) -> list[T]:
    """Values for SQL's `IN`, the last as often as it takes for their number to be a power of two, which finds the same: each
    number of values is a statement of its own, of up to 100 kB, and SQLite's driver keeps a hundred for each connection."""
    listed = [*values]
    return listed + listed[-1:] * ((1 << (len(listed) - 1).bit_length()) - len(listed)) if listed else listed


def make_lasting(engine: Engine) -> None:
    """Wait until all that was committed is on the disk. Raises `OperationalError`."""
    if engine.dialect.name != "sqlite" or SYNCHRONOUS != "FULL":
        return
    ledger = Path(engine.url.database or "")
    try:
        try:
            # Whoever closes a file loses his locks on it. SQLite has none on this one.
            keep_content(write_ahead_log(ledger))
        except FileNotFoundError:
            keep_content_of_locked(ledger)  # all of it is in there
    except OSError as problem:
        raise OperationalError("COMMIT", None, problem, hide_parameters=True) from problem


PAGE_BYTES = 1024
"""Of a page of a new ledger: a letter changes some forty, most of them by less than a hundred bytes."""
CACHE_KILOBYTES = 1000
"""Of pages that each connection keeps in memory: it must read all of them again whenever another connection has written."""
_LOG_BYTES = 4_000_000
"""So long the write-ahead log becomes before what is in it goes into the file: each page once, however often it has changed."""
SYNCHRONOUS = "FULL"
"""What is committed is on the disk. Tests of other things do without."""
MIGRATIONS = Path(pbmd.ledger.__file__).parent / "migrations"


def migrate(url: str, before: Callable[[], object] = lambda: None) -> None:
    """Bring the schema up to date; does nothing when it is. A ledger of an older version gets `before` called first. Raises
    `pbmd.ledger.schema.WrongSchema`, `DamagedLedger`, `UnfitLedger` for a database in which no ledger can be kept,
    `sqlalchemy.exc.SQLAlchemyError` when it cannot, and what `before` raises."""
    engine = open_engine(url, begins=True)
    try:
        schema = schema_of(reading(engine))
    finally:
        engine.dispose()
    if is_newest(schema, MIGRATIONS):
        return
    if schema and is_older(schema, MIGRATIONS):
        before()
    from pbmd.ledger.upgrade import repaginate, upgrade  # see there

    upgrade(url, MIGRATIONS)
    if schema and not is_shared(url):
        repaginate(Path(make_url(url).database or ""), PAGE_BYTES)


def era_of(engine: Engine) -> int:
    """The number that a backup gets when it takes the place of the ledger; 0 until then. Raises `UnfitLedger` for a ledger in
    PostgreSQL that was restored, or moved, and has got none yet, for one that was left, and for one that has not got all."""
    with reading(engine).connect() as connection:
        columns = (col(Era.number), col(Era.place), col(Era.left_for), col(Era.arrives_from))
        number, place, left_for, arrives_from = connection.execute(select(*columns)).one()
        if left_for:
            raise UnfitLedger(f"it was moved to {left_for}", NAME_THE_OTHER)
        if arrives_from:
            raise UnfitLedger(
                f"the move from {arrives_from} was broken off, which is still in force",
                "let `database` in [server] name that, and give `pbmd ledger move` again",
            )
        if engine.dialect.name == "postgresql" and place != postgresql.identity(connection):
            raise UnfitLedger("the ledger was restored from a backup, or moved to another server", "run `pbmd era --new` first")
        return number


NAME_THE_OTHER = "let `database` in [server] of pbmd.toml name that"


def begin_era(connection: Connection) -> None:
    """Give the ledger a new era from here on: a backup has taken its place."""
    place = postgresql.identity(connection) if connection.dialect.name == "postgresql" else ""
    connection.execute(update(Era).values(number=secrets.randbelow(2**31 - 1) + 1, place=place))


def number_on(connection: Connection, table: str, last: int) -> None:
    """Number further rows of that table from above `last`, which was set by hand; SQLite does so by itself."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.setval(func.pg_get_serial_sequence(table, "id"), last)))


def moving(engine: Engine) -> Engine:
    """The same database for whoever moves a ledger: also if it was left."""
    return engine.execution_options(pbmd_moves=True)


def leave(connection: Connection, address: str) -> None:
    """Say in a ledger that it was moved to that address, and is not used from now on; "" takes that back. Commands that wait
    for their turn at a file are refused as well."""
    connection.execute(update(Era).values(left_for=address))
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version = {int(bool(address))}")


def _take_turns(engine: Engine, turns: Turns, path: Path) -> None:
    """Begin the transactions of an engine: those that write come one after the other, in the order of asking. None begins or
    commits in a file that no longer has that name: the next try opens the one that has."""
    writing = set[Connection]()

    def must_be_in_place(connection: Connection) -> None:
        if connection.info.get(_FILE) != _file_at(path):
            connection.invalidate()
            engine.dispose()  # the others have the same open
            problem = sqlite3.OperationalError(f"{path} {'is another file by now' if path.exists() else 'is not there'}")
            raise OperationalError("BEGIN", None, problem, hide_parameters=True, connection_invalidated=True)

    def begin(connection: Connection) -> None:
        must_be_in_place(connection)
        if connection.get_execution_options().get("pbmd_reads", False):
            connection.exec_driver_sql("BEGIN")
            return
        if turns.take(BUSY_SECONDS):
            writing.add(connection)
        try:
            _wait_for_disk(connection)
            # Taking the write lock at the start, not at the first write, means that nothing read can be stale when it is used.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            must_not_be_left(connection)
        except BaseException:
            end(connection)
            raise

    def must_not_be_left(connection: Connection) -> None:
        if connection.get_execution_options().get("pbmd_moves", False):
            return
        driver = connection.connection.dbapi_connection
        assert driver is not None
        if driver.execute("PRAGMA user_version").fetchone() != (0,):
            raise UnfitLedger("it was moved to another database a moment ago", NAME_THE_OTHER)

    def end(connection: Connection) -> None:
        if connection in writing:
            writing.remove(connection)
            turns.give()

    def commit(connection: Connection) -> None:
        try:
            if connection in writing:
                must_be_in_place(connection)  # else it would be written into a file that is elsewhere by now
        finally:
            end(connection)  # no rollback is told of a commit that was refused

    event.listen(engine, "begin", begin)
    event.listen(engine, "commit", commit)
    event.listen(engine, "rollback", end)


def _wait_for_disk(connection: Connection) -> None:
    """Say whether the transaction that is about to begin waits for the disk at its end."""
    is_hasty = SYNCHRONOUS == "FULL" and connection.get_execution_options().get("pbmd_hasty", False)
    level = "NORMAL" if is_hasty else SYNCHRONOUS
    if connection.info.get(_SYNCHRONOUS) != level:
        connection.exec_driver_sql(f"PRAGMA synchronous = {level}")
        connection.info[_SYNCHRONOUS] = level


_SYNCHRONOUS = "pbmd_synchronous"
"""What a connection was told last about waiting for the disk."""
_FILE = "pbmd_file"
"""How a connection knows the file that it has open: by its place on the disk, whatever its name is by now."""


def _file_at(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _prepare_sqlite(path: Path, connection: sqlite3.Connection, record: Any) -> None:
    record.info[_FILE] = _file_at(path)
    # The driver's own BEGIN would come too late; `_take_turns` does it.
    connection.isolation_level = None
    try:
        with closing(connection.cursor()) as cursor:
            if cursor.execute("PRAGMA page_count").fetchone() == (0,):
                # A new ledger: little is written for a row that changes, and free pages can be returned, a few at a time.
                cursor.execute(f"PRAGMA page_size = {PAGE_BYTES}")
                cursor.execute("PRAGMA auto_vacuum = INCREMENTAL")
            cursor.execute("PRAGMA journal_mode = WAL")
            (page,) = cursor.execute("PRAGMA page_size").fetchone()
            cursor.execute(f"PRAGMA wal_autocheckpoint = {_LOG_BYTES // page}")
            cursor.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
            record.info[_SYNCHRONOUS] = SYNCHRONOUS
            cursor.execute("PRAGMA foreign_keys = ON")
            cursor.execute("PRAGMA temp_store = MEMORY")
            cursor.execute(f"PRAGMA cache_size = {-CACHE_KILOBYTES}")
    except sqlite3.DatabaseError as problem:
        raise damage_told(problem) or problem from None


def _tell_damage(context: ExceptionContext) -> None:
    if found := damage_told(context.original_exception):
        raise found from None
