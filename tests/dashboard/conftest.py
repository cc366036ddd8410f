"""Fixtures of the dashboard's tests."""

import fcntl
import os
from dataclasses import replace
from pathlib import Path

import pytest

from pbmd.dashboard.site import update
from tests.dashboard import sample
from tests.desk.conftest import running, world

__all__ = ["pages", "played", "running", "world"]
AUDIENCES = ("public", "gm")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each audience with the pages of games of every ruleset, some turns on. They are played once, whichever
    worker needs them first, because that takes long."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "played"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            with sample.desk(folder, "gm") as world:
                sample.start(world)
                sample.play(world, 4)
                for audience in AUDIENCES:
                    update(replace(sample.source_of(world), audience=audience, folder=folder / audience))
            (folder / "done").touch()
    return folder


@pytest.fixture(params=AUDIENCES)
def pages(request: pytest.FixtureRequest, played: Path) -> Path:
    """The pages for each audience."""
    return played / request.param
