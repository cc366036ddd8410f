"""`pbmd log`: the dashboard log, of all games or of one, and as it grows."""

import time
from collections.abc import Iterator
from typing import Annotated

import typer
from sqlmodel import col, select

from pbmd.cli.common import SETTINGS, examples
from pbmd.cli.desk import DEFAULT_SETTINGS, SettingsFile, at_desk, table_of
from pbmd.dashboard.log import format_line
from pbmd.desk.context import Desk
from pbmd.desk.work import Work
from pbmd.ledger.tables import LogLine

app = typer.Typer(**SETTINGS)

POLL_SECONDS = 0.5


@app.command("log", epilog=examples("pbmd log", "pbmd log galaxy-7 --lines 100", "pbmd log --follow | grep nmr"))
def command(
    game: Annotated[str | None, typer.Argument(help="Only the lines of this game.", metavar="GAME")] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with new lines as they come (Ctrl-C ends it).")] = False,
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, help="How many of the last lines to begin with.")] = 50,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Show the dashboard log: a line for everything that happened, without anybody's secrets.

    The columns are number, UTC time, game, turn, what, seat, detail.
    """
    with at_desk(settings) as desk:
        name = _name(desk, game)
        last = _newest(desk)
        for line in _last_lines(desk, name, lines):
            print(format_line(line), flush=follow)
            last = max(last, line.id or 0)
        if follow:
            _follow(desk, name, last)


def _follow(desk: Desk, name: str | None, last: int) -> None:
    try:
        while True:
            for line in _lines_after(desk, name, last):
                print(format_line(line), flush=True)
                last = line.id or last
            time.sleep(POLL_SECONDS)
    except KeyboardInterrupt:
        return


def _name(desk: Desk, game: str | None) -> str | None:
    if game is None:
        return None
    with Work(desk, reads=True) as work:
        return table_of(work, game).game.name


def _newest(desk: Desk) -> int:
    with Work(desk, reads=True) as work:
        return work.session.exec(select(LogLine.id).order_by(col(LogLine.id).desc()).limit(1)).first() or 0


def _last_lines(desk: Desk, name: str | None, count: int) -> list[LogLine]:
    statement = select(LogLine).order_by(col(LogLine.id).desc()).limit(count)
    with Work(desk, reads=True) as work:
        found = work.session.exec(statement if name is None else statement.where(LogLine.game == name)).all()
    return list(reversed(found))


def _lines_after(desk: Desk, name: str | None, number: int) -> Iterator[LogLine]:
    statement = select(LogLine).where(col(LogLine.id) > number).order_by(col(LogLine.id))
    with Work(desk, reads=True) as work:
        yield from work.session.exec(statement if name is None else statement.where(LogLine.game == name)).all()
