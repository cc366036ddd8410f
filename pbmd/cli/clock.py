"""`pbmd clock`: whether the clock of this machine is trusted, and the game master's word that it is right."""

from typing import Annotated

import typer

from pbmd.cli.changes import writing
from pbmd.cli.common import SETTINGS, examples
from pbmd.cli.desk import at_desk
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.doubt_watch import confirm
from pbmd.desk.deadlines.trusted_clock import doubts
from pbmd.terms.times import describe_time

app = typer.Typer(**SETTINGS)


@app.command("clock", epilog=examples("pbmd clock", "pbmd clock --confirm"))
def command(
    confirmed: Annotated[bool, typer.Option("--confirm", help="It is right as it is now; the games go on.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Show pbmd's clock, and whether it can be trusted.

    As long as it is in doubt no deadline passes and no turn is resolved.
    """
    with at_desk(settings) as desk:
        if confirmed:
            with writing(desk) as work:
                was = confirm(work)
            print(f"The clock is trusted again, though {was}. The games go on.")
            return
        with Transaction(desk, reads=True) as work:
            words = doubts(work)
        print(f"It is {describe_time(desk.now(), desk.settings.server.timezone, seconds=True)}.")
        if words:
            print(f"The clock is in doubt: {words}. No turn is resolved. If it is right: pbmd clock --confirm")
