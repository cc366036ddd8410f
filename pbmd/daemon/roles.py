"""What only one process does at a time, of all that share a ledger: read the mailbox, send mail, look after the games, write
the pages. Who holds the lock of a role does it; where it ends, or its machine, another takes it over.

The lock is one of PostgreSQL's, of a connection that does nothing else. The server gives it back as soon as that connection is
gone, and ends one that it has not heard of for `LASTS_SECONDS`: of a machine that is gone, or of a process that was stopped. A
process that has lost a role and does not know it yet does no harm: what it does it must find undone in the ledger.
"""

import logging
import socket
import threading
import time
import zlib
from collections.abc import Iterable
from contextlib import suppress

from sqlalchemy import Connection, Engine, NullPool, create_engine, func, select, text
from sqlalchemy.exc import DBAPIError

from pbmd.ledger.database import is_shared
from pbmd.ledger.postgresql import KEEPALIVES, patience

LASTS_SECONDS = 20
HELD_SECONDS = 3.0
"""So often whoever holds a role makes sure that they still do."""
FREE_SECONDS = 1.0
"""So often whoever does not hold one asks for it."""
_ROLES = int.from_bytes(b"role")
"""The first of the two numbers of each lock."""
_CALLED = "pbmd on "
_HELD = text(
    "SELECT objid AS number, application_name AS machine FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE granted AND "
    "locktype = 'advisory' AND classid = :roles AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_BELL = text("SELECT to_regclass('bell.procrastinate_workers')")
_WORKERS = text("SELECT count(*) FROM bell.procrastinate_workers WHERE last_heartbeat > now() - :seconds * interval '1 second'")
_log = logging.getLogger("pbmd.daemon")


class Role:
    """See the module. Where the ledger is a file this process is its only user, and has all roles for good. It may be asked for
    in any thread."""

    def __init__(self, database: str, name: str) -> None:
        self.name = name
        self.taken = 0
        """How often this process has got the role: between two times another may have had it."""
        self._number = _number(name)
        self._engine = _engine(database) if is_shared(database) else None
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._holds = self._engine is None
        self._asked = float("-inf")

    def is_ours(self) -> bool:
        """Whether this process has the role, which it takes if nobody has it."""
        if self._engine is None:
            return True
        with self._lock:
            if time.monotonic() - self._asked >= (HELD_SECONDS if self._holds else FREE_SECONDS):
                self._ask(self._engine)
                self._asked = time.monotonic()
            return self._holds

    @property
    def is_held(self) -> bool:
        """Whether this process had the role when it was last looked."""
        return self._holds

    def confirm(self) -> None:
        """Make sure that a role that this process has is still its own."""
        if self._holds:
            self.is_ours()

    def becomes_ours(self, stopping: threading.Event) -> bool:
        """Wait for the role; False if there is to be an end of it."""
        while not stopping.is_set():
            if self.is_ours():
                return True
            stopping.wait(FREE_SECONDS)
        return False

    def give_back(self) -> None:
        """Another may have it."""
        with self._lock:
            self._drop()

    def _ask(self, engine: Engine) -> None:
        held = self._holds
        try:
            self._connection = connection = self._connection or engine.connect()
            if held:
                connection.execute(select(1))
            else:
                self._holds = bool(connection.execute(select(func.pg_try_advisory_lock(_ROLES, self._number))).scalar())
        except DBAPIError as problem:
            self._drop()
            if held:
                why = type(problem.orig).__name__
                _log.warning("this pbmd has lost the part of %s, since the database does not answer (%s)", self.name, why)
        if self._holds and not held:
            self.taken += 1
            _log.info("this pbmd has the part of %s", self.name)

    def _drop(self) -> None:
        self._holds = self._engine is None
        if self._connection is not None:
            with suppress(DBAPIError):  # it is gone already
                self._connection.close()
            self._connection = None


def holders(connection: Connection, names: Iterable[str]) -> dict[str, str]:
    """The name of the machine where each of these roles is held just now; "" where nobody has it. PostgreSQL only."""
    rows = connection.execute(_HELD, {"roles": _ROLES})
    machines = {row.number: row.machine.removeprefix(_CALLED) for row in rows}
    return {name: machines.get(_number(name) % 2**32, "") for name in names}


def workers_heard_of(connection: Connection) -> int:
    """How many workers have said lately that they are there. PostgreSQL only."""
    if connection.execute(_BELL).scalar() is None:
        return 0
    return int(connection.execute(_WORKERS, {"seconds": LASTS_SECONDS}).scalar_one())


def _number(name: str) -> int:
    return zlib.crc32(name.encode()) - 2**31


def _engine(database: str) -> Engine:
    """An engine whose connections the server ends when it has not heard of them for a while, and we when we have not heard of
    it."""
    lasts = f"-c idle_session_timeout={LASTS_SECONDS}s {KEEPALIVES}"
    # No pool: a connection that goes back to one keeps its locks.
    hears = {"options": lasts, "connect_timeout": LASTS_SECONDS, **patience(LASTS_SECONDS)}
    args = hears | {"application_name": f"{_CALLED}{socket.gethostname()}"}
    return create_engine(database, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=args)
