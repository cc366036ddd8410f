"""The parts of which each is held by only one of the processes that share a ledger on PostgreSQL: what they are called, and
which lock shows who holds one (`pbmd.daemon.roles` acquires and releases these locks)."""

import zlib
from collections.abc import Iterable

from sqlalchemy import Connection, text

LOCKS = int.from_bytes(b"role")
"""The first of the two numbers of each lock."""
_CALLED = "pbmd on "
_HELD = text(
    "SELECT objid AS number, application_name AS machine FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE granted AND "
    "locktype = 'advisory' AND classid = :locks AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def reading_of(mailbox: str) -> str:
    """What the part of reading this mailbox is called."""
    return f"reading {mailbox}"


SENDING, GAMES, PAGES = "sending mail", "looking after the games", "writing the pages"


def lock_number(part: str) -> int:
    """The second number of the lock of a part."""
    return zlib.crc32(part.encode()) - 2**31


def called(machine: str) -> str:
    """The name of a connection that holds parts, so that everybody can see on which machine they are."""
    return f"{_CALLED}{machine}"


def holders(connection: Connection, parts: Iterable[str]) -> dict[str, str]:
    """The name of the machine where each of these parts is held just now; "" where nobody has it. PostgreSQL only."""
    rows = connection.execute(_HELD, {"locks": LOCKS})
    machines = {row.number: row.machine.removeprefix(_CALLED) for row in rows}
    return {part: machines.get(lock_number(part) % 2**32, "") for part in parts}
