"""Fixtures of the tests with several at one ledger."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from secrets import token_bytes

import pytest

from tests.desk.world import World
from tests.postgresql import PostgreSQL


@pytest.fixture
def ledger(postgresql: PostgreSQL) -> Iterator[str]:
    """The address of an empty ledger on PostgreSQL."""
    address = postgresql.new_ledger()
    yield address
    postgresql.drop(address)


@pytest.fixture
def new_desk(ledger: str, tmp_path: Path) -> Iterator[Callable[[], World]]:
    """Gives one more desk at the same ledger at each call, with a folder of its own."""
    numbers, worlds = count(1), list[World]()

    def new() -> World:
        folder = tmp_path / f"desk-{next(numbers)}"
        folder.mkdir()
        world = World(folder, database=ledger)
        # What one draws by chance the other does not.
        world.desk = replace(world.desk, entropy=token_bytes)
        worlds.append(world)
        return world

    yield new
    for world in worlds:
        world.close()
