"""`pbmd ledger move`: the ledger in another database, with all games as they stand."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.engine import make_url

from pbmd.cli.common import SETTINGS, examples, fail
from pbmd.cli.desk import at_desk, settings_of, tell_unreadable, troubles_told
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.cli.progress import progress
from pbmd.daemon.installation import only_one
from pbmd.ledger.address import address_problem
from pbmd.ledger.database import is_shared, sqlite_url
from pbmd.ledger.move.moving import Moved, left_for, move_ledger, without_password
from pbmd.settings import Settings

app = typer.Typer(**SETTINGS)
_FILE = "file"


class Action(StrEnum):
    """What can be done with a ledger as a whole."""

    MOVE = "move"


@app.command("ledger", epilog=examples("pbmd ledger move postgresql+psycopg:///pbmd", "pbmd ledger move file"))
def ledger(
    action: Annotated[Action, typer.Argument(help="What to do.", metavar="move", show_choices=False)],  # noqa: ARG001 – there is one
    address: Annotated[
        str, typer.Argument(help=f"The database to move to, or `{_FILE}` for a file in the data folder.", metavar="ADDRESS")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Move the ledger into another database: from a file into PostgreSQL, back, or to another server. No pbmd must run.

    All is copied and compared before the old ledger is left; from then on that one refuses to be used. If the move is broken
    off, give the command again: the old ledger is in force until all is there. Players notice nothing.
    """
    if address != _FILE and (trouble := address_problem(address)):
        fail(f"ADDRESS {trouble}")
    chosen = settings_of(settings)
    target = sqlite_url(chosen.data / "ledger.sqlite") if address == _FILE else address
    with troubles_told(chosen):
        _must_be_there(chosen)
        if not left_for(chosen.database_url):
            with at_desk(settings) as desk:  # a ledger of an older version is brought up to date
                tell_unreadable(desk, in_use=False)
        with only_one(chosen.data), progress("moving") as told:
            moved = move_ledger(chosen.database_url, target, told)
    if as_json:
        shown = {"from": without_password(chosen.database_url), "to": without_password(target), "rows": moved.rows}
        print(json.dumps(shown | {"digests": moved.digests}, indent=2))
    else:
        print("\n".join(_words(moved, chosen, target, "" if address == _FILE else without_password(address))))


def _must_be_there(settings: Settings) -> None:
    url = make_url(settings.database_url)
    if not is_shared(settings.database_url) and not Path(url.database or "").exists():
        fail(f"there is no ledger to move: {url.database} is not there")


def _words(moved: Moved, settings: Settings, target: str, database: str) -> list[str]:
    counts = f"{moved.rows['game']} games, {moved.rows['letter']} letters and {moved.rows['outbox']} mails"
    hosts = " on all hosts" if is_shared(settings.database_url) or is_shared(target) else ""
    words = [
        f"The ledger is at {without_password(target)} now, with {counts}.",
        f"All was compared with {without_password(settings.database_url)}, which refuses to be used from now on.",
        "",
        f"Before you start pbmd again, write into pbmd.toml{hosts}:",
        "",
        "    [server]",
        f"    database = {json.dumps(database)}",
    ]
    if make_url(target).password:
        words += ["", "with the password as you gave it, or in one of the ways that `pbmd docs scale` names."]
    if is_shared(target) and settings.backups.keep:
        words += ["", "and take `keep` out of [backups]: a database has programs of its own for that (`pbmd docs scale`)."]
    return words
