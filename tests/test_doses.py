"""What of the cases of a test every run tries."""

from collections.abc import Callable

import pytest

from tests.doses import LARGE, not_in_turn, pairs

CASES = [f"{test}[{number}]" for test in ("one", "two", "three", "four") for number in range(7)]


def name_of(case: str) -> str:
    return case.partition("[")[0]


def tried(cases: list[str], every: Callable[[str], int]) -> list[str]:
    left_out = not_in_turn(cases, name_of, every)
    return [case for case in cases if case not in left_out]


def test_of_a_test_every_third_is_tried_and_of_other_tests_others() -> None:
    numbers = {test: [int(case[-2]) for case in tried(CASES, lambda _: 3) if name_of(case) == test] for test in ("one", "two")}
    assert all([*range(found[0], 7, 3)] == found for found in numbers.values())
    assert len({*(case.partition("[")[2] for case in tried(CASES, lambda _: 3))}) > 3


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
    assert LARGE or len(here) <= 3
    assert number in range(9)
