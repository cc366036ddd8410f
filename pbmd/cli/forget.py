"""`pbmd forget`: what an address met and missed is forgotten."""

from typing import Annotated

import typer

from pbmd.cli.changes import writing
from pbmd.cli.common import SETTINGS, examples
from pbmd.cli.desk import DEFAULT_SETTINGS, SettingsFile, at_desk
from pbmd.desk.books.played import forget_played

app = typer.Typer(**SETTINGS)


@app.command("forget", epilog=examples("pbmd forget ada@example.org"))
def forget(
    address: Annotated[str, typer.Argument(help="Whose turns.", metavar="ADDRESS")],
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Forget how many turns an address met and missed, because its owner asks for that. They count as a newcomer then.

    The games themselves, their journals and archives stay as they are. What it was is told to nobody.
    """
    with at_desk(settings) as desk:
        with writing(desk) as work:
            steps = forget_played(work, address)
            if steps:
                work.log("forgotten", detail="the turns that an address met and missed")
        print("Forgotten." if steps else "No turns are kept of that address.")
