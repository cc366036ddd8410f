"""What can happen to a daemon besides being killed. A fault does something to the world, waits, and makes it good again."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.acceptance.house import House
from tests.acceptance.wire import Wire
from tests.torture.evidence import ENDED, Disturbance, Wait
from tests.torture.pbmd_with_clock import set_clock
from tests.torture.processor import Waits

STOP_SECONDS = 120.0
"""So long an end by SIGTERM may take: with the ledger locked, a transaction waits for it."""
_LOCKER = """
import sqlite3, sys, time
ledger = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
ledger.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
time.sleep(float(sys.argv[2]))
ledger.execute("ROLLBACK")
"""


@dataclass
class World:
    """What faults work on. Whoever reaches for the process holds `hands`."""

    house: House
    chance: random.Random
    imap: Wire
    smtp: Wire
    clock: Path
    small_disk: bool
    hands: threading.RLock = field(default_factory=threading.RLock)
    disturbances: list[Disturbance] = field(default_factory=list[Disturbance])
    ending: dict[str, str] = field(default_factory=dict[str, str])
    waits: list[Wait] = field(default_factory=list[Wait])
    watch: Waits = field(default_factory=Waits)

    @contextmanager
    def disturbed(self, kind: str, seconds: float = 0.0) -> Generator[None]:
        """Write down from when to when something was wrong."""
        began = time.time()
        at = len(self.disturbances)
        self.disturbances.append(Disturbance(kind, began, float("inf"), seconds))
        try:
            yield
        finally:
            self.disturbances[at] = Disturbance(kind, began, time.time(), seconds)

    def pause(self, least: float, most: float) -> None:
        """Wait for a random while."""
        time.sleep(self.chance.uniform(least, most))

    def kill(self) -> None:
        """SIGKILL, and a new start."""
        with self.hands, self.disturbed("kill"):
            self.note_waits()
            self.house.kill()
            self.house.start()

    def note_waits(self) -> None:
        """Write down how long the daemon, or what takes its mails, had to wait for a processor since this was last asked."""
        process = self.house.process
        if waited := self.watch.since_last_look([os.getpid(), *([process.pid] if process else [])]):
            self.waits.append(waited)

    def look_after(self) -> None:
        """Start the daemon again if it has ended by itself: allowed when it found its disk full or its ledger locked."""
        with self.hands:
            self.note_waits()
            process = self.house.process
            if process is None or process.poll() is None:
                return
            soon = time.time() - STOP_SECONDS
            excused = any(each.kind in ("disk full", "locked") and each.ended >= soon for each in self.disturbances)
            if not (excused and process.returncode == 1):
                self.ending[f"start {self.house.starts}"] = f"ended by itself with exit code {process.returncode}"
            with self.disturbed(ENDED):
                time.sleep(0.5)
                self.house.start()


@dataclass(frozen=True)
class Fault:
    """A fault by name; `weight` says how often it comes, `impossible` why it cannot be had here, if so."""

    name: str
    weight: int
    happen: Callable[[World], None]
    impossible: Callable[[World], str] = lambda _world: ""


def _new_uidvalidity(world: World) -> None:
    with world.disturbed("uidvalidity"):
        world.house.dovecot.set_uidvalidity(world.house.user, int(time.time()) + world.chance.randint(1, 1000))


def _dovecot_restarted(world: World) -> None:
    with world.disturbed("dovecot restarted"):
        world.house.dovecot.stop()
        world.pause(0, 2)
        world.house.dovecot.start()


def _imap_cut(world: World) -> None:
    with world.disturbed("imap cut"):
        world.imap.cut()
        world.pause(0.2, 3)
        world.imap.mend()


def _smtp_cut(world: World) -> None:
    with world.disturbed("smtp cut"):
        world.smtp.cut()
        world.pause(0.2, 3)
        world.smtp.mend()


def _locked(world: World) -> None:
    # Now and then for longer than the daemon is willing to wait.
    seconds = 23 if world.chance.random() < 0.15 else world.chance.uniform(0.5, 6)
    with world.disturbed("locked"):
        _lock_ledger(world, seconds)


def _lock_ledger(world: World, seconds: float) -> None:
    ledger = world.house.settings.data / "ledger.sqlite"
    subprocess.run([sys.executable, "-c", _LOCKER, str(ledger), str(seconds)], check=True, capture_output=True, timeout=120)


def _disk_full(world: World) -> None:
    data = world.house.settings.data
    filler = data / "filler"
    with world.disturbed("disk full"):
        try:
            with filler.open("wb") as file:
                while left := os.statvfs(data).f_bavail * os.statvfs(data).f_frsize:
                    os.posix_fallocate(file.fileno(), file.seek(0, os.SEEK_END), left)
                    file.seek(0, os.SEEK_END)
        except OSError:
            pass  # the daemon took the last of it
        world.pause(1, 5)
        filler.unlink()


def _clock_stepped(world: World) -> None:
    # Mostly by little, for what the auditor can say of deadlines ends where the clock is wrong.
    seconds = world.chance.choice((1, -1)) * (10 ** world.chance.uniform(0, 2))
    with world.disturbed("clock", seconds):
        set_clock(world.clock, seconds)
        world.pause(1, 6)
        set_clock(world.clock, 0)


def _terminated(world: World) -> None:
    with world.hands, world.disturbed("sigterm"):
        process = world.house.process
        assert process is not None
        world.note_waits()
        process.terminate()
        try:
            code = process.wait(STOP_SECONDS)
            # Before it has said that it runs, nothing has begun that would need an end.
            begun = b"pbmd reads" in (world.house.folder / f"daemon-{world.house.starts}.err").read_bytes()
            if code and begun:
                world.ending[f"start {world.house.starts}"] = f"SIGTERM ended it with exit code {code}"
        except subprocess.TimeoutExpired:
            world.ending[f"start {world.house.starts}"] = f"SIGTERM did not end it within {STOP_SECONDS:g} s"
            world.house.kill()
        world.house.start()


def _stopped_and_continued(world: World) -> None:
    with world.disturbed("stop and go"):
        process = world.house.process
        assert process is not None
        process.send_signal(signal.SIGSTOP)
        world.pause(0.5, 5)
        process.send_signal(signal.SIGCONT)


def _no_small_disk(world: World) -> str:
    return "" if world.small_disk else "the data folder is not on a small disk (that takes root and a mount)"


FAULTS = (
    Fault("uidvalidity", 4, _new_uidvalidity),
    Fault("dovecot restarted", 2, _dovecot_restarted),
    Fault("imap cut", 3, _imap_cut),
    Fault("smtp cut", 3, _smtp_cut),
    Fault("locked", 3, _locked),
    Fault("disk full", 3, _disk_full, _no_small_disk),
    Fault("clock", 2, _clock_stepped),
    Fault("sigterm", 2, _terminated),
    Fault("stop and go", 2, _stopped_and_continued),
)


class FaultMaker(threading.Thread):
    """Lets faults happen one after the other: all of them once in random order, then by weight."""

    def __init__(self, world: World, faults: tuple[Fault, ...], pause: tuple[float, float]) -> None:
        super().__init__(name="faults", daemon=True)
        self.world = world
        self.faults = faults
        self.between = pause
        self.trouble: Exception | None = None
        self._stopping = threading.Event()

    def run(self) -> None:
        """Until told to stop and each fault has been there once; the one at hand is made good."""
        chance = self.world.chance
        first = chance.sample(self.faults, len(self.faults))
        try:
            while not self._stopping.wait(chance.uniform(*self.between)) or first:
                fault = first.pop() if first else chance.choices(self.faults, [each.weight for each in self.faults])[0]
                fault.happen(self.world)
        except Exception as problem:  # shown by `end`
            self.trouble = problem

    def end(self) -> None:
        """Stop and wait for the end. Raises what went wrong in the thread."""
        self._stopping.set()
        self.join()
        if self.trouble is not None:
            raise self.trouble
