"""`pbmd letters` and `pbmd letter`: the letters as they came in, above all those that a bug kept from being dealt with."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.console import Console
from sqlmodel import col, select

from pbmd.cli.changes import writing
from pbmd.cli.common import SETTINGS, examples, fail
from pbmd.cli.desk import at_desk
from pbmd.cli.grid import cell, show_rows
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.cli.symptoms import Symptom, more, more_told, of_letter, of_log
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import letters_put_aside
from pbmd.desk.changes.peek import note_peek
from pbmd.desk.mail.tokens import tokens_at_hand
from pbmd.ledger.log_file import printable
from pbmd.ledger.tables import Game, GameStatus, Letter, LetterState, Seat
from pbmd.post.blank import Blanker
from pbmd.post.read.letter import read_letter
from pbmd.rendering.notice_sentences import SEEN_LETTER
from pbmd.rules import Refused
from pbmd.terms.times import describe_time

app = typer.Typer(**SETTINGS)

_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_COLUMNS = (Letter.id, Letter.arrived_at, Letter.state, Game.name, Seat.name, Letter.size, Letter.note)
_KEYS = ("letter", "arrived_at", "state", "game", "seat", "bytes", "note")


@app.command(
    "letters",
    epilog=examples("pbmd letters", "pbmd letters --held", "pbmd letters --json --lines 500"),
)
def letters(
    quarantined: Annotated[bool, typer.Option("--quarantined", help="Only those that a defect kept from being read.")] = False,
    held: Annotated[bool, typer.Option("--held", help="Only those that wait for their player to confirm them.")] = False,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many of the last letters.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """List the letters that came in, without their contents, the newest last."""
    states = [state for state, wanted in ((LetterState.HELD, held), (LetterState.QUARANTINED, quarantined)) if wanted]
    with at_desk(settings) as desk:
        with Transaction(desk, reads=True) as work:
            rows = _rows(work, lines, states=states)
        if as_json:
            print(json.dumps(rows, ensure_ascii=False, indent=2, default=datetime.isoformat))
        else:
            _show(rows)


@app.command("letter", epilog=examples("pbmd letter 17", "pbmd letter 17 --raw > letter.eml", "pbmd letter 17 --retry"))
def letter(
    number: Annotated[int, typer.Argument(help="Its number, as `pbmd letters` and the log have it.", metavar="NUMBER")],
    raw: Annotated[bool, typer.Option("--raw", help="Its bytes and nothing else, with the seat's token in them.")] = False,
    again: Annotated[bool, typer.Option("--retry", help="Let a letter that was put aside be dealt with again.")] = False,
    without: Annotated[
        bool, typer.Option("--give-up", help="Let deadlines pass without a letter that the mail server does not give.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Show a letter as it came, orders and all, with tokens blanked; or have it dealt with again.

    As long as the game of a player's letter runs, all players are told that you have looked at it; it asks first."""
    if [raw, again, without].count(True) > 1:
        fail("only one of --raw, --retry and --give-up")
    with at_desk(settings) as desk:
        if without:
            with writing(desk) as work:
                letters_put_aside.give_up(work, number)
            print(f"No deadline waits for letter {number} any more. It is dealt with if it comes.")
            return
        if again:
            with writing(desk) as work:
                letters_put_aside.retry(work, number)
            print(f"Letter {number} is dealt with again within a second by pbmd run, or by the next pbmd tick.")
            return
        with Transaction(desk, reads=True) as work:
            found = work.session.get(Letter, number)
            if found is None:
                raise Refused(f"there is no letter {number}")
            whose = _seat_in_play(work, found)
        if whose is not None:
            _tell_players(desk, whose, number, yes=yes)
        with Transaction(desk, reads=True) as work:
            if raw:
                sys.stdout.buffer.write(found.raw)
                return
            source = (
                Blanker(tokens_at_hand(work, found.game_id, read_letter(found.raw).sender))
                .mail(found.raw)
                .decode("utf-8", "backslashreplace")
            )
            row = _rows(work, 1, number=number)[0]
        when = describe_time(found.arrived_at, desk.settings.server.timezone, seconds=True)
        told = f"{when} (when pbmd read it: the mail server told no time)" if found.arrival_estimated else when
        for key, value in (row | {"arrived_at": told}).items():
            print(f"{key.replace('_', ' '):<11} {printable(str(value))}")
        if signs := of_letter(read_letter(found.raw), found.note):
            print(f"{'more':<11} {more(*signs)}")
        print("\n" + _UNPRINTABLE.sub(lambda sign: f"\\x{ord(sign[0]):02x}", source.replace("\r\n", "\n")))


def _seat_in_play(work: Transaction, letter: Letter) -> Seat | None:
    """The seat whose secrets may be in the letter, None if it belongs to nobody or its game does not run."""
    table = work.table(letter.game_id) if letter.game_id else None
    if table is None or table.game.status not in (GameStatus.RUNNING, GameStatus.PAUSED):
        return None
    return next((seat for seat in table.seats if seat.id == letter.seat_id), None)


def _tell_players(desk: Desk, seat: Seat, number: int, *, yes: bool) -> None:
    """Look at a letter in public, as PEEK does."""
    if not yes:
        question = (
            f"Letter {number} is of {seat.name}, whose game runs. All players would be told that you have seen it. Show it?"
        )
        typer.confirm(question, abort=True)
    with writing(desk) as work:
        table = work.table(seat.game_id)
        note_peek(work, table, table.seat(seat.name), SEEN_LETTER.format(seat=seat.name))


def _rows(
    work: Transaction, count: int, *, states: Sequence[LetterState] = (), number: int | None = None
) -> list[dict[str, Any]]:
    """The last letters, oldest first, in the form in which they are shown."""
    statement = select(*(col(column) for column in _COLUMNS)).select_from(Letter)  # pyright: ignore[reportCallIssue, reportArgumentType]
    statement = statement.outerjoin(Game, col(Letter.game_id) == Game.id).outerjoin(Seat, col(Letter.seat_id) == Seat.id)
    if states:
        statement = statement.where(col(Letter.state).in_(states))
    if number is not None:
        statement = statement.where(col(Letter.id) == number)
    found = work.session.exec(statement.order_by(col(Letter.id).desc()).limit(count)).all()
    return [dict(zip(_KEYS, ("" if value is None else value for value in row), strict=True)) for row in reversed(found)]


def _show(rows: list[dict[str, Any]]) -> None:
    if not rows:
        print("no letters")
        return
    shown = (row | {"arrived_at": describe_time(row["arrived_at"], seconds=True)} for row in rows)
    head = [key.replace("_", " ") for key in _KEYS]
    show_rows(Console(), head, ([cell(str(value)) for value in row.values()] for row in shown))
    for told in more_told((f"letter {row['letter']}", _signs(row)) for row in rows):
        print(f"More of {told}")


def _signs(row: Mapping[str, Any]) -> tuple[Symptom, ...]:
    """What a letter in the list is a sign of."""
    held = of_log("held", row["note"]) or (Symptom.PLUS_ADDRESS,)
    return held if row["state"] == LetterState.HELD else of_log("letter", row["note"])
