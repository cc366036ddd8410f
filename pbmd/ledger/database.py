"""Opening the ledger: the engine with its durability settings, and the schema brought up to date."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, ExceptionContext, event
from sqlalchemy.engine import make_url
from sqlmodel import create_engine

import pbmd.ledger
from pbmd.ledger.damage import damage_told
from pbmd.ledger.schema import is_newest
from pbmd.ledger.turns import Turns

BUSY_SECONDS = 20


def sqlite_url(path: Path) -> str:
    """The SQLAlchemy address of a SQLite file."""
    return f"sqlite:///{path}"


def open_engine(url: str, turns: Turns | None = None) -> Engine:
    """An engine for the ledger. On SQLite: write-ahead log, every commit on disk before it counts, foreign keys kept;
    the threads of this process write one after the other, in `turns`. On PostgreSQL whoever writes holds one lock, unless they
    write `beside` others.

    Its exceptions name no values: those are orders, addresses and tokens, and exceptions end in logs. Where SQLite comes upon
    damage it is `DamagedLedger`.
    """
    waits = {"options": _OPTIONS} if is_shared(url) else {"timeout": BUSY_SECONDS}
    engine = create_engine(url, connect_args=waits, hide_parameters=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        _take_turns(engine, turns or Turns())
        event.listen(engine, "handle_error", _tell_damage)
    elif engine.dialect.name == "postgresql":
        event.listen(engine, "begin", _begin_on_postgresql)
    return engine


SILENT_SECONDS = 20
"""After so long the server ends a transaction of which nothing is heard: its machine is gone, or its process stands still."""
KEEPALIVES = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
_OPTIONS = f"-c idle_in_transaction_session_timeout={SILENT_SECONDS}s {KEEPALIVES}"


def is_shared(url: str) -> bool:
    """Whether the ledger at this address may have several pbmds at work on it: one on PostgreSQL, not a file."""
    return make_url(url).get_backend_name() == "postgresql"


def reading(engine: Engine) -> Engine:
    """The same database for reading only: a consistent picture that never makes a writer wait."""
    return engine.execution_options(pbmd_reads=True)


def beside(engine: Engine) -> Engine:
    """The same database for writing beside others who write this way: each must be sure to touch nothing that others may.
    On SQLite, which has one writer, the same as ever."""
    return engine.execution_options(pbmd_beside=True)


SYNCHRONOUS = "FULL"
"""What is committed is on the disk. Tests that are about something else do without."""
MIGRATIONS = Path(pbmd.ledger.__file__).parent / "migrations"


def migrate(url: str) -> None:
    """Bring the schema up to date; does nothing when it is. Raises `pbmd.ledger.schema.WrongSchema`, `DamagedLedger` and
    `sqlalchemy.exc.SQLAlchemyError` when it cannot."""
    engine = open_engine(url)
    try:
        if is_newest(reading(engine), MIGRATIONS):
            return
    finally:
        engine.dispose()
    from pbmd.ledger.upgrade import upgrade  # see there

    upgrade(url, MIGRATIONS)


def era_of(engine: Engine) -> int:
    """The number that a backup gets when it takes the place of the ledger (`pbmd.desk.keeping.restore`); 0 until then."""
    if engine.dialect.name != "sqlite":
        return 0
    with reading(engine).connect() as connection:
        return connection.exec_driver_sql("PRAGMA user_version").scalar_one()


def _take_turns(engine: Engine, turns: Turns) -> None:
    """Begin the transactions of an engine: those that write one after the other, as they were asked for."""
    writing = set[Connection]()

    def begin(connection: Connection) -> None:
        if connection.get_execution_options().get("pbmd_reads", False):
            connection.exec_driver_sql("BEGIN")
            return
        if turns.take(BUSY_SECONDS):
            writing.add(connection)
        try:
            # Taking the write lock at the start, not at the first write, means that nothing read can be stale when it is used.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except BaseException:
            end(connection)
            raise

    def end(connection: Connection) -> None:
        if connection in writing:
            writing.remove(connection)
            turns.give()

    event.listen(engine, "begin", begin)
    event.listen(engine, "commit", end)
    event.listen(engine, "rollback", end)


_WRITING = int.from_bytes(b"pbmd")
"""The advisory lock of who writes, as long as the transaction lasts: for them alone, or shared with those beside them."""


def _begin_on_postgresql(connection: Connection) -> None:
    """Readers have one picture of the ledger. Of those who write one comes after the other, as on SQLite, so that nothing read
    can be stale when it is used; but those who write `beside` others wait for none of these."""
    options = connection.get_execution_options()
    if options.get("pbmd_reads", False):
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    elif options.get("pbmd_beside", False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock_shared({_WRITING})")
    else:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITING})")


def one_at_a_time(connection: Connection, what: bytes) -> None:
    """Of those who write beside others, let one after the other do this (four letters at most), until its transaction ends."""
    if connection.dialect.name == "postgresql" and connection.get_execution_options().get("pbmd_beside", False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({int.from_bytes(what)})")


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    # The driver's own BEGIN would come too late; `_take_turns` does it.
    connection.isolation_level = None
    try:
        with closing(connection.cursor()) as cursor:
            if cursor.execute("PRAGMA page_count").fetchone() == (0,):
                # A new ledger: pages that are free can be given back, a few at a time.
                cursor.execute("PRAGMA auto_vacuum = INCREMENTAL")
            cursor.execute("PRAGMA journal_mode = WAL")
            cursor.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
            cursor.execute("PRAGMA foreign_keys = ON")
            cursor.execute("PRAGMA temp_store = MEMORY")
    except sqlite3.DatabaseError as problem:
        raise damage_told(problem) or problem from None


def _tell_damage(context: ExceptionContext) -> None:
    if found := damage_told(context.original_exception):
        raise found from None
