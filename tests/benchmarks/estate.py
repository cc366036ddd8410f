"""What a benchmark works on: a data folder with a ledger full of games, a settings file, a mailbox with letters in it, and
the processes that read it."""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlmodel import select

from pbmd.desk.books.desk import Desk, open_desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.mail.tags import seat_tag
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.database import open_engine, reading
from pbmd.ledger.tables import Outbox, Seat
from pbmd.post.read.letter import subject_in
from pbmd.post.tags import plus_address
from pbmd.rules.protocol import Signup
from pbmd.settings import read_settings
from pbmd.terms.terms import Terms
from tests.benchmarks.galaxy import SEATS
from tests.benchmarks.letters import Player
from tests.benchmarks.measure import NotMeasured
from tests.mailservers import DOMAIN, PASSWORD, Dovecot, running_dovecot

ROOT = Path(__file__).parents[2]


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder on the disk of the checkout: what /tmp is made of differs too much from machine to machine."""
    (ROOT / ".cache").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / ".cache", prefix="bench-") as folder:
        yield Path(folder)


@contextmanager
def dovecot() -> Iterator[Dovecot]:
    """A private Dovecot. Raises `NotMeasured` where there is none."""
    try:
        with running_dovecot() as server:
            yield server
    except pytest.skip.Exception as reason:
        raise NotMeasured(str(reason)) from None


def needs(program: str, package: str) -> None:
    """Raises `NotMeasured` where the program is missing."""
    if shutil.which(program) is None:
        raise NotMeasured(f"{program} is not installed: apt-get install {package}")


def write_settings(folder: Path, imap_port: int, user: str, smtp_port: int = 25, database: str = "") -> Path:
    """pbmd.toml in `folder`, for one of Dovecot's mailboxes, which is read and left as it is; `database` is the address of the
    ledger if it is not a file in `folder`."""
    file = folder / "pbmd.toml"
    file.write_text(f"""
rulesets = ["{ROOT / "tests" / "rules" / "count"}"]

[server]
address = "{user}@{DOMAIN}"
gm = "gm@{DOMAIN}"
{f'database = "{database}"' if database else ""}

[imap]
host = "127.0.0.1"
port = {imap_port}
tls = "none"
user = "{user}"
password = "{PASSWORD}"
processed = "leave"

[smtp]
host = "127.0.0.1"
port = {smtp_port}
tls = "none"

# The players of a benchmark write a hundred times more than people would.
[limits]
answers_per_hour = 1000000
answers_per_day = 1000000
mails_per_minute = 1000000
""")
    return file


@dataclass
class Mailbox:
    """A Dovecot mailbox whose Maildir is filled directly; the times of arrival are those of the files."""

    dovecot: Dovecot
    user: str
    filled: int = 0

    def fill(self, letters: Iterable[bytes], first: float) -> int:
        """Add letters, 50 a second from the instant `first` (Unix time) on; gives their number."""
        owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        home = self.dovecot.base / "mail" / self.user
        for folder in (home, *(home / name for name in ("tmp", "cur", "new"))):
            folder.mkdir(exist_ok=True)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        before = self.filled
        for letter in letters:
            at = int(first) + self.filled // 50
            name = f"{at}.M{self.filled:06}P1.bench,S={len(letter)}"
            file = home / "tmp" / name
            file.write_bytes(letter)
            os.chown(file, owner.pw_uid, owner.pw_gid)
            os.utime(file, (at, at))
            file.rename(home / "new" / name)
            self.filled += 1
        return self.filled - before


def start_games(settings_file: Path, count: int) -> list[Player]:
    """So many running games of six players in the ledger of these settings; gives the players of all of them."""
    settings = read_settings(settings_file)
    desk = open_desk(settings)
    players: list[Player] = []
    try:
        for number in range(count):
            players += _start(desk, f"g{number}")
        with desk.engine.connect() as connection:
            # The start is not what is measured: the mails of it are sent, and all is in the main file of the ledger.
            connection.execute(text("UPDATE outbox SET state = 'sent', sent_at = queued_at"))
            connection.commit()
            if connection.dialect.name == "sqlite":
                _checkpoint(connection)
    finally:
        desk.engine.dispose()
    return players


def _start(desk: Desk, name: str) -> list[Player]:
    with changing_games(desk) as work:
        table = new_game.create_game(work, name, "galactic_overlord", Terms(early=False), {})
        for seat in SEATS:
            new_game.add_seat(work, table, Signup(seat), new_game.Newcomer(f"{seat.lower()}@{name}.test", f"{seat}'s player"))
        new_game.start_game(work, table)
        work.write()
        return [_player(work, table, seat) for seat in table.seats]


def _player(work: Transaction, table: OpenGame, seat: Seat) -> Player:
    """The player of a seat, who answers the report that the game began with."""
    mailbox = plus_address(work.desk.settings.server.address, seat_tag(work, seat))
    (report,) = work.session.exec(select(Outbox).where(Outbox.seat_id == seat.id, Outbox.kind == "report"))
    return Player(table.game.name, table.game.turn, seat.name, seat.address, mailbox, report.message_id, subject_in(report.raw))


def _checkpoint(connection: Connection) -> None:
    connection.connection.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # pyright: ignore[reportOptionalMemberAccess]


def numbers(settings_file: Path, *queries: str) -> tuple[int, ...]:
    """What each query (of one number) finds in the ledger."""
    engine = open_engine(read_settings(settings_file).database_url)
    try:
        with reading(engine).connect() as connection:
            return tuple(connection.execute(text(query)).scalar_one() for query in queries)
    finally:
        engine.dispose()


def child(*arguments: str | Path) -> Sequence[str]:
    """The command of a fresh process of ``tests.benchmarks.child``."""
    return [sys.executable, "-m", "tests.benchmarks.child", *map(str, arguments)]


def run(command: Sequence[str]) -> None:
    """Run a command to its end. Raises `RuntimeError` with what it complained about."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]} ended with code {done.returncode}:\n{done.stderr[-4000:]}")
