"""Fixtures of the desk's tests."""

import os

import pytest

from tests.desk.world import World

EVERYWHERE = "PBMD_POSTGRESQL" in os.environ
"""Whether all tests of the desk are to have their ledgers on PostgreSQL."""
ON_BOTH = frozenset(
    {"test_clerk", "test_ingest", "test_advance", "test_moves_due", "test_orders", "test_sender", "test_rollback"}
    | {"test_senders", "test_clocks_of_hosts"}
)
"""The files whose tests have them on both databases in any case."""


def pytest_generate_tests(metafunc):
    if "ledger" in metafunc.fixturenames and not EVERYWHERE and metafunc.module.__name__.rpartition(".")[2] in ON_BOTH:
        metafunc.parametrize("ledger", [False, True], ids=["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def ledger(request):
    """The address of an empty ledger on PostgreSQL; empty where the test is to have one on SQLite."""
    if not getattr(request, "param", EVERYWHERE):
        yield ""
        return
    server = request.getfixturevalue("postgresql")
    address = server.new_ledger()
    yield address
    server.drop(address)


@pytest.fixture
def world(tmp_path, ledger):
    """An empty desk; `world.start()` puts a game on it."""
    world = World(tmp_path, database=ledger)
    yield world
    world.close()


@pytest.fixture
def running(world):
    """A desk with a running game of Count, "galaxy-7", with the seats Altair, Borealis and Cygnus."""
    world.count()
    return world
