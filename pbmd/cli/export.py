"""`pbmd export`: a game as a folder of plain files."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from sqlmodel import col, select

from pbmd.archive.blank import Blanker
from pbmd.archive.export import FolderTaken, write_archive
from pbmd.archive.plan import NothingToExport, Plan, plan_export
from pbmd.cli.common import SETTINGS, examples, fail
from pbmd.cli.desk import DEFAULT_SETTINGS, GameName, SettingsFile, at_desk, table_of
from pbmd.desk.context import Desk
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import GameStatus, Seat
from pbmd.post.tags import make_token

app = typer.Typer(**SETTINGS)


@app.command(
    "export", epilog=examples("pbmd export galaxy-7 --to galaxy-7", "pbmd export galaxy-7 --to /srv/archive/g7 --force")
)
def command(
    game: GameName,
    to: Annotated[Path, typer.Option(help="The folder to write; it must be new or empty.", metavar="DIR")],
    force: Annotated[bool, typer.Option("--force", help="Replace the archive that is in the folder.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Write a game as plain files: positions, orders, reports, letters and journal.

    Of a game that is not finished only what is resolved is written. The archive holds what players may not know of each other,
    so it is for the game master as long as the game runs; nobody can act for a player with it.
    """
    with at_desk(settings) as desk:
        print(export_game(desk, game, to, force=force))


def export_game(desk: Desk, game: str, to: Path, *, force: bool = False) -> str:
    """Write the archive and give what to say about it. Ends the command when it cannot be written."""
    with Work(desk, reads=True) as work:
        table = table_of(work, game)
        try:
            plan = plan_export(work.session, table.game, table.ruleset)
            with _progress(plan.items) as done:
                write_archive(work.session, plan, to, Blanker(_tokens(work, table)), done, force=force)
        except (NothingToExport, FolderTaken) as problem:
            fail(problem)
    return _told(plan, to)


def _tokens(work: Work, table: Table) -> list[str]:
    """All tokens, the ended ones too, of everybody who plays here, in all their games: letters may have any of them."""
    addresses = [seat.address for seat in table.seats]
    seats = work.session.exec(select(Seat).where(col(Seat.address).in_(addresses)))
    return [
        make_token(work.desk.key, seat.game_id, seat.number, generation)
        for seat in seats
        for generation in range(1, seat.token_generation + 1)
    ]


@contextmanager
def _progress(total: int) -> Generator[Callable[[], None]]:
    console = Console(stderr=True)
    columns = (TextColumn("export"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("export", total=total)
        yield lambda: progress.advance(task)


def _told(plan: Plan, folder: Path) -> str:
    steps, letters = len(plan.steps) - 1, len(plan.letters)
    what = "steps" if any(step.record and step.record.name for step in plan.steps) else "turns"
    words = f"{folder}: {steps} resolved {what}, {letters} letters, {plan.last_entry} journal entries of {plan.game.name}."
    if plan.game.status is not GameStatus.FINISHED:
        now = plan.game.step_words
        words += f"\n{now[0].upper()}{now[1:]} is not resolved, so nothing of it is in the archive."
    return words
