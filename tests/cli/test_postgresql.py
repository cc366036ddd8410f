"""A ledger in PostgreSQL as the game master meets it: what is said when it cannot be used, and that no password is."""

from dataclasses import replace
from pathlib import Path

import pytest

from pbmd.cli.common import WENT_WRONG
from pbmd.ledger import postgresql as module
from tests.cli.conftest import Home
from tests.postgresql import PostgreSQL

pytestmark = pytest.mark.postgresql

COMMANDS = ("tick", "status", "check", "log")


def home_at(folder: Path, address: str) -> Home:
    home = Home(folder, address)
    home.write_settings()
    return home


def said(home: Home, command: str) -> str:
    """What a command says that cannot use the ledger, on one line."""
    done = home.run(command)
    assert done.exit_code == WENT_WRONG, done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return " ".join((done.stdout + done.stderr).split())


@pytest.fixture
def keeper(postgresql: PostgreSQL) -> str:
    """The address of a database whose owner has to show a password, without the password."""
    return postgresql.ask_for_password(postgresql.new_database(), "sesame")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_server_that_is_not_there_is_told_without_the_password(tmp_path: Path, command: str) -> None:
    told = said(home_at(tmp_path, "postgresql+psycopg://pbmd:hunter3@127.0.0.1:1/pbmd"), command)
    assert "onnection refused" in told
    assert "hunter3" not in told


def test_a_password_that_is_wrong_is_told_and_not_shown(tmp_path: Path, keeper: str) -> None:
    home = home_at(tmp_path, keeper.replace("@/", ":hunter3@/"))
    for command in COMMANDS:
        told = said(home, command)
        assert "password authentication failed" in told
        assert "hunter3" not in told
    assert "psql tries it, too" in said(home, "check")


def test_a_password_may_stand_in_a_file_of_its_own(tmp_path: Path, keeper: str, monkeypatch: pytest.MonkeyPatch) -> None:
    home = home_at(tmp_path, f"{keeper}&passfile={home_file(tmp_path)}")
    home.good("status")
    monkeypatch.setenv("PGPASSWORD", "sesame")
    home_at(tmp_path, keeper).good("status")


def home_file(folder: Path) -> Path:
    path = folder / "pgpass"
    path.write_text("*:*:*:*:sesame\n")
    path.chmod(0o600)
    return path


def test_settings_with_a_password_that_others_can_read_are_told(tmp_path: Path) -> None:
    home = home_at(tmp_path, "postgresql+psycopg://pbmd:hunter3@127.0.0.1:1/pbmd")
    home.settings.chmod(0o644)
    assert "can read" in said(home, "check")


def test_a_server_that_is_too_old_is_refused_in_words(
    tmp_path: Path, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "OLDEST", 99)
    home = home_at(tmp_path, postgresql.new_database())
    for command in COMMANDS:
        assert "is too old" in said(home, command)
    assert "use PostgreSQL 99 or a later one" in said(home, "status")
    postgresql.drop(home.database)


def test_a_database_that_lacks_letters_is_refused_in_words(tmp_path: Path, postgresql: PostgreSQL) -> None:
    postgresql.do("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'")
    home = home_at(tmp_path, postgresql.url("latin"))
    assert "--encoding=UTF8" in said(home, "status")
    postgresql.drop(home.database)


def test_the_check_says_where_the_ledger_is(tmp_path: Path, postgresql: PostgreSQL) -> None:
    home = home_at(tmp_path, postgresql.new_database())
    (told,) = [line for line in home.run("check").stdout.splitlines() if "ledger" in line and "PostgreSQL" in line]
    assert "in PostgreSQL: ledger_" in told
    assert not (replace(home).folder / "data" / "ledger.sqlite").exists()
    postgresql.drop(home.database)
