"""The server for what may be seen from everywhere, behind a web server: the pages of seats, each below an address that nobody
can guess, and, if wanted, the public pages of games. It has no access to the game master's pages.

Whatever does not exist is answered with the same few bytes, and requests are not logged anywhere.

Pages of seats are not cached on the way, send no referrer, and run and style nothing that is inside them. A wrong address gets
its answer after the same steps as a right one.
"""

import logging
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy.exc import SQLAlchemyError

from pbmd.pages.request_limits import ALL, Brake, Guesses
from pbmd.pages.seat_archives import SeatArchives
from pbmd.pages.seat_pages import FORM_BYTES, Answer, page_of
from pbmd.pages.seat_render import POLICY, assets
from pbmd.pages.seat_source import SeatSource
from pbmd.pages.server import HOST, BoundedServer, PagesHandler
from pbmd.post.tags import SeatNumber
from pbmd.rendering.seat_now import ARCHIVE_PAGE, SeatNow
from pbmd.rules.troubles import DEFECTS, BrokenGame, place_of

_log = logging.getLogger("pbmd.pages")
_SEAT = re.compile(r"/s/(?P<tag>[A-Za-z0-9.]{1,60})(?P<slash>/)?(?P<name>[a-z0-9.-]{0,40})")
_STATIC = re.compile(r"/static/([a-z0-9.-]{1,60})")
_TEXT = "text/plain; charset=utf-8"
NOT_FOUND = Answer(404, _TEXT, b"There is nothing here. A link to the pages of a seat ends when the seat has a new token.\n")
_NOT_NOW = Answer(503, _TEXT, b"This cannot be shown just now. Your reports are in your mail.\n", wait=60)
_TOO_LARGE = Answer(413, _TEXT, b"That is too much.\n")
_IN_THE_MAKING = Answer(
    503, _TEXT, b"The archive is being made; a long game takes some minutes. Open this address again then.\n", wait=60
)
_NO_ARCHIVE = Answer(503, _TEXT, b"The archive could not be made. Ask the game master for it.\n", wait=60)
MINUTE = 60.0
PAGES_OF_SEAT, CHECKS_OF_SEAT, CHECKS_OF_ALL = 300, 40, 600
"""Per minute. Somebody who types without a pause needs 40 checks or so, and each view of a page is a few requests."""


ARCHIVES_OF_SEAT, TEN_MINUTES = 10, 600.0
"""Each may take a connection for minutes, of which there are 64."""


@dataclass
class PublicSite:
    """What can be seen and under which name, and the limits. `folder` has the public pages of games, None if they are not
    shown."""

    source: SeatSource
    host: str
    folder: Path | None = None
    clock: Callable[[], float] = time.monotonic
    guesses: Guesses = field(init=False)
    pages: Brake = field(init=False)
    checks: Brake = field(init=False)
    all_checks: Brake = field(init=False)
    archives: SeatArchives = field(init=False)
    archives_asked: Brake = field(init=False)
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.guesses = Guesses(self.clock)
        self.pages = Brake(PAGES_OF_SEAT, MINUTE, self.clock)
        self.checks = Brake(CHECKS_OF_SEAT, MINUTE, self.clock)
        self.all_checks = Brake(CHECKS_OF_ALL, MINUTE, self.clock)
        self.archives = SeatArchives(self.source.archive, self.clock)
        self.archives_asked = Brake(ARCHIVES_OF_SEAT, TEN_MINUTES, self.clock)

    def seat_page(self, path: str, client: str, posted: bytes | None = None) -> Answer:
        """The answer to a request for a page of a seat from that network address."""
        try:
            return self._seat_page(path, client, posted)
        except (BrokenGame, SQLAlchemyError):
            return _NOT_NOW
        except DEFECTS as problem:  # the text of the exception may tell secrets
            _log.error("a page of a seat cannot be shown: %s", place_of(problem))
            return _NOT_NOW

    def _seat_page(self, path: str, client: str, posted: bytes | None) -> Answer:
        if self.guesses.must_wait(client):
            return _wait(int(MINUTE), "There were too many wrong addresses from where you are.")
        found = _SEAT.fullmatch(path)
        # Simultaneous requests wait for each other: so a player who checks without end uses one processor at most.
        with self._one_at_a_time:
            of = self.source.seat_of(found["tag"] if found else "")
            if of is None or found is None:
                self.guesses.note(client)
                return NOT_FOUND
            if not found["slash"]:
                return Answer(301, location=f"{found['tag']}/") if not found["name"] else NOT_FOUND
            seat = f"{of.game} {of.seat}"
            if not self.pages.note(seat):
                return _wait(10, "That was too often.")
            if posted is not None and not (self.checks.note(seat) and self.all_checks.note(ALL)):
                return _wait(10, "That was too often.")
            if found["name"] != ARCHIVE_PAGE or posted is not None:
                return page_of(self.source, of, found["name"], posted) or NOT_FOUND
            stands = self.source.stands(of)
        return self._archive(of, stands)

    def _archive(self, of: SeatNumber, stands: SeatNow) -> Answer:
        """The archive, for which nobody else waits."""
        if not stands.archived:
            return NOT_FOUND
        if not self.archives_asked.note(f"{of.game} {of.seat}"):
            return _wait(int(TEN_MINUTES), "That was too often.")
        made = self.archives.of(of)
        if made is None:
            return _IN_THE_MAKING
        return Answer(200, "application/zip", made, file=f"{stands.game}.zip") if made else _NO_ARCHIVE


def _wait(seconds: int, words: str) -> Answer:
    return Answer(429, _TEXT, f"{words} Try again later.\n".encode(), wait=seconds)


def public_server(site: PublicSite, port: int) -> ThreadingHTTPServer:
    """The server, already listening on this machine alone; `port` 0 takes any that is free. Raises `OSError` when the port is
    taken."""
    directory = str(site.folder or Path("/nonexistent"))
    return BoundedServer((HOST, port), partial(_PublicHandler, site=site, prefix="", directory=directory))


def host_of(url: str) -> str:
    """The name in the address of the pages."""
    return (urlsplit(url).hostname or "").lower()


class _PublicHandler(PagesHandler):
    """GET, HEAD and, for what is to be checked, POST."""

    def __init__(self, *request: object, site: PublicSite, prefix: str, directory: str) -> None:
        self.site = site
        self.strict = False
        self.names = frozenset({*PagesHandler.names, site.host})
        super().__init__(*request, prefix=prefix, directory=directory)

    def do_GET(self) -> None:  # noqa: N802 – the library's name
        """Answer a request for a page."""
        if not self._answered():
            super().do_GET()

    def do_HEAD(self) -> None:  # noqa: N802 – the library's name
        """The header of the same answer."""
        if not self._answered():
            super().do_HEAD()

    def do_POST(self) -> None:  # noqa: N802 – the library's name
        """Say how orders would be understood. This needs nothing but the address, and changes nothing."""
        path = self.path.partition("?")[0]
        length = self.headers.get("Content-Length", "")
        if not path.startswith("/s/") or self.asked_by_name() not in self.names or self._is_of_another_page(path):
            self._send(NOT_FOUND)
        elif not length.isascii() or not length.isdigit() or len(length) > 9 or int(length) > FORM_BYTES:
            self._send(_TOO_LARGE)
        else:
            posted = self.rfile.read(int(length))
            if len(posted) < int(length):
                return  # the connection was cut
            self.has_come()
            self._send(self.site.seat_page(path, self._client(), posted))

    def is_shown(self) -> bool:
        """Whether the path is a public page that may be shown."""
        return self.site.folder is not None and super().is_shown()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002 – the library's
        """Everything that does not exist gets one and the same answer. Nothing of the request is repeated: it may contain a
        token, and the web server in front may log the answer."""
        self._send(NOT_FOUND if code in (403, 404) else Answer(code, _TEXT, b"This cannot be answered.\n"))

    def send_header(self, keyword: str, value: str) -> None:
        """A request for a folder without a slash is redirected relatively: the web server in front may show all this below a
        path that is not known here."""
        of_folder = keyword == "Location" and value.startswith("/")
        super().send_header(keyword, f"{value.partition('?')[0].rstrip('/').rpartition('/')[2]}/" if of_folder else value)

    def end_headers(self) -> None:
        """A page of a seat must not be cached, and allows nothing that is inside it."""
        if self.strict:
            self.send_header("Content-Security-Policy", POLICY)
            for name, value in _HEADERS.items():
                self.send_header(name, value)
            super(PagesHandler, self).end_headers()
        else:
            super().end_headers()

    def _answered(self) -> bool:
        """Whether it was a page of a seat, or style or script, and has been answered."""
        path = self.path.partition("?")[0]
        if self.asked_by_name() not in self.names or self._is_of_another_page(path):
            self._send(NOT_FOUND)
        elif path.startswith("/s/"):
            self._send(self.site.seat_page(path, self._client()))
        elif found := _STATIC.fullmatch(path):
            kind, data = assets().get(found[1], ("", b""))
            self._send(Answer(200, kind, data) if kind else NOT_FOUND, kept=bool(kind))
        else:
            return False
        return True

    def _client(self) -> str:
        """The client: the web server in front appends it last, in the same header or, as HAProxy does, in another one below;
        anybody may have written what stands before."""
        told = ",".join(self.headers.get_all("X-Forwarded-For", [])).rpartition(",")[2].strip()
        return told or str(self.client_address[0])

    def _is_of_another_page(self, path: str) -> bool:
        """Whether somebody else's page or mail makes a browser load it as a part of itself, such as a picture. Nobody needs
        that for a page of a seat; and wrong addresses would be counted against the person who only looks at it."""
        comes_from, for_what = (self.headers.get(f"Sec-Fetch-{name}", "") for name in ("Site", "Dest"))
        return path.startswith("/s/") and comes_from in ("cross-site", "same-site") and for_what != "document"

    def _send(self, answer: Answer, *, kept: bool = False) -> None:
        self.strict = True
        self.sends(len(answer.body))
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        # The names of style and script depend on their content.
        self.send_header("Cache-Control", "public, max-age=31536000, immutable" if kept else "no-store, private")
        if answer.location:
            self.send_header("Location", answer.location)
        if answer.file:
            self.send_header("Content-Disposition", f'attachment; filename="{answer.file}"')
        if answer.wait:
            self.send_header("Retry-After", str(answer.wait))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)


_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
    "X-Frame-Options": "DENY",
}
