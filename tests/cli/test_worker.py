"""`pbmd worker`: where it can work, and how several of them are kept at it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import pbmd.daemon
from pbmd.daemon.bell import Bell
from tests.cli.conftest import Home
from tests.postgresql import PostgreSQL

SECONDS = 120


@pytest.fixture
def shared(home: Home, postgresql: PostgreSQL) -> Iterator[Home]:
    """A home whose ledger is on PostgreSQL."""
    home.database = postgresql.new_ledger()
    home.write_settings()
    bell = Bell(home.database)  # as whoever leads does
    bell.has_workers()
    bell.close()
    yield home
    postgresql.drop(home.database)


def wait_until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.1)


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_it_has_nothing_to_do_at_a_ledger_in_a_file(home: Home) -> None:
    assert "workers need a ledger on PostgreSQL" in home.problem("worker")


def test_what_it_needs_besides_is_named(shared: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pbmd.daemon, "worker", raising=False)  # other tests may have loaded it
    monkeypatch.delitem(sys.modules, "pbmd.daemon.worker", raising=False)
    monkeypatch.delitem(sys.modules, "pbmd.daemon.bell", raising=False)
    monkeypatch.setitem(sys.modules, "procrastinate", None)
    told = shared.problem("worker", code=1)
    assert "pip install 'pbmd[postgres]'" in told
    assert "procrastinate" in told


def test_one_that_ends_is_begun_anew_and_all_end_together(shared: Home) -> None:
    command = [sys.executable, "-m", "pbmd", "worker", "--processes", "2", "--settings", str(shared.settings)]
    workers = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: shared.json("status")["shared"]["workers"] == 2)
        before = children_of(workers.pid)
        os.kill(before[0], signal.SIGKILL)
        wait_until(lambda: len(set(children_of(workers.pid)) - set(before)) == 1)
        others = children_of(workers.pid)
        workers.terminate()
        assert workers.wait(SECONDS) == 0
        wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in others))
    finally:
        workers.kill()
        workers.wait()
