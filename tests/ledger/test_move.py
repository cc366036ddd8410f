"""A ledger is moved into another database with all its rows, or it stays where it is; two can never be used."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, update
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, delete, select
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.daemon.installation import only_one
from pbmd.desk.books.desk import open_desk
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.damage import UnfitLedger
from pbmd.ledger.database import begin_era, era_of, migrate, open_engine, reading, sqlite_url
from pbmd.ledger.move.moving import move_ledger
from pbmd.ledger.move.stored_rows import rows_by_key, stored_tables
from pbmd.ledger.tables import Game, GameStatus, Letter, LogLine
from pbmd.settings import Settings
from tests.deploy.test_verify_dice import SETTINGS
from tests.desk.world import settings_in
from tests.ledger.releases import put
from tests.postgresql import PostgreSQL, about_files

pytestmark = [pytest.mark.postgresql, about_files]

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
Rows = dict[str, list[Any]]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A ledger with a game of every ruleset in the middle of a turn."""
    folder = tmp_path_factory.mktemp("games")
    ledger = put("1.0.0", folder)
    migrate(sqlite_url(ledger))
    return ledger.read_bytes()


@pytest.fixture
def file(tmp_path: Path, games: bytes) -> str:
    """The same in a file of its own."""
    (tmp_path / "server.key").write_bytes(b"k" * 32)
    (tmp_path / "server.key").chmod(0o600)
    (tmp_path / "ledger.sqlite").write_bytes(games)
    return sqlite_url(tmp_path / "ledger.sqlite")


@pytest.fixture
def database(postgresql: PostgreSQL) -> Iterator[str]:
    url = postgresql.new_database()
    yield url
    postgresql.drop(url)


def rows_of(address: str) -> Rows:
    engine = open_engine(address)
    with reading(engine).connect() as connection:
        rows = {table.name: list(rows_by_key(connection, table)) for table in stored_tables() if table.name != "era"}
    engine.dispose()
    return rows


def move(source: str, target: str) -> None:
    move_ledger(source, target, lambda _done, _all: None)


def is_usable(address: str) -> bool:
    engine = open_engine(address)
    try:
        era_of(engine)
    except (UnfitLedger, SQLAlchemyError):
        return False
    finally:
        engine.dispose()
    return True


def era_at(address: str) -> int:
    engine = open_engine(address)
    try:
        return era_of(engine)
    finally:
        engine.dispose()


def settings_at(folder: Path, address: str) -> Settings:
    settings = settings_in(folder)
    return settings.model_copy(update={"server": settings.server.model_copy(update={"database": address})})


def test_there_and_back_gives_the_same_rows(file: str, database: str, tmp_path: Path) -> None:
    before = rows_of(file)
    assert len(before["game"]) >= 6
    move(file, database)
    assert rows_of(database) == before
    back = sqlite_url(tmp_path / "back.sqlite")
    move(database, back)
    assert rows_of(back) == before


def test_to_another_server_and_back_into_the_file_that_was_left(file: str, database: str, postgresql: PostgreSQL) -> None:
    before = rows_of(file)
    other = postgresql.new_database()
    move(file, database)
    move(database, other)
    move(other, file)
    assert [is_usable(each) for each in (file, database, other)] == [True, False, False]
    assert rows_of(file) == before
    postgresql.drop(other)


def test_games_go_on_where_they_are_and_what_is_new_has_numbers_of_its_own(file: str, database: str, tmp_path: Path) -> None:
    move(file, database)
    desk = open_desk(settings_at(tmp_path, database))
    with Transaction(desk) as work:
        last = max(line.id or 0 for line in work.session.exec(select(LogLine)))
        work.log("running", detail="after")
    with Transaction(desk, reads=True) as work:
        assert [line.id for line in work.session.exec(select(LogLine).where(LogLine.detail == "after"))] == [last + 1]
        for game in work.session.exec(select(Game).where(Game.status == GameStatus.RUNNING)).all():
            assert work.table(game.id or 0).position is not None
    desk.engine.dispose()


def test_numbers_of_rows_that_are_deleted_are_not_given_again(database: str, postgresql: PostgreSQL) -> None:
    migrate(database)
    engine = open_engine(database)
    with Session(engine) as session:
        session.add_all(LogLine(at=NOON, what="running") for _ in range(5))
        session.commit()
        session.exec(delete(LogLine).where(col(LogLine.id) > 3))
        session.commit()
    engine.dispose()
    other = postgresql.new_database()
    move(database, other)
    engine = open_engine(other)
    with Session(engine) as session:
        session.add(line := LogLine(at=NOON, what="running"))
        session.flush()
        assert line.id == 6
    engine.dispose()
    postgresql.drop(other)


def test_mails_keep_their_names(file: str, database: str) -> None:
    engine = open_engine(file)
    with engine.begin() as connection:
        begin_era(connection)
    engine.dispose()
    era = era_at(file)
    assert era
    move(file, database)
    assert era_at(database) == era


def test_the_one_that_is_left_says_where_the_other_is(file: str, database: str, tmp_path: Path) -> None:
    move(file, database)
    with pytest.raises(UnfitLedger, match=r"it was moved to postgresql\+psycopg://.*: let `database` in \[server\]"):
        open_desk(settings_in(tmp_path))
    with pytest.raises(UnfitLedger, match="it was moved to"):
        move(file, sqlite_url(tmp_path / "another.sqlite"))


def test_a_command_that_was_waiting_to_write_meanwhile_is_refused(file: str, database: str, tmp_path: Path) -> None:
    desk = open_desk(settings_in(tmp_path))
    move(file, database)
    with pytest.raises(UnfitLedger, match="moved to another database a moment ago"), Transaction(desk) as work:
        work.log("running", detail="lost")
    desk.engine.dispose()


def killed_at(commit: int, source: str, target: str) -> bool:
    """Move in a process that is gone in the instant in which it would commit for that time; whether it came so far."""
    child = os.fork()
    if not child:
        numbers = count()
        event.listen(Engine, "commit", lambda _: os._exit(9) if next(numbers) == commit else None)
        try:
            move(source, target)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("kind", ["there", "back"])
def test_wherever_it_is_killed_one_is_in_force_and_another_try_finishes_it(
    kind: str, file: str, database: str, tmp_path: Path
) -> None:
    before = rows_of(file)
    source, target = file, database
    if kind == "back":
        move(file, database)
        source, target = database, sqlite_url(tmp_path / "back.sqlite")
    migrate(target)
    assert all(killed_at(commit, source, target) for commit in (0, 1, 2, 3, 5, 8, 12, 16))
    assert [is_usable(source), is_usable(target)] == [True, False]
    assert rows_of(source) == before
    later = list(takewhile(lambda commit: killed_at(commit, source, target), count(17)))
    assert len(later) > 2, "up to the last of all"
    assert [is_usable(source), is_usable(target)] == [False, True]
    assert rows_of(target) == before


def test_another_try_takes_what_has_changed_in_between(file: str, database: str, tmp_path: Path) -> None:
    migrate(database)
    assert killed_at(16, file, database)
    desk = open_desk(settings_in(tmp_path))
    with Transaction(desk) as work:
        work.log("running", detail="in between")
        letter = work.session.exec(select(Letter)).first()
        assert letter is not None
        letter.note = "another note"
        line = work.session.exec(select(LogLine)).first()
        work.session.delete(line)
    desk.engine.dispose()
    before = rows_of(file)
    move(file, database)
    assert rows_of(database) == before


def test_a_database_with_other_games_is_left_alone(file: str, database: str, tmp_path: Path) -> None:
    migrate(other := sqlite_url(tmp_path / "other.sqlite"))
    engine = open_engine(other)
    with Session(engine) as session:
        session.add(LogLine(at=NOON, what="running"))
        session.commit()
    engine.dispose()
    with pytest.raises(UnfitLedger, match="has a ledger of its own"):
        move(file, other)
    assert is_usable(file)
    assert is_usable(other)


def test_nobody_else_is_at_work_on_it(file: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmd.ledger.move.moving._LEAVE_SECONDS", 0.2)
    move(file, database)
    other = open_engine(database)
    with reading(other).connect() as connection:
        connection.exec_driver_sql("SELECT 1")
        with pytest.raises(UnfitLedger, match=r"others are at work on it \(pbmd\): stop pbmd and its workers on all hosts"):
            move(database, sqlite_url(tmp_path / "back.sqlite"))
    other.dispose()
    assert is_usable(database)


def test_a_row_that_the_other_cannot_keep_is_named(file: str, database: str) -> None:
    engine = open_engine(file)
    with engine.begin() as connection:
        connection.execute(update(Letter).where(Letter.id == 2).values(note="a\0b"))
    engine.dispose()
    with pytest.raises(UnfitLedger, match=r"it cannot keep the row 2 of the table letter: .*NUL"):
        move(file, database)
    assert is_usable(file)


class TestCommand:
    """`pbmd ledger move`."""

    @pytest.fixture
    def settings(self, file: str, tmp_path: Path) -> Path:
        assert file
        (path := tmp_path / "pbmd.toml").write_text(SETTINGS)
        return path

    def run(self, settings: Path, *words: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["ledger", "move", *words, "--settings", str(settings)])
        return result.exit_code, result.output

    def test_says_what_to_write_into_the_settings(self, settings: Path, database: str) -> None:
        code, output = self.run(settings, database)
        assert code == 0
        assert f'[server]\n    database = "{database}"' in output
        assert "games" in output
        code, output = self.run(settings, database)
        assert (code, "it was moved to" in output) == (1, True)

    def test_is_refused_while_a_daemon_is_at_work(self, settings: Path, database: str, tmp_path: Path) -> None:
        with only_one(tmp_path):
            code, output = self.run(settings, database)
        assert (code, "another pbmd is at work on" in output) == (3, True)

    @pytest.mark.parametrize("address", ["mysql:///pbmd", "postgresql+psycopg://a@b@c/d", ""])
    def test_says_what_is_wrong_with_an_address(self, settings: Path, address: str) -> None:
        code, output = self.run(settings, address)
        assert (code, output.startswith("pbmd: ADDRESS must")) == (2, True)

    def test_a_password_is_not_shown(self, settings: Path, database: str) -> None:
        with_password = database.replace("@/", ":open-sesame@/")
        code, output = self.run(settings, with_password)
        assert code == 0
        assert "open-sesame" not in output
        assert "with the password as you gave it" in output
        with closing(sqlite3.connect(settings.parent / "ledger.sqlite")) as left:
            assert b"open-sesame" not in "".join(left.iterdump()).encode()
