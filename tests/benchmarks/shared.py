"""A ledger on PostgreSQL: what a letter costs there, what the bell costs, and how soon another takes over."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from multiprocessing.synchronize import Event
from pathlib import Path
from subprocess import PIPE

import pytest
from sqlalchemy import text

from pbmd.daemon.bell import Bell, listen
from pbmd.daemon.dispatch import game_pass
from pbmd.daemon.roles import Role
from pbmd.desk.books.desk import Desk, mailbox_name, open_desk
from pbmd.desk.changes import new_game
from pbmd.desk.due.advance import due_games
from pbmd.desk.ingest import store
from pbmd.desk.letter.lanes import assign_lanes, lanes_with_letters
from pbmd.desk.mailroom import process_letters, process_letters_of
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Mailbox
from pbmd.post.imap.fetched import Fetched
from pbmd.rules.protocol import Signup
from pbmd.settings import read_settings
from pbmd.terms.terms import Terms
from tests.benchmarks.estate import scratch, start_games, write_settings
from tests.benchmarks.letters import Player, letters
from tests.benchmarks.measure import NotMeasured, Result, columns, cpu_seconds, in_turn, seconds
from tests.postgresql import PostgreSQL, running_postgresql

LETTERS, GAMES = 1_500, 30
TURNS = 100
"""So many games are due in each repeat of the rows about the bell."""
TAKEN_SECONDS, GONE_SECONDS = 5.0, 25.0


@contextmanager
def _postgresql() -> Iterator[PostgreSQL]:
    try:
        with running_postgresql(durable=True) as server:
            yield server
    except pytest.skip.Exception as reason:
        raise NotMeasured(str(reason)) from None


def measure_letters(repeats: int) -> list[Result]:
    """The processor's time of pbmd for the same letters: on SQLite, alone on PostgreSQL, and in lanes."""
    with scratch() as folder, _postgresql() as server:
        offices = [_Office.opened(folder / "file"), _Office.opened(folder / "server", server.new_ledger())]
        ways = ((offices[0], process_letters), (offices[1], process_letters), (offices[1], _in_lanes))
        try:
            for office, way in ways:
                office.deal(way)
            jobs = [lambda office=office, way=way: office.deal(way) for office, way in ways]
            file, alone, lanes = columns(list(in_turn(repeats, *jobs)), 1000 / LETTERS)
        finally:
            for office in offices:
                office.desk.engine.dispose()
    note = f"{LETTERS} order letters to {GAMES} games; the processor's time of pbmd, without that of the server"
    return [
        Result(
            "postgres",
            "letters on PostgreSQL, one after the other",
            "the same on SQLite",
            "ms a letter",
            1.4,
            alone,
            file,
            note,
        ),
        Result("postgres lanes", "letters on PostgreSQL, game by game", "SQLite", "ms a letter", 1.4, lanes, file, note),
    ]


@dataclass
class _Office:
    """A desk with games whose players write."""

    desk: Desk
    players: list[Player]
    uid: int = 0

    @classmethod
    def opened(cls, folder: Path, database: str = "") -> "_Office":
        folder.mkdir()
        file = write_settings(folder, 143, "nobody", database=database)
        players = start_games(file, GAMES)
        return cls(open_desk(read_settings(file)), players)

    def deal(self, way: Callable[[Desk], int]) -> float:
        """Seconds of the processor for all letters, which are stored before."""
        now = datetime.now(UTC).replace(microsecond=0)
        batch: list[Fetched] = []
        for raw in letters(self.players, LETTERS, seed=self.uid):
            self.uid += 1
            batch.append(Fetched(1, self.uid, now, len(raw), raw, truncated=False))
        for first in range(0, LETTERS, 500):
            store(self.desk, mailbox_name(self.desk), batch[first : first + 500])
        dealt = 0

        def deal() -> None:
            nonlocal dealt
            dealt = way(self.desk)

        used = cpu_seconds(deal)
        assert dealt == LETTERS, f"{dealt} of {LETTERS} letters are dealt with"
        return used


def _in_lanes(desk: Desk) -> int:
    while assign_lanes(desk):
        pass
    return sum(process_letters_of(desk, game) for game in lanes_with_letters(desk))


def measure_bell(repeats: int) -> list[Result]:
    """Turns of trivial rules that a worker is woken for, against the same without a bell, and against a bell that wakes for
    next to nothing; and two workers against one."""
    with scratch() as folder, _postgresql() as server:
        hall = _Hall.opened(folder, server.new_ledger())
        try:
            hall.woken(), hall.found(), hall.bare()
            rows = columns(list(in_turn(repeats, hall.woken, hall.found, hall.bare)), 1000 / TURNS)
            one, two = columns(
                list(in_turn(max(1, repeats // 2), lambda: hall.workers(1), lambda: hall.workers(2))), 1000 / TURNS
            )
        finally:
            hall.bell.close()
            hall.desk.engine.dispose()
    woken, found, bare = rows
    note = f"{TURNS} games of two players, the wall clock, one process"
    ratio = "goal: 0.7 of its games a second"
    cores = f"the processor's time of the workers, once they are ready; this machine has {os.cpu_count()} cores"
    return [
        Result(
            "bell", "turns that a worker is woken for", "found in the ledger, no bell", "ms a game", 1.3, woken, found, note
        ),
        Result(
            "bell games", "the same", "Procrastinate with one UPDATE", "ms a game", 1 / 0.7, woken, bare, f"{note}; {ratio}"
        ),
        Result("workers", "turns by two workers", "by one", "ms a game", 1.25, two, one, cores),
    ]


@dataclass
class _Hall:
    """Games of the tests' counting rules on PostgreSQL, with a clock of their own, all due again and again."""

    file: Path
    now: list[datetime] = field(default_factory=lambda: [datetime.now(UTC) - timedelta(days=400)])
    desk: Desk = field(init=False)
    bell: Bell = field(init=False)

    @classmethod
    def opened(cls, folder: Path, database: str) -> "_Hall":
        hall = cls(write_settings(folder, 143, "nobody", database=database))
        hall.desk = replace(open_desk(read_settings(hall.file)), now=lambda: hall.now[0])
        hall.bell = Bell(database)
        for first in range(0, TURNS, 50):
            with changing_games(hall.desk) as work:
                for number in range(first, first + 50):
                    table = new_game.create_game(
                        work, f"g{number}", "count", Terms(reminders=(), second_thought="0m"), {"target": 1000}
                    )
                    for seat in ("Ada", "Bob"):
                        new_game.add_seat(work, table, Signup(seat), new_game.Newcomer(f"{seat.lower()}@g{number}.test", ""))
                    new_game.start_game(work, table)
        return hall

    def _due(self) -> list[int]:
        """The deadline of all is over, and the mailbox was read since."""
        self.now[0] += timedelta(days=4)
        with changing_games(self.desk) as work:
            box = work.session.query(Mailbox).first() or Mailbox(name=mailbox_name(self.desk))
            box.read_through = self.now[0]
            work.session.add(box)
        found = [game.id for game in due_games(self.desk)]
        assert len(found) == TURNS, f"{len(found)} games are due"
        return found

    def woken(self) -> float:
        """Seconds by a worker that hears the bell."""
        games = self._due()
        return seconds(lambda: (self.bell.ring(games), self._listen(lambda game: game_pass(self.desk, game)), self._none_due()))

    def bare(self) -> float:
        """Seconds by a worker that hears the bell, and does next to nothing."""

        def deal(game: int) -> None:
            with self.desk.engine.begin() as connection:
                connection.execute(text("UPDATE game SET turn = turn WHERE id = :game"), {"game": game})

        games = self._due()
        took = seconds(lambda: (self.bell.ring(games), self._listen(deal)))
        self._resolve()
        return took

    def found(self) -> float:
        """Seconds by somebody who looks into the ledger for each game."""
        self._due()
        return seconds(self._resolve)

    def _resolve(self) -> None:
        lock = text("SELECT id FROM game WHERE id = :game FOR NO KEY UPDATE SKIP LOCKED")
        for game in [game.id for game in due_games(self.desk)]:
            with self.desk.engine.execution_options(pbmd_beside=True).begin() as connection:
                free = connection.execute(lock, {"game": game}).first()
            if free:
                game_pass(self.desk, game)
        self._none_due()

    def _none_due(self) -> None:
        assert not due_games(self.desk), "games are still due"

    def _listen(self, deal: Callable[[int], object]) -> None:
        asyncio.run(listen(self.desk.settings.database_url, deal, waits=False))

    def workers(self, processes: int) -> float:
        """Seconds of the processor that so many workers take together, from when they are ready. Their clock stands."""
        games = self._due()
        command = [sys.executable, "-m", "tests.benchmarks.shared", str(self.file), str(self.now[0].timestamp())]
        children = [subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) for _ in range(processes)]
        for child in children:
            assert child.stdout is not None
            child.stdout.readline()  # it is ready
        self.bell.ring(games)
        told = [child.communicate("go")[0] for child in children]
        self._none_due()
        return sum(float(used) for used in told)


def _work(file: Path, now: datetime) -> None:
    """A worker that ends when the bell does not ring, whose clock stands; it tells what it took of the processor's time."""
    desk = replace(open_desk(read_settings(file)), now=lambda: now)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    used = cpu_seconds(lambda: asyncio.run(listen(desk.settings.database_url, lambda game: game_pass(desk, game), waits=False)))
    desk.engine.dispose()
    sys.stdout.write(f"{used}\n")


def measure_take_over(repeats: int) -> list[Result]:
    """Until another has the part of one that was killed, and of one that stands still, as all of a host does that is gone."""
    with _postgresql() as server:
        url = server.new_ledger()
        killed = tuple(_taken_over(url, signal.SIGKILL) for _ in range(repeats))
        gone = (_taken_over(url, signal.SIGSTOP),)
    return [
        Result("take-over", "of one that was killed", "an amount", "s", TAKEN_SECONDS, killed),
        Result("take-over gone", "of one of which nothing is heard", "an amount", "s", GONE_SECONDS, gone),
    ]


def _taken_over(url: str, how: signal.Signals) -> float:
    spawn = multiprocessing.get_context("spawn")
    holds = spawn.Event()
    holder = spawn.Process(target=_hold, args=(url, holds))
    holder.start()
    role = Role(url, "measured")
    try:
        assert holds.wait(60)
        assert not role.is_ours()
        os.kill(holder.pid or 0, how)
        began = time.perf_counter()
        while not role.is_ours():
            time.sleep(0.05)
        return time.perf_counter() - began
    finally:
        role.give_back()
        holder.kill()
        holder.join()


def _hold(url: str, holds: Event) -> None:
    role = Role(url, "measured")
    while True:
        if role.is_ours():
            holds.set()
        time.sleep(0.2)


if __name__ == "__main__":
    _work(Path(sys.argv[1]), datetime.fromtimestamp(float(sys.argv[2]), UTC))
