"""The game master's decisions about a running game: `pbmd extend`, `pause`, `resume`, `resolve` and `rotate`.

Each is a short transaction of its own, so that they work while the daemon runs; it sees what is new within a second.
"""

from datetime import timedelta
from functools import partial
from typing import Annotated

import typer

from pbmd.cli.changes import carry_out, for_players, writing
from pbmd.cli.common import SETTINGS, examples, fail
from pbmd.cli.desk import at_desk, table_of
from pbmd.cli.options import DEFAULT_SETTINGS, GameName, SettingsFile
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.changes.seats import send_new_token
from pbmd.desk.deadlines.awaiting import who_would_miss_it
from pbmd.desk.gm.question_facts import seat_named
from pbmd.ledger.tables import GameStatus
from pbmd.rules import Refused
from pbmd.terms.times import TimeError, describe_duration, describe_time, parse_duration

app = typer.Typer(**SETTINGS)

Because = Annotated[str, typer.Option(help="A reason, for the players to read.", metavar="TEXT")]
GM = "the game master"


@app.command(
    "extend", epilog=examples("pbmd extend galaxy-7 24h", 'pbmd extend galaxy-7 "2 days" --seat Borealis --because "a journey"')
)
def extend(
    game: GameName,
    length: Annotated[str, typer.Argument(help="How much later, like 24h or '1d 12h'.", metavar="LENGTH")],
    seat: Annotated[str | None, typer.Option(help="Only for this seat, not for everybody.", metavar="NAME")] = None,
    because: Because = "",
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Move the deadline of the current turn, and tell the players whose deadline it is."""
    with at_desk(settings) as desk:
        more = _length(length)
        with writing(desk) as work:
            table = table_of(work, game)
            chosen = seat_named(table, seat) if seat else None
            deadline_changes.extend(work, table, more, GM, for_players(work, table, because), chosen)
        deadline = chosen.deadline if chosen else table.game.deadline
        whose = f" of {chosen.name}" if chosen else ""
        told = describe_time(deadline, desk.settings.server.timezone) if deadline else ""
        print(f"{table.game.name}: the deadline{whose} is {describe_duration(more)} later: {told}.")


@app.command("pause", epilog=examples("pbmd pause galaxy-7", 'pbmd pause galaxy-7 --because "the holidays"'))
def pause(game: GameName, because: Because = "", settings: SettingsFile = DEFAULT_SETTINGS) -> None:
    """Stop the clock of a game. Orders are still taken; nothing is resolved until `pbmd resume`."""
    with at_desk(settings) as desk:
        with writing(desk) as work:
            table = table_of(work, game)
            pauses.pause(work, table, for_players(work, table, because))
        print(f"{table.game.name} is paused. pbmd resume {table.game.name} lets it go on.")


@app.command("resume", epilog=examples("pbmd resume galaxy-7", 'pbmd resume galaxy-7 --because "the server is back"'))
def resume(
    game: GameName,
    because: Because = "",
    as_it_is: Annotated[bool, typer.Option("--as-it-is", help="Also if its books are damaged.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Resume a paused game. Its deadlines move by as long as it was paused.

    A game that stands still because the ledger has what cannot be read, or is not what pbmd wrote, goes on only --as-it-is,
    also if it has not begun: the journal and a mail to all players say so."""
    with at_desk(settings) as desk:
        table = carry_out(desk, partial(_resume, game, because, as_it_is))
        deadline = table.game.deadline if table.game.status is not GameStatus.SIGNUP else None
        when = f" Its deadline is {describe_time(deadline, desk.settings.server.timezone)}." if deadline else ""
        print(f"{table.game.name} goes on.{when}")


@app.command("resolve", epilog=examples("pbmd resolve galaxy-7", "pbmd resolve galaxy-7 --yes"))
def resolve(
    game: GameName,
    because: Because = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Resolve the current turn now, without waiting for anybody. Players without orders miss the turn."""
    with at_desk(settings) as desk:
        step, question = _question(desk, game)
        if not yes:
            typer.confirm(question, abort=True)
        table, words = carry_out(desk, partial(_resolve, game, step, because))
        over = table.game.status is GameStatus.FINISHED
        done = f"the move in {words} is over" if table.ruleset.sequential else f"{words} is resolved"
        print(f"{table.game.name}: {done}; {'the game is over' if over else 'the reports are in the outbox'}.")


SeatName = Annotated[str, typer.Argument(help="The name of the seat, or its beginning.", metavar="SEAT")]


@app.command("rotate", epilog=examples("pbmd rotate galaxy-7 Borealis"))
def rotate(game: GameName, seat: SeatName, settings: SettingsFile = DEFAULT_SETTINGS) -> None:
    """Give a player a new token. Replies to older mails stop working."""
    with at_desk(settings) as desk:
        with writing(desk) as work:
            table = table_of(work, game)
            chosen = seat_named(table, seat)
            send_new_token(work, table, chosen)
        print(f"{table.game.name}: {chosen.name} has a new secret; a mail with it is in the outbox.")


def _length(text: str) -> timedelta:
    length = parse_duration(text)
    if length <= timedelta(0):
        raise TimeError("an extension is longer than nothing; write it like 24h")
    return length


def _resume(game: str, because: str, as_it_is: bool, work: Transaction) -> OpenGame:
    """Resume the game, and carry out the moves that came while it was paused; returns the game."""
    table = table_of(work, game)
    pauses.resume(work, table, for_players(work, table, because), as_it_is=as_it_is)
    return table


def _resolve(game: str, step: int, because: str, work: Transaction) -> tuple[OpenGame, str]:
    """Resolve that step; returns the game and the name of the step. Raises `Refused` if there is another step by now."""
    table = table_of(work, game)
    if table.game.step != step:
        raise Refused(f"{table.game.name} was resolved meanwhile; nothing was done")
    words = table.game.step_called
    deadline_changes.resolve_now(work, table, for_players(work, table, because))
    return table, words


def _question(desk: Desk, name: str) -> tuple[int, str]:
    """The step that would be resolved, and what to ask first. Read in a transaction of its own, so that nobody waits while the
    GM thinks."""
    with Transaction(desk, reads=True) as work:
        table = table_of(work, name)
        game = table.game
        if game.status is GameStatus.FINISHED:
            fail(f"{game.name} is over")
        missing = who_would_miss_it(table) if game.status is GameStatus.RUNNING else ""
    return game.step, f"{missing} Resolve {game.step_called} of {game.name} now?".lstrip()
