"""Measurements: ours and the yardstick's in turn, so that a slow minute of the machine hits both, and what came of them."""

import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles


class NotMeasured(RuntimeError):
    """A row that cannot be measured here; the message says what is missing."""


@dataclass(frozen=True)
class Result:
    """One row: `ours` and `theirs` in `unit`, a value a repeat; `theirs` is empty where the goal is an amount, not a ratio.

    `goal` is the most that is allowed: of the ratio, or of the amount.
    """

    row: str
    what: str
    against: str
    unit: str
    goal: float
    ours: tuple[float, ...]
    theirs: tuple[float, ...] = ()
    note: str = ""

    @property
    def values(self) -> tuple[float, ...]:
        """What is compared with the goal, a value a repeat: the ratios of the pairs, or the amounts."""
        return tuple(a / b for a, b in zip(self.ours, self.theirs, strict=True)) if self.theirs else self.ours

    @property
    def value(self) -> float:
        """The median of `values`."""
        return median(self.values)

    @property
    def steady(self) -> bool:
        """Whether the machine was quiet enough for the result to be believed: the middle half of what is not ours to make
        faster, the yardstick (or else the amounts themselves), lies within a factor of 1.5."""
        values = self.theirs or self.ours
        if len(values) < 2:
            return True
        low, _, high = quantiles(values, n=4, method="inclusive")
        return high <= 1.5 * low

    @property
    def reached(self) -> bool:
        """Whether the goal is reached."""
        return self.value <= self.goal


@dataclass(frozen=True)
class Missing:
    """A row that could not be measured, and why."""

    row: str
    why: str


def seconds(job: Callable[[], object]) -> float:
    """How long a job takes, by the wall clock."""
    began = time.perf_counter()
    job()
    return time.perf_counter() - began


def cpu_seconds(job: Callable[[], object]) -> float:
    """How much of the processor's time a job takes, whatever else the machine does: for jobs that wait for nothing."""
    began = time.process_time()
    job()
    return time.process_time() - began


def children_cpu_seconds(job: Callable[[], object]) -> float:
    """How much of the processor's time the processes take that a job starts and waits for, with theirs, however busy the
    machine and its disk are."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    job()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_turn(repeats: int, *jobs: Callable[[], float]) -> Iterator[tuple[float, ...]]:
    """Run the jobs one after the other, `repeats` times, each time beginning with another one."""
    for number in range(repeats):
        first = number % len(jobs)
        values = dict.fromkeys(range(len(jobs)), 0.0)
        for place in (*range(first, len(jobs)), *range(first)):
            values[place] = jobs[place]()
        yield tuple(values.values())


def columns(rows: Sequence[tuple[float, ...]], scale: float = 1.0) -> tuple[tuple[float, ...], ...]:
    """The values of each job, from the values of each repeat."""
    return tuple(tuple(value * scale for value in column) for column in zip(*rows, strict=True))
