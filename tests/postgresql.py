"""A private PostgreSQL for the tests, in a folder of its own, reached by a socket in it.

It never touches what the machine runs. Where root runs the tests it runs as another user, as it wants to.
"""

import getpass
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.engine import make_url

from pbmd.ledger.database import migrate

START_SECONDS = 120
EVERYWHERE = "PBMD_POSTGRESQL" in os.environ
"""Whether all tests of the desk are to have their ledgers on PostgreSQL (`make test-postgresql`)."""
about_files = pytest.mark.skipif(EVERYWHERE, reason="this is about ledgers in files")
_FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
"""A machine that loses its power while tests run loses nothing else."""
_EMPTY = "empty_ledger"
_MEMORY, _ROOM = Path("/dev/shm"), 2_000_000_000


@dataclass(frozen=True)
class PostgreSQL:
    """A running server, and the one user that it has."""

    folder: Path
    user: str
    programs: Path
    durable: bool = False
    address: str = ""
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
        self._do(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(self._name(url))))

    def new_database(self) -> str:
        """The address of a database in which nothing is, not even tables."""
        name = f"ledger_{next(self._numbers)}"
        self._make(name, "template0")
        return self.url(name)

    def dump(self, url: str, to: Path) -> None:
        """Back a ledger up, as docs/scale.md says."""
        self._run("pg_dump", "--format=custom", f"--file={to}", self._name(url))

    def restore(self, dump: Path, url: str, *more: str) -> None:
        """Put a ledger back, as docs/scale.md says."""
        self._run("pg_restore", "--no-owner", "--exit-on-error", *more, f"--dbname={self._name(url)}", str(dump))

    def carry_out(self, script: bytes, url: str) -> None:
        """Have psql carry a script out in a database."""
        with tempfile.NamedTemporaryFile(suffix=".sql") as file:
            file.write(script)
            file.flush()
            self._run("psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--file={file.name}", self._name(url))

    def restart(self) -> None:
        """Stop the server, whoever uses it, and start it again."""
        self._control("stop", "-m", "fast")
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it can be used."""
        settings = (
            *(() if self.durable else _FAST),
            f"listen_addresses='{self.address}'",
            f"unix_socket_directories={self.folder}",
            "max_connections=200",
        )
        self._control("start", "-l", str(self.folder / "log"), "-o", " ".join(f"-c {setting}" for setting in settings))

    def stop(self) -> None:
        """Stop the server at once, as a crash would."""
        self._control("stop", "-m", "immediate")

    def initialise(self) -> None:
        """Make the files of the server."""
        self._control("initdb", "-o", f"--auth=trust --username={self.user} --encoding=UTF8 --locale=C --no-sync")

    def do(self, statement: str) -> None:
        """Carry something out as the user who may do anything, outside any ledger."""
        self._do(sql.SQL(statement))  # pyright: ignore[reportArgumentType]

    def ask_for_password(self, url: str, password: str) -> str:
        """Give a database to an owner who has to show a password to get into it. Gives its address with that user."""
        name = self._name(url)
        owner = f"owner_of_{name}"
        statements = (
            sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(owner), sql.Literal(password)),
            sql.SQL("ALTER DATABASE {} OWNER TO {}").format(sql.Identifier(name), sql.Identifier(owner)),
        )
        rules = self.folder / "data" / "pg_hba.conf"
        rules.write_text(f"local all {owner} scram-sha-256\n{rules.read_text()}")
        for statement in (*statements, sql.Composed([sql.SQL("SELECT pg_reload_conf()")])):
            self._do(statement)
        return url.replace(f"//{self.user}@", f"//{owner}@")

    def back_ends(self, url: str) -> list[int]:
        """The processes that serve a ledger's connections; none while it lets nobody in."""
        with suppress(psycopg.OperationalError), self._connected() as connection:
            found = connection.execute("SELECT pid FROM pg_stat_activity WHERE datname = %s ORDER BY pid", [self._name(url)])
            return [process for (process,) in found]
        return []

    def end_connections(self, back_ends: Sequence[int]) -> None:
        """End these, if they are still there and anybody is let in."""
        with suppress(psycopg.OperationalError), self._connected() as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s::int[]) AS pid", [list(back_ends)])

    def let_in(self, address: str) -> None:
        """Let everybody in who is near that IP address."""
        with (self.folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {address}/24 trust\n")

    def make_empty_ledger(self) -> None:
        """Make what all others are copies of: a copy takes less than the migrations."""
        self._make(_EMPTY, "template1")
        migrate(self.url(_EMPTY))

    def _make(self, name: str, like: str) -> None:
        with self._connected() as connection:
            # Copied as files, as before PostgreSQL 15, an empty ledger takes half as much, and so does its end.
            how = " STRATEGY file_copy" if connection.info.server_version >= 150_000 else ""
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}" + how).format(sql.Identifier(name), sql.Identifier(like))
            )

    def _name(self, url: str) -> str:
        return make_url(url).database or ""

    def _run(self, program: str, *arguments: str) -> None:
        _run([str(self.programs / program), f"--host={self.folder}", f"--username={self.user}", *arguments])

    def _control(self, *arguments: str) -> None:
        control = [str(self.programs / "pg_ctl"), "-D", str(self.folder / "data"), "-t", str(START_SECONDS), "-w"]
        _run([*control, *arguments], self.user)

    def _do(self, statement: sql.SQL | sql.Composed) -> None:
        with self._connected() as connection:
            connection.execute(statement)

    def _connected(self) -> psycopg.Connection:
        return psycopg.connect(f"host={self.folder} user={self.user} dbname=postgres", autocommit=True)


@contextmanager
def running_postgresql(*, durable: bool = False, address: str = "") -> Generator[PostgreSQL]:
    """A server as long as the block lasts, `durable` if what is committed is to be on the disk, as it must be where processes
    of it are killed. It listens at an IP `address`, too, if there is one, for everybody near. Skips the test where there is no
    PostgreSQL."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    pg_ctl = programs[-1] if programs else shutil.which("pg_ctl")
    if pg_ctl is None:
        pytest.skip("there is no PostgreSQL here (Debian: apt-get install postgresql)")
    user = _user()
    # Not in the folder of the tests: the path of a socket may have 100 letters. In memory a ledger is made in a tenth
    # of the time that it takes on a disk.
    in_memory = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM
    base = Path(tempfile.mkdtemp(prefix="pbmd-postgresql-", dir=_MEMORY if in_memory else "/tmp"))
    try:
        base.chmod(0o755)
        folder = base / "server"
        folder.mkdir(mode=0o700)
        if os.getuid() == 0:
            shutil.chown(folder, user)
        server = PostgreSQL(folder, user, Path(pg_ctl).parent, durable, address)
        server.initialise()
        if address:
            server.let_in(address)
        server.start()
        try:
            server.make_empty_ledger()
            yield server
        finally:
            server.stop()
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


def _run(command: list[str], user: str = "") -> None:
    as_user = {"user": user} if user and os.getuid() == 0 else {}
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/", **as_user)  # pyright: ignore[reportCallIssue, reportArgumentType]
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
