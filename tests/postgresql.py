"""A private PostgreSQL for the tests, in a folder of its own, reached by a socket in it; it never touches what the machine has.

Where root runs the tests it runs as another user, as it wants to.
"""

import getpass
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.engine import make_url

from pbmd.ledger.database import migrate

START_SECONDS = 120
_FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
"""A machine that loses its power while tests run loses nothing else."""
_EMPTY = "empty_ledger"


@dataclass(frozen=True)
class PostgreSQL:
    """A running server, and the one user that it has."""

    folder: Path
    user: str
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def url(self, database: str) -> str:
        """The SQLAlchemy address of a database."""
        return f"postgresql+psycopg://{self.user}@/{database}?host={self.folder}"

    def new_ledger(self) -> str:
        """The address of a database of its own that has all tables, and nothing in them."""
        name = f"ledger_{next(self._numbers)}"
        self._make(name, _EMPTY)
        return self.url(name)

    def drop(self, url: str) -> None:
        """Give the room of a ledger back, whoever still has it open."""
        name = make_url(url).database or ""
        self._do(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def back_ends(self, url: str) -> list[int]:
        """The processes that serve a ledger's connections; none while it lets nobody in."""
        with suppress(psycopg.OperationalError), self._connected() as connection:
            name = make_url(url).database
            found = connection.execute("SELECT pid FROM pg_stat_activity WHERE datname = %s ORDER BY pid", [name])
            return [process for (process,) in found]
        return []

    def end_connections(self, back_ends: Sequence[int]) -> None:
        """End these, if they are still there and anybody is let in."""
        with suppress(psycopg.OperationalError), self._connected() as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s::int[]) AS pid", [list(back_ends)])

    def make_empty_ledger(self) -> None:
        """Make what all others are copies of: a copy takes less than the migrations."""
        self._make(_EMPTY, "template1")
        migrate(self.url(_EMPTY))

    def _make(self, name: str, like: str) -> None:
        self._do(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(like)))

    def _do(self, statement: sql.Composed) -> None:
        with self._connected() as connection:
            connection.execute(statement)

    def _connected(self) -> psycopg.Connection:
        return psycopg.connect(f"host={self.folder} user={self.user} dbname=postgres", autocommit=True)


@contextmanager
def running_postgresql(*, durable: bool = False, address: str = "") -> Iterator[PostgreSQL]:
    """A server as long as the block lasts, `durable` if what is committed is to be on the disk, as it must be where processes
    of it are killed. It listens at an IP `address`, too, if there is one, for everybody near. Skips the test where there is no
    PostgreSQL."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    pg_ctl = programs[-1] if programs else shutil.which("pg_ctl")
    if pg_ctl is None:
        pytest.skip("there is no PostgreSQL here (Debian: apt-get install postgresql)")
    user = _user()
    base = Path(tempfile.mkdtemp(prefix="pbmd-postgresql-", dir="/tmp"))  # the path of a socket may have 100 letters
    try:
        base.chmod(0o755)
        folder = base / "server"
        folder.mkdir(mode=0o700)
        if os.getuid() == 0:
            shutil.chown(folder, user)
        settings = (
            *(() if durable else _FAST),
            f"listen_addresses='{address}'",
            f"unix_socket_directories={folder}",
            "max_connections=200",
        )
        options = " ".join(f"-c {setting}" for setting in settings)
        control = [str(pg_ctl), "-D", str(folder / "data"), "-t", str(START_SECONDS), "-w"]
        _run([*control, "initdb", "-o", f"--auth=trust --username={user} --encoding=UTF8 --locale=C --no-sync"], user)
        if address:
            with (folder / "data" / "pg_hba.conf").open("a") as rules:
                rules.write(f"host all all {address}/24 trust\n")
        _run([*control, "start", "-l", str(folder / "log"), "-o", options], user)
        try:
            server = PostgreSQL(folder, user)
            server.make_empty_ledger()
            yield server
        finally:
            _run([*control, "stop", "-m", "immediate"], user)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _user() -> str:
    """Who runs the server: it refuses to be run by root."""
    if os.getuid() != 0:
        return getpass.getuser()
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    pytest.skip("PostgreSQL does not run as root, and there is no other user")


def _run(command: list[str], user: str) -> None:
    as_user = {"user": user} if os.getuid() == 0 else {}
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/", **as_user)  # pyright: ignore[reportCallIssue, reportArgumentType]
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
