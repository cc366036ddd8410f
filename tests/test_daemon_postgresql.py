"""The daemon with a ledger in PostgreSQL that is started anew, or takes no writers for a while, while it is at work."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.engine import make_url
from sqlmodel import col

from pbmd.daemon import outbox, roles
from pbmd.demo.office import LocalOffice
from pbmd.desk.books.desk import utc_now
from pbmd.ledger.tables import Letter, Outbox
from tests.desk.world import World
from tests.postgresql import PostgreSQL
from tests.test_daemon import letter, queue, rows, running, sent, use, wait_until, words

pytestmark = pytest.mark.postgresql

LETTERS = 12


@pytest.fixture
def office() -> Iterator[LocalOffice]:
    with LocalOffice("pbmd.test", ["games", "anna"]) as office:
        yield office


@pytest.fixture
def world(tmp_path: Path, office: LocalOffice, postgresql: PostgreSQL) -> Iterator[World]:
    address = postgresql.new_ledger()
    with closing(World(tmp_path, database=address)) as world:
        world.desk = replace(world.desk, now=utc_now)
        use(world, imap={"port": office.imap_port}, smtp={"port": office.smtp_port})
        yield world
    postgresql.drop(address)


def all_dealt_with(world: World) -> bool:
    return len(rows(world, Letter, col(Letter.state) == "done")) == LETTERS


def test_a_server_that_is_started_anew_loses_and_doubles_nothing(
    world: World, office: LocalOffice, postgresql: PostgreSQL
) -> None:
    with running(world):
        wait_until(lambda: "running" in words(world))
        for number in range(LETTERS):
            office.deliver("games@pbmd.test", letter(number))
            if number % 4 == 3:
                queue(world, f"notice {number}")
                postgresql.restart()
        wait_until(lambda: all_dealt_with(world))
        wait_until(lambda: sent(world) == len(rows(world, Outbox)) >= LETTERS // 4)
    assert len({row.raw for row in rows(world, Letter)}) == len(rows(world, Letter)) == LETTERS
    assert words(world)[-1] == "stopped"
    assert "quarantine" not in words(world)


def test_one_that_takes_no_writers_is_waited_for(
    world: World, office: LocalOffice, postgresql: PostgreSQL, caplog: pytest.LogCaptureFixture
) -> None:
    """As after a fail-over to a server that is not ready yet."""
    with running(world):
        wait_until(lambda: "running" in words(world))
        writable(postgresql, world, "off")
        office.deliver("games@pbmd.test", letter(1))
        wait_until(lambda: "letters cannot be stored just now" in caplog.text)
        assert "read-only transaction" in caplog.text
        assert "a defect of pbmd" not in caplog.text
        writable(postgresql, world, "on")
        wait_until(lambda: rows(world, Letter, col(Letter.state) == "done"))


def writable(server: PostgreSQL, world: World, whether: str) -> None:
    """Have the ledger take writers, or none, from the next connection on; there are none any more after this."""
    name = make_url(world.database).database or ""
    read_only = {"on": "off", "off": "on"}[whether]
    with psycopg.connect(f"host={server.folder} user={server.user} dbname=postgres", autocommit=True) as connection:
        setting = sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = {}")
        connection.execute(setting.format(sql.Identifier(name), sql.Literal(read_only)))
        connection.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", [name])


def test_who_has_lost_the_part_of_sending_ends_the_round_at_hand(
    world: World, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Event(), threading.Event()

    def send_due(_desk: object, _connect: object, stopping: Callable[[], bool], *_: object, **_more: object) -> None:
        begun.set()
        wait_until(stopping)
        ended.set()

    monkeypatch.setattr(outbox, "send_due", send_due)
    monkeypatch.setattr(roles, "HELD_SECONDS", 0.1)
    with running(world):
        wait_until(begun.is_set)
        wait_until(lambda: (postgresql.end_connections(postgresql.back_ends(world.database)), ended.wait(0.3))[-1])
