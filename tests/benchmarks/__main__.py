"""``python -m tests.benchmarks``: measure the rows and show them."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tests.benchmarks import (
    adjudicating,
    archive,
    checking,
    cluster,
    conquest,
    idle,
    intake,
    latency,
    lively,
    memory,
    report,
    resolving,
    resting,
    sending,
    shared,
    societies,
    squadrons,
    starting,
    turn_with_maps,
    turns,
    writing,
)
from tests.benchmarks.measure import Missing, NotMeasured, Result

DOCUMENT = Path(__file__).parents[2] / "docs" / "benchmarks.md"
ROWS: dict[str, Callable[[int], list[Result]]] = {
    "intake": intake.measure,
    "resolve": resolving.measure,
    "adjudicate": adjudicating.measure,
    "adjudicate growth": adjudicating.growth,
    "adjudicate again": adjudicating.again,
    "resolve12": conquest.resolve,
    "map": conquest.maps,
    "cluster": cluster.turn,
    "societies": societies.measure,
    "squadrons": squadrons.measure,
    "idle": idle.measure,
    "start": starting.measure,
    "turn": turns.measure,
    "turn12": turn_with_maps.measure,
    "send": sending.measure,
    "postgres": shared.measure_letters,
    "bell": shared.measure_bell,
    "take-over": shared.measure_take_over,
    "letter": checking.measure,
    "latency": latency.measure,
    "rest": resting.measure,
    "writing": writing.measure,
    "memory": memory.measure,
    "export": archive.measure,
    "lively": lively.measure,
}


def main(
    row: Annotated[list[str] | None, typer.Option(help=f"only this one of {', '.join(ROWS)}; may be repeated")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="how often each pair is measured")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="all values, as JSON")] = False,
    write: Annotated[bool, typer.Option(help="write the table into docs/benchmarks.md")] = False,
) -> None:
    """Measure the speed and memory of pbmd against their yardsticks. Exit code 1 when a goal is missed."""
    for name in row or ():
        if name not in ROWS:
            raise typer.BadParameter(f"there is no row {name}; there are {', '.join(ROWS)}", param_hint="--row")
    errors = Console(stderr=True)
    results: list[Result | Missing] = []
    for name in row or ROWS:
        with errors.status(f"measuring: {name}"):
            try:
                results += ROWS[name](repeats)
            except NotMeasured as reason:
                results.append(Missing(name, str(reason)))
    if as_json:
        sys.stdout.write(report.as_json(results) + "\n")
    else:
        Console().print(report.table(results))
    if write:
        report.write(results, DOCUMENT)
    if any(isinstance(result, Result) and not result.reached for result in results):
        raise typer.Exit(1)


if __name__ == "__main__":  # processes that draw maps import it, too
    typer.run(main)
