"""What the game master's commands that change something have in common. Those that only look do without most of the desk."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

import typer

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.tokens import passed_on
from pbmd.desk.step.game_transaction import COMMAND_LINE, change_games, changing_games
from pbmd.ledger.log_file import write_new_lines

T = TypeVar("T")


@contextmanager
def writing(desk: Desk) -> Generator[Transaction]:
    """A transaction of the GM's that resolves no step; afterwards its log lines are in the dashboard log."""
    with changing_games(desk, COMMAND_LINE) as work:
        yield work
    write_new_lines(desk.engine, desk.settings.log_file)


def carry_out(desk: Desk, act: Callable[[Transaction], T]) -> T:
    """The same for what may lead to reports with maps: `act` may be called again once these are drawn."""
    done = change_games(desk, act, COMMAND_LINE)
    write_new_lines(desk.engine, desk.settings.log_file)
    return done


def for_players(work: Transaction, table: OpenGame, text: str) -> str:
    """What was typed for players to read, without the tokens in it; a line on standard error says so if there were any."""
    clean = passed_on(work, table, text)
    if clean != text:
        told = "there was a secret token in your words; an x stands for each of its letters and digits in what players read"
        typer.echo(f"pbmd: {told}", err=True)
    return clean
