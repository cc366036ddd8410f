"""How the commands write the archive of a game."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from pbmd.archive.format.audience import ALL, Audience, UnknownView, audience_of
from pbmd.archive.format.plan import NothingToExport, Plan, plan_export
from pbmd.archive.write.bag import FolderTaken
from pbmd.archive.write.export import write_archive
from pbmd.archive.write.pack import packed_at_the_end, packer_of
from pbmd.cli.common import fail
from pbmd.cli.desk import table_of
from pbmd.cli.progress import on_terminal
from pbmd.desk.books.checkpoints import journal_name, signer_of
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.tokens_of_game import tokens_about
from pbmd.ledger.entries.codec import MalformedEntry
from pbmd.ledger.tables import GameStatus
from pbmd.post.blank import Blanker
from pbmd.rules import PositionError
from pbmd.rules.troubles import BrokenGame, place_of


def export_game(desk: Desk, game: str, to: Path, *, force: bool = False) -> str:
    """Write all of a game and return what to say about it. Ends the command when it cannot be written."""
    return export_summary(export_plan(desk, game, to, str(ALL), force=force), to)


def export_plan(desk: Desk, game: str, to: Path, view: str, *, anonymise: bool = False, force: bool = False) -> Plan:
    """Write the archive and return what was planned. Ends the command when it cannot be written."""
    with Transaction(desk, reads=True) as work:
        table = table_of(work, game)
        try:
            audience: Audience = audience_of(view, [seat.name for seat in table.seats])
            planned = plan_export(work.session, table.game, table.ruleset, audience, anonymised=anonymise)
            plan = replace(planned, signer=signer_of(desk, journal_name(table.game)))
            with _written_to(to, plan, force=force) as folder, progress(plan.items) as done:
                write_archive(work.session, plan, folder, Blanker(tokens_about(work, table)), done, force=force)
        except (NothingToExport, FolderTaken, UnknownView) as problem:
            fail(problem)
        except MalformedEntry as problem:
            raise BrokenGame(game, f"an entry of its journal is not what its kind has: {problem}") from problem
        except PositionError as problem:
            raise BrokenGame(game, f"the ruleset {table.game.ruleset} cannot read a position: {place_of(problem)}") from problem
    return plan


def _written_to(to: Path, plan: Plan, *, force: bool) -> AbstractContextManager[Path]:
    """The folder to write to; if the name is that of a packed archive, it is packed at the end."""
    if not packer_of(to) or to.is_dir():
        return nullcontext(to)
    return packed_at_the_end(to, force=force, for_all=plan.audience.kind == "public")


@contextmanager
def progress(total: int, what: str = "export") -> Generator[Callable[[], None]]:
    """A function to call for each of this many things when it is done, to show progress."""
    with on_terminal(TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


def export_summary(plan: Plan, folder: Path) -> str:
    """What was written, in a sentence."""
    steps, letters = len(plan.steps) - 1, len(plan.letters)
    what = "steps" if any(step.name for step in plan.steps) else "turns"
    words = f"{folder}: {steps} resolved {what}, {letters} letters, {plan.last_entry} journal entries of {plan.game.name}"
    words += ".\n" if plan.audience.everything else f", as {_whose(plan.audience)} may know them.\n"
    if plan.game.status is not GameStatus.FINISHED:
        now = plan.game.step_words
        words += f"{now[0].upper()}{now[1:]} is not resolved, so nothing of it is in the archive.\n"
    return words.rstrip("\n")


def _whose(audience: Audience) -> str:
    return audience.seat or "everybody"
