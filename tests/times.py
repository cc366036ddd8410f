"""How long each test takes, as recorded, and which are therefore left out of `make quick` or begin first.

Counted are seconds of the processor, so that it does not matter what else the machine does; and of tests that wait, those of
the clock without those in which others had the processor.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest

if TYPE_CHECKING:
    from _pytest.fixtures import FuncFixtureInfo

T = TypeVar("T")

RECORD = Path(__file__).with_name("slow.txt")
_HEADING = "# Tests that take long, the longest first: seconds, cases, name. Written by `make times`.\n"
_CASE, _ALL_CASES = 0.025, 0.5
"""A test is slow if a case of it takes so many seconds, or all of its cases together."""
_WAITS = 0.3
"""Whatever takes so many seconds by the clock waits for something."""
_LONG = 3.0
"""What takes so many seconds begins first where several processes run tests: begun last, all others would wait for it."""
_PROGRAMS = frozenset({"dovecot", "postfix", "postgresql"})
"""Marks and fixtures of tests that begin such a program."""
_LINE = Path("/proc/self/schedstat")
"""Where Linux tells how long a process has waited for a processor."""
_begun = pytest.StashKey[tuple[float, float]]()
_taken: dict[str, list[float]] = defaultdict(list)
_by_clock: dict[str, float] = defaultdict(float)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick", action="store_true", help="leave out what tests/slow.txt lists, and what needs mail servers or PostgreSQL"
    )
    parser.addoption("--record-times", action="store_true", help="write tests/slow.txt anew")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    recorded = seconds_in(RECORD.read_text(encoding="utf-8"))
    if config.getoption("--quick"):
        left_out = {item for item in items if function_of(item.nodeid) in recorded or _needs_programs(item)}
        config.hook.pytest_deselected(items=[*left_out])
        items[:] = [item for item in items if item not in left_out]
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    items[:] = long_ones_first(items, lambda item: recorded.get(function_of(item.nodeid), 0.0), setup_of, workers)


def setup_of(item: pytest.Item) -> Hashable:
    """What a test has in common with others that is set up once for all of them if they follow each other: their file, and the
    parameters of what is set up for it. By itself it is a test that has nothing of that kind."""
    info: FuncFixtureInfo | None = getattr(item, "_fixtureinfo", None)
    definitions = info.name2fixturedefs if info else {}
    shared = [name for name, found in definitions.items() if found and found[-1].scope == "module"]
    cases = getattr(getattr(item, "callspec", None), "indices", {})
    return (item.path, *(cases[name] for name in shared if name in cases)) if shared else item.nodeid


def long_ones_first(items: Sequence[T], seconds: Callable[[T], float], setup: Callable[[T], Hashable], workers: int) -> list[T]:
    """The tests in an order in which half of the processes begin with what takes long, the longest first. Most of that waits:
    meanwhile the other half computes. Each process is given a share of the same size, as they stand (`--dist worksteal`).
    Tests with the same setup stay together, else several processes would make it, and some of them more than once."""
    if workers < 2:
        return [*items]
    together: dict[Hashable, list[T]] = defaultdict(list)
    for item in items:
        together[setup(item)].append(item)
    all_long = [several for several in together.values() if max(map(seconds, several)) >= _LONG]
    long = sorted(all_long, key=lambda several: sum(map(seconds, several)), reverse=True)
    begun = {setup(several[0]) for several in long}
    others = iter([item for item in items if setup(item) not in begun])
    beginners = (workers + 1) // 2
    ordered: list[T] = []
    for worker in range(workers):
        share = (len(items) - len(ordered)) // (workers - worker)
        first = [item for several in long[worker::beginners] for item in several] if worker < beginners else []
        ordered += first
        ordered += islice(others, max(0, share - len(first)))
    return [*ordered, *others]


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.config.getoption("--record-times"):
        item.stash[_begun] = _computed(), _in_line()


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    if call.when == "teardown" and _begun in item.stash:
        # Workers send what stands here to the process that asked for the run.
        computed, in_line = item.stash[_begun]
        item.user_properties += [("in line", _in_line() - in_line), ("computed", _computed() - computed)]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _by_clock[report.nodeid] += report.duration
    told = {name: seconds for name, seconds in report.user_properties if name in ("computed", "in line")}
    if "computed" in told:
        seconds = seconds_of(told["computed"], _by_clock[report.nodeid], told["in line"])
        _taken[function_of(report.nodeid)].append(seconds)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _taken and session.config.getoption("--record-times") and not hasattr(session.config, "workerinput"):
        RECORD.write_text(record_of(_taken), encoding="utf-8")


def seconds_of(computed: float, by_clock: float, in_line: float) -> float:
    """How long a test takes that computed so long, and took so long by the clock, while it stood in line for a processor."""
    waited = by_clock - in_line
    return max(computed, waited if waited >= _WAITS else 0.0)


def record_of(taken: Mapping[str, list[float]]) -> str:
    """The record of what took so long: the seconds of each case, by test."""
    sums = {name: sum(seconds) for name, seconds in taken.items() if seconds}
    slow = [name for name in sums if sums[name] >= _ALL_CASES or sums[name] / len(taken[name]) >= _CASE]
    lines = (f"{sums[name]:8.2f} {len(taken[name]):5} {name}\n" for name in sorted(slow, key=lambda name: (-sums[name], name)))
    return _HEADING + "".join(lines)


def seconds_in(record: str) -> dict[str, float]:
    """The tests that a record lists, and how many seconds a case of each takes."""
    rows = (line.split(maxsplit=2) for line in record.splitlines() if not line.startswith("#"))
    return {name: float(seconds) / int(cases) for seconds, cases, name in rows}


def function_of(nodeid: str) -> str:
    """A test without the case: ``tests/a.py::test_b[c]`` is a case of ``tests/a.py::test_b``."""
    return nodeid.partition("[")[0]


def _needs_programs(item: pytest.Item) -> bool:
    asked_for = getattr(item, "fixturenames", ())
    return not _PROGRAMS.isdisjoint([*(mark.name for mark in item.iter_markers()), *asked_for])


def _computed() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _in_line() -> float:
    """Seconds in which this process could have computed and others did; none where the system does not tell."""
    return int(_LINE.read_text(encoding="utf-8").split()[1]) / 1e9 if _LINE.exists() else 0.0
