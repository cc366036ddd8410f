"""The storm: a real Dovecot, games whose players write without end, a daemon that is killed again and again, and faults of
every kind. When it is over the weather turns fair, everything still due is done, and the evidence is gathered."""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path

from imapclient import IMAPClient
from sqlmodel import col

from pbmd.desk.books.server_key import KEY
from pbmd.ledger.database import open_engine
from pbmd.ledger.log_file import write_new_lines
from pbmd.ledger.tables import Game, GameStatus, Letter, LetterState, LogLine, Outbox, OutboxState, StepRecord
from pbmd.settings import Limits
from tests.acceptance.house import House
from tests.acceptance.wire import Wire
from tests.benchmarks.sink import running_sink
from tests.mailservers import DOMAIN, PASSWORD, Dovecot
from tests.postgresql import PostgreSQL
from tests.torture import cluster, conquest, tides
from tests.torture.auditor import audit
from tests.torture.evidence import Evidence, Stored, read_books, read_log, rules_of, write_down
from tests.torture.faults import FAULTS, Fault, FaultMaker, World, end
from tests.torture.letters import HUGE_BYTES, serial_of
from tests.torture.pbmd_with_clock import set_clock
from tests.torture.post import Connection, Player, Register
from tests.torture.processor import Patience
from tests.torture.promises.mails import extra_copies
from tests.torture.promises.reveals import reveals
from tests.torture.sink import Fate, MoodySink, Weather
from tests.torture.throttle import ThrottledWire

SEATS = ("Altair", "Borealis", "Cygnus", "Deneb", "Electra", "Fornax", "Gemini", "Hydra")
FAIR = Weather()
_NO_BRAKES = ("answers_per_hour", "answers_per_day", "press_per_hour", "press_per_day", "mails_per_letter", "mails_per_minute")
"""Limits that would hold back what the auditor waits for: nobody writes as much as these players."""
_EARLY_KILLS = 0.25
"""The share of kills that do not wait until something was done since the one before."""
_LOG_OF_DEFECTS = ("a defect of pbmd", "Traceback", "is quarantined", "is paused")
_OF_AN_ORPHAN = ("reduction.pickle.load(from_parent)", "EOFError: Ran out of input")
"""What Python writes for a process whose parent was killed before it could say what there is to do."""


@dataclass(frozen=True)
class Plan:
    """How large a storm is. `seed` decides all that chance decides; times are as the machine has them."""

    seconds: float
    seed: int
    games: int = 3
    """Of Galactic Overlord; one of Cosmic Conquest comes besides."""
    seats: int = 4
    connections: int = 4
    per_second: float = 2.0
    """Letters over each connection."""
    least_letters: int = 0
    least_kills: int = 0
    least_faults: int = 0
    """How many there must have been for the storm to end, but that it ends after `settle_seconds` more. Kills are faults."""
    deadline: str = "15s"
    conquest_deadline: str = "45s"
    """Longer, so that more is told before a turn is over."""
    kills: tuple[float, float] = (1.0, 9.0)
    """Seconds between two kills, at the most as much more as a start takes here; most wait until something was done since the
    one before, or a slow machine would never come to work."""
    faults: tuple[Fault, ...] = FAULTS
    between_faults: tuple[float, float] = (1.0, 6.0)
    disk_megabytes: int = 600
    settle_seconds: float = 600.0
    """Those in which pbmd had to wait for a processor do not count."""
    cluster_deadline: str = ""
    """Of a game of Local Cluster, which comes besides if this is not empty."""
    tides_deadline: str = ""
    """The same of a game of Tides, whose turns have phases: of each phase."""
    hosts: int = 1
    """So many run pbmd; more than one takes a ledger on PostgreSQL."""
    workers: int = 0
    """So many help them."""

    @property
    def planned_letters(self) -> int:
        """How many are sent in on a machine that has time for it."""
        return int(self.seconds * self.connections * self.per_second)

    @property
    def fewest_letters(self) -> int:
        """With fewer nothing was tortured."""
        return max(self.least_letters, self.planned_letters // 10)


@dataclass(frozen=True)
class Outcome:
    """What a storm came to. `skipped` has the faults that could not be had here, with the reason."""

    evidence: Evidence
    findings: list[str]
    skipped: dict[str, str]

    def numbers(self) -> dict[str, int]:
        """What there is to count, for a table."""
        books = self.evidence.books
        faults = Counter(disturbance.kind for disturbance in self.evidence.disturbances)
        fates = Counter(handed.fate for handed in self.evidence.handed)
        unheard = [earlier.fate is Fate.TAKEN_AND_HUNG_UP for earlier, _ in extra_copies(self.evidence)]
        return {
            "letters sent in": len(self.evidence.sent),
            "copies handed over by LMTP": sum(delivery.accepted for delivery in self.evidence.deliveries),
            "letters in the ledger": len(books.letters),
            "turns, moves and phases resolved": len(books.steps),
            "phases of them": sum(record.name != "" for record in books.steps),
            "mails in the outbox": len(books.outbox),
            "insights answered": reveals(self.evidence),
            **{f"fault: {kind}": count for kind, count in sorted(faults.items())},
            "seconds waited for a processor": round(sum(wait.seconds for wait in self.evidence.waits)),
            **{f"sink: {fate}": count for fate, count in sorted(fates.items())},
            "second copies, the sink having hung up": sum(unheard),
            "second copies, pbmd having been disturbed": len(unheard) - sum(unheard),
            "findings": len(self.findings),
        }


Watch = Callable[[str, float, dict[str, int]], None]
"""(what goes on, share done, some numbers): called several times a second."""


def _unseen(_what: str, _share: float, _numbers: dict[str, int]) -> None:
    """For whom nobody watches."""


def storm(folder: Path, dovecot: Dovecot, plan: Plan, watch: Watch = _unseen, server: PostgreSQL | None = None) -> Outcome:
    """Let it happen and audit what is left. Dovecot is restarted, and PostgreSQL's processes are killed, if the ledger is to be
    there: they must be nobody else's."""
    with _world(folder, dovecot, plan, server) as world:
        skipped = {fault.name: why for fault in plan.faults if (why := fault.impossible(world))}
        house = world.house
        players = _new_games(house, plan)
        _share_key(world)
        register = Register()
        sink = house.sink
        assert isinstance(sink, MoodySink)
        connections = [
            Connection(number, house, players[number :: plan.connections], register, seed=plan.seed, per_second=plan.per_second)
            for number in range(plan.connections)
        ]
        maker = FaultMaker(world, tuple(fault for fault in plan.faults if fault.name not in skipped), plan.between_faults)
        began = time.monotonic()
        house.start()
        starting = Patience(plan.settle_seconds, lambda: world.processes)
        while not house.rows(LogLine, LogLine.what == "running"):
            assert not starting.is_over, f"the daemon does not start\n{house.complaints()}"
            time.sleep(0.1)
        start_seconds = time.monotonic() - began
        for other in world.others:
            other.start()
        for thread in (*connections, maker):
            thread.start()
        _kill_for_a_while(world, plan, start_seconds, register, watch)
        world.over.set()
        maker.end()
        for connection in connections:
            connection.end()
        sink.weather = FAIR
        unsettled = _settle(world, register, plan, watch)
        evidence = _evidence(world, register, unsettled and f"{unsettled}; settings, ledger and logs are kept in {folder}")
        write_down(evidence, folder / "evidence.json")
        watch("auditing", 1.0, {})
        findings = [*too_few(plan, register), *audit(evidence)]
        if findings and server is not None:
            server.dump(house.settings.database_url, server.folder / "ledger.dump")
            shutil.copy(server.folder / "ledger.dump", folder)
        return Outcome(evidence, findings, skipped)


def too_few(plan: Plan, register: Register) -> list[str]:
    """A storm in which hardly anything was sent proves nothing."""
    sent = len(register.sent)
    few = f"no storm: {sent} letters were sent in, of {plan.planned_letters} planned, and {plan.fewest_letters} must be"
    return [few] if sent < plan.fewest_letters else []


def _kill_for_a_while(world: World, plan: Plan, start_seconds: float, register: Register, watch: Watch) -> None:
    began = time.monotonic()
    ends, patience = began + plan.seconds, Patience(plan.seconds + plan.settle_seconds, lambda: world.processes)
    early = False  # whether the next kill waits for nothing
    shortest, longest = plan.kills
    next_kill = began + world.chance.uniform(shortest, longest + start_seconds)
    kinds: Counter[str] = Counter()
    is_late = False
    while (now := time.monotonic()) < ends or not (is_late or _has_struck(plan, len(register.sent), kinds)):
        is_late = patience.is_over
        if now >= next_kill and (early or world.has_worked):
            early = not early and world.chance.random() < _EARLY_KILLS
            world.kill()
            next_kill = now + world.chance.uniform(shortest, longest + start_seconds)
        world.look_after()
        kinds = Counter(disturbance.kind for disturbance in world.disturbances)
        numbers = {"letters": len(register.sent), "kills": kinds["kill"], "faults": kinds.total() - kinds["kill"]}
        watch("storm", (now - began) / plan.seconds, numbers)
        time.sleep(0.1)


def _has_struck(plan: Plan, letters: int, kinds: Counter[str]) -> bool:
    return letters >= plan.fewest_letters and kinds["kill"] >= plan.least_kills and kinds.total() >= plan.least_faults


def _settle(world: World, register: Register, plan: Plan, watch: Watch) -> str:
    """Fair weather until all letters are dealt with and all mails are out. No retry is waited for: the clock goes ahead. Gives
    what was still to be done at the end, empty if nothing was."""
    patience = Patience(plan.settle_seconds, lambda: world.processes)
    # A slow machine may have come to none before.
    unsettled = _wait_for_steps(world, plan, patience) or _wait_for_mails(world, register, patience, watch)
    for other in world.all:
        if trouble := end(other):
            world.ending[f"the end of {other.name} in {other.folder.name}"] = trouble
    return unsettled and f"{unsettled}, after {patience.seconds:g} s in which pbmd had a processor, or needed none"


def _wait_for_steps(world: World, plan: Plan, patience: Patience) -> str:
    wanted = {"turn": (), "phase": (StepRecord.name != "",)} if plan.tides_deadline else {"turn": ()}
    for step, conditions in wanted.items():
        while not world.house.rows(StepRecord, *conditions):
            if patience.is_over:
                return f"no {step} is resolved"
            world.look_after()
            time.sleep(0.3)
    return ""


def _wait_for_mails(world: World, register: Register, patience: Patience, watch: Watch) -> str:
    house = world.house
    for game in house.rows(Game, Game.status == GameStatus.RUNNING):
        house.pbmd("pause", game.name)
    expected = {delivery.serial for delivery in register.deliveries if delivery.accepted}
    ahead = 0.0
    while True:
        world.look_after()
        letters: list[Letter] = house.rows(Letter)
        unread = expected - {serial_of(letter.raw) for letter in letters}
        new = [letter for letter in letters if letter.state is LetterState.NEW]
        unsent: list[Outbox] = house.rows(Outbox, col(Outbox.state).in_((OutboxState.QUEUED, OutboxState.SENDING)))
        if not (unread or new or unsent):
            return ""
        if patience.is_over:
            return f"{len(unread)} letters are not in the ledger, {len(new)} are new in it, and {len(unsent)} mails are not out"
        watch("settling", 1.0, {"unread": len(unread), "new": len(new), "unsent": len(unsent)})
        clock = time.time() + ahead
        waiting = [mail.next_try_at.timestamp() for mail in unsent]
        if waiting and min(waiting) > clock + 1:
            ahead += min(waiting) - clock
            set_clock(world.clock, ahead)
        time.sleep(0.3)


def _evidence(world: World, register: Register, unsettled: str) -> Evidence:
    house = world.house
    sink = house.sink
    assert isinstance(sink, MoodySink)
    ending = dict(world.ending)
    folders = sorted({other.folder for other in world.all})
    for path in (path for folder in folders for path in sorted(folder.glob("*.err"))):
        lines = path.read_text(errors="replace").splitlines()
        for number, line in enumerate(lines):
            if not any(word in line for word in _LOG_OF_DEFECTS):
                continue
            raised = _raised(lines[number + 1 :])
            if not all(words in raised for words in _OF_AN_ORPHAN):
                ending[f"{path.parent.name} {path.stem}, line {number + 1}"] = f"{line[:300]}{raised}"
    logs = [_whole_log(other) for other in world.all if other.command == "run"]
    return Evidence(
        read_books(house.settings.database_url),
        tuple(register.sent),
        tuple(register.deliveries),
        tuple(_mailbox(house)),
        tuple(sink.handed),
        tuple(world.disturbances),
        logs[0],
        ending,
        tuple(world.waits),
        tuple(logs[1:]),
        {game.name: _problems_of_archive(house, game.name) for game in house.rows(Game) if rules_of(game.ruleset).sequential},
        unsettled,
    )


def _raised(below: Sequence[str]) -> str:
    """The place and the exception at the end of a traceback that goes on in these lines."""
    trace = list(takewhile(lambda line: line.startswith(" "), below))
    return " … ".join(["", *trace[-2:], *below[len(trace) : len(trace) + 1]])[:600]


def _problems_of_archive(house: House, name: str) -> tuple[str, ...]:
    archive = house.folder / f"archive-of-{name}"
    house.pbmd("export", name, "--to", str(archive))
    done = subprocess.run([sys.executable, "-m", "pbmd", "verify", str(archive), "--json"], capture_output=True, check=False)
    return tuple(json.dumps(problem) for problem in json.loads(done.stdout)["problems"])


def _whole_log(house: House) -> str:
    """The log of a host. Those that did not look after the games last have still to write down what others did."""
    engine = open_engine(house.settings.database_url)
    try:
        write_new_lines(engine, house.settings.log_file)
    finally:
        engine.dispose()
    return read_log(house.settings.log_file)


def _mailbox(house: House) -> Iterator[Stored]:
    """What lies in the folders of the mail server."""
    with IMAPClient("localhost", house.dovecot.imap_port, ssl=False, timeout=60) as client:
        client.normalise_times = False
        client.login(house.user, PASSWORD)
        for folder in ("INBOX", house.settings.imap.processed_folder):
            if not client.folder_exists(folder):
                continue  # pbmd makes the second one with the first letter that it moves there
            client.select_folder(folder, readonly=True)
            uids = client.search("ALL")
            for start in range(0, len(uids), 200):
                for item in client.fetch(uids[start : start + 200], ["INTERNALDATE", "BODY.PEEK[]<0.4000>"]).values():
                    raw, stamp = item[b"BODY[]<0>"], item[b"INTERNALDATE"]
                    assert isinstance(raw, bytes)
                    assert isinstance(stamp, datetime)
                    yield Stored(serial_of(raw), stamp.astimezone(UTC))


def _new_games(house: House, plan: Plan) -> list[Player]:
    """The games, and who plays in them: nobody in two."""
    players: list[Player] = []
    for number in range(1, plan.games + 1):
        name, seats = f"galaxy-{number}", SEATS[: plan.seats]
        mine = [Player(name, seat, f"{seat.lower()}{number}@players.test", _orders) for seat in seats]
        entries = (f'[[players]]\nseat = "{player.seat}"\naddress = "{player.address}"\n' for player in mine)
        file = house.folder / f"players-{number}.toml"
        file.write_text("\n".join(entries))
        house.pbmd("new", name, "--ruleset", "galactic_overlord", "--players", str(file))
        players += mine
    sequential = cluster.new_game(house, 1, plan.cluster_deadline) if plan.cluster_deadline else []
    phased = tides.new_game(house, 1, plan.tides_deadline) if plan.tides_deadline else []
    return [*players, *conquest.new_game(house, 1, plan.conquest_deadline), *sequential, *phased]


def _share_key(world: World) -> None:
    """All who share a ledger have the key of the first."""
    for host in world.others:
        if host.folder != world.house.folder:
            host.settings.data.mkdir(mode=0o700, exist_ok=True)
            shutil.copy(world.house.settings.data / KEY, host.settings.data / KEY)


def _orders(chance: random.Random) -> str:
    return f"Build {chance.randint(1, 3)} Laserfrigates\nOOB default: LFTLTF"


@contextmanager
def _world(folder: Path, dovecot: Dovecot, plan: Plan, server: PostgreSQL | None) -> Generator[World]:
    chance = random.Random(f"{plan.seed} storm")
    clock = folder / "clock"
    set_clock(clock, 0)
    refusable = frozenset({f"{SEATS[plan.seats - 1].lower()}1@players.test"})
    weather = Weather(slow=8, taken_and_hung_up=2, hung_up=3, later=6, never=1, refusable=refusable)
    sink = MoodySink(chance=random.Random(f"{plan.seed} sink"), weather=weather)
    with ExitStack() as stack:
        smtp, imap = Wire(stack.enter_context(running_sink(sink))), ThrottledWire(dovecot.imap_port, dovecot.base)
        stack.callback(smtp.cut)
        stack.callback(imap.cut)
        small_disk = server is None and stack.enter_context(_small_disk(folder / "data", plan.disk_megabytes))
        user, database = dovecot.new_user(), server.new_ledger() if server else ""

        def house_in(place: Path, command: str = "run", name: str = "daemon") -> House:
            place.mkdir(exist_ok=True)
            house = House(
                place, sink, user, program="tests.torture.pbmd_with_clock", command=command, name=name, dovecot=dovecot
            )
            house.environment["TORTURE_CLOCK"] = str(clock)
            _write_settings(house, imap.port, smtp.port, plan, database)
            stack.callback(_end, house)
            return house

        places = [folder, *(folder / f"host-{number}" for number in range(2, plan.hosts + 1))]
        house, *others = [house_in(place) for place in places]
        # The last host has the first worker.
        others += [house_in(places[-1 - at % len(places)], "worker", f"worker-{at + 1}") for at in range(plan.workers)]
        yield World(house, chance, imap, smtp, clock, small_disk, lambda: len(sink.handed), others=others, server=server)


def _end(house: House) -> None:
    if house.process is not None and house.process.poll() is None:
        house.kill()


def _write_settings(house: House, imap_port: int, smtp_port: int, plan: Plan, database: str) -> None:
    limits = "\n".join(f"{name} = 1000000" for name in _NO_BRAKES if name in Limits.model_fields)
    house.settings_file.write_text(f"""
rulesets = ["{tides.FOLDER}"]

[server]
address = "{house.address}"
gm = "gm@{DOMAIN}"
database = "{database}"

[imap]
host = "localhost"
port = {imap_port}
ca_file = "{house.dovecot.ca_file}"
user = "{house.user}"
password = "{PASSWORD}"
poll_seconds = 2
timeout_seconds = 10
clock_tolerance_seconds = 2

[smtp]
host = "127.0.0.1"
port = {smtp_port}
tls = "none"
timeout_seconds = 10

[limits]
letter_kilobytes = {HUGE_BYTES * 2 // 3 // 1000}
{limits}

[game]
deadline = "{plan.deadline}"
second_thought = "0m"
reminders = ["10s"]
""")


@contextmanager
def _small_disk(folder: Path, megabytes: int) -> Generator[bool]:
    """Put a folder on a disk of its own that can be filled; False if that is not possible here."""
    folder.mkdir(mode=0o700)
    if os.geteuid() != 0:
        yield False
        return
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "pbmd-torture", str(folder)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        yield False
        return
    try:
        yield True
    finally:
        kept = folder.with_name("data-kept")
        subprocess.run(["cp", "-a", str(folder), str(kept)], check=True)
        subprocess.run(["umount", "-l", str(folder)], check=True)
