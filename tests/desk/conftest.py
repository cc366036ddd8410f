"""Fixtures of the desk's tests."""

from zlib import crc32

import pytest

from tests.desk import world as worlds
from tests.desk.world import World
from tests.doses import dose
from tests.postgresql import EVERYWHERE

ON_BOTH = frozenset(
    {"test_alarms", "test_causes", "test_clerk", "test_games", "test_idle", "test_ingest", "test_reception", "test_scale"}
    | {"test_senders", "test_clocks_of_hosts"}
)
"""The files of whose tests some have ledgers on both databases in any case: together they meet most kinds of statements."""
_EACH = dose(3, 1)
"""Of these tests each third is on both, and all in a large dose; `make test-postgresql` has all tests of the desk there."""


def pytest_generate_tests(metafunc):
    if "ledger" in metafunc.fixturenames and not EVERYWHERE and metafunc.module.__name__.rpartition(".")[2] in ON_BOTH:
        on_postgresql = pytest.param(True, id="postgresql", marks=pytest.mark.postgresql)
        is_on_both = crc32(metafunc.function.__qualname__.encode()) % _EACH == 0
        databases = [pytest.param(False, id="sqlite"), *([on_postgresql] if is_on_both else [])]
        metafunc.parametrize("ledger", databases, indirect=True)


@pytest.fixture(autouse=True, scope="session")
def _everywhere(request):
    """All worlds have their ledgers on PostgreSQL, if that is wanted."""
    if EVERYWHERE:
        worlds.SERVERS.append(request.getfixturevalue("postgresql"))


@pytest.fixture
def ledger(request):
    """The address of an empty ledger on PostgreSQL; empty where the test is to have one where all have theirs."""
    if not getattr(request, "param", False):
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
