"""Fixtures of the dashboard's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbmd.dashboard.site import update
from tests.dashboard import sample


@pytest.fixture(scope="session", params=["public", "gm"])
def pages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder with the pages of games of every ruleset, some turns on, for each audience."""
    with sample.desk(tmp_path_factory.mktemp(request.param), request.param) as world:
        sample.start(world)
        sample.play(world, 5)
        source = sample.source_of(world)
        update(source)
        yield source.folder
