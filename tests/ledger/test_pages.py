"""The pages of the file: small in new ledgers, and in old ones after an upgrade if that is done in a moment."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from pbmd.ledger import upgrade
from pbmd.ledger.database import PAGE_BYTES, migrate, open_engine, reading, sqlite_url
from tests.ledger.in_the_air import put


def pragma(ledger: Path, name: str) -> object:
    with closing(sqlite3.connect(ledger)) as connection:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]


def content(ledger: Path) -> list[str]:
    with closing(sqlite3.connect(ledger)) as connection:
        return [*connection.iterdump()]


def test_a_new_ledger_has_small_pages_and_a_log_that_is_not_copied_often(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    migrate(sqlite_url(ledger))
    assert (pragma(ledger, "page_size"), pragma(ledger, "auto_vacuum")) == (PAGE_BYTES, 2)
    engine = open_engine(sqlite_url(ledger))
    with reading(engine).connect() as connection:
        assert connection.execute(text("PRAGMA wal_autocheckpoint")).scalar_one() == 4_000_000 // PAGE_BYTES
    engine.dispose()


def test_an_old_one_has_them_after_its_upgrade(tmp_path: Path) -> None:
    ledger = put(tmp_path)
    assert pragma(ledger, "page_size") == 4096
    migrate(sqlite_url(ledger))
    assert (pragma(ledger, "page_size"), pragma(ledger, "journal_mode")) == (PAGE_BYTES, "wal")
    assert pragma(ledger, "integrity_check") == "ok"


def test_what_is_in_it_stays_whatever_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = put(tmp_path)
    before = content(ledger)
    with monkeypatch.context() as patch:
        patch.setattr(upgrade, "_SMALL", ledger.stat().st_size - 1)
        assert not upgrade.repaginate(ledger, PAGE_BYTES)
    with closing(sqlite3.connect(ledger)) as reader:
        reader.execute("PRAGMA journal_mode = WAL")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM game").fetchone()
        assert not upgrade.repaginate(ledger, PAGE_BYTES)
    assert (pragma(ledger, "page_size"), content(ledger)) == (4096, before)
    assert upgrade.repaginate(ledger, PAGE_BYTES)
    assert not upgrade.repaginate(ledger, PAGE_BYTES)
    assert (pragma(ledger, "page_size"), content(ledger)) == (PAGE_BYTES, before)


@pytest.mark.parametrize("place", [1, 4, 7])
def test_a_process_that_is_killed_while_it_writes_anew_leaves_the_old_one(tmp_path: Path, place: int) -> None:
    ledger = put(tmp_path)
    before = content(ledger)
    child = os.fork()
    if not child:
        connection = sqlite3.connect(ledger, isolation_level=None)
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        steps = iter(range(place))
        connection.set_progress_handler(lambda: next(steps, None) is None and os._exit(9), 1000)
        connection.execute("VACUUM")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert content(ledger) == before
    migrate(sqlite_url(ledger))
    assert pragma(ledger, "integrity_check") == "ok"


def test_damage_is_left_to_those_who_look_for_it(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    ledger.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert not upgrade.repaginate(ledger, PAGE_BYTES)
