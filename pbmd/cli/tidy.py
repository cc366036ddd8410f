"""`pbmd tidy`: take out of the ledger what nobody needs any more."""

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.filesize import decimal

from pbmd.cli.common import SETTINGS, examples
from pbmd.cli.desk import DEFAULT_SETTINGS, SettingsFile, at_desk
from pbmd.cli.progress import progress
from pbmd.desk.keeping.sizes import sizes
from pbmd.desk.keeping.tidying import tidy
from pbmd.ledger.log_file import write_new_lines

app = typer.Typer(**SETTINGS)


@app.command("tidy", epilog=examples("pbmd tidy", "pbmd tidy --json"))
def command(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Take out of the ledger mails sent more than outbox_days ago, and pictures that no mail has any more, and give the room
    back to the disk.

    pbmd run does so every day. Letters, reports and journals stay, and so do the mails of the step that is open in a game.
    `pbmd status` tells how large the ledger is, and what makes it up.
    """
    with at_desk(settings) as desk:
        with progress("giving room back") as told:
            done = tidy(desk, told)
        write_new_lines(desk.engine, desk.settings.log_file)
        now = sizes(desk)
        if as_json:
            print(json.dumps({**asdict(done), "ledger": asdict(now)}, indent=2))
            return
        out = f"{done.mails} mails and {done.pictures} pictures ({decimal(done.bytes)})"
        size = f" The ledger has {decimal(now.whole)} now." if now.whole else ""
        print(f"Taken out: {out}; {decimal(done.given_back)} given back to the disk.{size}")
