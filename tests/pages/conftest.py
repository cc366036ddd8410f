"""Fixtures of the dashboard's tests."""

import fcntl
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbmd.pages.site import put_notice, update
from tests.desk.conftest import ledger, running, world
from tests.desk.world import World
from tests.pages import sample
from tests.pages.seats import served, site_of, with_pages

__all__ = ["ledger", "paged", "pages", "played", "port", "running", "world"]
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
                sample.play(world, 4, seed=2)
                for audience in AUDIENCES:
                    source = replace(sample.source_of(world), audience=audience, folder=folder / audience)
                    update(source)
                    sample.put_results_page(source)
                    # What takes the place of the overview when the ledger is damaged.
                    command = "pbmd restore /var/lib/pbmd/backups/ledger-20261121T184415Z.sqlite"
                    stopped = replace(source, folder=source.folder / "stopped")
                    put_notice(
                        stopped, "SQLite says: database disk image is malformed", "To go back to the last backup:", command
                    )
                sample.put_sharing_page(world, folder / "gm" / "sharing")
                sample.put_reports(world, folder / "reports")
                sample.put_handbooks(folder / "handbooks")
            (folder / "done").touch()
    return folder


@pytest.fixture(params=AUDIENCES)
def pages(request: pytest.FixtureRequest, played: Path) -> Path:
    """The pages for each audience."""
    return played / request.param


@pytest.fixture
def paged(world: World) -> World:
    """A game whose players have pages."""
    with_pages(world).start()
    return world


@pytest.fixture
def port(paged: World) -> Iterator[int]:
    """Where its pages are served."""
    with served(site_of(paged)) as at:
        yield at
