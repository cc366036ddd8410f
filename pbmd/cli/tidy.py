"""`pbmd tidy`: take out of the ledger what nobody needs any more."""

import json
from dataclasses import replace
from typing import Annotated, Any

import typer

from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import at_desk
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.cli.progress import progress
from pbmd.desk.books.desk import Desk
from pbmd.desk.upkeep.sizes import Sizes, in_megabytes, megabytes, size_words, sizes
from pbmd.desk.upkeep.tidying import NoRoom, Tidied, tidy, write_anew
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
    A ledger that an older pbmd has made is written anew the first time, which pbmd run never does: nobody else can write
    meanwhile, and the disk must have up to twice its size free.

    `pbmd status` tells how large the ledger is, and what makes it up. Sizes are in whole megabytes, which tell of no secret.
    """
    with at_desk(settings) as desk:
        with progress("giving room back") as told:
            done = tidy(desk, told)
        done, trouble = _written_anew(desk, done)
        write_new_lines(desk.engine, desk.settings.log_file)
        now = sizes(desk)
        print(json.dumps(document(done, now), indent=2) if as_json else words(done, now))
        if trouble:
            fail(trouble, WENT_WRONG)


def _written_anew(desk: Desk, done: Tidied) -> tuple[Tidied, str]:
    """What was done where an old ledger is rewritten as well, and why it was not."""
    try:
        return replace(done, given_back=done.given_back + write_anew(desk)), ""
    except NoRoom as problem:
        return done, str(problem)


def document(done: Tidied, ledger: Sizes) -> dict[str, Any]:
    """What was done and how large the ledger is now, in whole megabytes."""
    return {"taken_out": megabytes(done.bytes), "given_back": megabytes(done.given_back), "ledger": in_megabytes(ledger)}


def words(done: Tidied, ledger: Sizes) -> str:
    """The same in a sentence or two."""
    now = f" The ledger has {size_words(ledger.whole)} now."
    return f"Taken out: {size_words(done.bytes)}; given back to the disk: {size_words(done.given_back)}.{now}"
