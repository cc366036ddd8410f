"""A web server on loopback, to look at the pages: it shows the files of one folder, and nothing else on the machine.

Everybody who is logged in to the machine can reach it, so pages that not everybody may see are behind a word that only their
reader knows.

Connections are limited in number and in time.
"""

import logging
import socket
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hmac import compare_digest
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pbmd.pages.page_html import POLICY

_log = logging.getLogger("pbmd.pages")
HOST = "127.0.0.1"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".xml": "application/atom+xml; charset=utf-8",
    ".svg": "image/svg+xml",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
"""The kinds of files that are shown."""


MOST_CONNECTIONS = 64
"""A browser opens six at once; each connection has a thread."""
REQUEST_SECONDS = 10.0
"""How long a request may take to arrive, however its bytes are spread."""
ANSWER_SECONDS = 60.0
"""How long a connection may last in all: each has one request, and the largest page has some megabytes."""
SLOWEST = 50_000
"""Bytes a second: so much longer may a connection last by which many are sent, such as an archive."""
_FULL = b"HTTP/1.0 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\nRetry-After: 1\r\n\r\n"


@dataclass
class _Connection:
    """An open connection: since when, whether its request has come, and how many bytes are sent."""

    began: float
    asked: bool = False
    size: int = 0

    def ends_at(self) -> float:
        """When it is cut."""
        return self.began + (ANSWER_SECONDS + self.size / SLOWEST if self.asked else REQUEST_SECONDS)


class BoundedServer(ThreadingHTTPServer):
    """It has at most this many connections, and none forever. When there are too many, the one that has been silent longest
    makes room for the next: so any number of half-open ones keep nobody out."""

    daemon_threads = True
    request_queue_size = MOST_CONNECTIONS

    def __init__(self, *arguments: Any) -> None:
        self._open: dict[socket.socket, _Connection] = {}
        self._changes = threading.Lock()
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, or not at all if all connections have sent their requests and wait for answers."""
        with self._changes:
            waiting = [connection for connection, known in self._open.items() if not known.asked]
            full = len(self._open) >= MOST_CONNECTIONS
            if full and waiting:
                self._forget(waiting[0])  # the oldest: they are in the order in which they came
            if not full or waiting:
                self._open[request] = _Connection(time.monotonic())
        if full and not waiting:
            with suppress(OSError):
                request.send(_FULL)
            self.shutdown_request(request)
        else:
            super().process_request(request, client_address)

    def has_asked(self, request: socket.socket) -> None:
        """The whole request has arrived."""
        with self._changes:
            if request in self._open:
                self._open[request].asked = True

    def will_send(self, request: socket.socket, size: int) -> None:
        """So many bytes are the answer."""
        with self._changes:
            if request in self._open:
                self._open[request].size = size

    def service_actions(self) -> None:
        """Twice a second: cut what takes too long."""
        with self._changes:
            now = time.monotonic()
            for connection in [each for each, known in self._open.items() if known.ends_at() <= now]:
                self._forget(connection)

    def close_request(self, request: Any) -> None:
        """The answer is complete."""
        with self._changes:
            self._open.pop(request, None)
        super().close_request(request)

    def _forget(self, connection: socket.socket) -> None:
        """Cut it, which wakes its thread, and stop counting it."""
        del self._open[connection]
        with suppress(OSError):  # it is gone already
            connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 – the library's names
        """A client that hangs up is no trouble; anything else is a defect, of which only the kind is logged."""
        problem = sys.exc_info()[1]
        if not isinstance(problem, OSError):
            _log.error("a page could not be shown: %s", type(problem).__name__)


def server(folder: Path, port: int, word: str = "") -> ThreadingHTTPServer:
    """The server, already listening; `port` 0 takes any that is free. With a `word` all paths begin with it. Raises `OSError`
    when the port is taken."""
    return BoundedServer((HOST, port), partial(PagesHandler, prefix=f"/{word}" if word else "", directory=str(folder)))


class PagesHandler(SimpleHTTPRequestHandler):
    """GET and HEAD for files of the folder, below the `prefix`."""

    extensions_map = _TYPES
    server_version = "pbmd"
    sys_version = ""
    names = frozenset({HOST, "localhost"})

    def __init__(self, *request: Any, prefix: str, directory: str) -> None:
        self.prefix = prefix  # first, since the constructor already answers the request
        super().__init__(*request, directory=directory)

    def parse_request(self) -> bool:
        """Read the header; returns whether there is something to answer."""
        good = super().parse_request()
        if self.command != "POST":  # whose body has not arrived yet
            self.has_come()
        return good

    def has_come(self) -> None:
        """The whole request has arrived."""
        if isinstance(self.server, BoundedServer):
            self.server.has_asked(self.connection)

    def sends(self, size: int) -> None:
        """An answer of so many bytes begins."""
        if isinstance(self.server, BoundedServer):
            self.server.will_send(self.connection, size)

    def send_head(self) -> Any:
        """The header of the answer. If the request names a host other than this machine, as somebody else's page could make a
        browser do (DNS rebinding), nothing is shown."""
        if self.asked_by_name() not in self.names:
            self.send_error(HTTPStatus.FORBIDDEN)
            return None
        if not self.is_shown():
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return super().send_head()

    def translate_path(self, path: str) -> str:
        """The file of a path."""
        return super().translate_path(path.removeprefix(self.prefix))

    def asked_by_name(self) -> str:
        """The name in the request's Host header, without a port."""
        host = self.headers.get("Host", "")
        return (host.rpartition(":")[0] or host).lower()

    def is_shown(self) -> bool:
        """Whether the path is a file that may be shown."""
        begins = self.path[: len(self.prefix) + 1]
        if not compare_digest(begins.encode("utf-8", "replace"), f"{self.prefix}/".encode()):
            return False
        try:
            path, home = Path(self.translate_path(self.path)), Path(self.directory).resolve()
            file = (path / "index.html" if path.is_dir() else path).resolve()
        except (OSError, ValueError, RuntimeError):  # a name that no file can have: with NUL, too long, or no text at all
            return False
        own = file.is_relative_to(home) and not any(part.startswith(".") for part in file.relative_to(home).parts)
        return own and file.suffix in _TYPES and file.is_file()

    def end_headers(self) -> None:
        """The headers of every answer: the page loads nothing from elsewhere, and may not be framed by another page."""
        self.send_header("Content-Security-Policy", f"{POLICY}; frame-ancestors 'none'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 – the library's name
        """Log nothing: the terminal is for what the game master should read."""
