"""What a scripted IMAP server and a scripted SMTP server share: connections, lines, and when a fault strikes."""

import socket
import struct
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal, Self

GREETING = "GREETING"
"""What a client is told that has just come, as if that were the answer to a command of this name."""
ALWAYS = 1_000_000


@dataclass(frozen=True)
class Fault:
    """What a server does instead of the honest thing."""

    at: str
    """How the command begins that is answered so, in capitals; `GREETING` is none."""
    says: tuple[str, ...] = ()
    """The lines, with {tag} for the tag of the command. In an answer to SEARCH {uids} is what was found, and a line with
    {each} is said once for each of it."""
    then: Literal["goes on", "closes", "resets", "is silent", "is honest"] = "goes on"
    """What comes after these lines; "is honest" is the honest answer to the command."""
    part: str = ""
    """Only commands that hold this, such as BODY.PEEK."""
    uid: int = 0
    """Only where this message is told of: those before it in the same answer are told of honestly. 0 is the whole command."""
    after: int = 0
    """So often the command is answered honestly before that."""
    times: int = ALWAYS
    """So often it strikes."""
    seconds: float = float("inf")
    """So long, from the first time on."""
    told: Mapping[str, str] = field(default_factory=dict[str, str])
    """What is said of the messages (of that `uid`) instead of what is so: "INTERNALDATE", "RFC822.SIZE" or "BODY", and the
    text of it as it is on the line; empty leaves it out."""
    longer: int = 0
    """By how many bytes a literal is said to be longer than it is; below 0, shorter."""

    @property
    def lies(self) -> bool:
        """Whether the answer is honest but for some of what it tells of messages."""
        return bool(self.told or self.longer)


@dataclass
class _Strikes:
    """How often a fault could have struck, and did."""

    met: int = 0
    struck: int = 0
    first: float = 0.0


class Talk:
    """The server's side of one connection."""

    def __init__(self, server: "Server", connection: socket.socket) -> None:
        self.connection = connection
        self._lines = connection.makefile("rb")
        self._server = server

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

    def reads(self) -> str:
        """The next line of the client. Raises `EOFError` at its end."""
        line = self._lines.readline()
        if not line:
            raise EOFError
        return line.decode("utf-8", "surrogateescape").rstrip("\r\n")

    def reads_bytes(self, size: int) -> bytes:
        """So many bytes of the client. Raises `EOFError`."""
        data = self._lines.read(size)
        if len(data) < size:
            raise EOFError
        return data

    def is_spoken_to(self) -> bool:
        """Whether the client has said something that was not read yet, or has gone."""
        self.connection.setblocking(False)
        try:
            return bool(self._lines.peek(1)) or not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        finally:
            self.connection.setblocking(True)

    def does(self, fault: Fault, **words: str) -> bool:
        """What the fault says, and what comes then. True if the honest answer is wanted after it. Raises `EOFError` if the
        connection is over by then."""
        for line in fault.says:
            for each in words.get("uids", "").split() if "{each}" in line else [""]:
                self.says(line.replace("{each}", each).format_map({"uids": "", **words}))
        match fault.then:
            case "goes on" | "is honest":
                return fault.then == "is honest"
            case "closes":
                self.close()
            case "resets":  # as a router does that has forgotten the connection
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self._lines.close()
                self.connection.close()
            case "is silent":
                while True:
                    self.reads()
        raise EOFError

    def hold_on(self) -> None:
        """Serve until the client is gone (`EOFError`)."""
        raise NotImplementedError


class Server:
    """Listens on a port of 127.0.0.1 for as long as its block lasts."""

    def __init__(self, *faults: Fault) -> None:
        self.heard: list[str] = []
        """All commands, of all connections."""
        self.connections = 0
        self.closing = False
        self.lock = threading.RLock()
        self._strikes: dict[int, _Strikes] = {}  # by identity: a Fault holds a mapping, and two may be alike
        self._faults = list(faults)
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

    @contextmanager
    def having(self, *faults: Fault) -> Generator[None]:
        """The server has these faults, too, until the block ends."""
        with self.lock:
            self._faults += faults
        try:
            yield
        finally:
            with self.lock:
                self._faults = [each for each in self._faults if not any(each is one for one in faults)]

    @property
    def faults(self) -> list[Fault]:
        """Those that it has now."""
        return [*self._faults]

    def struck(self, fault: Fault) -> int:
        """How often this fault has struck."""
        with self.lock:
            return self._count(fault).struck

    def strikes(self, command: str, uid: int = 0, *, lies: bool | None = None) -> Fault | None:
        """The fault that strikes at this command, or where it comes to this message; it is counted. With `lies` only one that
        lies, or does not."""
        with self.lock:
            for fault in self._faults:
                is_meant = fault.uid == uid and lies in (None, fault.lies)
                if is_meant and command.startswith(fault.at) and fault.part in command and self._is_due(fault):
                    return fault
        return None

    def _is_due(self, fault: Fault) -> bool:
        count, now = self._count(fault), time.monotonic()
        count.met += 1
        if count.met <= fault.after or count.struck >= fault.times:
            return False
        count.first = count.first or now
        if now - count.first > fault.seconds:
            return False
        count.struck += 1
        return True

    def _count(self, fault: Fault) -> _Strikes:
        return self._strikes.setdefault(id(fault), _Strikes())

    def _talk(self, connection: socket.socket) -> Talk:
        raise NotImplementedError

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # a packet is a packet
                self.connections += 1
                self._open.append(connection)
                thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _serve(self, connection: socket.socket) -> None:
        talk = self._talk(connection)
        with connection, suppress(OSError, EOFError):
            try:
                talk.hold_on()
            finally:
                talk.close()
