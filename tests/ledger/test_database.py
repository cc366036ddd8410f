"""The ledger's database: its schema is what the tables say, its commits are on disk, its times are UTC."""

import sys
import threading
import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta, timezone

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError, OperationalError, StatementError
from sqlmodel import Session, SQLModel, select

from pbmd.ledger import database
from pbmd.ledger.database import Turns, close_idle, migrate, open_engine, padded, reading, sqlite_url
from pbmd.ledger.tables import Letter, LogLine, PackedBytes, Seat
from tests.ledger.migrations import be_newer

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def url(tmp_path):
    url = sqlite_url(tmp_path / "ledger.sqlite")
    migrate(url)
    return url


@pytest.fixture
def engine(url):
    engine = open_engine(url)
    yield engine
    engine.dispose()


def pragma(engine, name):
    with engine.connect() as connection:
        return connection.execute(text(f"PRAGMA {name}")).scalar()


def test_migrating_an_empty_database_gives_exactly_the_tables(engine):
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, SQLModel.metadata) == []


@pytest.mark.parametrize("index", ["ix_game_due", "ix_letter_new", "ix_outbox_unsent"])
def test_what_is_due_is_found_by_an_index_over_what_is_open_only(engine, index):
    with engine.connect() as connection:
        made = connection.execute(text("SELECT sql FROM sqlite_master WHERE name = :name"), {"name": index}).scalar()
    assert " WHERE " in made


def test_migrating_again_changes_nothing(url, engine):
    with Session(engine) as session:
        session.add(LogLine(at=NOON, what="started"))
        session.commit()
    migrate(url)
    with Session(engine) as session:
        assert [line.what for line in session.exec(select(LogLine))] == ["started"]


def test_a_path_with_a_percent_sign_is_no_trouble(tmp_path):
    migrate(sqlite_url(tmp_path / "100%.sqlite"))
    assert (tmp_path / "100%.sqlite").exists()


def test_a_commit_is_on_disk_before_it_counts(engine, monkeypatch):
    monkeypatch.setattr(database, "SYNCHRONOUS", "FULL")
    engine.dispose()
    assert pragma(engine, "journal_mode") == "wal"
    assert pragma(engine, "synchronous") == 2, "FULL"


def test_the_connection_that_was_used_last_is_taken_again(engine):
    if engine.dialect.name != "sqlite":
        pytest.skip("a server keeps its pages once for all")
    several = [engine.connect() for _ in range(3)]
    for each in several:
        each.close()
    taken: set[int] = set()
    for _ in range(6):
        with engine.connect() as connection:
            taken.add(id(connection.connection.driver_connection))
    assert len(taken) == 1, "each keeps pages of the file in memory"


def test_a_row_cannot_point_to_one_that_is_not_there(engine):
    assert pragma(engine, "foreign_keys") == 1
    with Session(engine) as session:
        session.add(Seat(game_id=99, number=1, name="Altair", address="a@players.test"))
        with pytest.raises(IntegrityError):
            session.commit()


def test_a_naive_time_is_refused(engine):
    with Session(engine) as session:
        session.add(LogLine(at=datetime(2026, 11, 20, 12, 0), what="started"))  # noqa: DTZ001
        with pytest.raises(StatementError, match="naive"):
            session.commit()


def test_times_come_back_as_the_same_instant_in_utc(engine):
    tokyo = NOON.astimezone(timezone(timedelta(hours=9))) + timedelta(microseconds=7)
    with Session(engine) as session:
        session.add(LogLine(at=tokyo, what="started"))
        session.commit()
    with Session(engine) as session:
        kept = session.exec(select(LogLine.at)).one()
    assert kept == tokyo
    assert kept.utcoffset() == timedelta(0)


def test_times_sort_and_compare_as_instants(engine):
    with Session(engine) as session:
        session.add(LogLine(at=NOON.astimezone(timezone(timedelta(hours=-5))), what="second"))
        session.add(LogLine(at=NOON - timedelta(hours=1), what="first"))
        session.commit()
    with Session(engine) as session:
        assert session.exec(select(LogLine.what).order_by(LogLine.at)).all() == ["first", "second"]
        assert session.exec(select(LogLine.what).where(LogLine.at < NOON)).all() == ["first"]


def test_readers_and_a_writer_do_not_wait_for_each_other(engine):
    with Session(engine) as writer:
        writer.add(LogLine(at=NOON, what="half done"))
        writer.flush()
        with Session(reading(engine)) as reader:
            assert reader.exec(select(LogLine)).all() == []
        writer.commit()
    with Session(reading(engine)) as reader:
        assert len(reader.exec(select(LogLine)).all()) == 1


def test_a_second_writer_cannot_decide_on_what_the_first_is_changing(url, engine, monkeypatch):
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    other = open_engine(url)
    with Session(engine) as first, Session(other) as second:
        first.exec(select(LogLine)).all()
        with pytest.raises(OperationalError, match="locked"):
            second.exec(select(LogLine)).all()
    other.dispose()


def _write(engine, what):
    with Session(engine) as session:
        session.add(LogLine(at=NOON, what=what))
        session.commit()


def _wait_until(done):
    ends = time.monotonic() + 60
    while not done():
        assert time.monotonic() < ends
        time.sleep(0.001)


def test_who_writes_again_at_once_comes_after_those_who_waited(url):
    turns, most = Turns(), 5
    engine = open_engine(url, turns)
    waiting = [threading.Thread(target=_write, args=(engine, f"note {number}")) for number in range(most)]
    with Session(engine) as session:
        session.exec(select(LogLine)).all()  # from now on it is this thread's turn
        for count, thread in enumerate(waiting, 1):
            thread.start()
            _wait_until(lambda count=count: turns.waiting == count)
        session.add(LogLine(at=NOON, what="first"))
        session.commit()
    _write(engine, "again")
    for thread in waiting:
        thread.join()
    with Session(reading(engine)) as reader:
        written = reader.exec(select(LogLine.what).order_by(LogLine.id)).all()
    assert written == ["first", *(f"note {number}" for number in range(most)), "again"]
    engine.dispose()


def test_who_waited_in_vain_for_a_turn_leaves_it_to_the_next():
    turns = Turns()
    assert turns.take(60)
    assert not turns.take(0.01)
    assert turns.waiting == 0
    turns.give()
    assert turns.take(60)


def test_a_transaction_that_cannot_begin_holds_up_nobody(url, engine, monkeypatch):
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    impatient = open_engine(url)
    with Session(engine) as first:
        first.exec(select(LogLine)).all()
        with pytest.raises(OperationalError, match="locked"):
            _write(impatient, "too early")
    _write(impatient, "in time")
    impatient.dispose()


class _Killed(BaseException):
    """What nothing catches."""


def test_a_transaction_that_is_broken_off_holds_up_nobody(url, engine, monkeypatch):
    """As by Ctrl-C in the middle of a statement, after which SQLAlchemy gives up the connection."""
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    turns = Turns()
    broken = open_engine(url, turns)

    def break_off(*_: object) -> None:
        raise _Killed

    first = Session(broken)
    first.exec(select(LogLine)).all()
    event.listen(broken, "before_cursor_execute", break_off)
    with pytest.raises(_Killed), first:
        first.exec(select(LogLine)).all()
    event.remove(broken, "before_cursor_execute", break_off)
    assert turns.take(0)
    turns.give()
    _write(broken, "in time")
    broken.dispose()


def test_a_row_that_cannot_be_written_is_not_quoted_in_the_error(engine):
    with Session(engine) as session:
        session.add(Seat(game_id=99, number=1, name="Altair", address="anna@players.test"))
        with pytest.raises(IntegrityError) as caught:
            session.commit()
    assert "Altair" not in str(caught.value)
    assert "anna@players.test" not in str(caught.value)


def test_a_ledger_from_before_keeps_its_rows_and_gets_the_new_columns(url, tmp_path, monkeypatch):
    before = open_engine(url)
    with Session(before) as session:
        session.add(Letter(fingerprint="f", uid=1, arrived_at=NOON, size=3, raw=b"abc"))
        session.commit()
    before.dispose()
    be_newer(monkeypatch, tmp_path)
    migrate(url)
    engine = open_engine(url)
    with engine.connect() as connection:
        kept = text("SELECT fingerprint, raw, colour FROM letter").columns(raw=PackedBytes)
        assert connection.execute(kept).all() == [("f", b"abc", "blue")]
    engine.dispose()


def test_a_ledger_that_is_up_to_date_does_without_alembic_which_takes_long_to_load(url, monkeypatch):
    monkeypatch.setitem(sys.modules, "pbmd.ledger.upgrade", None)
    migrate(url)
    with pytest.raises(ImportError, match=r"pbmd\.ledger\.upgrade"):
        migrate(url.replace("ledger.sqlite", "another.sqlite"))


def test_whoever_closes_idle_connections_is_not_troubled_by_a_file_that_is_away(engine, tmp_path):
    file = tmp_path / "ledger.sqlite"
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(reading(engine).connect())
    close_idle(engine)
    file.rename(tmp_path / "elsewhere")
    close_idle(engine)
    with pytest.raises(OperationalError), reading(engine).connect() as connection:
        connection.execute(text("SELECT count(*) FROM letter"))
    (tmp_path / "elsewhere").rename(file)
    close_idle(engine)
    with reading(engine).connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM letter")).scalar_one() == 0


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], []), ([1], [1]), ([1, 2], [1, 2]), ([1, 2, 3], [1, 2, 3, 3]), ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 5, 5, 5])],
)
def test_a_list_is_filled_up_to_a_power_of_two_with_its_last_value(values, expected):
    assert padded(iter(values)) == expected
