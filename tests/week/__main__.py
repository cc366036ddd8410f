"""``python -m tests.week``: a week of a club in an hour, and a table of what it came to."""

import mailbox
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import pytest
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.mailservers import running_dovecot
from tests.week.week import Outcome, Plan, week


def main(
    minutes: Annotated[float, typer.Option(min=0.5, help="how long the week takes")] = 60.0,
    days: Annotated[float, typer.Option(min=0.2, help="how many days it has")] = 7.0,
    players: Annotated[int, typer.Option(min=1, help="how many play at least")] = 200,
    seed: Annotated[int, typer.Option(help="what chance begins with")] = 1,
    upgrade: Annotated[bool, typer.Option(help="begin with the version before, out of the repository's history")] = True,
    keep: Annotated[Path | None, typer.Option(help="a new folder for ledger, logs and mails, kept afterwards")] = None,
) -> None:
    """Live through a week and audit what is left of it. Exit code 1 when the auditor finds something: then all is kept."""
    if keep is not None and keep.exists():
        raise typer.BadParameter(f"{keep} is there already; name a new folder", param_hint="--keep")
    folder = keep or Path(tempfile.mkdtemp(prefix="pbmd-week-"))
    folder.mkdir(parents=True, exist_ok=True)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[numbers]}"))
    try:
        with running_dovecot() as one, running_dovecot() as other, Progress(*columns, console=console) as bar:
            task = bar.add_task("starting", total=1.0, numbers="")

            def watch(what: str, share: float, numbers: dict[str, int]) -> None:
                told = ", ".join(f"{count} {name}" for name, count in numbers.items())
                bar.update(task, description=what, completed=share, numbers=told)

            outcome = week(folder, (one, other), Plan(minutes, days, players, seed=seed, upgrades=upgrade), watch)
    except pytest.skip.Exception as reason:
        sys.exit(f"week: {reason}")
    except RuntimeError as problem:
        sys.exit(f"week: {problem}\nweek: all is kept in {folder}")
    _show(outcome)
    box = mailbox.mbox(folder / "gm.mbox")
    for mails in outcome.by_day.values():
        for mail in mails:
            box.add(mail)
    box.close()
    if outcome.findings:
        console.print(f"all is kept in {folder}; the game master's mails are in gm.mbox there")
        raise typer.Exit(1)
    if keep is None:
        shutil.rmtree(folder)


def _show(outcome: Outcome) -> None:
    console, table = Console(), Table("what", "number")
    table.columns[1].justify = "right"
    for name, number in outcome.numbers.items():
        table.add_row(name, str(number))
    for day, mails in outcome.by_day.items():
        table.add_row(f"mails to the game master, {day}", str(len(mails)))
    console.print(table)
    for finding in outcome.findings:
        console.print(finding, highlight=False, markup=False, soft_wrap=True)
    console.print("The auditor has found something." if outcome.findings else "The auditor has found nothing.")


if __name__ == "__main__":
    typer.run(main)
