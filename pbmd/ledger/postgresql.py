"""A ledger in PostgreSQL: how its transactions begin, what its errors mean, and whether a database is fit to be one."""

import logging
from typing import Any

from sqlalchemy import Connection, Engine, ExceptionContext, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, OperationalError

from pbmd.ledger.damage import DamagedLedger, UnfitLedger, said_by

OLDEST = 14
"""The oldest PostgreSQL that its developers still support."""
GONE_SECONDS = 20
"""After this long without any sign of it the other machine is gone."""
SILENT_SECONDS = 120
"""After this long the server ends a silent transaction: its process has stopped. It is much longer than a process may be busy
with a letter or a turn (`pbmd.post.read.limits`) while others use the same processors: else the transaction would be ended
again and again, and whoever waits for it would wait for ever."""
KEEPALIVES = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
_WRITING = int.from_bytes(b"pbmd")
"""The advisory lock of writers, for as long as a transaction lasts: exclusive, or shared with others who write beside them."""
_DAMAGE = ("XX001", "XX002")
"""Its codes for corrupt pages and indexes (https://www.postgresql.org/docs/current/errcodes-appendix.html)."""
_PASSING = ("25006", "25P03", "25P04")
"""Its codes for a server that takes no writers just now, and for transactions that it ended because they took too long. The
driver raises these as other classes than the rest of what passes by itself."""
_FITNESS = "SELECT current_setting('server_version_num')::int, current_setting('server_encoding')"
_OTHERS = (
    "SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND starts_with(application_name, 'pbmd') ORDER BY application_name"
)
_IDENTITY = "SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || 'era'::regclass::oid"


def waits(url: URL, seconds: float) -> dict[str, Any]:
    """Arguments for a connection that waits this long for the server, and for other writers, unless the address says
    otherwise."""
    milliseconds = max(1, round(seconds * 1000))  # to PostgreSQL, 0 means for ever
    chosen = {
        "connect_timeout": max(2, round(seconds)),  # its library counts whole seconds, and takes anything below 2 for 2
        "application_name": "pbmd",
        "options": f"-c lock_timeout={milliseconds} -c idle_in_transaction_session_timeout={SILENT_SECONDS}s {KEEPALIVES}",
        **timeout_arguments(GONE_SECONDS),
    }
    return {key: value for key, value in chosen.items() if key not in url.query}


def timeout_arguments(seconds: float) -> dict[str, int]:
    """Arguments for a connection that ends when nothing at all is heard from the server for this long; else it would wait for a
    quarter of an hour."""
    heard = {"keepalives_idle": 5, "keepalives_interval": 5, "keepalives_count": 3}
    return {"tcp_user_timeout": round(seconds * 1000), **heard}


def prepare(engine: Engine) -> None:
    """Make transactions begin, and errors look, as they do with SQLite."""
    event.listen(engine, "begin", _begin)
    event.listen(engine, "handle_error", _tell)
    logging.getLogger(f"{type(engine.pool).__module__}.{type(engine.pool).__qualname__}").addFilter(_in_a_line)


def must_be_fit(connection: Connection) -> None:
    """Raises `UnfitLedger` for a database in which no ledger can be kept."""
    version, encoding = connection.exec_driver_sql(_FITNESS).one()
    if version // 10000 < OLDEST:
        raise UnfitLedger(f"PostgreSQL {version // 10000} is too old", f"use PostgreSQL {OLDEST} or a later one")
    if encoding != "UTF8":
        raise UnfitLedger(
            f"the database has the encoding {encoding}, which lacks letters that players write",
            "make another one with createdb --encoding=UTF8 --template=template0",
        )


def identity(connection: Connection) -> str:
    """An identity that differs for each cluster of databases, and for each copy of the ledger that `pg_restore` makes, but is
    the same after a restart, and on a standby that takes over."""
    return connection.exec_driver_sql(_IDENTITY).scalar_one()


def others_at_work(connection: Connection) -> list[str]:
    """The names by which other pbmds are connected to the database of this connection, each once."""
    return list(connection.exec_driver_sql(_OTHERS).scalars())


def _begin(connection: Connection) -> None:
    """Readers see one snapshot of the ledger. Writers come one after the other, as on SQLite, so that nothing read can be stale
    when it is used; but those who write `beside` others do not wait for each other."""
    options = connection.get_execution_options()
    if options.get("pbmd_reads", False):
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    elif options.get("pbmd_beside", False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock_shared({_WRITING})")
    else:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITING})")


def one_at_a_time(connection: Connection, what: bytes) -> None:
    """Let those who write beside others do this (named by four letters at most) one after the other, each until its transaction
    ends. Does nothing on SQLite, which has one writer."""
    if connection.dialect.name == "postgresql" and connection.get_execution_options().get("pbmd_beside", False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({int.from_bytes(what)})")


def _tell(context: ExceptionContext) -> None:
    """Damage is `DamagedLedger`, and what passes by itself is an `OperationalError`, as with SQLite; neither quotes a value."""
    problem, known = context.original_exception, context.sqlalchemy_exception
    if not isinstance(known, DBAPIError):
        return
    code, lost = getattr(problem, "sqlstate", None), context.is_disconnect
    if lost and (execution := context.execution_context) is not None:
        # SQLAlchemy does so unless the connection is lost, and nobody else can before there is a result: a cursor of the server
        # (of rows that are read a few at a time) would be left open, and the driver warns of it when it is collected.
        execution.cursor.close()
    problem.args = (said_by(problem),)
    if code in _DAMAGE:
        raise DamagedLedger(f"PostgreSQL says: {problem}") from None
    kind = OperationalError if lost or code in _PASSING else type(known)
    raise kind(context.statement, None, problem, hide_parameters=True, connection_invalidated=lost) from None


def _in_a_line(record: logging.LogRecord) -> bool:
    """What SQLAlchemy logs when a connection is lost while it is being returned: why, and no traceback. Whatever was not done
    because of it raises an error of its own."""
    if record.exc_info and (problem := record.exc_info[1]):
        record.msg, record.args = f"{record.getMessage()} ({type(problem).__name__}: {said_by(problem)})", ()
        record.exc_info = None
    return True
