"""PostgreSQL ends a connection in the middle of whatever is done, as when it is started anew.

Nothing is lost, and nothing is done twice: between any two statements, each in its turn.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from pbmd.desk.clock.advance import advance_games
from pbmd.desk.mailroom import process_letters
from pbmd.desk.sending.pace import Pace
from pbmd.desk.sending.parcels import LEASE
from pbmd.desk.sending.sender import send_due
from pbmd.ledger.database import open_engine, reading
from pbmd.ledger.tables import LetterState, OutboxState, StepRecord
from tests.desk.sending.test_sender import FakeSmtp
from tests.desk.world import World
from tests.postgresql import PostgreSQL

pytestmark = pytest.mark.postgresql

MOST = 60
"""Far more statements than any of it has."""


@pytest.fixture
def world(tmp_path: Path, postgresql: PostgreSQL) -> Iterator[World]:
    address = postgresql.new_ledger()
    world = World(tmp_path, database=address)
    world.count()
    yield world
    world.close()
    postgresql.drop(address)


@contextmanager
def connection_that_ends_before(world: World, statement: int) -> Iterator[list[str]]:
    """The connection is gone when that statement is to be carried out. Gives what was asked until then."""
    other, asked = open_engine(world.database), list[str]()

    def listen(connection: Any, _cursor: Any, text: str, *_: Any) -> None:
        asked.append(text)
        if len(asked) == statement:
            with reading(other).connect() as ending:
                ending.exec_driver_sql(
                    f"SELECT pg_terminate_backend({connection.connection.dbapi_connection.info.backend_pid}, 5000)"
                )

    event.listen(world.desk.engine, "before_cursor_execute", listen)
    try:
        yield asked
    finally:
        event.remove(world.desk.engine, "before_cursor_execute", listen)
        other.dispose()


def each_statement(
    world: World, prepare: Callable[[], object], do: Callable[[], object], done: Callable[[int], object]
) -> None:
    """Prepare, and do it with a connection that ends before the first statement; then again before the second, and so on until
    there is none left. It is done again after each, as the daemon does, and `done` looks at how it is then."""
    for number in range(1, MOST):
        prepare()
        with connection_that_ends_before(world, number) as asked:
            try:
                do()
            except OperationalError:
                assert len(asked) >= number
        is_over = len(asked) < number
        do()
        done(number)
        if is_over:
            assert number > 5, asked
            return
    raise AssertionError("it never came to its end")


@pytest.mark.filterwarnings("ignore:<psycopg.ServerCursor:ResourceWarning")  # it cannot be closed: its connection is gone
def test_letters_are_answered_once_each(world: World) -> None:
    sent: list[int] = []

    def arrive() -> None:
        sent.append(len(sent) + 1)
        world.arrive(world.letter("Altair", f"Add {len(sent)}"))

    def answered(number: int) -> None:
        assert {letter.state for letter in world.letters()} == {LetterState.DONE}
        assert len(world.submissions()) == number
        assert len(world.outbox("acknowledgement")) <= number
        assert world.log("quarantine") == []

    world.settle(limits={"answers_per_hour": 1000, "answers_per_day": 1000})
    each_statement(world, arrive, lambda: process_letters(world.desk), answered)
    assert len(world.outbox("acknowledgement")) == len(sent)


def test_turns_are_resolved_once_each(world: World) -> None:
    def over() -> None:
        for seat in ("Altair", "Borealis", "Cygnus"):
            world.send(seat, "Add 1")
        world.now = world.game().deadline
        world.now = world.now.replace(microsecond=0)
        world.read_mailbox()

    def resolved(number: int) -> None:
        assert len(world.rows(StepRecord)) == number
        assert len(world.outbox("report", "Altair")) == number + 1
        assert world.game().status == "running"

    world.settle(limits={"answers_per_hour": 1000, "answers_per_day": 1000})
    each_statement(world, over, lambda: advance_games(world.desk), resolved)


def test_no_mail_goes_out_twice_or_not_at_all(world: World) -> None:
    smtp, pace = FakeSmtp(), Pace(1000)

    def queued() -> None:
        world.now += 2 * LEASE
        world.send("Altair", f"Add {len(world.letters()) + 1}")

    def sent(_number: int) -> None:
        world.now += 2 * LEASE
        send_due(world.desk, smtp.connect, pace=pace)
        assert {mail.state for mail in world.outbox()} == {OutboxState.SENT}
        names = [re.findall(rb"Message-ID: (\S+)", raw)[0] for _, _, raw in smtp.taken]
        assert sorted(names) == sorted(mail.message_id.encode() for mail in world.outbox())

    world.settle(limits={"answers_per_hour": 1000, "answers_per_day": 1000})
    each_statement(world, queued, lambda: send_due(world.desk, smtp.connect, pace=pace), sent)
