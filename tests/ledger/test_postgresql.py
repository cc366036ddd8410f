"""A ledger in PostgreSQL keeps the promises of one in a file: one writer, readers of one instant, errors that mean the same."""

import gc
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError
from sqlmodel import Session, SQLModel, col, select

from pbmd.ledger import database
from pbmd.ledger.damage import DamagedLedger, UnfitLedger
from pbmd.ledger.database import begin_era, era_of, open_engine, reading
from pbmd.ledger.tables import LogLine, Seat
from tests.postgresql import PostgreSQL

pytestmark = pytest.mark.postgresql

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def url(postgresql: PostgreSQL) -> Iterator[str]:
    url = postgresql.new_ledger()
    yield url
    postgresql.drop(url)


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    engine = open_engine(url)
    yield engine
    engine.dispose()


def fails_with(engine: Engine, code: str, words: str = "it was so") -> None:
    """Have the database raise an error of that code."""
    with engine.begin() as connection:
        connection.exec_driver_sql(
            f"DO $$ BEGIN RAISE EXCEPTION '{words}' USING ERRCODE = '{code}', DETAIL = 'sec' || 'ret'; END $$"
        )


def test_migrating_an_empty_database_gives_exactly_the_tables(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, SQLModel.metadata) == []


@pytest.mark.parametrize("index", ["ix_game_due", "ix_letter_new", "ix_outbox_unsent"])
def test_what_is_due_is_found_by_an_index_over_what_is_open_only(engine: Engine, index: str) -> None:
    with engine.connect() as connection:
        made = connection.execute(text("SELECT indexdef FROM pg_indexes WHERE indexname = :name"), {"name": index}).scalar_one()
    assert " WHERE " in made


def test_two_that_migrate_at_once_do_not_hurt_each_other(postgresql: PostgreSQL) -> None:
    url = postgresql.new_database()
    command = [sys.executable, "-c", "import sys; from pbmd.ledger.database import migrate; migrate(sys.argv[1])", url]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert [(process.communicate()[1], process.returncode) for process in both] == [("", 0)] * 2
    postgresql.drop(url)


def test_readers_and_a_writer_do_not_wait_for_each_other(engine: Engine) -> None:
    with Session(engine) as writer, Session(reading(engine)) as reader:
        writer.add(LogLine(at=NOON, what="half done"))
        writer.flush()
        assert reader.exec(select(LogLine)).all() == []
        writer.commit()
        assert reader.exec(select(LogLine)).all() == [], "its picture is of one instant"
    with Session(reading(engine)) as reader:
        assert len(reader.exec(select(LogLine)).all()) == 1


def test_a_reader_writes_nothing(engine: Engine) -> None:
    with Session(reading(engine)) as reader:
        reader.add(LogLine(at=NOON, what="no"))
        with pytest.raises(OperationalError, match="read-only"):
            reader.commit()


def test_a_second_writer_cannot_decide_on_what_the_first_is_changing(
    url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    other = open_engine(url)
    with Session(engine) as first, Session(other) as second:
        first.exec(select(LogLine)).all()
        with pytest.raises(OperationalError, match="lock timeout"):
            second.exec(select(LogLine)).all()
    other.dispose()


def test_lines_of_the_log_are_seen_in_the_order_of_their_numbers(url: str, engine: Engine) -> None:
    """Who has read up to a line would never see one that is committed late and has a number below it."""
    other = open_engine(url)
    wrote = list[str]()

    def write() -> None:
        with Session(other) as second:
            second.add(LogLine(at=NOON, what="second"))
            second.commit()
        wrote.append("second")

    with Session(engine) as first:
        first.add(LogLine(at=NOON, what="first"))
        first.flush()
        thread = threading.Thread(target=write)
        thread.start()
        thread.join(0.3)
        with Session(reading(other)) as reader:
            assert (wrote, reader.exec(select(LogLine)).all()) == ([], [])
        first.commit()
    thread.join()
    with Session(reading(engine)) as reader:
        assert reader.exec(select(LogLine.what).order_by(col(LogLine.id))).all() == ["first", "second"]
    other.dispose()


@pytest.mark.parametrize("code", ["XX001", "XX002"])
def test_damage_is_told_as_of_a_file(engine: Engine, code: str) -> None:
    with pytest.raises(DamagedLedger, match="PostgreSQL says: it was so"):
        fails_with(engine, code)


@pytest.mark.parametrize("code", ["25006", "25P03", "40P01", "53100", "53300", "57P01", "57P03", "55P03"])
def test_what_passes_is_no_defect(engine: Engine, code: str) -> None:
    with pytest.raises(OperationalError, match="it was so"):
        fails_with(engine, code)


@pytest.mark.parametrize("code", ["23505", "XX001", "53100", "22000"])
def test_no_value_of_a_row_stands_in_what_is_raised(engine: Engine, code: str) -> None:
    with pytest.raises((SQLAlchemyError, DamagedLedger)) as caught:
        fails_with(engine, code)
    problem: BaseException | None = caught.value
    while problem is not None:
        assert "secret" not in f"{problem!s} {problem!r}"
        problem = problem.__cause__


def test_nor_of_one_that_cannot_be_written(engine: Engine) -> None:
    with Session(engine) as session:
        session.add(Seat(game_id=99, number=1, name="Altair", address="a@players.test"))
        with pytest.raises(IntegrityError) as caught:
            session.commit()
    assert "foreign key" in str(caught.value)
    assert "99" not in str(caught.value)


@pytest.mark.parametrize("rows", [0, 5])
def test_a_stream_whose_connection_is_lost_leaves_nothing_to_the_garbage_collector(engine: Engine, rows: int) -> None:
    """Neither if it is lost before the first row, when nobody has a result yet that they could close, nor after some."""
    many = text("SELECT * FROM generate_series(1, 1000)")

    def lose(process: int) -> None:
        with reading(engine).connect() as other:
            assert other.exec_driver_sql(f"SELECT pg_terminate_backend({process}, 5000)").scalar_one()

    def read_until_lost() -> None:
        with reading(engine).connect() as connection:
            process = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            if not rows:
                lose(process)
            with connection.execute(many, execution_options={"yield_per": 10}) as found:
                assert len(found.fetchmany(rows)) == rows
                lose(process)
                found.fetchall()

    with warnings.catch_warnings(record=True) as left:
        warnings.simplefilter("always", ResourceWarning)
        with pytest.raises(OperationalError):
            read_until_lost()
        gc.collect()
    assert [str(each.message) for each in left] == []


def test_an_era_is_that_of_the_ledger_and_not_of_its_copy(url: str, engine: Engine, postgresql: PostgreSQL) -> None:
    assert era_of(engine) == 0
    with engine.begin() as connection:
        begin_era(connection)
    era = era_of(engine)
    assert era > 0
    postgresql.restart()
    assert era_of(engine) == era
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE era SET place = 'another cluster'")
    with pytest.raises(UnfitLedger, match="pbmd era --new"):
        era_of(engine)


def test_a_connection_lost_while_rows_are_given_back_is_logged_in_a_line(
    engine: Engine, url: str, postgresql: PostgreSQL, caplog: pytest.LogCaptureFixture
) -> None:
    with reading(engine).connect() as connection:
        ours = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        rows = connection.execute(select(LogLine.id).execution_options(yield_per=1))
        cursor = rows.cursor
        assert cursor
        while ours in postgresql.back_ends(url):
            postgresql.end_connections([ours])
        rows.close()
        cursor.close()  # the driver would warn of it
        connection.invalidate()
    [record] = caplog.records
    assert record.getMessage().startswith("Error closing cursor (")
    assert record.exc_info is None
