"""How large the ledger is, and what makes it up.

The exact size would reveal secrets: how long a letter is depends on its orders. So it is shown in whole megabytes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, LargeBinary, String, cast, func, select
from sqlmodel import SQLModel

from pbmd.desk.books.desk import Desk
from pbmd.ledger.tables import JournalEntry, Letter, LogLine, Outbox, Picture, Report, StepRecord

_PARTS: dict[str, tuple[type[SQLModel], tuple[str, ...]]] = {
    "letters": (Letter, ("raw",)),
    "mails": (Outbox, ("raw",)),
    "pictures": (Picture, ("data",)),
    "reports": (Report, ("text", "html")),
    "steps": (StepRecord, ("before", "after", "events", "dice")),
    "journal": (JournalEntry, ("public", "secret")),
    "log": (LogLine, ("detail", "cause")),
}


@dataclass(frozen=True, slots=True)
class Sizes:
    """In bytes: the whole ledger, what can be freed, and its contents."""

    whole: int
    free: int
    parts: dict[str, int]


def sizes(desk: Desk) -> Sizes:
    """How large the ledger is, and what makes it up: a quarter of a second for a gigabyte that is in the memory."""
    with desk.reading_engine.connect() as connection:
        told = {name: _bytes_in(connection, *part) for name, part in _PARTS.items()}
        if connection.dialect.name != "sqlite":
            whole = connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one()
            return Sizes(whole, 0, told)  # PostgreSQL reuses free space, and shows it only to its administrators
        page = _pragma(connection, "page_size")
        return Sizes(_pragma(connection, "page_count") * page, _pragma(connection, "freelist_count") * page, told)


def _bytes_in(connection: Connection, table: type[SQLModel], columns: Sequence[str]) -> int:
    lengths = [_bytes_of(connection, getattr(table, each)) for each in columns]
    return sum(connection.execute(select(*(func.coalesce(func.sum(each), 0) for each in lengths))).one())


def _bytes_of(connection: Connection, column: ColumnElement[Any]) -> ColumnElement[int]:
    if connection.dialect.name != "sqlite":
        return func.octet_length(column)
    # For a text, `length` would count the characters, which takes twice as long; for bytes it reads none.
    return func.length(cast(column, LargeBinary) if isinstance(column.type, String) else column)


def _pragma(connection: Connection, name: str) -> int:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


# --- In words -------------------------------------------------------------------------------------------------------------


def megabytes(size: int) -> int:
    """Bytes in whole megabytes, rounded down: so that little looks like nothing."""
    return size // 1_000_000


def size_words(size: int) -> str:
    """Bytes in words: ``12 MB``."""
    return f"{megabytes(size)} MB" if megabytes(size) else "less than 1 MB"


def in_megabytes(found: Sizes) -> dict[str, int]:
    """The whole ledger ("all"), what can be freed ("free"), and each part, in whole megabytes."""
    return {name: megabytes(size) for name, size in {"all": found.whole, "free": found.free, **found.parts}.items()}
