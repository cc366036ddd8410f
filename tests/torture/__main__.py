"""``python -m tests.torture``: a storm of some minutes, a line that tells how it goes, and a table of what it came to."""

import random
import shutil
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import pytest
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.mailservers import running_dovecot
from tests.postgresql import PostgreSQL, running_postgresql
from tests.torture.faults import SHARED_FAULTS
from tests.torture.storm import Outcome, Plan, storm


def main(
    minutes: Annotated[float, typer.Option(min=0.1, help="how long the storm lasts, without settling and audit")] = 10.0,
    seed: Annotated[int | None, typer.Option(help="what chance begins with, to have the same plan again")] = None,
    games: Annotated[int, typer.Option(min=1, max=20, help="how many games are played")] = 3,
    postgres: Annotated[bool, typer.Option("--postgres", help="with a ledger on PostgreSQL, which is tortured, too")] = False,
    hosts: Annotated[int, typer.Option(min=1, max=9, help="how many run pbmd on that")] = 1,
    workers: Annotated[int, typer.Option(min=0, max=9, help="how many workers help them")] = 2,
    faults: Annotated[int, typer.Option(min=0, help="how many faults there must have been at the end")] = 0,
    keep: Annotated[Path | None, typer.Option(help="a new folder for settings, ledger and logs, kept afterwards")] = None,
) -> None:
    """Torture pbmd and audit what is left of it. Exit code 1 when the auditor finds something: then ledger and logs stay."""
    seed = random.randrange(1_000_000) if seed is None else seed
    console = Console(stderr=True)
    console.print(f"torture: {minutes:g} min, seed {seed}, {games} games")
    folder = keep or Path(tempfile.mkdtemp(prefix="pbmd-torture-"))
    if keep is not None and keep.exists():
        raise typer.BadParameter(f"{keep} is there already; name a new folder", param_hint="--keep")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with running_dovecot() as dovecot, _database(postgres=postgres) as server, _bar(console) as bar:
            task = bar.add_task("starting", total=1.0, numbers="")

            def watch(what: str, share: float, numbers: dict[str, int]) -> None:
                told = ", ".join(f"{count} {name}" for name, count in numbers.items())
                bar.update(task, description=what, completed=share, numbers=told)

            deadlines = {"cluster_deadline": "45s", "tides_deadline": "8s"}
            plan = Plan(seconds=minutes * 60, seed=seed, games=games, least_faults=faults, **deadlines)
            outcome = storm(folder, dovecot, _shared(plan, hosts, workers) if server else plan, watch, server)
    except pytest.skip.Exception as reason:
        sys.exit(f"torture: {reason}")
    _show(outcome)
    if outcome.findings:
        console.print(f"ledger and logs are kept in {folder}")
        raise typer.Exit(1)
    if keep is None:
        shutil.rmtree(folder)


@contextmanager
def _database(*, postgres: bool) -> Generator[PostgreSQL | None]:
    if not postgres:
        yield None
        return
    with running_postgresql(durable=True) as server:
        yield server


def _shared(plan: Plan, hosts: int, workers: int) -> Plan:
    return replace(plan, hosts=hosts, workers=workers, faults=SHARED_FAULTS)


def _bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[numbers]}"))
    return Progress(*columns, console=console)


def _show(outcome: Outcome) -> None:
    console = Console()
    table = Table("what", "number")
    table.columns[1].justify = "right"
    for name, number in outcome.numbers().items():
        table.add_row(name, str(number))
    console.print(table)
    for name, why in outcome.skipped.items():
        console.print(f"skipped: {name}: {why}", highlight=False, markup=False)
    for finding in outcome.findings:
        console.print(finding, highlight=False, markup=False)
    console.print("The auditor has found something." if outcome.findings else "The auditor has found nothing.")


if __name__ == "__main__":
    typer.run(main)
