"""The bell that wakes workers holds nothing that counts: whatever becomes of it or of a worker, all games are dealt with."""

import logging
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy.engine import make_url

from pbmd.daemon import bell
from pbmd.daemon import worker as worker_module
from pbmd.daemon.bell import Bell, libpq_address
from pbmd.daemon.dispatch import shared_pass
from pbmd.daemon.parts import Parts
from pbmd.desk.letter.lanes import assign_lanes
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.tables import LetterState
from tests.desk.world import NAMES, World
from tests.postgresql import PostgreSQL

PATIENCE_SECONDS = 120.0


class Worker:
    """A worker in a process of its own, which tells what it deals with, and waits `seconds` before it does."""

    def __init__(self, world: World, ledger: str, seconds: float = 0) -> None:
        self.waits = world.folder / "seconds"
        self.waits.write_text(f"{seconds}")
        given = (ledger, str(world.folder), world.now.isoformat(), str(self.waits))
        command = [sys.executable, "-m", "tests.daemon_shared.slow_worker", *given]
        self.errors = world.folder / "worker.err"
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)

    def says(self, words: str) -> None:
        """Wait until it has said so, whatever it says before."""
        assert self.process.stdout is not None
        ends = time.monotonic() + PATIENCE_SECONDS
        while select.select([self.process.stdout], [], [], max(0.0, ends - time.monotonic()))[0]:
            line = self.process.stdout.readline()
            assert line, f"it has ended: {self.errors.read_text()}"
            if line.strip() == words:
                return
        raise AssertionError(f"waited too long for: {words}")


@pytest.fixture
def world(new_desk: Callable[[], World]) -> World:
    """A desk that leads, with a game."""
    world = new_desk()
    world.count()
    return world


@pytest.fixture
def new_worker(new_desk: Callable[[], World], world: World, ledger: str) -> Iterator[Callable[..., Worker]]:
    """Begins a worker; all of them are ended at the end."""
    workers: list[Worker] = []

    def new(**more: Any) -> Worker:
        desk = new_desk()
        desk.now = world.now
        workers.append(Worker(desk, ledger, **more))
        return workers[-1]

    yield new
    for worker in workers:
        worker.process.kill()
        worker.process.communicate()


@contextmanager
def ringing(ledger: str) -> Generator[Bell]:
    with closing(Bell(ledger)) as ringing:
        yield ringing


def ask(ledger: str, statement: str) -> list[Any]:
    with psycopg.connect(libpq_address(ledger), autocommit=True) as connection:
        answer = connection.execute(statement.encode())
        return answer.fetchall() if answer.description else []


def put_in_letters(world: World) -> None:
    for seat in NAMES:
        world.arrive(world.letter(seat, "Add 2"))
    world.now += timedelta(seconds=1)
    world.read_mailbox()


def wait_until(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < ends, "waited too long"
        time.sleep(0.05)


def stop_in_no_transaction(worker: Worker, ledger: str) -> None:
    """Let the only worker stand still. Stopped within a transaction it would hold locks that others wait for, for as long as it
    stands: then it goes on, and is stopped again."""

    def stands_in_none() -> bool:
        worker.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, worker.process.pid, os.WSTOPPED)
        # What the server is still at for it comes to its end; a transaction that it has begun does not.
        for _ in range(20):
            if not ask(ledger, _AT_WORK):
                return True
            time.sleep(0.05)
        worker.process.send_signal(signal.SIGCONT)
        return False

    wait_until(stands_in_none)


_AT_WORK = (
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND backend_type = 'client backend' AND state <> 'idle'"
)


@pytest.fixture
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked often whether there are workers, and who is silent for a short while is gone."""
    monkeypatch.setattr(bell, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(bell, "STALLED_SECONDS", 2.0)
    monkeypatch.setattr(bell, "GONE_SECONDS", 2.0)


def game_of(world: World) -> int:
    found = world.game().id
    assert found is not None
    return found


@pytest.mark.usefixtures("in_haste")
def test_a_worker_that_is_killed_at_a_game_blocks_nothing(world: World, ledger: str, new_worker: Callable[..., Worker]) -> None:
    game = game_of(world)
    with ringing(ledger) as ring:
        assert not ring.has_workers()
        gone = new_worker(seconds=60)
        wait_until(ring.has_workers)
        ring.ring([game])
        gone.says(f"begins {game}")
        gone.process.send_signal(signal.SIGKILL)
        # Whoever rings next is heard at once, though nobody has noticed yet that a worker is gone.
        ring.ring([game])
        other = new_worker()
        other.says(f"done {game}")
        wait_until(lambda: ring.has_workers() and not ask(ledger, "SELECT 1 FROM bell.procrastinate_jobs"))


@pytest.mark.usefixtures("in_haste")
def test_what_a_worker_that_was_killed_had_begun_is_done_all_the_same(
    world: World, ledger: str, new_worker: Callable[..., Worker]
) -> None:
    game = game_of(world)
    put_in_letters(world)
    gone = new_worker(seconds=60)
    with ringing(ledger) as ring:
        wait_until(ring.has_workers)
        ring.ring([game])
        gone.says(f"begins {game}")
        gone.process.send_signal(signal.SIGKILL)
        shared_pass(world.desk, ring.ring, lambda: None)
    assert {letter.state for letter in world.letters()} == {LetterState.DONE}
    assert world.game().step == 1


@pytest.mark.usefixtures("in_haste")
def test_a_worker_does_what_it_is_woken_for_and_its_letters_are_answered(
    world: World, ledger: str, new_worker: Callable[..., Worker]
) -> None:
    put_in_letters(world)
    (game,) = assign_lanes(world.desk)
    worker = new_worker()
    with ringing(ledger) as ring:
        wait_until(ring.has_workers)
        ring.ring([game])
        worker.says(f"done {game}")
    assert {letter.state for letter in world.letters()} == {LetterState.DONE}
    assert len(world.outbox("acknowledgement")) == len(NAMES)


@pytest.mark.usefixtures("in_haste")
def test_a_worker_that_was_given_up_while_it_stood_still_works_again(
    world: World, ledger: str, new_worker: Callable[..., Worker]
) -> None:
    game = game_of(world)
    with ringing(ledger) as ring:
        slow = new_worker()
        wait_until(ring.has_workers)
        ring.ring([game])
        slow.says(f"done {game}")
        stop_in_no_transaction(slow, ledger)
        wait_until(lambda: not ring.has_workers())
        other = new_worker()  # it gives the other up when it begins
        wait_until(ring.has_workers)  # and nobody rings where the database did not answer just now
        ring.ring([game])
        other.says(f"done {game}")
        other.process.send_signal(signal.SIGKILL)
        wait_until(lambda: not ring.has_workers())
        slow.process.send_signal(signal.SIGCONT)
        wait_until(ring.has_workers)
        ring.ring([game])
        slow.says(f"done {game}")


@pytest.mark.usefixtures("in_haste")
def test_what_a_slow_worker_has_begun_is_not_taken_from_it(
    world: World, ledger: str, new_worker: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it deals with a game nothing is heard of it."""
    monkeypatch.setattr(bell, "GONE_SECONDS", 3_600.0)
    game = game_of(world)
    with ringing(ledger) as ring:
        slow = new_worker(seconds=5)
        wait_until(ring.has_workers)
        ring.ring([game])
        slow.says(f"begins {game}")
        wait_until(lambda: not ring.has_workers())
        assert ask(ledger, f"SELECT status FROM bell.procrastinate_jobs WHERE queueing_lock = 'game:{game}'") == [("doing",)]
        slow.says(f"done {game}")
        wait_until(lambda: not ask(ledger, "SELECT 1 FROM bell.procrastinate_jobs"))
        slow.process.terminate()
        assert slow.process.wait(PATIENCE_SECONDS) == 0
    assert slow.errors.read_text() == ""


@pytest.mark.usefixtures("in_haste")
def test_what_cannot_be_noted_at_the_bell_is_told_in_a_line_and_the_worker_goes_on(
    world: World, ledger: str, new_worker: Callable[..., Worker]
) -> None:
    game = game_of(world)
    with ringing(ledger) as ring:
        worker = new_worker(seconds=1)
        wait_until(ring.has_workers)
        ring.ring([game])
        worker.says(f"begins {game}")
        ask(ledger, "SET search_path = bell; DELETE FROM procrastinate_jobs")
        worker.says(f"done {game}")
        wait_until(lambda: (ring.has_workers(), ring.ring([game]), worker.errors.read_text())[-1])
        worker.says(f"done {game}")
        worker.process.terminate()
        assert worker.process.wait(PATIENCE_SECONDS) == 0
    (told,) = worker.errors.read_text().splitlines()
    assert told.startswith("a game was dealt with, which could not be noted (RaiseException: Job was not found")


@pytest.mark.usefixtures("in_haste")
def test_a_worker_asked_to_end_ends_the_game_at_hand_first(
    world: World, ledger: str, new_worker: Callable[..., Worker]
) -> None:
    game = game_of(world)
    with ringing(ledger) as ring:
        worker = new_worker(seconds=2)
        wait_until(ring.has_workers)
        ring.ring([game])
        worker.says(f"begins {game}")
        worker.process.terminate()
        worker.says(f"done {game}")
        assert worker.process.wait(PATIENCE_SECONDS) == 0


@pytest.mark.usefixtures("in_haste")
def test_the_bell_is_made_anew_for_another_version_and_workers_hear_it(
    world: World, ledger: str, new_worker: Callable[..., Worker]
) -> None:
    game = game_of(world)
    with ringing(ledger) as ring:
        worker = new_worker()
        wait_until(ring.has_workers)
    ask(ledger, "UPDATE bell.made_by SET version = '0.1'")
    ask(ledger, "CREATE TABLE bell.former (id int)")
    with ringing(ledger) as ring:
        wait_until(ring.has_workers)
        assert ask(ledger, "SELECT to_regclass('bell.former')") == [(None,)]
        ring.ring([game])
        worker.says(f"done {game}")


@pytest.mark.usefixtures("in_haste")
def test_a_bell_that_is_gone_stops_nobody_and_is_made_anew(
    postgresql: PostgreSQL, world: World, ledger: str, new_worker: Callable[..., Worker], caplog: pytest.LogCaptureFixture
) -> None:
    game = game_of(world)
    worker = new_worker()
    with ringing(ledger) as ring, caplog.at_level(logging.WARNING, "pbmd.bell"):
        wait_until(ring.has_workers)
        ask(ledger, "DROP SCHEMA bell CASCADE")
        put_in_letters(world)
        shared_pass(world.desk, ring.ring, lambda: None)
        assert (world.game().step, {letter.state for letter in world.letters()}) == (1, {LetterState.DONE})
        ring.ring([game])
        assert "workers cannot be woken just now" in caplog.text
        wait_until(ring.has_workers)
        ring.ring([game])
        worker.says(f"done {game}")
        postgresql.end_connections(postgresql.back_ends(ledger))
        wait_until(ring.has_workers)
        wait_until(lambda: (ring.ring([game]), os.getpid()))
        worker.says(f"done {game}")


def test_who_rings_for_what_is_rung_for_already_rings_once(world: World, ledger: str) -> None:
    with ringing(ledger) as first, ringing(ledger) as second:
        first.ring([1, 2])
        second.ring([2, 3])
        first.ring([1, 2, 3])
        found = ask(ledger, "SELECT queueing_lock, lock, scheduled_at FROM bell.procrastinate_jobs ORDER BY 1")
    assert found == [(f"game:{number}", None, None) for number in (1, 2, 3)]


@pytest.mark.usefixtures("in_haste")
def test_a_worker_that_comes_upon_damage_ends_and_says_so(world: World, ledger: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Procrastinate keeps what is raised in a job for itself."""
    damage = DamagedLedger("PostgreSQL says: it was so")
    dealt_with = list[int]()

    def come_upon_it(_desk: object, game: int) -> None:
        dealt_with.append(game)
        raise damage

    monkeypatch.setattr(worker_module, "game_pass", come_upon_it)
    with ringing(ledger) as ring:
        ring.ring([1, 2, 3])
    with pytest.raises(DamagedLedger, match="it was so"):
        worker_module.work(world.desk)
    assert len(dealt_with) == 1, "nothing more is written"


def test_a_worker_ends_when_another_thread_comes_upon_damage(
    world: World, ledger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def come_upon_it(
        _desk: object, _does: str, _stopping: object, give_up: Callable[[DamagedLedger], None], _rest: object
    ) -> None:
        wait_until(ring.has_workers)
        give_up(DamagedLedger("PostgreSQL says: it was so"))

    monkeypatch.setattr(bell, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(worker_module, "keep_present", come_upon_it)
    with ringing(ledger) as ring:
        ring.ring([1])
        with pytest.raises(DamagedLedger, match="it was so"):
            worker_module.work(world.desk)


def test_a_worker_that_does_not_hear_the_bell_any_more_listens_again(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Procrastinate ends a worker whose listener has lost its connection as if it had been asked to end."""
    asked = iter([False, False, True])

    async def listen(*_: object) -> bool:
        return next(asked)

    monkeypatch.setattr(worker_module, "listen", listen)
    monkeypatch.setattr(worker_module, "AGAIN_SECONDS", 0.0)
    worker_module.work(world.desk)
    assert next(asked, None) is None
    assert caplog.text.count("a connection was lost") == 2


@pytest.mark.usefixtures("in_haste")
def test_who_may_not_make_the_bell_is_told_once_and_it_is_tried_again(
    postgresql: PostgreSQL, world: World, ledger: str, caplog: pytest.LogCaptureFixture
) -> None:
    database = make_url(ledger).database
    postgresql.do("CREATE ROLE guest")
    as_guest = f"{ledger}&options=-c%20role%3Dguest"
    with ringing(as_guest) as ring, caplog.at_level(logging.WARNING, "pbmd.bell"):
        assert not ring.has_workers()
        ends = time.monotonic() + 1.5
        wait_until(lambda: (ring.has_workers(), ring.ring([1]), time.monotonic() > ends)[-1])
        (told,) = caplog.messages
        assert "permission denied" in told
        assert ask(ledger, "SELECT to_regnamespace('bell')") == [(None,)], "what the address says holds"
        postgresql.do(f"GRANT CREATE ON DATABASE {database} TO guest")
        wait_until(lambda: (ring.has_workers(), ask(ledger, "SELECT to_regclass('bell.made_by')"))[-1] != [(None,)])
    postgresql.do(f"REVOKE CREATE ON DATABASE {database} FROM guest")


@pytest.mark.usefixtures("in_haste")
def test_a_database_that_does_not_answer_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bell, "WAIT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        silent = f"postgresql+psycopg://pbmd@127.0.0.1:{server.getsockname()[1]}/pbmd"
        with ringing(silent) as ring:
            began = time.monotonic()
            assert not ring.has_workers()
            ring.ring([1])
            assert time.monotonic() - began < 15.0, "by itself a pool waits for half a minute"
    assert "workers cannot be woken just now" in caplog.text


def test_without_procrastinate_there_are_no_workers_and_all_is_done(
    world: World, ledger: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delitem(sys.modules, "pbmd.daemon.bell")
    monkeypatch.delattr("pbmd.daemon.bell")
    monkeypatch.setitem(sys.modules, "procrastinate", None)
    parts = Parts(ledger, "INBOX")
    put_in_letters(world)
    with caplog.at_level(logging.INFO, "pbmd.daemon"):
        for _ in range(2):
            parts.work_pass(world.desk, lambda: None, lambda: False)
    assert world.game().step == 1
    assert [message for message in caplog.messages if "pip install 'pbmd-games[postgres]'" in message] == caplog.messages
    assert len(caplog.messages) == 1
    parts.give_back()
