"""A web server on loopback, to look at the pages: it shows the files of one folder, and nothing else of the machine.

Whoever is logged in to the machine can reach it, so pages that not everybody may see stand behind a word that only their
reader knows.
"""

from functools import partial
from hmac import compare_digest
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pbmd.dashboard.pages import policy

HOST = "127.0.0.1"
_TYPES = {".html": "text/html; charset=utf-8", ".xml": "application/atom+xml; charset=utf-8", ".svg": "image/svg+xml"}
"""The kinds of files that are shown."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True


def server(folder: Path, port: int, word: str = "") -> ThreadingHTTPServer:
    """The server, listening already; `port` 0 takes any that is free. With a `word` all paths begin with it. Raises `OSError`
    when the port is taken."""
    return _Server((HOST, port), partial(_Handler, prefix=f"/{word}" if word else "", directory=str(folder)))


class _Handler(SimpleHTTPRequestHandler):
    """GET and HEAD for files of the folder, below the `prefix`."""

    extensions_map = _TYPES
    server_version = "pbmd"
    sys_version = ""

    def __init__(self, *request: Any, prefix: str, directory: str) -> None:
        self.prefix = prefix  # first, since it is all done in there
        super().__init__(*request, directory=directory)

    def send_head(self) -> Any:
        """The answer's head. Asked for by a name other than this machine's own, as a page of somebody else could have a
        browser do (DNS rebinding), nothing is shown."""
        host = self.headers.get("Host", "").rpartition(":")[0] or self.headers.get("Host", "")
        if host not in (HOST, "localhost"):
            self.send_error(HTTPStatus.FORBIDDEN)
            return None
        if not self._is_shown():
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return super().send_head()

    def translate_path(self, path: str) -> str:
        """The file of a path."""
        return super().translate_path(path.removeprefix(self.prefix))

    def _is_shown(self) -> bool:
        begins = self.path[: len(self.prefix) + 1]
        if not compare_digest(begins.encode("utf-8", "replace"), f"{self.prefix}/".encode()):
            return False
        path, home = Path(self.translate_path(self.path)), Path(self.directory).resolve()
        file = (path / "index.html" if path.is_dir() else path).resolve()
        own = file.is_relative_to(home) and not any(part.startswith(".") for part in file.relative_to(home).parts)
        return own and file.suffix in _TYPES and file.is_file()

    def end_headers(self) -> None:
        """What every answer has besides: it runs and loads nothing, and stands in no frame of another page."""
        self.send_header("Content-Security-Policy", f"{policy()}; frame-ancestors 'none'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 – the library's name
        """Nothing: the terminal is for what the game master should read."""
