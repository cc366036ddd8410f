"""An upgrade from 1.0.0 that is broken off anywhere: the ledger is the old one or the new one, and nothing in it is lost."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from pbmd.desk.books.desk import open_desk
from pbmd.ledger.backup import backups_in
from pbmd.ledger.database import MIGRATIONS, migrate, open_engine, reading, sqlite_url
from pbmd.ledger.schema import is_newest, schema_of
from tests.desk.world import settings_in
from tests.ledger.in_the_air import put, put_into
from tests.postgresql import PostgreSQL, about_files

OF_1_0 = "0011"
GONE = {"alarm", "alembic_version", "endorsement", "serverkey", "stamp"}
"""Tables of which 1.1 keeps less than there was, or in which there is more."""


def schema(url: str) -> set[str]:
    engine = open_engine(url)
    try:
        return schema_of(reading(engine))
    finally:
        engine.dispose()


def killed_at(place: int, upgrade: Callable[[], object], what: str = "before_cursor_execute") -> bool:
    """Upgrade in a process that is gone at that statement, or commit, of it; whether it came so far."""
    child = os.fork()
    if not child:
        numbers = count()
        event.listen(Engine, what, lambda *_: os._exit(9) if next(numbers) == place else None)
        try:
            upgrade()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def content(ledger: Path) -> list[str]:
    """All that is in a ledger."""
    with closing(sqlite3.connect(ledger)) as connection:
        return [*connection.iterdump()]


def rows(ledger: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of each table."""
    with closing(sqlite3.connect(ledger)) as connection:
        connection.row_factory = sqlite3.Row
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: [dict(row) for row in connection.execute(f'SELECT * FROM "{table}" ORDER BY 1')] for table in tables}


@pytest.fixture(scope="module")
def statements(tmp_path_factory: pytest.TempPathFactory) -> int:
    """Of how many an upgrade consists."""
    numbers = count()

    def add(*_: object) -> None:
        next(numbers)

    event.listen(Engine, "before_cursor_execute", add)
    try:
        migrate(sqlite_url(put(tmp_path_factory.mktemp("tried"))))
    finally:
        event.remove(Engine, "before_cursor_execute", add)
    made = next(numbers)
    assert made > 50
    return made


@about_files
def test_of_a_ledger_in_a_file(tmp_path: Path, statements: int) -> None:
    def upgrade() -> None:
        open_desk(settings_in(tmp_path)).engine.dispose()

    ledger = put(tmp_path)
    url, before, were = sqlite_url(ledger), content(ledger), rows(ledger)
    for place in (*range(0, statements - 2, 9), statements - 2, statements - 1):
        assert killed_at(place, upgrade), place
        assert schema(url) == {OF_1_0}, place
        assert content(ledger) == before, place
    assert killed_at(0, upgrade, "commit")
    assert content(ledger) == before
    kept = backups_in(tmp_path / "backups")
    assert [content(backup) for backup in kept[-1:]] == [before]

    upgrade()
    assert is_newest(schema(url), MIGRATIONS)
    now = rows(ledger)
    for table in were.keys() - GONE:
        old, new = were[table], now[table]
        assert [{key: row[key] for key in one} for one, row in zip(old, new, strict=True)] == old, table
    assert {row["kind"] for row in were["alarm"]} - {row["kind"] for row in now["alarm"]} == {"stamp"}


@pytest.mark.postgresql
@about_files
def test_of_a_ledger_in_postgresql(postgresql: PostgreSQL) -> None:
    url = put_into(postgresql)
    for place in (0, 9, 18, 36, 45):
        assert killed_at(place, lambda: migrate(url)), place
        assert schema(url) == {OF_1_0}, place
    assert killed_at(0, lambda: migrate(url), "commit")
    assert schema(url) == {OF_1_0}
    migrate(url)
    assert is_newest(schema(url), MIGRATIONS)
    postgresql.drop(url)
