"""`pbmd log`: the dashboard log, of all games or one, all of it or a selection, and as it grows."""

import re
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.console import Console
from sqlmodel import col, func, select

from pbmd.cli.common import SETTINGS, examples
from pbmd.cli.desk import at_desk, table_of
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.cli.symptoms import more_told, of_log
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.gm.question_facts import seat_named
from pbmd.ledger.log_file import format_line, json_line
from pbmd.ledger.log_words import log_words
from pbmd.ledger.tables import LogLine
from pbmd.rules import Refused
from pbmd.terms.times import TimeError, parse_duration, parse_moment

app = typer.Typer(**SETTINGS)

POLL_SECONDS = 0.5
LINES = 50


@dataclass(frozen=True)
class Wanted:
    """Which lines to show: of this game, of this seat, with one of these words, since an instant and before another; all of
    what is empty or None."""

    game: str = ""
    seat: str = ""
    kinds: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None

    @property
    def conditions(self) -> list[Any]:
        """For a query of log lines."""
        found: list[Any] = []
        if self.game:
            found.append(LogLine.game == self.game)
        if self.seat:
            found.append(func.lower(LogLine.seat) == self.seat.lower())
        if self.kinds:
            found.append(col(LogLine.what).in_(self.kinds))
        if self.since:
            found.append(col(LogLine.at) >= self.since)
        if self.until:
            found.append(col(LogLine.at) < self.until)
        return found


@app.command(
    "log",
    epilog=examples(
        "pbmd log",
        "pbmd log galaxy-7 --seat Altair --since 2026-11-20",
        "pbmd log --kind nmr --kind late --since '2 weeks'",
        "pbmd log --follow --json | jq 'select(.what == \"alarm\")'",
    ),
)
def command(
    game: Annotated[str | None, typer.Argument(help="Only the lines of this game.", metavar="GAME")] = None,
    seat: Annotated[str | None, typer.Option(help="Only the lines about this seat.", metavar="NAME")] = None,
    kind: Annotated[
        list[str] | None, typer.Option(help="Only lines with this word for what happened; as often as needed.", metavar="WORD")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Only lines from then on: 2026-11-20, '2026-11-20 18:00', or 24h for so long ago.")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Only lines before then, written in the same way.")] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with new lines as they come (Ctrl-C ends it).")] = False,
    lines: Annotated[
        int | None,
        typer.Option("--lines", "-n", min=0, help="How many of the last lines (50; with --since all).", metavar="N"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print each line as a JSON object.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Show the dashboard log: a line for everything that happened, without anybody's secrets.

    The columns are number, UTC time, game, turn, what, seat, detail. Times without a zone are in yours. On a screen that is too
    narrow for a line the rest of it stands below. `pbmd docs log` explains
    each word for what happened.
    """
    shown = json_line if as_json else shown_on(screen_width())
    with at_desk(settings) as desk:
        wanted = _wanted(desk, game, seat, tuple(kind or ()), since, until)
        last = _newest(desk)
        most = lines if lines is not None else None if wanted.since else LINES
        known = _last_lines(desk, wanted, most)
        for line in known:
            print(shown(line), flush=follow)
            last = max(last, line.id or 0)
        if screen_width() and not as_json:
            for told in more_of(known):
                typer.echo(f"More of {told}", err=True)
        try:
            while follow:
                for line in _lines_after(desk, wanted, last):
                    print(shown(line), flush=True)
                    last = line.id or last
                time.sleep(POLL_SECONDS)
        except KeyboardInterrupt:
            return


def more_of(lines: Sequence[LogLine]) -> list[str]:
    """Which commands tell more of what these lines are signs of."""
    return list(more_told((line.what, of_log(line.what, line.detail)) for line in lines))


def screen_width() -> int:
    """The width of the screen on which lines are read; 0 if they go to a program or a file."""
    return Console().width if sys.stdout.isatty() else 0


def shown_on(width: int) -> Callable[[LogLine], str]:
    """How a line is shown on a screen of that width: what does not fit stands below it, and names are whole."""
    return (lambda line: _folded(format_line(line), width)) if width else format_line


def _folded(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    number, at, game, turn, what, seat, *detail = re.split(r"  +", line.strip(), maxsplit=6)
    head = f"{number:>7}  {at}  {what}" + ("" if turn == "-" else f"  {turn}")
    names = [each for each in (game, seat) if each != "-"]
    fits = len("  ".join([head, *names])) <= width
    first, below = ("  ".join([head, *names]), detail) if fits else (head, [*names, *detail])
    folded = [textwrap.fill(each, width, initial_indent=_BELOW, subsequent_indent=_BELOW) for each in below]
    return "\n".join([first, *folded])


_BELOW = " " * 9


def _wanted(
    desk: Desk, game: str | None, seat: str | None, kinds: tuple[str, ...], since: str | None, until: str | None
) -> Wanted:
    """What to look for. Raises `Refused` and `TimeError`."""
    with Transaction(desk, reads=True) as work:
        table = table_of(work, game) if game else None
        if seat and table:
            seat = seat_named(table, seat).name
        known = set(work.session.exec(select(LogLine.what).distinct())) if kinds else set[str]()
    # One may wait for a word that no line has yet.
    if unknown := sorted({*kinds} - known - {each.word for each in log_words()}):
        raise Refused(f'the log has no line with the word "{unknown[0]}"; it has {", ".join(sorted(known)) or "none at all"}')
    moments = (_moment(desk, text) if text else None for text in (since, until))
    return Wanted(table.game.name if table else "", seat or "", kinds, *moments)


def _moment(desk: Desk, text: str) -> datetime:
    try:
        return desk.now() - parse_duration(text)
    except TimeError:
        return parse_moment(text, desk.settings.server.timezone)


def _newest(desk: Desk) -> int:
    with Transaction(desk, reads=True) as work:
        return work.session.exec(select(LogLine.id).order_by(col(LogLine.id).desc()).limit(1)).first() or 0


def _last_lines(desk: Desk, wanted: Wanted, most: int | None) -> Sequence[LogLine]:
    statement = select(LogLine).where(*wanted.conditions).order_by(col(LogLine.id).desc()).limit(most)
    with Transaction(desk, reads=True) as work:
        return list(reversed(work.session.exec(statement).all()))


def _lines_after(desk: Desk, wanted: Wanted, number: int) -> Sequence[LogLine]:
    statement = select(LogLine).where(col(LogLine.id) > number, *wanted.conditions).order_by(col(LogLine.id))
    with Transaction(desk, reads=True) as work:
        return work.session.exec(statement).all()
