"""What of the cases of a test every run tries."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.doses import LARGE, Turns, not_in_turn, pairs, some_ruleset, tries_all, turns_for

ROOT = Path(__file__).parents[1]
FILE = "tests/test_doses.py"
CASES = [f"{test}[{number}]" for test in ("one", "two", "three", "four") for number in range(7)]


def name_of(case: str) -> str:
    return case.partition("[")[0]


def tried(cases: list[str], every: Callable[[str], int], turn: int = 0) -> list[str]:
    left_out = not_in_turn(cases, lambda case: Turns(name_of(case), every(case)), turn)
    return [case for case in cases if case not in left_out]


def test_of_a_test_every_third_is_tried_and_of_other_tests_others() -> None:
    numbers = {test: [int(case[-2]) for case in tried(CASES, lambda _: 3) if name_of(case) == test] for test in ("one", "two")}
    assert all([*range(found[0], 7, 3)] == found for found in numbers.values())
    assert len({*(case.partition("[")[2] for case in tried(CASES, lambda _: 3))}) > 3


@pytest.mark.parametrize("first", [0, 1, 5_000])
def test_three_turns_after_each_other_try_all_and_nothing_twice(first: int) -> None:
    turns = [tried(CASES, lambda _: 3, turn) for turn in range(first, first + 3)]
    assert sorted(case for turn in turns for case in turn) == sorted(CASES)


@pytest.mark.parametrize("turn", range(3))
def test_whoever_asks_for_one_case_gets_it_in_any_turn(turn: int) -> None:
    assert tried(CASES[4:5], lambda _: 3, turn) == CASES[4:5]


def test_whoever_asks_for_one_case_of_each_test_gets_it_though_they_name_folders() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "--quick", "--one-case"]
    small = {name: value for name, value in os.environ.items() if name != "PBMD_LARGE_DOSES"} | {"PBMD_TURN": "5"}
    told = subprocess.run([*command, FILE], cwd=ROOT, env=small, capture_output=True, text=True, check=True).stdout
    found = [name_of(line) for line in told.splitlines() if line.startswith(FILE)]
    assert len({*found}) == len(found) > 5


@pytest.mark.parametrize(
    "named",
    [(FILE,), (FILE, "-k", "the_next"), (f"{FILE}::test_the_next", f"{FILE}::test_one_before_the_next")],
    ids=["file", "word", "tests"],
)
def test_whoever_names_tests_gets_all_of_them(named: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *named]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {"test_the_next", "test_one_before_the_next"} <= {line.partition("::")[2] for line in told.splitlines()}


@pytest.mark.parametrize("turn", range(4))
def test_of_each_test_one_case_is_tried_at_each_commit_another(turn: int) -> None:
    here, next_time = (tried(CASES, lambda _: sys.maxsize, at) for at in (turn, turn + 1))
    assert [*map(name_of, here)] == [*dict.fromkeys(map(name_of, CASES))]
    assert {*here}.isdisjoint(next_time)


@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize("slugs", ["ab", "abc", "abcd", "abcdefg"])
def test_with_some_ruleset_each_text_is_tried_in_every_run_and_in_three_of_them_with_all(slugs: str, turn: int) -> None:
    @some_ruleset(slugs)
    @pytest.mark.parametrize("text", range(5))
    def test(text: int, slug: str) -> None: ...

    turns, outer, inner = (mark.args for mark in reversed(getattr(test, "pytestmark")))  # noqa: B009
    assert (outer[0], inner[0]) == ("slug", "text"), "the ruleset varies fastest"
    cases = [f"test[{text}-{slug}]" for text in inner[1] for slug in outer[1]]
    runs = [tried(cases, lambda _: turns[0], turn + later) for later in range(3)]
    assert all({case[5] for case in run} == {*map(str, range(5))} for run in runs)
    assert {case for run in runs for case in run} == {*cases}


def test_what_takes_long_takes_turns_and_what_takes_longest_the_most() -> None:
    assert [turns_for(seconds) for seconds in (0.0, 0.04, 0.25, 0.5, 2.9, 3.0, 30.0)] == [1, 1, 2, 6, 6, 16, 16]


def test_what_is_not_marked_is_tried_whole() -> None:
    assert tried(CASES, lambda case: 3 if name_of(case) == "one" else 1)[-21:] == CASES[7:]


@pytest.mark.parametrize("many", range(1, 8))
def test_whoever_asks_for_some_cases_gets_one_at_least(many: int) -> None:
    assert tried(CASES[:many], lambda _: 9) != []


@pytest.mark.parametrize(("first", "second"), [("abc", "wxyz"), ("abcd", "z"), ("ab", "yz")])
def test_of_two_things_that_vary_each_value_is_tried(first: str, second: str) -> None:
    tried_with = pairs(first, second)
    assert ({one for one, _ in tried_with}, {other for _, other in tried_with}) == ({*first}, {*second})
    assert len({*tried_with}) == len(tried_with) == (len(first) * len(second) if LARGE else max(len(first), len(second)))


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("number", range(9))
def test_here_it_is_so(number: int, request: pytest.FixtureRequest) -> None:
    here = [item for item in request.session.items if item.nodeid.startswith(request.node.nodeid.partition("[")[0])]
    assert tries_all(request.config) or len(here) <= 3
    assert number in range(9)


@pytest.mark.in_turn(3, of="a group")
def test_one_before_the_next(request: pytest.FixtureRequest) -> None:
    assert tries_all(request.config) or _of_the_group(request) == [request.node.name]


@pytest.mark.in_turn(3, of="a group")
def test_the_next(request: pytest.FixtureRequest) -> None:
    assert tries_all(request.config) or _of_the_group(request) == [request.node.name]


def _of_the_group(request: pytest.FixtureRequest) -> list[str]:
    marks = ((item.name, item.get_closest_marker("in_turn")) for item in request.session.items)
    return [name for name, mark in marks if mark and mark.kwargs == {"of": "a group"}]
