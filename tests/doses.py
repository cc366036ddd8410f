"""How much the tests try of what could be tried without end: a small dose in every run, a large one if PBMD_LARGE_DOSES is
set (`make large-doses`).

Of the cases of a test that is marked ``in_turn(3)`` a small dose has every third, of each test others: what differs from one
ruleset, stage or reader to the next is looked at by many tests, and all of them together look at each. Long tests that take
turns with each other are marked ``in_turn(3, of="long games")``.

Which third it is goes by PBMD_TURN, for which `make test` takes the number of commits: three commits one after another try all,
and a commit always tries the same. Whoever names tests (-k, or with ::) gets all of them in any turn.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import cycle, product
from typing import TypeVar
from zlib import crc32

import pytest

T = TypeVar("T")
U = TypeVar("U")
LARGE = "PBMD_LARGE_DOSES" in os.environ
_TURN = int(os.environ.get("PBMD_TURN") or 0)


def dose(small: T, large: T) -> T:
    """What every run tries, or all of it if that is asked for."""
    return large if LARGE else small


def pairs(first: Sequence[T], second: Sequence[U]) -> list[tuple[T, U]]:
    """What two things that vary are tried with: in a small dose each value of either at least once, and all with all in a large
    one."""
    each_once = zip(range(max(len(first), len(second))), cycle(first), cycle(second), strict=False)
    return dose([(one, other) for _, one, other in each_once], [*product(first, second)])


def tries_all(config: pytest.Config) -> bool:
    """Whether nothing is left out: in a large dose, where tests are named, and where the time of each is measured."""
    named = bool(config.option.keyword) or any("::" in each for each in config.args)
    return LARGE or named or config.getoption("--record-times")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if tries_all(config):
        return
    # Each of several processes begins to collect elsewhere (tests/collected_in_parts.py), and all must leave out the same.
    left_out = {*not_in_turn(sorted(items, key=lambda item: item.path.parts), _name, _every, _TURN)}
    config.hook.pytest_deselected(items=[*left_out])
    items[:] = [item for item in items if item not in left_out]


def not_in_turn(cases: Iterable[T], name: Callable[[T], str], every: Callable[[T], int], turn: int = 0) -> list[T]:
    """The cases that a small dose leaves out in a turn. Of each test one is left at least."""
    of_test: dict[tuple[str, int], list[T]] = defaultdict(list)
    for case in cases:
        if (many := every(case)) > 1:
            of_test[name(case), many].append(case)
    return [
        case for (test, many), all_of_it in of_test.items() for case in _others(all_of_it, crc32(test.encode()) + turn, many)
    ]


def _others(cases: Sequence[T], turn: int, every: int) -> list[T]:
    first = turn % min(every, len(cases))
    return [case for number, case in enumerate(cases) if (number - first) % every]


def _name(item: pytest.Item) -> str:
    mark = item.get_closest_marker("in_turn")
    if mark and mark.kwargs.keys() - {"of"}:
        raise pytest.UsageError(f"{item.nodeid}: in_turn knows no {', '.join(mark.kwargs)}, only of=")
    return str(mark.kwargs["of"]) if mark and mark.kwargs else item.nodeid.partition("[")[0]


def _every(item: pytest.Item) -> int:
    mark = item.get_closest_marker("in_turn")
    if mark is None:
        return 1
    if item.get_closest_marker("rule"):
        raise pytest.UsageError(f"{item.nodeid}: what proves a rule is tried whole in every run, and not in turn")
    return int(mark.args[0])
