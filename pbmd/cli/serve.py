"""`pbmd serve`: look at the pages in a browser on this machine, or show players theirs behind a web server."""

import base64
import hmac
import threading
from collections.abc import Callable
from functools import partial
from http.server import ThreadingHTTPServer
from typing import Annotated

import typer

from pbmd.cli.common import SETTINGS, examples, fail
from pbmd.cli.desk import at_desk
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.desk.books.desk import Desk
from pbmd.desk.publish.archives import archive_of_seat
from pbmd.desk.publish.dashboard import PAUSE_SECONDS, dashboard_source, observers_source, show, show_to_observers
from pbmd.desk.seat_pages.check import check_orders
from pbmd.desk.seat_pages.last_report import seat_told
from pbmd.desk.seat_pages.seat_state import seat_now, seat_of_link, seat_press
from pbmd.desk.upkeep.damaged import known
from pbmd.pages.public_server import PublicSite, host_of, public_server
from pbmd.pages.seat_source import SeatSource
from pbmd.pages.server import HOST, server
from pbmd.pages.site import update

app = typer.Typer(**SETTINGS)

PORT, PUBLIC_PORT = 8025, 8026


@app.command("serve", epilog=examples("pbmd serve", "pbmd serve --port 9000", "pbmd serve --public"))
def command(
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help=f"Where to listen: {PORT}, or {PUBLIC_PORT} with --public; 0 takes any port that is free."
        ),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Show players and observers what is theirs, for a web server to pass on.")
    ] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Show the pages of the dashboard in a browser on this machine (Ctrl-C ends it). No other machine can reach them.

    Pages that are for the game master alone have an address that nobody can guess, and that stays the same. All are brought
    up to date as long as it runs, whether the daemon runs or not.

    With --public it shows nothing of that, but to each player the pages of their seat: reports, maps, orders, and an order form
    that ends in a mail. Each report has the secret link, if public_url in [pages] says where a web server passes on what is
    asked of this one.
    """
    with at_desk(settings) as desk:
        if public:
            _serve_public(desk, PUBLIC_PORT if port is None else port)
        else:
            _serve(desk, PORT if port is None else port)


def _serve(desk: Desk, port: int) -> None:
    source = dashboard_source(desk)
    if not known(desk.settings).found:
        update(source)
    word = _word(desk) if source.for_gm else ""
    with server(source.folder, port, word) as web:
        typer.echo(f"The pages are at http://{HOST}:{web.server_address[1]}/{word and f'{word}/'} (Ctrl-C ends it)")
        _until_interrupted(web, partial(show, desk))


def _serve_public(desk: Desk, port: int) -> None:
    pages = desk.settings.pages
    if not pages.public_url:
        fail("nobody could find the pages: set public_url in [pages] to where your web server shows them (pbmd docs gm-pages)")
    folder = observers_source(desk).folder if pages.observers else None
    if folder and not known(desk.settings).found:
        update(observers_source(desk))
    with public_server(PublicSite(seat_source(desk), host_of(pages.public_url), folder), port) as web:
        typer.echo(
            f"Have your web server pass {pages.public_url}/ on to http://{HOST}:{web.server_address[1]}/ (Ctrl-C ends it)"
        )
        _until_interrupted(web, partial(show_to_observers, desk))


def seat_source(desk: Desk) -> SeatSource:
    """What the pages of seats are made from."""
    return SeatSource(
        engine=desk.engine,
        seat_of=partial(seat_of_link, desk),
        stands=partial(seat_now, desk),
        told=partial(seat_told, desk),
        press=partial(seat_press, desk),
        check=partial(check_orders, desk),
        archive=partial(archive_of_seat, desk),
    )


def _until_interrupted(web: ThreadingHTTPServer, keep_up: Callable[[], object]) -> None:
    """Answer requests, and keep pages up to date meanwhile."""
    shown = threading.Thread(target=web.serve_forever, name="web")
    shown.start()
    try:
        pause = threading.Event()
        while not pause.wait(PAUSE_SECONDS):
            keep_up()
    except KeyboardInterrupt:
        return
    finally:
        web.shutdown()
        shown.join()


def _word(desk: Desk) -> str:
    """A secret that nobody else on the machine knows: the same each time, for bookmarks."""
    return base64.b32encode(hmac.digest(desk.key, b"pages", "sha256")[:15]).decode().lower()
