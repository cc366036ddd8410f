"""``python -m tests.benchmarks.growth``: what things cost as there are more and more of them, by the processor's time."""

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import log
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer
from rich.console import Console
from sqlalchemy import Engine, event

from tests.benchmarks.estate import scratch
from tests.benchmarks.growing import SUBJECTS, Subject
from tests.benchmarks.measure import cpu_seconds

DOCUMENT = Path(__file__).parents[2] / "docs" / "scale.md"
BEGIN, END = "<!-- growth: written by `python -m tests.benchmarks.growth --write` -->", "<!-- end of growth -->"
_LONG_SECONDS = 60.0
"""What has taken so long with all preparations is not measured again."""
_MOST_JOBS = 9
_STEPS = 20
"""SQLite tells of so many steps of its machine at once."""
_COUNTED_JOBS = 3


@dataclass(frozen=True)
class Work:
    """What a job took, however busy the machine was, for each thing that it dealt with: calls of functions, and steps of
    SQLite's machine."""

    calls: float
    steps: float


def exponent(sizes: tuple[int, int], costs: tuple[float, float]) -> float:
    """The e for which the costs grow like size^e: 0 if they do not grow, 1 if twice as much costs twice as much."""
    return log(costs[1] / costs[0]) / log(sizes[1] / sizes[0])


def seconds_of(subject: Subject, folder: Path, size: int) -> float:
    """The least seconds of the processor for one thing. The machine may be busy, and then some jobs take longer; none takes
    less than it needs."""
    with closing(subject.jobs(folder, size)) as jobs:
        began = time.process_time()
        next(jobs)()
        found = [_seconds_each(next(jobs))]
        while len(found) < _MOST_JOBS and time.process_time() - began < _LONG_SECONDS:
            found.append(_seconds_each(next(jobs)))
    return min(found)


def _seconds_each(job: Callable[[], int]) -> float:
    done = list[int]()
    return cpu_seconds(lambda: done.append(job())) / done[0]


def work_of(subject: Subject, folder: Path, size: int) -> Work:
    """The work of one thing: the least of a few jobs, since now and then one has to do something that is done seldom."""
    with _steps_of_sqlite() as steps, closing(subject.jobs(folder, size)) as jobs:
        next(jobs)()
        found = [_counted(next(jobs), steps) for _ in range(_COUNTED_JOBS)]
    return Work(min(work.calls for work in found), min(work.steps for work in found))


def _counted(job: Callable[[], int], steps: "deque[None]") -> Work:
    calls = count()
    steps.clear()

    def seen(_frame: FrameType, what: str, _argument: object) -> None:
        if what in ("call", "c_call"):
            next(calls)

    threading.setprofile(seen)
    sys.setprofile(seen)
    try:
        done = job()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return Work(next(calls) / done, len(steps) * _STEPS / done)


@contextmanager
def _steps_of_sqlite() -> Generator["deque[None]"]:
    """Has a None for every so many steps of all ledgers that are opened from now on."""
    steps = deque[None]()

    def listen(connection: Any, _record: object) -> None:
        connection.set_progress_handler(partial(steps.append, None), _STEPS)

    event.listen(Engine, "connect", listen)
    try:
        yield steps
    finally:
        event.remove(Engine, "connect", listen)


def _row(subject: Subject) -> tuple[str, ...]:
    with scratch() as folder:
        costs = [seconds_of(subject, _new(folder / str(size)), size) for size in subject.sizes]
    grows = exponent((subject.sizes[-2], subject.sizes[-1]), (costs[-2], costs[-1]))
    sizes = " / ".join(f"{size:,}" for size in subject.sizes)
    reached = "" if grows <= subject.most else " **more**"
    all_costs = " / ".join(map(_amount, costs))
    return (subject.what, f"{sizes} {subject.of}", all_costs, f"{grows:.2f}{reached}", f"{subject.most:g}")


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _amount(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms" if seconds >= 0.001 else f"{seconds * 1e6:.3g} µs"


def _table(rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    heads = ("what", "of so many", "costs", "exponent", "at most")
    yield from ("| " + " | ".join(row) + " |" for row in (heads, tuple("---" for _ in heads)))
    yield from ("| " + " | ".join(row) + " |" for row in rows)


def main(
    subject: Annotated[list[str] | None, typer.Option(help=f"only this one of {', '.join(s.name for s in SUBJECTS)}")] = None,
    write: Annotated[bool, typer.Option(help="write the table into docs/scale.md")] = False,
) -> None:
    """Measure how costs grow, for three sizes each."""
    chosen = [each for each in SUBJECTS if not subject or each.name in subject]
    lines = list[str]()
    with Console(stderr=True).status("measuring"):
        for line in _table(map(_row, chosen)):
            lines.append(line)
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    if write:
        text = DOCUMENT.read_text(encoding="utf-8")
        before, after = text.partition(BEGIN)[0], text.partition(END)[2]
        content = "\n".join(lines)
        DOCUMENT.write_text(f"{before}{BEGIN}\n\n{content}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
