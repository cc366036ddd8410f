"""`pbmd forget`: forget which turns an address played and missed, its name among the results, and what was put aside of it."""

from typing import Annotated

import typer

from pbmd.cli.changes import writing
from pbmd.cli.common import SETTINGS, examples
from pbmd.cli.desk import at_desk
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.desk.books.attendance import forget_played
from pbmd.desk.player.listing.listed_players import forget_listing
from pbmd.desk.unreadable.erasing import erase_values_of

app = typer.Typer(**SETTINGS)


@app.command("forget", epilog=examples("pbmd forget ada@example.org"))
def forget(
    address: Annotated[str, typer.Argument(help="Whose.", metavar="ADDRESS")],
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Delete an address's record of played and missed turns, and its name among the results, at its owner's request.

    Erased, too, is what was put aside because it could not be read, if it holds the address or is of a seat of its owner.

    The games themselves, their journals and archives stay as they are. What it was is told to nobody.
    """
    with at_desk(settings) as desk:
        with writing(desk) as work:
            steps, names, values = forget_played(work, address), forget_listing(work, address), erase_values_of(work, address)
            if steps:
                work.log("forgotten", detail="the turns that an address met and missed")
            if values:
                work.log("forgotten", detail="what was put aside of an address")
        print(
            "Forgotten." if steps or names or values else "No turns are kept of that address, and nothing that was put aside."
        )
