"""What `make quick` leaves out, and what begins first."""

import pytest

from tests.times import RECORD, function_of, long_ones_first, record_of, seconds_in, seconds_of, setup_of


def test_a_test_is_slow_by_its_cases_or_by_all_of_them_together() -> None:
    taken = {"a.py::test_long": [0.5], "a.py::test_many": [0.01] * 200, "b.py::test_short": [0.01], "b.py::test_skipped": []}
    record = record_of(taken)
    assert seconds_in(record) == {"a.py::test_long": 0.5, "a.py::test_many": 0.01}
    assert record.splitlines()[1] == "    2.00   200 a.py::test_many"


@pytest.mark.parametrize(
    ("computed", "by_clock", "in_line", "seconds"),
    [(0.02, 0.03, 0.0, 0.02), (0.02, 2.0, 0.0, 2.0), (0.02, 2.0, 1.9, 0.02), (0.02, 2.0, 1.0, 1.0), (3.0, 2.0, 0.0, 3.0)],
)
def test_what_others_compute_meanwhile_makes_no_test_slow(
    computed: float, by_clock: float, in_line: float, seconds: float
) -> None:
    assert seconds_of(computed, by_clock, in_line) == pytest.approx(seconds)


def test_the_record_is_by_tests_and_not_by_cases() -> None:
    assert function_of("tests/a.py::TestB::test_c[d-[e]]") == "tests/a.py::TestB::test_c"
    assert not [name for name in seconds_in(RECORD.read_text()) if "[" in name]


@pytest.mark.parametrize(("workers", "order"), [(1, "abcdefgh"), (2, "bcea dfgh"), (3, "be cad fgh"), (4, "be ca df gh")])
def test_what_takes_long_begins_first_in_half_of_the_processes(workers: int, order: str) -> None:
    seconds = {"b": 9.0, "c": 5.0, "e": 4.0, "f": 0.5}
    ordered = long_ones_first("abcdefgh", lambda name: seconds.get(name, 0.0), lambda name: name, workers)
    assert ordered == [*order.replace(" ", "")]


@pytest.mark.parametrize(("workers", "order"), [(1, "abcdefgh"), (2, "bfca degh"), (4, "bf ca de gh")])
def test_what_is_set_up_together_stays_together(workers: int, order: str) -> None:
    seconds = {"b": 9.0, "c": 5.0, "f": 0.5}
    ordered = long_ones_first("abcdefgh", lambda name: seconds.get(name, 0.0), lambda name: {"f": "b"}.get(name, name), workers)
    assert ordered == [*order.replace(" ", "")]


@pytest.fixture(scope="module", params=["one", "other"])
def place(request: pytest.FixtureRequest) -> str:
    """Something that is set up once for all tests with it."""
    return request.param


def test_a_test_has_its_setup_in_common_with_those_that_share_a_fixture(request: pytest.FixtureRequest, place: str) -> None:
    others = [item for item in request.session.items if item.path == request.node.path and item is not request.node]
    assert setup_of(request.node) == (request.node.path, ["one", "other"].index(place))
    assert setup_of(request.node) not in {setup_of(item) for item in others}
