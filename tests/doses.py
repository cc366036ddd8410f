"""How much the tests try of what could be tried without end: a small dose in every run, a large one if PBMD_LARGE_DOSES is
set (`make large-doses`).

Of the cases of a test that is marked ``in_turn(3)`` a run of all tests has every third, of each test others: what differs from
one ruleset, stage or reader to the next is looked at by many tests, and all of them together look at each. Long tests that
take turns with each other are marked ``in_turn(3, of="long games")``. What takes long by the record (tests/slow.txt) takes
turns with what else takes about as long, unless it proves a rule or is marked ``in_every_run``.

Which part it is goes by PBMD_TURN, for which `make test` takes the number of commits: sixteen commits in a row try all,
six of them all but what takes longest, and a commit always tries the same. With ``--one-case`` it is one case of each test.
With PBMD_TURN=all, as for a release, a run tries all of them; and whoever names files, folders or tests gets all of these in
any turn.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import cycle, product
from typing import NamedTuple, TypeVar
from zlib import crc32

import pytest

from tests.times import RECORD, function_of, seconds_in

T = TypeVar("T")
U = TypeVar("U")
Marked = TypeVar("Marked", bound=Callable[..., None])
LARGE = "PBMD_LARGE_DOSES" in os.environ
_TURN = os.environ.get("PBMD_TURN") or "0"
_ALL = "all"
_TURNS = ((3.0, 16), (0.3, 6), (0.05, 2))
"""A test of which a case takes so many seconds is tried in one of so many turns."""
_IN_EVERY_RUN = ("rule", "in_every_run")


class Turns(NamedTuple):
    """What a test takes turns with, and how many of them there are."""

    of: str
    many: int


def dose(small: T, large: T) -> T:
    """What every run tries, or all of it if that is asked for."""
    return large if LARGE else small


def pairs(first: Sequence[T], second: Sequence[U]) -> list[tuple[T, U]]:
    """What two things that vary are tried with: in a small dose each value of either at least once, and all with all in a large
    one."""
    each_once = zip(range(max(len(first), len(second))), cycle(first), cycle(second), strict=False)
    return dose([(one, other) for _, one, other in each_once], [*product(first, second)])


def some_ruleset(slugs: Collection[str]) -> Callable[[Marked], Marked]:
    """A test of what rulesets do alike, with each of these as its ``slug``: each run has all that it is parametrized with
    besides, further below, at least once, with a ruleset that differs from run to run; three runs have it with all."""

    def marked(test: Marked) -> Marked:
        return pytest.mark.in_turn(min(3, len(slugs)))(pytest.mark.parametrize("slug", [*slugs])(test))

    return marked


def tries_all(config: pytest.Config) -> bool:
    """Whether nothing is left out: in a large dose, where tests are named, and where the time of each is measured."""
    named = bool(config.option.keyword) or config.args_source is pytest.Config.ArgsSource.ARGS
    return LARGE or _TURN == _ALL or config.getoption("--record-times") or (named and not config.getoption("--quick"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--one-case", action="store_true", help="of each test one case, another at each commit")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if tries_all(config):
        return
    one_case = bool(config.getoption("--one-case"))
    # Each of several processes begins to collect elsewhere (tests/collected_in_parts.py), and all must leave out the same.
    recorded = seconds_in(RECORD.read_text(encoding="utf-8"))
    in_order = sorted(items, key=lambda item: (-recorded.get(function_of(item.nodeid), 0.0), item.path.parts))
    left_out = {*not_in_turn(in_order, lambda item: _turns_of(item, recorded, one_case=one_case), int(_TURN))}
    config.hook.pytest_deselected(items=[*left_out])
    items[:] = [item for item in items if item not in left_out]


def not_in_turn(cases: Iterable[T], turns_of: Callable[[T], Turns], turn: int = 0) -> list[T]:
    """The cases that a small dose leaves out in a turn. Of those that take turns with each other one is left at least."""
    together: dict[Turns, list[T]] = defaultdict(list)
    for case in cases:
        if (turns := turns_of(case)).many > 1:
            together[turns].append(case)
    return [case for turns, each in together.items() for case in _others(each, crc32(turns.of.encode()) + turn, turns.many)]


def _others(cases: Sequence[T], turn: int, every: int) -> list[T]:
    first = turn % min(every, len(cases))
    return [case for number, case in enumerate(cases) if (number - first) % every]


def _turns_of(item: pytest.Item, recorded: Mapping[str, float], *, one_case: bool) -> Turns:
    mark = item.get_closest_marker("in_turn")
    if mark and mark.kwargs.keys() - {"of"}:
        raise pytest.UsageError(f"{item.nodeid}: in_turn knows no {', '.join(mark.kwargs)}, only of=")
    if mark and item.get_closest_marker("rule"):
        raise pytest.UsageError(f"{item.nodeid}: what proves a rule is tried whole in every run, and not in turn")
    test = function_of(item.nodeid)
    marked = Turns(str(mark.kwargs.get("of", test)), int(mark.args[0])) if mark else Turns(test, 1)
    if one_case:
        return marked._replace(many=sys.maxsize)
    if any(map(item.get_closest_marker, _IN_EVERY_RUN)):
        return marked
    long = Turns("long tests", turns_for(recorded.get(test, 0.0)))
    return max(marked, long, key=lambda turns: turns.many)


def turns_for(seconds: float) -> int:
    """In one of how many turns a test is tried of which a case takes so long, if no mark has it tried more seldom."""
    return next((turns for long, turns in _TURNS if seconds >= long), 1)
