"""Fixtures of the tests that hold archives against what they should be."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.desk.world import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk with no game yet, in a folder beside which there is room for archives."""
    (tmp_path / "home").mkdir()
    with closing(World(tmp_path / "home")) as world:
        yield world
