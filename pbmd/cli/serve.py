"""`pbmd serve`: look at the pages in a browser on this machine."""

import base64
import hmac
import threading
from typing import Annotated

import typer

from pbmd.cli.common import SETTINGS, examples
from pbmd.cli.desk import DEFAULT_SETTINGS, SettingsFile, at_desk
from pbmd.dashboard.server import HOST, server
from pbmd.dashboard.site import update
from pbmd.desk.books.desk import Desk
from pbmd.desk.keeping.damaged import known
from pbmd.desk.keeping.pages import PAUSE_SECONDS, dashboard_source, show

app = typer.Typer(**SETTINGS)

PORT = 8025


@app.command("serve", epilog=examples("pbmd serve", "pbmd serve --port 9000"))
def command(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0 takes any port that is free.")] = PORT,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Show the pages of the dashboard in a browser on this machine (Ctrl-C ends it). No other machine can reach them.

    Pages that are for the game master alone have an address that nobody can guess, and that stays the same. All are brought
    up to date as long as it runs, whether the daemon runs or not.
    """
    with at_desk(settings) as desk:
        source = dashboard_source(desk)
        if not known(desk.settings).found:
            update(source)
        word = _word(desk) if source.for_gm else ""
        with server(source.folder, port, word) as web:
            typer.echo(f"The pages are at http://{HOST}:{web.server_address[1]}/{word and f'{word}/'} (Ctrl-C ends it)")
            shown = threading.Thread(target=web.serve_forever, name="web")
            shown.start()
            try:
                pause = threading.Event()
                while not pause.wait(PAUSE_SECONDS):
                    show(desk)
            except KeyboardInterrupt:
                return
            finally:
                web.shutdown()
                shown.join()


def _word(desk: Desk) -> str:
    """What nobody else on the machine knows: the same each time, for bookmarks."""
    return base64.b32encode(hmac.digest(desk.key, b"pages", "sha256")[:15]).decode().lower()
