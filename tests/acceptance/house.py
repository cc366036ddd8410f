"""A whole pbmd as its users have it: the daemon in a process of its own, Dovecot for its mailbox, an SMTP server for its
mail, and a settings file. The process can be killed at any moment and started again."""

import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session, col, select
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.ledger.database import is_shared, open_engine, reading
from pbmd.settings import Settings, read_settings
from tests.benchmarks.sink import running_sink
from tests.mailservers import DOMAIN, PASSWORD, Dovecot

PATIENCE_SECONDS = 300.0
"""A mail that was being handed over when a daemon was killed goes out a minute after the next start, and so again each time."""


@dataclass
class Sink:
    """The world's mail servers: takes every mail and keeps it by recipient, in order."""

    mails: dict[str, list[EmailMessage]] = field(default_factory=dict[str, list[EmailMessage]])
    refused: set[str] = field(default_factory=set[str])
    lock: threading.Lock = field(default_factory=threading.Lock)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        """Refuse whom a test wants refused."""
        if address in self.refused:
            return "550 5.1.1 there is no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Accept whatever comes."""
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        with self.lock:
            for recipient in envelope.rcpt_tos:
                self.mails.setdefault(recipient, []).append(message)
        return "250 OK"

    def of(self, recipient: str) -> list[EmailMessage]:
        """All mails to a recipient so far."""
        with self.lock:
            return list(self.mails.get(recipient, []))


def pbmd(*arguments: str, codes: Sequence[int] = (0,)) -> str:
    """Run a command of pbmd to its end and give what it printed; `codes` are those with which it may exit."""
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code in codes, (done.output, done.exception)
    return done.stdout


@cache
def _settings_of(file: Path, _text: str) -> Settings:
    return read_settings(file)


@cache
def _engine(url: str) -> Engine:
    """Made once: that takes ten times as long as a look."""
    return open_engine(url)


@dataclass
class Host:
    """A pbmd with any mail servers, which whoever makes it writes into the settings file."""

    folder: Path
    sink: Sink
    user: str
    process: subprocess.Popen[bytes] | None = None
    starts: int = 0
    program: str = "pbmd"
    """The module that is run as the daemon."""
    command: str = "run"
    """What it is to do: `worker` is one of those who help where several share a ledger."""
    name: str = "daemon"
    """What the files are called in which it complains."""
    environment: dict[str, str] = field(default_factory=dict[str, str])
    letters_sent: list[str] = field(default_factory=list[str])
    """The Message-IDs of all letters, in the order in which the mail server took them."""

    _opened: tuple[int, Engine] | None = None

    @property
    def address(self) -> str:
        """Where players write to."""
        return f"{self.user}@{DOMAIN}"

    @property
    def settings_file(self) -> Path:
        """pbmd.toml."""
        return self.folder / "pbmd.toml"

    @property
    def settings(self) -> Settings:
        """What pbmd makes of it."""
        return _settings_of(self.settings_file, self.settings_file.read_text())

    def deliver(self, local_part: str, letter: bytes, *, sender: str) -> None:
        """Have a letter brought into the mailbox; the local part may have a plus-tag."""
        raise NotImplementedError

    def new_game(self, name: str, seats: Sequence[str], *options: str, holders: Mapping[str, str] | None = None) -> None:
        """A running game of Galactic Overlord; each seat is held by its name in small letters at players.test, called as
        `holders` say."""
        called = holders or {}
        entries = (
            f'[[players]]\nseat = "{seat}"\naddress = "{seat.lower()}@players.test"\nholder = "{called.get(seat, "")}"\n'
            for seat in seats
        )
        players = self.folder / "players.toml"
        players.write_text("\n".join(entries))
        self.pbmd("new", name, "--ruleset", "galactic_overlord", "--players", str(players), *options)

    def pbmd(self, *arguments: str) -> str:
        """Run a command to its end and give what it printed. It runs in this process: one of its own would take as long to
        begin as the command takes."""
        return pbmd(*arguments, "--settings", str(self.settings_file))

    def start(self) -> None:
        """Start the daemon."""
        self.starts += 1
        log = (self.folder / f"{self.name}-{self.starts}.err").open("wb")
        command = [sys.executable, "-m", self.program, self.command, "--settings", str(self.settings_file)]
        environment = os.environ | self.environment | {"PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        log.close()

    def is_at_work(self) -> bool:
        """Whether the process that was started last has read its settings and opened the ledger."""
        return "Ctrl-C ends it" in (self.folder / f"{self.name}-{self.starts}.err").read_text()

    def kill(self) -> None:
        """SIGKILL: no goodbye."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """SIGTERM, and see that it ends cleanly."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                code = self.process.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            assert code == 0, self.complaints()

    def complaints(self) -> str:
        """What the daemons wrote to standard error."""
        return "\n".join(path.read_text() for path in sorted(self.folder.glob(f"{self.name}-*.err")))

    def rows(self, kind: type[Any], *conditions: Any) -> list[Any]:
        """Rows of the ledger, by id."""
        with self._ledger() as engine, Session(reading(engine), expire_on_commit=False) as session:
            return list(session.exec(select(kind).where(*conditions).order_by(col(kind.id))))

    @contextmanager
    def _ledger(self) -> Iterator[Engine]:
        """The ledger. A file stays open, since who waits looks into it again and again, until another has taken its place; with
        PostgreSQL a test may end all connections, and each look has one of its own."""
        url, file = self.settings.database_url, self.settings.data / "ledger.sqlite"
        if is_shared(url):
            engine = _engine(url)
            try:
                yield engine
            finally:
                engine.dispose()
            return
        number = file.stat().st_ino if file.exists() else 0
        if self._opened is None or self._opened[0] != number:
            self._opened = number, open_engine(url)
            weakref.finalize(self, self._opened[1].dispose)
        yield self._opened[1]

    def wait_until(self, what: str, condition: Callable[[], Any], seconds: float = PATIENCE_SECONDS) -> Any:
        """Wait for something to come true and give it."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if found := condition():
                return found
            time.sleep(0.1)
        raise AssertionError(f"waited {seconds} s for: {what}\n{self.complaints()}")


@dataclass
class House(Host):
    """See the module."""

    dovecot: Dovecot = field(kw_only=True)

    def deliver(self, local_part: str, letter: bytes, *, sender: str) -> None:
        """By LMTP."""
        self.dovecot.deliver(local_part, letter, sender=sender)


@contextmanager
def open_house(folder: Path, dovecot: Dovecot, imap_port: int = 0, **terms: str) -> Iterator[House]:
    """A house whose daemon is not running yet; at the end it is stopped. `imap_port` puts something before Dovecot."""
    sink = Sink()
    house = House(folder, sink, dovecot.new_user(), dovecot=dovecot)
    game = "\n".join(f'{key} = "{value}"' for key, value in terms.items())
    with running_sink(sink) as port:
        house.settings_file.write_text(f"""
[server]
address = "{house.address}"
gm = "gm@{DOMAIN}"

[imap]
host = "localhost"
port = {imap_port or dovecot.imaps_port}
ca_file = "{dovecot.ca_file}"
user = "{house.user}"
password = "{PASSWORD}"
poll_seconds = 2
clock_tolerance_seconds = 0

[smtp]
host = "127.0.0.1"
port = {port}
tls = "none"

[game]
{game}
""")
        try:
            yield house
        finally:
            house.stop()
