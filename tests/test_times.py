"""What `make quick` leaves out."""

from tests.times import RECORD, function_of, names_in, record_of


def test_a_test_is_slow_by_its_cases_or_by_all_of_them_together() -> None:
    taken = {"a.py::test_long": [0.5], "a.py::test_many": [0.01] * 200, "b.py::test_short": [0.01], "b.py::test_skipped": []}
    record = record_of(taken)
    assert names_in(record) == {"a.py::test_long", "a.py::test_many"}
    assert record.splitlines()[1] == "    2.00   200 a.py::test_many"


def test_the_record_is_by_tests_and_not_by_cases() -> None:
    assert function_of("tests/a.py::TestB::test_c[d-[e]]") == "tests/a.py::TestB::test_c"
    assert not [name for name in names_in(RECORD.read_text()) if "[" in name]
