"""`pbmd unlist`: take a name off the results, whatever its owner wants."""

from typing import Annotated

import typer

from pbmd.cli.changes import writing
from pbmd.cli.common import SETTINGS, examples
from pbmd.cli.desk import at_desk
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.draft import Draft, render
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.player.listing.listed_players import bar_name

app = typer.Typer(**SETTINGS)
_SENTENCE = (
    "The game master has taken the name under which your results were listed off the results, and no name is listed for this "
    "address any more. Write to them if you think that is wrong."
)


@app.command("unlist", epilog=examples("pbmd unlist Kim"))
def unlist(
    name: Annotated[str, typer.Argument(help="The name, as it is shown.", metavar="NAME")],
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Take a player's name off the results for good. They get a mail that says so.

    Nothing is listed for their address any more, also not under another name; `pbmd forget` with the address ends that.
    """
    with at_desk(settings) as desk:
        with writing(desk) as work:
            _notify(work, bar_name(work, name))
        print("The name is listed no more.")


def _notify(work: Transaction, address: str) -> None:
    text = render("told.txt", {"seat": "", "game": None, "sentence": _SENTENCE, "left_out": ()})
    mail_to(
        work, address, Draft("notice", f"unlisted {address} {work.now:%Y%m%d%H%M%S}", "[pbmd] your name in the results", text)
    )
