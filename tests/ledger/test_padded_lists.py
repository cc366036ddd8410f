"""Lists of values for SQL's `IN`."""

import pytest

from pbmd.ledger.padded_lists import padded


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], []), ([1], [1]), ([1, 2], [1, 2]), ([1, 2, 3], [1, 2, 3, 3]), ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 5, 5, 5])],
)
def test_a_list_is_filled_up_to_a_power_of_two_with_its_last_value(values: list[int], expected: list[int]) -> None:
    assert padded(iter(values)) == expected
