"""`pbmd drain`: a host is set aside while another goes on, finishes what it has, and comes back."""

import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from pbmd.daemon.set_aside import set_aside
from pbmd.desk.books.server_key import KEY
from tests.cli.conftest import Home
from tests.postgresql import PostgreSQL

SECONDS = 120


@pytest.fixture
def homes(tmp_path: Path, postgresql: PostgreSQL) -> Iterator[tuple[Home, Home]]:
    """Two hosts at one ledger, with one key."""
    address = postgresql.new_ledger()
    folders = [tmp_path / name for name in ("alpha", "beta")]
    for folder in folders:
        folder.mkdir()
    alpha, beta = (Home(folder, address) for folder in folders)
    for home in (alpha, beta):
        home.write_settings()
    alpha.start_game()
    (beta.folder / "data").mkdir(mode=0o700)
    shutil.copy2(alpha.folder / "data" / KEY, beta.folder / "data" / KEY)
    yield alpha, beta
    postgresql.drop(address)


def wait_until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.05)


@contextmanager
def at_work(home: Home, *command: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of pbmd there, which writes what it tells into the file `told`."""
    words = [sys.executable, "-m", "pbmd", *command, "--verbose", "--settings", str(home.settings)]
    with (home.folder / "told").open("ab") as told, subprocess.Popen(words, stderr=told, cwd=home.folder) as process:
        try:
            yield process
        finally:
            process.kill()


def told(home: Home, words: str) -> int:
    """How often it was told there."""
    return len(re.findall(words, (home.folder / "told").read_text()))


LEADS, RESTS, BACK = "has the part of looking after the games", "this host is set aside", "this host works again"


def test_another_host_goes_on_and_the_first_can_be_switched_off(homes: tuple[Home, Home]) -> None:
    alpha, beta = homes
    with ExitStack() as stack:
        daemon = stack.enter_context(at_work(alpha, "run"))
        wait_until(lambda: told(alpha, LEADS) == 1)
        stack.enter_context(at_work(beta, "run"))
        wait_until(lambda: bool(alpha.json("status")["hosts"]))
        assert "This host can be switched off." in alpha.good("drain")
        wait_until(lambda: told(beta, LEADS) == 1)
        assert (told(alpha, RESTS), daemon.poll()) == (1, None)
        assert "set aside" in alpha.run("tick").stderr

        assert "This host works again." in alpha.good("drain", "--undo")
        wait_until(lambda: told(alpha, BACK) == 1)
        alpha.json("drain")
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(SECONDS) == 0
    happened = [line.split()[4] for line in alpha.good("log").splitlines() if "host-" in line]
    assert len(happened) == 3


def test_a_worker_finishes_and_waits(homes: tuple[Home, Home]) -> None:
    alpha, _ = homes
    set_aside(alpha.folder / "data")
    with at_work(alpha, "worker") as worker:
        wait_until(lambda: told(alpha, RESTS) == 1)
        assert "can be switched off" in alpha.good("drain", "--force")
        alpha.good("drain", "--undo")
        wait_until(lambda: told(alpha, BACK) == 1)
        assert worker.poll() is None
        wait_until(lambda: alpha.run("drain", "--force", "--wait", "0").exit_code == 1 or told(alpha, RESTS) > 1)
        wait_until(lambda: told(alpha, RESTS) == 2)
        assert alpha.json("drain", "--force")["still_at_work"] == []
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(SECONDS) == 0


def test_where_nobody_would_go_on_it_is_refused(homes: tuple[Home, Home]) -> None:
    alpha, _ = homes
    assert "no other host is at work" in alpha.problem("drain")
    assert "this host is not set aside" in alpha.problem("drain", "--undo")


def test_nor_is_the_only_host_of_a_file_set_aside(home: Home) -> None:
    assert "the ledger is in a file" in home.problem("drain")
