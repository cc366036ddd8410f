"""Where several processes run tests, each begins to collect them at another place, and all end with the same list.

Whoever loads a file of tests first writes what pytest makes of its assertions beside it, and that takes longer than all else
that is collected: where all began with the first file, each would do it for all files.
"""

from collections.abc import Generator, Sequence
from typing import TypeVar

import pytest

T = TypeVar("T")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if isinstance(collector, pytest.Directory) and report.result:
        report.result = begun_elsewhere(report.result, *_place(collector.config))
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if _place(config) != (0, 1):
        items.sort(key=lambda item: item.path.parts)


def begun_elsewhere(parts: Sequence[T], place: int, places: int) -> list[T]:
    """What lies in a ring, from the place at which one of so many begins."""
    first = len(parts) * place // places
    return [*parts[first:], *parts[:first]]


def _place(config: pytest.Config) -> tuple[int, int]:
    """Which of how many processes this is."""
    worker = getattr(config, "workerinput", None)
    return (int(worker["workerid"].removeprefix("gw")), int(worker["workercount"])) if worker else (0, 1)
