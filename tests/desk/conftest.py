"""Fixtures of the desk's tests."""

import pytest

from tests.desk.world import World


@pytest.fixture
def world(tmp_path):
    """An empty desk; `world.start()` puts a game on it."""
    world = World(tmp_path)
    yield world
    world.close()


@pytest.fixture
def running(world):
    """A desk with a running game of Count, "galaxy-7", with the seats Altair, Borealis and Cygnus."""
    world.count()
    return world
