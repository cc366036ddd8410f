"""The progress of something that takes a while, on a terminal."""

from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, TextColumn

from pbmd.ledger.damage_check import Progress as Told


def on_terminal(*columns: ProgressColumn) -> Progress:
    """A bar of those columns on standard error, if that is a terminal; elsewhere nothing at all."""
    terminal = Console(stderr=True).is_terminal
    # Quiet too, since Rich ended what it did not show with an empty line before its version 15.
    return Progress(*columns, console=Console(stderr=True, quiet=not terminal), transient=True, disable=not terminal)


@contextmanager
def progress(what: str) -> Generator[Told]:
    """Show `what` is done on standard error, if that is a terminal; to be told how much is done, of how much in all."""
    with on_terminal(TextColumn(what), BarColumn(), TextColumn("{task.percentage:>3.0f} %")) as shown:
        task = shown.add_task(what, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


@contextmanager
def waiting(what: str) -> Generator[None]:
    """Show that something is waited for whose end is not known."""
    with on_terminal(SpinnerColumn(), TextColumn(what)) as shown:
        shown.add_task(what, total=None)
        yield
