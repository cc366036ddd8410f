"""`pbmd drain`: a host is set aside for maintenance while others go on."""

import json
import time
from socket import gethostname
from typing import Annotated, Any

import typer

from pbmd.cli.changes import writing
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import at_desk
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.cli.progress import waiting
from pbmd.daemon.set_aside import LOOK_SECONDS, is_set_aside, set_aside, still_at_work, take_back
from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.hosts import LATELY, hosts_here
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.database import is_shared
from pbmd.ledger.sharing import shared_state
from pbmd.rules import Refused

app = typer.Typer(**SETTINGS)


@app.command("drain", epilog=examples("pbmd drain", "pbmd drain --wait 600", "pbmd drain --undo"))
def drain(
    undo: Annotated[bool, typer.Option("--undo", help="The host works again.")] = False,
    wait: Annotated[
        int, typer.Option("--wait", min=0, help="Wait this long at most for what is not finished.", metavar="SECONDS")
    ] = 120,
    force: Annotated[bool, typer.Option("--force", help="Also if no other pbmd run is there to go on.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Set this host aside for maintenance, and say when it can be switched off. Other hosts go on with its work.

    Its pbmd run and its workers give over their parts, finish the letter or the turn that they are at, and wait, also after
    the machine was started anew, until --undo. Exit code 1 if they have not finished in time: they go on finishing.
    """
    with at_desk(settings) as desk:
        told = _take_back(desk) if undo else _set_aside(desk, wait, force=force)
    print(json.dumps(told, ensure_ascii=False, indent=2) if as_json else "\n".join(told["words"]))
    if told["still_at_work"]:
        raise typer.Exit(WENT_WRONG)


def _take_back(desk: Desk) -> dict[str, Any]:
    if not is_set_aside(desk.settings.data):
        raise Refused("this host is not set aside")
    with writing(desk) as work:
        work.log("host-back", detail=gethostname())
    take_back(desk.settings.data)
    return {"set_aside": False, "still_at_work": [], "words": ["This host works again."]}


def _set_aside(desk: Desk, wait: int, *, force: bool) -> dict[str, Any]:
    _others_must_go_on(desk, force=force)
    data = desk.settings.data
    if not is_set_aside(data):
        with writing(desk) as work:
            work.log("host-aside", detail=gethostname())
        set_aside(data)
    ends = time.monotonic() + wait
    with waiting("finishing"):
        while (left := still_at_work(data)) and time.monotonic() < ends:
            time.sleep(LOOK_SECONDS)
    with Transaction(desk, reads=True) as work:
        state = shared_state(work.session, work.now, mailbox_name(desk))
    parts = dict(state.parts) if state else {}
    words = [f"{part}: {machine or 'nobody'}" for part, machine in parts.items()]
    end = (
        f"Not finished yet: {' and '.join(left)}. Give the command again to wait on."
        if left
        else "This host can be switched off. When it is back: pbmd drain --undo"
    )
    return {"set_aside": True, "still_at_work": left, "parts": parts, "words": [*words, end]}


def _others_must_go_on(desk: Desk, *, force: bool) -> None:
    if not is_shared(desk.settings.database_url):
        fail("the ledger is in a file, so no other host can go on: stop pbmd run instead; what is due is done when it is back")
    with Transaction(desk, reads=True) as work:
        others = [host for host in hosts_here(work, LATELY) if host.name != desk.host and host.does == "run"]
    if not others and not force:
        raise Refused("no other host is at work that would go on; --force sets this one aside all the same, and all games wait")
