"""Fixtures that every part of the tests may use."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from pbmd.ledger import database
from tests import headers, new_ledgers, prepared_processes, statements
from tests.desk import world
from tests.mailservers import Dovecot, Postfix, running_dovecot, running_postfix
from tests.postgresql import PostgreSQL, running_postgresql

pytest_plugins = ("tests.collected_in_parts", "tests.times", "tests.doses", "tests.pictures")
database.SYNCHRONOUS = "OFF"  # a machine that loses its power while tests run loses nothing else
statements.share()
headers.share()
new_ledgers.share()
prepared_processes.share()
# No test goes by how fast the machine is.
settings.register_profile("pbmd", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pbmd")
# Folders of tests are in memory where there is room: a test makes many small files, and they are gone when it has passed.
_MEMORY, _ROOM = Path("/dev/shm"), 2_000_000_000
if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
# Where a settings file says nothing else, turns of tests go on as soon as all orders are in.
os.environ.setdefault("PBMD_GAME__SECOND_THOUGHT", "0m")
os.environ["AIOSMTPD_CONTROLLER_TIMEOUT"] = "120"  # so long a server of aiosmtpd may take to start


gc.disable()


def pytest_collection_finish() -> None:
    """Fourteen thousand tests, and all that they import, are not looked through for garbage again and again, nor is what one of
    them makes."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    world.PATCHED = "monkeypatch" in getattr(item, "fixturenames", ())


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    """A private Dovecot for this run (one for each worker); take `dovecot.new_user()` for a mailbox of the test's own."""
    with running_dovecot() as server:
        yield server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A private PostgreSQL for this run (one for each worker); take `postgresql.new_ledger()` for a ledger of a test's own."""
    with running_postgresql() as server:
        yield server


@pytest.fixture(scope="session")
def postfix(dovecot: Dovecot) -> Iterator[Postfix]:
    """A private Postfix in front of that Dovecot; needs root."""
    with running_postfix(dovecot) as server:
        yield server
