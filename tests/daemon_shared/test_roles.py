"""Who has a part of what only one may do at a time, and who has it when they are gone: ended, killed, stopped, or cut off."""

import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from pbmd.daemon import roles
from pbmd.daemon.parts import Parts
from pbmd.daemon.roles import Role
from pbmd.ledger.database import sqlite_url
from tests.postgresql import PostgreSQL, running_postgresql

PATIENCE_SECONDS = 120.0
Note = Callable[[str, object], None]
_HOLDER = """
import sys, time
from pbmd.daemon import roles
roles.LASTS_SECONDS, roles.HELD_SECONDS, roles.FREE_SECONDS = int(sys.argv[2]), 0.2, 0.2
role = roles.Role(sys.argv[1], "sending mail")
told = None
while True:
    if (ours := role.is_ours()) is not told:
        print("ours" if ours else "not ours", flush=True)
        told = ours
    time.sleep(0.05)
"""


@dataclass
class Holder:
    """A process that wants the part of sending mail, and tells when it has it or has lost it."""

    process: "subprocess.Popen[str]"

    def says(self, words: str) -> None:
        """Wait until it has said so."""
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE_SECONDS)
        assert ready, f"waited too long for: {words}"
        assert self.process.stdout.readline().strip() == words


@contextmanager
def holder(url: str, *, lasts: int = 60, within: tuple[str, ...] = ()) -> Generator[Holder]:
    command = [*within, sys.executable, "-c", _HOLDER, url, str(lasts)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Holder(process)
        finally:
            process.kill()


def wait_for(role: Role, record_property: Note) -> None:
    """Ask for a role until it is there; the seconds that it took are in the report of the tests."""
    began = time.monotonic()
    while not role.is_ours():
        assert time.monotonic() - began < PATIENCE_SECONDS, "nobody gave it back"
        time.sleep(0.02)
    record_property("seconds", round(time.monotonic() - began, 2))


@pytest.fixture
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roles, "HELD_SECONDS", 0.1)
    monkeypatch.setattr(roles, "FREE_SECONDS", 0.1)


@pytest.fixture
def waiting(ledger: str, in_haste: None) -> Iterator[Role]:
    """Who waits for the part of sending mail."""
    role = Role(ledger, "sending mail")
    yield role
    role.give_back()


def test_with_a_ledger_of_its_own_a_pbmd_has_all_parts(tmp_path: Path) -> None:
    role = Role(sqlite_url(tmp_path / "ledger.sqlite"), "sending mail")
    assert role.is_ours()
    role.give_back()
    assert role.is_ours()


def test_of_two_one_has_a_part_until_it_gives_it_back(ledger: str, waiting: Role, record_property: Note) -> None:
    first, other = Role(ledger, "sending mail"), Role(ledger, "writing the pages")
    assert first.is_ours()
    assert not waiting.is_ours()
    assert other.is_ours(), "another part is another matter"
    first.give_back()
    wait_for(waiting, record_property)
    assert not first.is_ours()
    other.give_back()


def test_who_is_killed_has_no_part(ledger: str, waiting: Role, record_property: Note) -> None:
    with holder(ledger) as gone:
        gone.says("ours")
        assert not waiting.is_ours()
        gone.process.send_signal(signal.SIGKILL)
        wait_for(waiting, record_property)


def test_who_loses_the_connection_knows_it_and_another_has_the_part(
    postgresql: PostgreSQL, ledger: str, waiting: Role, record_property: Note
) -> None:
    with holder(ledger) as first:
        first.says("ours")
        postgresql.end_connections(postgresql.back_ends(ledger))
        first.says("not ours")
        wait_for(waiting, record_property)
        waiting.give_back()
        first.says("ours")


def test_who_stands_still_loses_the_part_and_knows_it_when_they_go_on(
    ledger: str, waiting: Role, record_property: Note
) -> None:
    with holder(ledger, lasts=2) as first:
        first.says("ours")
        first.process.send_signal(signal.SIGSTOP)
        wait_for(waiting, record_property)
        first.process.send_signal(signal.SIGCONT)
        first.says("not ours")
        assert waiting.is_ours()


def test_the_mailbox_is_looked_after_again_when_its_part_is_lost(
    postgresql: PostgreSQL, ledger: str, in_haste: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbmd.daemon.parts.FREE_SECONDS", 0.05)
    parts, stopping, lost = Parts(ledger, "INBOX"), threading.Event(), threading.Event()
    assert parts.mailbox.is_ours()
    keeper = threading.Thread(target=parts.keep, args=(stopping, lost.set))
    keeper.start()
    try:
        postgresql.end_connections(postgresql.back_ends(ledger))
        assert lost.wait(PATIENCE_SECONDS)
    finally:
        stopping.set()
        keeper.join()
        parts.give_back()


@contextmanager
def another_host(name: str) -> Generator[tuple[str, str]]:
    """A network namespace with a cable to here; gives our address and that end of the cable that can be pulled."""
    if os.getuid() != 0 or shutil.which("ip") is None:
        pytest.skip("there are no network namespaces for who is not root, or without ip (Debian: iproute2)")
    here, there = f"{name}a", f"{name}b"
    net = f"10.{os.getpid() % 200 + 20}.{os.getpid() // 200 % 250}"
    with ExitStack() as stack:
        if subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True).returncode:
            pytest.skip("there are no network namespaces here")
        stack.callback(_ip, "netns", "delete", name)
        _ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
        _ip("address", "add", f"{net}.1/24", "dev", here)
        _ip("link", "set", here, "up")
        _ip("-n", name, "address", "add", f"{net}.2/24", "dev", there)
        _ip("-n", name, "link", "set", there, "up")
        yield f"{net}.1", here


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def test_a_host_that_is_cut_off_loses_its_parts_and_knows_it(in_haste: None, record_property: Note) -> None:
    with ExitStack() as stack:
        address, cable = stack.enter_context(another_host(f"pbmd{os.getpid()}"))
        server = stack.enter_context(running_postgresql(address=address))
        ledger = server.new_ledger()
        from_afar = make_url(ledger).update_query_dict({"host": address}).render_as_string()
        waiting = Role(ledger, "sending mail")
        stack.callback(waiting.give_back)
        far = stack.enter_context(holder(from_afar, lasts=3, within=("ip", "netns", "exec", f"pbmd{os.getpid()}")))
        far.says("ours")
        assert not waiting.is_ours()
        _ip("link", "set", cable, "down")
        wait_for(waiting, record_property)
        far.says("not ours")
        _ip("link", "set", cable, "up")
        waiting.give_back()
        far.says("ours")
