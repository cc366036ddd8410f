"""What can happen to a daemon besides being killed. A fault does something to the world, waits, and makes it good again."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.exc import OperationalError

from pbmd.daemon.roles import LASTS_SECONDS
from pbmd.ledger.database import open_engine
from tests.acceptance.house import House
from tests.acceptance.wire import Wire
from tests.postgresql import PostgreSQL
from tests.torture.evidence import ENDED, Disturbance, Wait
from tests.torture.pbmd_with_clock import set_clock
from tests.torture.processor import Patience, Waits
from tests.torture.throttle import REFUSALS, ThrottledWire

STOP_SECONDS = 120.0
"""So long an end by SIGTERM may take: with the ledger locked, a transaction waits for it."""
_ENDING = ("disk full", "locked", "connections ended", "back end killed", "database silent", "ledger moved away")
"""What may end pbmd when it has just begun: it cannot open its ledger."""
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
    imap: ThrottledWire
    smtp: Wire
    clock: Path
    small_disk: bool
    handed: Callable[[], int]
    """How many mails pbmd has handed over so far: what it has done, seen from outside."""
    hands: threading.RLock = field(default_factory=threading.RLock)
    disturbances: list[Disturbance] = field(default_factory=list[Disturbance])
    ending: dict[str, str] = field(default_factory=dict[str, str])
    waits: list[Wait] = field(default_factory=list[Wait])
    watch: Waits = field(default_factory=Waits)
    others: list[House] = field(default_factory=list[House])
    """Who else is at work on the same ledger: other hosts, and workers."""
    server: PostgreSQL | None = None
    """What keeps the ledger, if it is no file."""
    over: threading.Event = field(default_factory=threading.Event)
    """Set when the storm is."""
    _handed_before: int = 0

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

    @property
    def all(self) -> list[House]:
        """All who are at work on the ledger."""
        return [self.house, *self.others]

    @property
    def processes(self) -> list[int]:
        """Theirs, and this one, which takes their mails."""
        return [os.getpid(), *(house.process.pid for house in self.all if house.process)]

    @property
    def has_worked(self) -> bool:
        """Whether a mail was handed over since one of them was last ended."""
        return self.handed() > self._handed_before

    def until_it_has_worked(self) -> None:
        """Wait for that: on a busy machine it would be ended again and again before it has begun."""
        while not self.has_worked and not self.over.wait(0.1):
            pass

    def pause(self, least: float, most: float) -> None:
        """Wait for a random while."""
        time.sleep(self.chance.uniform(least, most))

    def kill(self) -> None:
        """SIGKILL of one of them, and a new start."""
        self.kill_this(self.chance.choice(self.all))

    def kill_this(self, house: House) -> None:
        """SIGKILL, and a new start."""
        with self.hands, self.disturbed("kill"):
            self.note_waits()
            house.kill()
            self.start_again(house)

    def start_again(self, house: House) -> None:
        """A new start of one that was ended."""
        self._handed_before = self.handed()
        house.start()

    def note_waits(self) -> None:
        """Write down how long the daemon, or what takes its mails, had to wait for a processor since this was last asked."""
        if waited := self.watch.since_last_look(self.processes):
            self.waits.append(waited)

    def look_after(self) -> None:
        """Start again who has ended by itself: allowed where the disk was found full, or the ledger could not be had."""
        with self.hands:
            self.note_waits()
            for house in self.all:
                if house.process is not None and house.process.poll() is not None:
                    self._begin_again(house, house.process.returncode)

    def _begin_again(self, house: House, code: int) -> None:
        soon = time.time() - STOP_SECONDS
        excused = any(each.kind in _ENDING and each.ended >= soon for each in self.disturbances)
        if not (excused and code == 1):
            self.ending[_start_of(house)] = f"ended by itself with exit code {code}"
        with self.disturbed(ENDED):
            time.sleep(0.5)
            house.start()


def _start_of(house: House) -> str:
    return f"{house.name} in {house.folder.name}, start {house.starts}"


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
    world.until_it_has_worked()
    with world.hands, world.disturbed("sigterm"):
        world.note_waits()
        house = world.chance.choice(world.all)
        if trouble := end(house):
            world.ending[_start_of(house)] = trouble
        world.start_again(house)


def end(house: House) -> str:
    """SIGTERM; gives what is wrong with how it ended, empty if nothing is."""
    process = house.process
    assert process is not None
    process.terminate()
    patience = Patience(STOP_SECONDS, lambda: [process.pid])
    while (code := process.poll()) is None:
        if patience.is_over:
            house.kill()
            return f"SIGTERM did not end it within {STOP_SECONDS:g} s"
        time.sleep(0.1)
    # Before it has said that it runs, nothing has begun that would need an end; and a worker that waits has nothing to end.
    begun = b"pbmd reads" in (house.folder / f"{house.name}-{house.starts}.err").read_bytes()
    may_end_at_once = code == -signal.SIGTERM and (not begun or house.command == "worker")
    return f"SIGTERM ended it with exit code {code}" if code and not may_end_at_once else ""


def _stopped_and_continued(world: World) -> None:
    _stop_and_go(world, world.chance.choice(world.all), world.chance.uniform(0.5, 5))


def _stop_and_go(world: World, house: House, seconds: float) -> None:
    with world.disturbed("stop and go"):
        process = house.process
        assert process is not None
        process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        process.send_signal(signal.SIGCONT)


def _imap_throttled(world: World) -> None:
    """As when an account has had too much traffic: letters are told of, and their texts are not given."""
    with world.disturbed("imap throttled"):
        world.imap.refusal = world.chance.choice(REFUSALS)
        world.pause(2, 15)
        world.imap.refusal = ""


def _letter_ends_connection(world: World) -> None:
    """A file that has grown is longer than its name says (S=): Dovecot ends the connection in which it is fetched. It does so
    until pbmd has found out which letter it is."""
    with world.disturbed("letter ends the connection"):
        before = _named(world)
        with _all_stopped(world):
            file = _new_letter(world)
            letter = file and _longer(file)
        if letter is None:
            return
        patience = Patience(_FOUND_OUT_SECONDS, lambda: world.processes)
        while _named(world) == before and not patience.is_over:
            time.sleep(0.2)
        _change(letter.file, lambda: os.truncate(letter.file, letter.size))
        os.close(letter.file)


_FOUND_OUT_SECONDS = 20.0
"""So long that is waited for: whoever reads may be killed meanwhile, and puts its next try off."""


@dataclass(frozen=True)
class _Longer:
    """A letter's file, by whatever name Dovecot calls it later, and the size that it had."""

    file: int
    size: int


def _longer(path: Path) -> _Longer:
    file = os.open(path, os.O_RDWR)
    size = os.fstat(file).st_size
    _change(file, lambda: os.pwrite(file, b"x" * 400 + b"\n", size))
    return _Longer(file, size)


def _change(file: int, change: Callable[[], object]) -> None:
    """Its time is the letter's arrival, and stays."""
    kept = os.fstat(file)
    change()
    os.utime(file, ns=(kept.st_atime_ns, kept.st_mtime_ns))


@contextmanager
def _all_stopped(world: World) -> Generator[None]:
    """So that nobody reads what comes meanwhile."""
    pids = [house.process.pid for house in world.all if house.process]
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for pid in pids:
            with suppress(ProcessLookupError):  # it was killed meanwhile
                os.kill(pid, number)
        if number == signal.SIGSTOP:
            yield


def _new_letter(world: World) -> Path | None:
    """The file of a letter that comes while nobody can read it; None if none comes soon."""
    folder = world.house.dovecot.base / "mail" / world.house.user / "new"
    ends = time.monotonic() + 3
    while time.monotonic() < ends:
        if found := sorted(folder.glob("*,S=*")):
            return found[-1]
        time.sleep(0.05)
    return None


def _named(world: World) -> int:
    """How often the log has named a letter that cannot be had."""
    logs = (house.settings.log_file for house in world.all)
    return sum(log.read_text().count(" no-text ") for log in logs if log.exists())


def _ledger_moved_away(world: World) -> None:
    """And put back: nothing may be made or written in its place meanwhile."""
    data = world.house.settings.data
    with world.disturbed("ledger moved away"):
        (data / "ledger.sqlite").rename(data / "moved.sqlite")
        world.pause(0.5, 6)
        if (data / "ledger.sqlite").exists():
            world.ending["ledger"] = "while it was moved away another was made in its place"
        (data / "moved.sqlite").rename(data / "ledger.sqlite")


def _game_row_unreadable(world: World) -> None:
    """A game whose row cannot be read is stopped, alone, until its master has it go on."""
    with world.disturbed("game row unreadable"):
        name = _spoilt(world, "game", "due_at", "name", "status = 'running'")
        if name and _is_put_aside(world, "game"):
            world.house.pbmd("resume", name, "--as-it-is")


def _mail_row_unreadable(world: World) -> None:
    """A mail whose row cannot be read is held, alone, until it is sent after all."""
    with world.disturbed("mail row unreadable"):
        number = _spoilt(world, "outbox", "next_try_at", "id", "state = 'queued'")
        if number and _is_put_aside(world, "outbox"):
            world.house.pbmd("outbox", "--retry", number)


_SPOILT = "2026-13-01 00:00:00.000000"
"""No time."""


def _spoilt(world: World, table: str, column: str, key: str, condition: str) -> str:
    """Write what is no time into a column of a row that fulfils the condition; gives the row's key, empty if there is none."""
    with closing(_ledger(world)) as ledger, ledger:
        ledger.execute("BEGIN IMMEDIATE")
        keys = [row[0] for row in ledger.execute(f"SELECT {key} FROM {table} WHERE {condition}")]
        if not keys:
            return ""
        chosen = world.chance.choice(keys)
        ledger.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (_SPOILT, chosen))
        return str(chosen)


def _is_put_aside(world: World, table: str) -> bool:
    """Wait until pbmd has come upon what was spoilt; gives whether anybody must see to it. A mail may be out by then."""
    patience = Patience(STOP_SECONDS, lambda: world.processes)
    while not patience.is_over:
        with closing(_ledger(world)) as ledger:
            found = ledger.execute("SELECT settled_at FROM unreadablevalue WHERE of_table = ? ORDER BY id DESC", (table,))
            waits = [row[0] is None for row in found]
            left = ledger.execute(
                "SELECT (SELECT count(*) FROM game WHERE due_at = ?) + (SELECT count(*) FROM outbox WHERE next_try_at = ?)",
                (_SPOILT, _SPOILT),
            )
            if not left.fetchone()[0]:
                return bool(waits) and waits[0]
        time.sleep(0.3)
    world.ending[f"{table}, value {_SPOILT}"] = f"was not put aside within {STOP_SECONDS:g} s"
    return False


def _ledger(world: World) -> sqlite3.Connection:
    path = world.house.settings.data / "ledger.sqlite"
    return sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=60)


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
    Fault("imap throttled", 2, _imap_throttled),
    Fault("letter ends the connection", 2, _letter_ends_connection),
    Fault("ledger moved away", 2, _ledger_moved_away),
    Fault("game row unreadable", 1, _game_row_unreadable),
    Fault("mail row unreadable", 1, _mail_row_unreadable),
)
_OF_FILES = ("locked", "disk full", "sigterm", "ledger moved away", "game row unreadable", "mail row unreadable")
"""Not where the ledger is on PostgreSQL, whose columns take nothing but what they are for, or otherwise there."""


def leader(world: World) -> House:
    """The host that looks after the games, as its log tells; any of them if none does just now."""
    hosts = [house for house in world.all if house.command == "run"]
    found = [house for house in hosts if _leads((house.folder / f"{house.name}-{house.starts}.err").read_text())]
    return found[0] if found else world.chance.choice(hosts)


def _leads(log: str) -> bool:
    return log.rfind("has the part of looking after the games") > log.rfind("has lost the part of looking after the games")


def _leader_killed(world: World) -> None:
    world.until_it_has_worked()
    with world.hands:
        world.kill_this(leader(world))


def _leader_stopped(world: World) -> None:
    """For longer than it may be silent: when it goes on, another has its parts."""
    _stop_and_go(world, leader(world), LASTS_SECONDS + world.chance.uniform(3, 8))


def _back_ends(world: World) -> list[int]:
    """Their processes, each of which serves one connection to the ledger."""
    assert world.server is not None
    return world.server.back_ends(world.house.settings.database_url)


def _connections_ended(world: World) -> None:
    """One of them, or all."""
    assert world.server is not None
    with world.disturbed("connections ended"):
        found = _back_ends(world)
        few = world.chance.sample(found, 1) if found and world.chance.random() < 0.7 else found
        world.server.end_connections(few)


def _back_end_killed(world: World) -> None:
    """Then PostgreSQL ends all the others, too, and puts the ledger in order before it lets anybody in again."""
    with world.disturbed("back end killed"):
        if found := _back_ends(world):
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(world.chance.choice(found), signal.SIGKILL)
        world.pause(0.5, 2)


def _database_silent(world: World) -> None:
    """As when the network is cut: connections stay open, and nothing comes."""
    with world.disturbed("database silent"):
        silent = _back_ends(world)
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for process in silent:
                with suppress(ProcessLookupError):
                    os.kill(process, number)
            if number == signal.SIGSTOP:
                world.pause(0.5, 6)


def _writers_locked_out(world: World) -> None:
    """Somebody else writes for a while, as a command does that takes long."""
    with world.disturbed("locked"):
        engine = open_engine(world.house.settings.database_url)
        try:
            with engine.begin():
                world.pause(0.5, 6)
        except OperationalError:
            pass  # the connection was ended by another fault
        finally:
            engine.dispose()


SHARED_FAULTS = (
    *(fault for fault in FAULTS if fault.name not in _OF_FILES),
    Fault("sigterm", 4, _terminated),
    Fault("leader killed", 6, _leader_killed),
    Fault("leader stopped for long", 1, _leader_stopped),
    Fault("connections ended", 5, _connections_ended),
    Fault("back end killed", 3, _back_end_killed),
    Fault("database silent", 3, _database_silent),
    Fault("locked", 2, _writers_locked_out),
)
"""What happens where several work at a ledger on PostgreSQL."""


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
