"""Alembic at work. It takes a tenth of a second to load, so it is loaded only for a ledger that is not up to date."""

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script.revision import ResolutionError
from alembic.util.exc import CommandError

from pbmd.ledger.damage_check import file_uri
from pbmd.ledger.schema import WrongSchema

_SMALL = 50_000_000
"""Bytes that are written anew within some seconds."""


def upgrade(url: str, migrations: Path) -> None:
    """Apply all migrations that a database has not had yet. Raises `WrongSchema` and `sqlalchemy.exc.SQLAlchemyError`."""
    config = Config()
    config.set_main_option("script_location", str(migrations))
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    try:
        command.upgrade(config, "head")
    except CommandError as problem:
        raise WrongSchema(str(problem), foreign=isinstance(problem.__cause__, ResolutionError)) from problem


def repaginate(ledger: Path, page: int) -> bool:
    """Write a file with pages of that many bytes anew if it has others, unless it is large; returns whether it did. Where that
    cannot be (somebody reads it, the disk is full, it is damaged) it stays as it is, and is as good."""
    if ledger.stat().st_size > _SMALL:
        return False
    try:
        with closing(sqlite3.connect(file_uri(ledger, "rw"), uri=True, timeout=0, isolation_level=None)) as connection:
            # SQLite keeps the pages of a file that has a write-ahead log.
            if connection.execute("PRAGMA page_size").fetchone() == (page,) or _mode(connection, "DELETE") != "delete":
                return False
            try:
                connection.execute(f"PRAGMA page_size = {page}")
                connection.execute("VACUUM")
            finally:
                _mode(connection, "WAL")
            return True
    except sqlite3.DatabaseError:
        return False


def _mode(connection: sqlite3.Connection, mode: str) -> str:
    return connection.execute(f"PRAGMA journal_mode = {mode}").fetchone()[0]
