"""A ledger that another version of pbmd has written: every command says so in plain words, and what to do."""

import sqlite3
from contextlib import closing

import pytest

from pbmd.cli.common import WENT_WRONG
from tests.cli.conftest import Home


@pytest.fixture
def of_a_newer_one(home: Home) -> Home:
    """A home whose ledger has a migration that this version does not know."""
    home.start_game()
    with closing(sqlite3.connect(home.folder / "data" / "ledger.sqlite", isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    return home


@pytest.mark.parametrize("words", [("status",), ("tick",), ("log",), ("pause", "galaxy-7")])
def test_it_is_said_in_a_line(of_a_newer_one: Home, words: tuple[str, ...]) -> None:
    told = of_a_newer_one.problem(*words, code=WENT_WRONG)
    assert told == (
        "the ledger cannot be used: it was written by another version of pbmd, most likely a newer one; "
        "use that version, or go back to a backup that this one has made (pbmd restore FILE)"
    )


def test_check_says_what_to_do(of_a_newer_one: Home) -> None:
    done = of_a_newer_one.run("check", "--json")
    assert done.exit_code == WENT_WRONG
    assert "written by another version of pbmd" in done.stdout
    assert "use that version, or go back to a backup" in done.stdout
    assert "9999" not in done.stdout


def test_a_backup_of_this_version_leads_back(home: Home) -> None:
    home.start_game()
    backup = home.json("backup")["path"]
    with closing(sqlite3.connect(home.folder / "data" / "ledger.sqlite", isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    home.run("restore", backup)
    assert "galaxy-7" in home.good("status")
