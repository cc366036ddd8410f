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
from pbmd.cli.common import DAMAGED
from pbmd.daemon import worker
from pbmd.daemon.bell import Bell
from pbmd.desk.upkeep.damaged import NOTE
from pbmd.ledger.damage import DamagedLedger
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
    monkeypatch.delattr("pbmd.daemon.worker", raising=False)  # where another test has imported it
    monkeypatch.setitem(sys.modules, "procrastinate", None)
    told = shared.problem("worker", code=1)
    assert "pip install 'pbmd-games[postgres]'" in told
    assert "procrastinate" in told


def test_it_ends_with_the_code_for_damage_and_tells_of_it(shared: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def come_upon_it(_desk: object) -> None:
        raise DamagedLedger("PostgreSQL says: it was so")

    monkeypatch.setattr(worker, "work", come_upon_it)
    done = shared.run("worker")
    assert done.exit_code == DAMAGED
    assert "the ledger is damaged: PostgreSQL says: it was so" in done.stderr
    assert "it was so" in (shared.folder / "data" / NOTE).read_text()


@pytest.mark.parametrize("code", [2, 3, 4])
def test_what_another_would_end_with_too_ends_them_all(tmp_path: Path, code: int, caplog: pytest.LogCaptureFixture) -> None:
    """The first that comes ends with that code, all others wait."""
    first = (
        "import os, sys, time\ntry: os.mkdir(sys.argv[1])\nexcept FileExistsError: time.sleep(120)\nsys.exit(int(sys.argv[2]))"
    )
    began = time.monotonic()
    command = [sys.executable, "-c", first, str(tmp_path / "one"), str(code)]
    assert worker.keep_working(command, 3, final=(2, 3, 4)) == code
    assert time.monotonic() - began < SECONDS / 2, "the others are asked to end"
    assert "another takes its place" not in caplog.text


def test_who_is_asked_to_end_while_it_begins_another_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def ask_meanwhile(command: list[str]) -> "subprocess.Popen[bytes]":
        begun.append(start(command))
        os.kill(os.getpid(), signal.SIGTERM)
        return begun[-1]

    monkeypatch.setattr(subprocess, "Popen", ask_meanwhile)
    before = signal.getsignal(signal.SIGTERM)
    assert worker.keep_working(["sleep", str(SECONDS)], 2) == 0
    assert [child.poll() for child in begun] == [-signal.SIGTERM] * 2
    assert signal.getsignal(signal.SIGTERM) is before


def test_workers_with_a_ledger_that_is_damaged_end_together_and_say_so(shared: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def keep_working(_command: object, _processes: int, final: tuple[int, ...]) -> int:
        assert set(final) == {2, 3, 4}
        return DAMAGED

    monkeypatch.setattr(worker, "keep_working", keep_working)
    assert shared.run("worker", "--processes", "2").exit_code == DAMAGED


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
