"""``python -m tests.crowd``: very many games whose turns are due, and a table of what it took."""

import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import pytest
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.crowd.crowd import Outcome, Plan, Told, crowd
from tests.postgresql import running_postgresql


def main(
    games: Annotated[int, typer.Option(min=1, help="how many games are due")] = 100_000,
    few: Annotated[int, typer.Option(min=1, help="how many they are compared with")] = 1_000,
    spread_days: Annotated[int, typer.Option(min=0, help="over how many days they are spread; 0 for all at once")] = 0,
    letters: Annotated[int, typer.Option(min=0, help="how many letters come in a second")] = 230,
    postgres: Annotated[bool, typer.Option(help="have the ledger on a PostgreSQL of its own")] = False,
) -> None:
    """Have very many games resolved, and audit what is left of them. Exit code 1 when the audit finds something."""
    plans = [Plan(number, timedelta(days=spread_days), letters) for number in (few, games)]
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=1)

        def told(what: str, done: int, of: int) -> None:
            bar.update(task, description=what, completed=done, total=of)

        try:
            outcomes = [_one(plan, told, postgres=postgres) for plan in plans]
        except pytest.skip.Exception as reason:
            raise SystemExit(f"crowd: {reason}") from None
    _show(*outcomes)
    if any(outcome.findings for outcome in outcomes):
        raise typer.Exit(1)


def _one(plan: Plan, told: Told, *, postgres: bool) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="pbmd-crowd-") as folder:
        if not postgres:
            return crowd(Path(folder), plan, told)
        with running_postgresql() as server:
            return crowd(Path(folder), plan, told, server.new_ledger())


def _show(few: Outcome, many: Outcome) -> None:
    console, table = Console(), Table("what", f"{few.games:,} games", f"{many.games:,} games", "ratio")
    rows = {
        "processor's time a game and its letter, ms": (few.game_ms, many.game_ms),
        "letters": (few.letters, many.letters),
        "seconds": (few.seconds, many.seconds),
        "ledger, kB a game": (few.bytes / few.games / 1000, many.bytes / many.games / 1000),
    }
    for what, (one, other) in rows.items():
        table.add_row(what, f"{one:,.2f}", f"{other:,.2f}", f"{other / one:.2f}" if one else "")
    console.print(table)
    for finding in (*few.findings, *many.findings):
        console.print(finding, highlight=False, markup=False)
    console.print("The audit has found something." if few.findings or many.findings else "The audit has found nothing.")


if __name__ == "__main__":
    typer.run(main)
