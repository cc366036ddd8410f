"""The places of seats in a game that is over."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbmd.rules.placing import ranked_places

STANDINGS = st.dictionaries(st.text(max_size=3), st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8)


def test_equal_seats_share_a_place_and_the_next_has_as_many_before_it() -> None:
    assert ranked_places({"a": (3,), "b": (5,), "c": (3,), "d": (1,)}) == {"a": 2, "b": 1, "c": 2, "d": 4}
    assert ranked_places({"a": (1, 2), "b": (1, 3), "c": (0, 9)}) == {"a": 2, "b": 1, "c": 3}


@given(STANDINGS)
def test_who_stands_better_is_before_the_others_and_the_order_of_seats_changes_nothing(standing: dict[str, Any]) -> None:
    places = ranked_places(standing)
    assert ranked_places(dict(reversed(standing.items()))) == places
    for one, own in standing.items():
        for other, theirs in standing.items():
            assert (places[one] < places[other]) == (own > theirs)
