"""Several processes that collect the tests begin at different places. That they end with the same list pytest-xdist asks."""

import pytest

from tests.collected_in_parts import begun_elsewhere


@pytest.mark.parametrize("parts", ["abcdefgh", "abcdefg", "abcd"])
def test_each_of_four_begins_with_a_part_of_its_own_and_comes_to_all(parts: str) -> None:
    found = [begun_elsewhere(parts, place, 4) for place in range(4)]
    assert len({first for first, *_ in found}) == 4
    assert all(sorted(each) == [*parts] for each in found)


def test_one_alone_begins_at_the_beginning() -> None:
    assert begun_elsewhere("abc", 0, 1) == ["a", "b", "c"]
