"""A small IMAP server in memory that is honest but for one fault, which a test scripts."""

import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self

from pbmd.post.accounts import is_loopback

GREETING = "GREETING"
NOON = "01-Mar-2026 12:00:00 +0000"


@dataclass
class FaultyServer:
    """One mailbox, one folder. `fault` strikes when the command `at` is heard ("GREETING": when a client comes), `times` times,
    instead of the honest answer; when it first strikes a letter arrives, so that nothing can hide behind a quiet mailbox."""

    at: str
    fault: Callable[["Talk"], None]
    times: int = 1
    letters: dict[int, bytes] = field(default_factory=dict[int, bytes])
    uidvalidity: int = 5
    connections: int = 0
    struck: int = 0
    heard: list[str] = field(default_factory=list[str])
    """All commands, of all connections."""
    idling: int = 0
    """How many honest IDLEs have been agreed to since the fault struck last."""
    closing: bool = False

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads: list[threading.Thread] = []
        self._open: list[socket.socket] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing = True
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(60)

    def deliver(self, letter: bytes) -> None:
        """A letter arrives."""
        self.letters[max(self.letters, default=0) + 1] = letter

    def renumber(self) -> None:
        """The folder gets another UIDVALIDITY and other UIDs."""
        self.uidvalidity += 1
        self.letters = dict(enumerate(self.letters.values(), start=1))

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, peer = self._listener.accept()
                assert is_loopback(peer[0])
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # a packet is a packet
                self.connections += 1
                self._open.append(connection)
                thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, closing(Talk(self, connection)) as talk, suppress(OSError, ValueError):
            talk.hold_on()


class Talk:
    """The server's side of one connection; a fault gets it to do what it likes."""

    def __init__(self, server: FaultyServer, connection: socket.socket) -> None:
        self.server = server
        self.connection = connection
        self._lines = connection.makefile("rb")
        self.tag = ""
        self.command = ""
        self.known: int | None = None
        """How many letters the client was told of, once it has selected the folder."""

    def close(self) -> None:
        """End the connection."""
        self._lines.close()
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def says(self, *lines: str) -> None:
        """Send lines in one packet."""
        self.sends("".join(f"{line}\r\n" for line in lines).encode())

    def sends(self, data: bytes) -> None:
        """Send bytes."""
        self.connection.sendall(data)

    def drips(self, data: bytes) -> None:
        """Send byte by byte, so slowly that it never ends, and fast enough for every single read."""
        for byte in data:
            time.sleep(0.05)
            self.sends(bytes([byte]))

    def reads(self) -> str:
        """The next line of the client. Raises `EOFError` at its end."""
        line = self._lines.readline()
        if not line:
            raise EOFError
        return line.decode().strip()

    def stays_silent(self) -> None:
        """Say nothing more, whatever the client says, until it is gone."""
        with suppress(EOFError):
            while True:
                self.reads()

    def resets(self) -> None:
        """End the connection as a router does that has forgotten it."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._lines.close()
        self.connection.close()

    def hold_on(self) -> None:
        """Greet and answer until the client is gone."""
        with suppress(EOFError):
            if not self._strikes(GREETING):
                self.says("* OK ready")
            while True:
                self.tag, _, self.command = self.reads().partition(" ")
                self.server.heard.append(self.command)
                if not self._strikes(self.command):
                    self.honest()

    def _strikes(self, what: str) -> bool:
        server = self.server
        if not what.startswith(server.at) or server.struck >= server.times:
            return False
        server.struck += 1
        server.idling = 0
        if server.struck == 1:
            server.deliver(letter(2))
        server.fault(self)
        return True

    def honest(self) -> None:
        """Answer the command as a good server does."""
        for words, answer in _ANSWERS:
            if self.command.startswith(words):
                for line in answer(self):
                    self.sends(line.encode("latin-1") + b"\r\n")
                return
        self.says(f"{self.tag} NO permission denied")

    def fetched(self, uid: int, *, date: str = f'INTERNALDATE "{NOON}"', body: bytes | None = None) -> str:
        """A line of the answer to FETCH, for a letter with its text."""
        raw = self.server.letters[uid] if body is None else body
        number = sorted(self.server.letters).index(uid) + 1
        return f"* {number} FETCH (UID {uid} {date} BODY[] {{{len(raw)}}}\r\n{raw.decode('latin-1')})"


def letter(number: int) -> bytes:
    """A letter that no two of are alike."""
    return f"From: anna@pbmd.test\r\nSubject: {number}\r\nMessage-ID: <{number}@pbmd.test>\r\n\r\nSTATUS {number}\r\n".encode()


def _done(talk: Talk) -> Iterator[str]:
    yield from _news(talk)
    yield f"{talk.tag} OK done"


def _news(talk: Talk) -> Iterator[str]:
    """What came since the client was told last."""
    if talk.known not in (None, len(talk.server.letters)):
        talk.known = len(talk.server.letters)
        yield f"* {talk.known} EXISTS"


def _capability(talk: Talk) -> Iterator[str]:
    yield "* CAPABILITY IMAP4rev1 IDLE"
    yield from _done(talk)


def _select(talk: Talk) -> Iterator[str]:
    server = talk.server
    if "INBOX" not in talk.command:
        yield f"{talk.tag} NO there is no such folder"
        return
    talk.known = len(server.letters)
    yield f"* {talk.known} EXISTS"
    yield f"* OK [UIDVALIDITY {server.uidvalidity}] "
    yield f"* OK [UIDNEXT {max(server.letters, default=0) + 1}] "
    yield from _done(talk)


def _search(talk: Talk) -> Iterator[str]:
    if talk.command == "UID SEARCH 1,*":  # the oldest and the newest
        uids = sorted(talk.server.letters)
        found = sorted({*uids[:1], *uids[-1:]})
    else:
        found = _named(talk, re.findall(r"UID ([\d:*,]+)$", talk.command)[0])
    yield " ".join(["* SEARCH", *map(str, found)])
    yield from _done(talk)


def _fetch(talk: Talk) -> Iterator[str]:
    if len(talk.command) > 8000:
        yield f"{talk.tag} BAD Too long argument"
        return
    words = talk.command.split()
    for uid in _named(talk, words[2]):
        if "BODY.PEEK" in talk.command:
            yield talk.fetched(uid)
        else:
            yield f"* 1 FETCH (UID {uid} RFC822.SIZE {len(talk.server.letters[uid])})"
    yield from _done(talk)


def _named(talk: Talk, uid_set: str) -> list[int]:
    """The UIDs of a set; "n:*" names the highest also when it is below n (RFC 3501 section 6.4.8)."""
    uids, found = sorted(talk.server.letters), set[int]()
    for part in uid_set.split(","):
        first, _, last = part.partition(":")
        if last == "*":
            found |= {uid for uid in uids if uid >= int(first)} | set(uids[-1:])
        else:
            found |= {uid for uid in uids if int(first) <= uid <= int(last or first)}
    return sorted(found)


def _idle(talk: Talk) -> Iterator[str]:
    """Tell of every letter that comes, as soon as it has come."""
    server = talk.server
    yield "+ idling"
    server.idling += 1
    talk.connection.setblocking(False)
    while not server.closing:
        with suppress(BlockingIOError):
            talk.connection.recv(1, socket.MSG_PEEK)
            break
        yield from _news(talk)
        time.sleep(0.005)
    talk.connection.setblocking(True)
    assert talk.reads() == "DONE"
    yield from _done(talk)


_ANSWERS: tuple[tuple[str, Callable[[Talk], Iterator[str]]], ...] = (
    ("CAPABILITY", _capability),
    ("LOGIN", _done),
    ("SELECT", _select),
    ("UID SEARCH", _search),
    ("UID FETCH", _fetch),
    ("NOOP", _done),
    ("IDLE", _idle),
    ("LIST", _done),
)

assert datetime.strptime(NOON, "%d-%b-%Y %H:%M:%S %z") == datetime(2026, 3, 1, 12, tzinfo=UTC)
