"""How far something is that takes a while, on a terminal."""

from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from pbmd.ledger.looks import Progress as Told


@contextmanager
def progress(what: str) -> Generator[Told]:
    """Show `what` is done on standard error, if that is a terminal; to be told how much is done, of how much in all."""
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task(what, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)
