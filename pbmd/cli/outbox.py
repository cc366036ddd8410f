"""`pbmd outbox`: the mails that are not sent yet, or all, and what to do with some of them."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from pbmd.cli.changes import writing
from pbmd.cli.common import SETTINGS, examples, fail, time_as_json
from pbmd.cli.desk import at_desk, table_of
from pbmd.cli.grid import cell, show_rows
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.cli.symptoms import more_told, of_refusal
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.sending import outbox
from pbmd.desk.sending.outbox import NOT_OUT, MailState
from pbmd.ledger.tables import OutboxState
from pbmd.rules.protocol import Refused
from pbmd.terms.times import describe_time

app = typer.Typer(**SETTINGS)

_HEAD = ("mail", "state", "kind", "game", "seat", "queued", "tries", "next try", "error")
_COLOURS = {"queued": "", "sending": "cyan", "sent": "green", "failed": "bold red", "held": "yellow"}
_FAILED = "failed"
_MOST_DIGITS = 19  # the largest number that the ledger can store
_ACTS = {
    "retry": (outbox.retry, "is sent within a second by pbmd run, or by the next pbmd tick"),
    "hold": (outbox.hold, "is held until you say --retry"),
    "drop": (outbox.drop, "is given up"),
}


def _act(what: str) -> Any:
    return typer.Option(help=what, metavar="MAIL", show_default=False)


@app.command(
    "outbox",
    epilog=examples(
        "pbmd outbox",
        "pbmd outbox galaxy-7 --state sent --lines 20",
        "pbmd outbox --retry 17",
        "pbmd outbox --retry failed",
        "pbmd outbox --json | jq '.[].error'",
    ),
)
def command(
    game: Annotated[str | None, typer.Argument(help="Only the mails of this game.", metavar="GAME")] = None,
    state: Annotated[
        list[OutboxState] | None,
        typer.Option(
            help="Only mails in this state, as often as needed. Without it: all that are not sent.", show_default=False
        ),
    ] = None,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many of the last mails.")] = 50,
    retry: Annotated[
        list[str] | None, _act("Send this mail now: one that was given up, is held, or waits; 'failed' for all given up.")
    ] = None,
    hold: Annotated[list[str] | None, _act("Do not send this mail for now.")] = None,
    drop: Annotated[list[str] | None, _act("Give this mail up.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Show mails that are waiting, failed or on hold, newest last; or have some sent, held or dropped.

    Neither addresses nor texts are shown. --retry, --hold and --drop may be given as often as needed.
    """
    wanted = {word: mails for word, mails in (("retry", retry), ("hold", hold), ("drop", drop)) if mails}
    if len(wanted) > 1:
        fail(" and ".join(f"--{word}" for word in wanted) + " do not go together")
    with at_desk(settings) as desk:
        for word, mails in wanted.items():
            _have_done(desk, word, mails, game)
            return
        with Transaction(desk, reads=True) as work:
            game_id = table_of(work, game).id if game else None
            found = outbox.mails(work, state or NOT_OUT, game_id, lines)
        if as_json:
            print(json.dumps([asdict(mail) for mail in found], ensure_ascii=False, indent=2, default=time_as_json))
        else:
            _show(found)


def _have_done(desk: Desk, word: str, mails: list[str], game: str | None) -> None:
    """All or nothing: if it cannot be done with one mail, no other is changed."""
    act, told = _ACTS[word]
    with writing(desk) as work:
        if word == "retry" and mails == [_FAILED]:
            numbers = outbox.given_up(work, table_of(work, game).id if game else None)
        else:
            numbers = [_number(each) for each in mails]
        for number in numbers:
            act(work, number)
    print("\n".join(f"Mail {number} {told}." for number in numbers) or "no mails")


def _number(mail: str) -> int:
    if not (mail.isascii() and mail.isdigit() and len(mail) < _MOST_DIGITS):
        raise Refused(f'"{mail}" is no number of a mail')
    return int(mail)


def _show(found: list[MailState]) -> None:
    if not found:
        print("no mails")
        return
    show_rows(Console(), _HEAD, map(_row, found))
    for told in more_told((f"mail {mail.mail}", of_refusal(mail.error)) for mail in found):
        print(f"More of {told}")


def _row(mail: MailState) -> tuple[Text, ...]:
    words = f"{mail.state}, came back" if mail.bounced_at else mail.state
    about = (mail.kind, mail.game, mail.seat, _time(mail.queued_at), str(mail.tries), _time(mail.next_try_at), mail.error)
    return (cell(str(mail.mail)), cell(words, _COLOURS[mail.state]), *map(cell, about))


def _time(at: datetime | None) -> str:
    return describe_time(at) if at else ""
