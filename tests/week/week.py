"""A week of a club's life: Dovecot, a real daemon, a clock that goes fast, six games or more, and players who write in
the dress of every mail program. On Tuesday evening pbmd is upgraded from the version before, on Wednesday the mailbox moves
to another server, on Friday a backup is restored, and all the while connections end, the ledger is locked and the daemon is
killed. Then the books are audited: nothing may be lost, and nothing silent."""

import heapq
import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from imapclient import IMAPClient
from sqlmodel import col

from pbmd.desk.books.server_key import KEY
from pbmd.edition import EDITION
from pbmd.ledger.tables import Game, GameStatus, JournalEntry, Letter, LetterState, Outbox, OutboxState
from tests.acceptance.house import House, Sink
from tests.acceptance.wire import Wire
from tests.benchmarks.sink import running_sink
from tests.mailservers import DOMAIN, PASSWORD, Dovecot
from tests.week.audit import ARRIVED, Evidence, audit, mails_by_day
from tests.week.clock import WeekClock
from tests.week.club import TABLES, Club, Table, Written

ROOT = Path(__file__).parents[2]
BEFORE = "1.0.0"
"""The released version from which the club upgrades."""
BEFORE_COMMIT = "d1d34495"
"""Where it stands in the history of the repository."""
_PROGRAM = Path(__file__).with_name("pbmd_by_week_clock.py")
_LOOK_SECONDS = 0.25
_SETTLE_SECONDS = 600.0
_BEHIND, _BEHIND_SECONDS = 5, 5.0
"""With more letters than that in the mailbox, for longer than that, pbmd is behind."""
_BEHIND_AT_MOST = 600.0
_LONGEST_BACKUP = timedelta(hours=6)
"""So long a backup waits at most for letters that it does not have."""
GM = f"gm@{DOMAIN}"


@dataclass
class WeekSink(Sink):
    """The world's mail servers, which write down when a mail came."""

    clock: WeekClock = field(kw_only=True)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Accept whatever comes."""
        envelope.content = f"{ARRIVED}: {self.clock.now().isoformat()}\r\n".encode() + envelope.content
        return await super().handle_DATA(server, session, envelope)


@dataclass(frozen=True)
class Plan:
    """How long it takes, and how large the club is."""

    minutes: float = 60.0
    days: float = 7.0
    players: int = 200
    tables: tuple[Table, ...] = TABLES
    """One game of each, and then more until there are so many players."""
    seed: int = 1
    upgrades: bool = True
    """Whether it begins with the version before, which takes the repository's history."""


@dataclass(frozen=True)
class Outcome:
    """What came of it: numbers to count, the game master's mails of each day, and what the auditor has found."""

    numbers: dict[str, int]
    by_day: dict[str, list[EmailMessage]]
    findings: list[str]


Watch = Callable[[str, float, dict[str, int]], None]
"""(what goes on, the share done, some numbers)."""


def _unseen(_what: str, _share: float, _numbers: dict[str, int]) -> None:
    """For whom nobody watches."""


_Event = tuple[datetime, str, Callable[[], None]]
"""When something happens, what, and how."""


@dataclass
class _Week:
    plan: Plan
    folder: Path
    clock: WeekClock
    club: Club
    sink: WeekSink
    smtp: Wire
    imap: Wire
    chance: random.Random
    house: House
    servers: list[Dovecot]
    program: list[str]
    environment: dict[str, str]
    events: list[_Event] = field(default_factory=list[_Event])
    happened: list[str] = field(default_factory=list[str])
    troubles: list[str] = field(default_factory=list[str])
    upgraded_at: datetime | None = None
    process: subprocess.Popen[bytes] | None = None
    starts: int = 0
    _kept_up: float = field(default_factory=time.monotonic)
    _due: list[tuple[datetime, int, Written]] = field(default_factory=list[tuple[datetime, int, Written]])
    _stamped: dict[int, datetime] = field(default_factory=dict[int, datetime])

    # --- pbmd -----------------------------------------------------------------------------------------------------------------

    def pbmd(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
        """Run a command of the version that is installed just now."""
        command = [*self.program, *arguments, "--settings", str(self.house.settings_file)]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | self.environment, check=False)
        if done.returncode not in codes:
            raise RuntimeError(f"pbmd {' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def start(self) -> None:
        self.starts += 1
        with (self.folder / f"daemon-{self.starts}.err").open("wb") as log:
            command = [*self.program, "run", "--settings", str(self.house.settings_file)]
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | self.environment)

    def stop(self, with_signal: int = signal.SIGTERM) -> None:
        """End the daemon. The clock stands while that takes long, or a busy machine would make days of an upgrade."""
        assert self.process is not None
        self.process.send_signal(with_signal)
        began = time.monotonic()
        while self.process.poll() is None:
            took = time.monotonic() - began
            if took > _SETTLE_SECONDS:
                self.process.kill()
                raise RuntimeError(f"the daemon did not end in {_SETTLE_SECONDS:g} s\n{self.complaints()}")
            if took < _BEHIND_SECONDS:
                self.clock.move()
            time.sleep(0.05)
        self.process = None

    # --- the mail -------------------------------------------------------------------------------------------------------------

    def post(self, now: datetime) -> None:
        """The members read and write, and what they have sent by now comes into the mailbox."""
        for letter in self.club.look(now, self.sink.of):
            heapq.heappush(self._due, (letter.at, letter.serial, letter))
        while self._due and self._due[0][0] <= now:
            _, _, letter = heapq.heappop(self._due)
            self._deliver(letter, self.clock.now())

    def _deliver(self, letter: Written, at: datetime) -> None:
        with self._mailbox() as client:
            client.append("INBOX", letter.raw, (), at)
        self._stamped[letter.serial] = at

    @contextmanager
    def _mailbox(self) -> Generator[IMAPClient]:
        """The mailbox as its server has it, whatever becomes of pbmd's own way there."""
        with IMAPClient("localhost", self.servers[0].imap_port, ssl=False, timeout=60) as client:
            client.login(self.house.user, PASSWORD)
            yield client

    def waiting_letters(self) -> int:
        """How many letters nobody has fetched yet."""
        with self._mailbox() as client:
            client.select_folder("INBOX", readonly=True)
            return len(client.search("ALL"))

    def go_on(self) -> datetime:
        """Move the clock, and give the time; it stands while pbmd is behind with the letters, or a busy machine would make a
        day of what takes it seconds. Raises `RuntimeError` if pbmd does not catch up."""
        if self.waiting_letters() <= _BEHIND:
            self._kept_up = time.monotonic()
        behind = time.monotonic() - self._kept_up
        if behind > _BEHIND_AT_MOST:
            raise RuntimeError(f"the daemon has been behind with the letters for {behind:.0f} s\n{self.complaints()}")
        return self.clock.now() if behind > _BEHIND_SECONDS else self.clock.move()

    @property
    def sent(self) -> list[Written]:
        """The letters that have reached the mail server."""
        return [letter for letter in self.club.letters if letter.serial in self._stamped]

    # --- what happens ---------------------------------------------------------------------------------------------------------

    def plan_events(self) -> None:
        """What the plan has happen, and faults at random times between."""
        day, begins = timedelta(days=1), self.clock.begins
        planned: list[tuple[float, str, Callable[[], None]]] = [
            (1.55, "upgrade", self._upgrade),
            (2.4, "another mail server", self._change_server),
            (4.1, "a backup restored", self._restore),
        ]
        faults: tuple[tuple[str, Callable[[], None]], ...] = (
            ("killed", self._kill),
            ("the mail server ended all connections", lambda: self._cut(self.imap)),
            ("no mail could be sent", lambda: self._cut(self.smtp)),
            ("the ledger was locked", self._lock),
            ("the daemon stood still", self._stand_still),
        )
        for at, name, event in planned:
            if at < self.plan.days:
                self.events.append((begins + at * day, name, event))
        for _ in range(round(3 * self.plan.days)):
            name, event = self.chance.choice(faults)
            self.events.append((begins + self.chance.uniform(0.1, self.plan.days - 0.1) * day, name, event))
        self.events.sort(key=lambda event: event[0])

    def happen(self, now: datetime) -> None:
        """What is due by now."""
        while self.events and self.events[0][0] <= now:
            _, name, event = self.events.pop(0)
            event()
            self.happened.append(name)
            self.clock.move()
        if self.process is not None and self.process.poll() is not None:
            raise RuntimeError(f"the daemon has ended by itself\n{self.complaints()}")

    def complaints(self) -> str:
        """What the daemon said last."""
        return (self.folder / f"daemon-{self.starts}.err").read_text(errors="replace")[-3000:]

    def _upgrade(self) -> None:
        self.stop()
        self.program, self.environment = _this_version(self.folder)
        self.start()
        self.upgraded_at = self.clock.now()

    def editions_of_before(self) -> Iterator[str]:
        """Steps after the upgrade that code of another edition resolved: both versions may have the same name."""
        if self.upgraded_at is None:
            return
        steps = self.house.rows(JournalEntry, JournalEntry.kind == "resolved", col(JournalEntry.at) > self.upgraded_at)
        editions = [json.loads(step.public).get("edition") for step in steps]
        if not editions:
            yield "no step was resolved after the upgrade"
        for edition in sorted({str(each) for each in editions if each != EDITION}):
            yield f"steps were resolved by edition {edition} after the upgrade to {EDITION}"

    def _change_server(self) -> None:
        """As a careful host does it: what has come is read, then pbmd is told of the other server."""
        self.wait_until("the mailbox is read", lambda: not self.waiting_letters())
        self.stop()
        self.servers.reverse()
        self.imap.cut()
        self.imap.target = self.servers[0].imap_port
        self.imap.mend()
        self.house.settings_file.write_text(
            self.house.settings_file.read_text().replace('host = "localhost"', 'host = "127.0.0.1"')
        )
        self.start()

    def _restore(self) -> None:
        """A backup is made, letters come and are read, the disk is lost, and the backup takes its place."""
        saved = self.folder / "saved"
        known = json.loads(self.pbmd("backup", "--to", str(saved), "--json").stdout)["letters"]
        until = self.clock.now() + timedelta(minutes=20)
        while (now := self.go_on()) < until or (now < until + _LONGEST_BACKUP and not self._has_read_more(known)):
            self.post(now)
            time.sleep(_LOOK_SECONDS)
        self.stop(signal.SIGKILL)
        lacks, stopped = len(self.house.rows(Letter)) - known, self._paused()
        data = self.house.settings.data
        for path in (*data.glob("ledger.sqlite*"), data / KEY):
            path.unlink()
        [backup] = saved.glob("*.sqlite")
        read_again = self._put_back(backup)
        if lacks > 0 and not read_again:
            self.troubles.append(f"the backup had {lacks} letters less than the lost ledger, and none was read again")
        paused = self._paused() - stopped
        self.start()
        for name in sorted(paused):
            self.pbmd("resume", name)

    def _has_read_more(self, letters: int) -> bool:
        return len(self.house.rows(Letter)) > letters and not self.waiting_letters()

    def _put_back(self, backup: Path) -> int:
        """How many letters are read again; with --force only where pbmd asks for that."""
        command = ["restore", str(backup), "--json"]
        done = self.pbmd(*command, codes=(0, 1, 2))
        if done.returncode and "--force" in done.stderr:
            done = self.pbmd(*command, "--force")
        if done.returncode:
            raise RuntimeError(f"pbmd {' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return json.loads(done.stdout)["brought_back"]

    def _paused(self) -> set[str]:
        return {game.name for game in self.house.rows(Game, Game.status == GameStatus.PAUSED)}

    def _kill(self) -> None:
        self.stop(signal.SIGKILL)
        self.start()

    def _cut(self, wire: Wire) -> None:
        wire.cut()
        self._pass_time(2)
        wire.mend()

    def _lock(self) -> None:
        locker = (
            "import sqlite3, sys, time; ledger = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None);"
            "ledger.execute('BEGIN EXCLUSIVE'); time.sleep(2); ledger.execute('ROLLBACK')"
        )
        subprocess.run([sys.executable, "-c", locker, str(self.house.settings.data / "ledger.sqlite")], check=True, timeout=120)

    def _stand_still(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)
        self._pass_time(2)
        self.process.send_signal(signal.SIGCONT)

    def _pass_time(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            self.clock.move()
            time.sleep(_LOOK_SECONDS)

    def wait_until(self, what: str, holds: Callable[[], bool]) -> None:
        """Wait while the clock stands. Raises `RuntimeError` if it takes too long."""
        ends = time.monotonic() + _SETTLE_SECONDS
        while not holds():
            if time.monotonic() > ends:
                raise RuntimeError(f"waited {_SETTLE_SECONDS:g} s until {what}\n{self.complaints()}")
            time.sleep(_LOOK_SECONDS)

    def settle(self) -> None:
        """Nobody writes any more; what has come is dealt with, and what is written is sent."""
        self.wait_until("the mailbox is read", lambda: not self.waiting_letters())
        self.wait_until("all letters are dealt with", lambda: not self.house.rows(Letter, Letter.state == LetterState.NEW))
        self.wait_until("all mails are sent", self._has_sent_all)
        self.stop()

    def _has_sent_all(self) -> bool:
        """Whether no mail is due any more; the clock goes on meanwhile, since some are tried again later."""
        now = self.clock.move()
        return not self.house.rows(
            Outbox, col(Outbox.state).in_((OutboxState.QUEUED, OutboxState.SENDING)), col(Outbox.next_try_at) <= now
        )


def week(folder: Path, servers: tuple[Dovecot, Dovecot], plan: Plan, watch: Watch = _unseen) -> Outcome:
    """Let it happen in a new folder, with two mail servers, and audit what is left. Raises `RuntimeError` if pbmd cannot
    go on."""
    with _week(folder, servers, plan) as here:
        ends = here.clock.begins + timedelta(days=plan.days)
        for number, (slug, players, pace) in enumerate(_games(plan), start=1):
            name, file = here.club.new_game(slug, players, number, folder)
            here.pbmd("new", name, "--ruleset", slug, "--players", str(file), "--deadline", pace)
        here.plan_events()
        here.start()
        here.wait_until("the first mail has come", lambda: bool(here.sink.mails))
        while (now := here.go_on()) < ends:
            here.post(now)
            here.happen(now)
            numbers = {
                "letters": len(here.sent),
                "mails": sum(map(len, here.sink.mails.values())),
                "events": len(here.happened),
            }
            watch(now.strftime("%A %H:%M"), 1 - (ends - now) / timedelta(days=plan.days), numbers)
            time.sleep(_LOOK_SECONDS)
        watch("settling", 1.0, {})
        here.settle()
        watch("auditing", 1.0, {})
        return _outcome(here)


def _games(plan: Plan) -> Iterator[Table]:
    """Of each table one, and then more until there are enough players."""
    seated = 0
    while True:
        for table in plan.tables:
            yield table
            seated += table[1]
        if seated >= plan.players:
            return


def _outcome(here: _Week) -> Outcome:
    problems: dict[str, list[str]] = {}
    for game in here.house.rows(Game, col(Game.status).in_((GameStatus.RUNNING, GameStatus.PAUSED, GameStatus.FINISHED))):
        archive = here.folder / f"archive-of-{game.name}"
        here.pbmd("export", game.name, "--to", str(archive))
        told = json.loads(here.pbmd("verify", str(archive), "--json", codes=(0, 1)).stdout)
        problems[game.name] = [json.dumps(problem) for problem in told["problems"]]
    evidence = Evidence(
        days=here.plan.days,
        letters=here.sent,
        rows=here.house.rows(Letter),
        games=here.house.rows(Game),
        mails=here.sink.mails,
        log=here.house.settings.log_file.read_text(encoding="utf-8"),
        said={path.name: path.read_text(errors="replace") for path in sorted(here.folder.glob("daemon-*.err"))},
        verified=problems,
        gm=GM,
        troubles=(*here.troubles, *here.editions_of_before()),
        upgraded_at=here.upgraded_at,
    )
    numbers = {
        "games": len(evidence.games),
        "players": len(here.club.members),
        "letters": len(evidence.letters),
        "mails": sum(map(len, evidence.mails.values())),
        "turns, moves and phases resolved": sum(game.step for game in evidence.games),
        **{name: here.happened.count(name) for name in sorted(set(here.happened))},
    }
    return Outcome(numbers, mails_by_day(evidence), list(audit(evidence)))


@contextmanager
def _week(folder: Path, servers: tuple[Dovecot, Dovecot], plan: Plan) -> Generator[_Week]:
    today = datetime.now(UTC).replace(hour=6, minute=0, second=0, microsecond=0)
    # Of a time gone by: mail servers stamp no letter with a time to come.
    monday = today - timedelta(days=today.weekday() + 7 * math.ceil(plan.days / 7) + 7)
    rate = plan.days * 24 * 60 / plan.minutes
    clock = WeekClock(folder / "clock", monday, rate)
    chance, sink = random.Random(plan.seed), WeekSink(clock=clock)
    with ExitStack() as stack:
        smtp, imap = Wire(stack.enter_context(running_sink(sink))), Wire(servers[0].imap_port)
        stack.callback(smtp.cut)
        stack.callback(imap.cut)
        house = House(folder, sink, servers[0].new_user(), dovecot=servers[0])
        access = {"imap": imap.port, "smtp": smtp.port, "user": house.user, "password": PASSWORD}
        unread = max(30, math.ceil(rate * _UNREAD / timedelta(minutes=1)))
        house.settings_file.write_text(_SETTINGS.format(address=house.address, gm=GM, unread=unread, **access))
        program, environment = _version_before(folder) if plan.upgrades else _this_version(folder)
        here = _Week(plan, folder, clock, Club(chance), sink, smtp, imap, chance, house, [*servers], program, environment)
        try:
            yield here
        finally:
            if here.process is not None and here.process.poll() is None:
                here.stop(signal.SIGKILL)


_SETTINGS = """\
[server]
address = "{address}"
gm = "{gm}"
timezone = "UTC"

[imap]
host = "localhost"
port = {imap}
tls = "none"
user = "{user}"
password = "{password}"
poll_seconds = 2

[smtp]
host = "127.0.0.1"
port = {smtp}
tls = "none"

[alarms]
mailbox_minutes = {unread}
"""
_UNREAD = timedelta(minutes=2)
"""So long, by the machine's time, a mailbox is not read before that is an alarm. pbmd's own pauses go by that time: in a week
of an hour, half an hour without mail is over in eleven seconds, and a busy machine alone would alarm the game master."""


def _this_version(folder: Path) -> tuple[list[str], dict[str, str]]:
    return [sys.executable, str(_PROGRAM)], {"WEEK_CLOCK": str(folder / "clock"), "PYTHONPATH": str(ROOT)}


def _version_before(folder: Path) -> tuple[list[str], dict[str, str]]:
    """The code of the released version, out of the repository's history."""
    tree = folder / f"pbmd-{BEFORE}"
    tree.mkdir()
    packed = subprocess.run(
        ["git", "archive", BEFORE_COMMIT, "pbmd", "rulesets", "templates", "deploy", "docs"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if packed.returncode:
        raise RuntimeError(
            f"the history of this checkout does not have pbmd {BEFORE} ({BEFORE_COMMIT}): try without the upgrade"
        )
    subprocess.run(["tar", "-x", "-C", str(tree)], input=packed.stdout, check=True)
    program, environment = _this_version(folder)
    return program, environment | {"PYTHONPATH": str(tree)}
