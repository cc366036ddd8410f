"""The pages of seats as a player reaches them: by the link in a report, through a real server."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode

from pbmd.cli.serve import seat_source
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.tags import page_link
from pbmd.pages.public_server import PublicSite, public_server
from tests.desk.world import World

HOME = "https://games.example.org"
PAGES = ("", "orders.html", "reports.html", "report-start.html", "report-start.css", "map.html", "sent.html")


def with_pages(world: World) -> World:
    """The same desk, whose reports have links."""
    world.settle(pages={"public_url": HOME})
    return world


def path_of(world: World, seat: str = "Altair", game: str = "galaxy-7") -> str:
    """Where the pages of a seat are, by its link."""
    with Transaction(world.desk, reads=True) as work:
        table = work.table_named(game)
        assert table is not None
        return page_link(work, table.seat(seat)).removeprefix(HOME)


def site_of(world: World, folder: Path | None = None, **more: Any) -> PublicSite:
    """What `pbmd serve --public` shows of this desk."""
    return PublicSite(seat_source(world.desk), "games.example.org", folder, **more)


@contextmanager
def served(site: PublicSite) -> Iterator[int]:
    """The port at which it is shown."""
    with public_server(site, 0) as web:
        thread = Thread(target=web.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield web.server_address[1]
        finally:
            web.shutdown()
            thread.join()


def ask(
    port: int, path: str, method: str = "GET", body: str | None = None, headers: Mapping[str, str] | None = None
) -> tuple[HTTPResponse, str]:
    """Ask for a page as the web server in front does."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, {"Host": "games.example.org", **(headers or {})})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def form(orders: str) -> str:
    """What a browser posts."""
    return urlencode({"orders": orders.replace("\n", "\r\n")})
