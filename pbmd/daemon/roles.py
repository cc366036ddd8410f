"""What only one process does at a time, of all that share a ledger: read the mailbox, send mail, look after the games, write
the pages. The process that has the lock of a role does it; when it ends, or its machine does, another takes over.

The lock is PostgreSQL's, on a connection that does nothing else. The server releases it as soon as that connection is gone, and
ends one that it has not heard from for `LASTS_SECONDS`: its machine is gone, or its process was stopped. A process that has
lost a role and does not know it yet does no harm: before it acts, it must find in the ledger that the work is still undone.
"""

import logging
import socket
import threading
import time
from contextlib import suppress

from sqlalchemy import Connection, Engine, NullPool, create_engine, func, select
from sqlalchemy.exc import DBAPIError

from pbmd.ledger.database import is_shared
from pbmd.ledger.parts import LOCKS, called, lock_number
from pbmd.ledger.postgresql import KEEPALIVES, timeout_arguments

LASTS_SECONDS = 20
HELD_SECONDS = 3.0
"""How often the process with a role confirms that it still has it."""
FREE_SECONDS = 1.0
"""How often a process without it tries to get it."""
BACK_SECONDS = 10.0
"""How long a process that should not have a role leaves it to others. If there are none, it is better than nobody."""
_log = logging.getLogger("pbmd.daemon")


class Role:
    """See the module. If the ledger is a file, this process is its only user, and has all roles for good. Usable from any
    thread."""

    def __init__(self, database: str, name: str) -> None:
        self.name = name
        self.taken = 0
        """How often this process has got the role: between two times another may have had it."""
        self._number = lock_number(name)
        self._engine = _engine(database) if is_shared(database) else None
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._holds = self._engine is None
        self._asked = float("-inf")
        self._is_over = False

    def is_ours(self) -> bool:
        """Whether this process has the role, which it takes if nobody has it."""
        if self._engine is None:
            return True
        with self._lock:
            if not self._is_over and time.monotonic() - self._asked >= (HELD_SECONDS if self._holds else FREE_SECONDS):
                self._ask(self._engine)
                self._asked = time.monotonic()
            return self._holds

    @property
    def is_held(self) -> bool:
        """Whether this process had the role at the last check."""
        return self._holds

    def confirm(self) -> None:
        """Check that a role that this process has is still its own."""
        if self._holds:
            self.is_ours()

    def becomes_ours(self, stopping: threading.Event) -> bool:
        """Wait for the role; False if the process is to end."""
        while not stopping.is_set():
            if self.is_ours():
                return True
            stopping.wait(FREE_SECONDS)
        return False

    def give_back(self) -> None:
        """Let another have it."""
        with self._lock:
            self._drop()

    def end(self) -> None:
        """Let another have it, and never take it again. Does nothing if there can be no other."""
        if self._engine is not None:
            with self._lock:
                self._is_over = True
                self._drop()

    def stand_back(self) -> None:
        """Let another have it, which has `BACK_SECONDS` to take it. Does nothing if there can be no other."""
        if self._engine is not None and self._holds:
            with self._lock:
                self._drop()
                self._asked = time.monotonic() + BACK_SECONDS

    def _ask(self, engine: Engine) -> None:
        held = self._holds
        try:
            self._connection = connection = self._connection or engine.connect()
            if held:
                connection.execute(select(1))
            else:
                self._holds = bool(connection.execute(select(func.pg_try_advisory_lock(LOCKS, self._number))).scalar())
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


def _engine(database: str) -> Engine:
    """An engine whose connections the server ends if it has not heard from them for a while, and we if we have not heard from
    it."""
    lasts = f"-c idle_session_timeout={LASTS_SECONDS}s {KEEPALIVES}"
    # No pool: a connection that returns to one keeps its locks.
    hears = {"options": lasts, "connect_timeout": LASTS_SECONDS, **timeout_arguments(LASTS_SECONDS)}
    args = hears | {"application_name": called(socket.gethostname())}
    return create_engine(database, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=args)
