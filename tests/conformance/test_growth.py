"""What grows without end in a position, and what only becomes more."""

import pytest

from pbmd.conformance.growth import growing

STEPS = range(40)


@pytest.mark.parametrize(
    ("part", "size"),
    [
        ([{"log": [*range(step)]} for step in STEPS], 39),
        ([{"log": [*range(step, 0, -1)]} for step in STEPS], 39),
        ([{"log": "x" * step} for step in STEPS], 39),
        ([{"log": {str(turn): turn for turn in range(step)}} for step in STEPS], 39),
    ],
)
def test_a_history_is_found(part: list[dict[str, object]], size: int) -> None:
    assert [*growing(part)] == [("log", size)]


def test_a_history_of_each_seat_is_found() -> None:
    documents = [{"turn": step, "players": [{"name": "Ann", "moves": [*range(step)]}]} for step in STEPS]
    assert [*growing(documents)] == [("players.0.moves", 39)]


@pytest.mark.parametrize(
    "documents",
    [
        [{"ships": [{"name": ship, "at": step - ship} for ship in range(step)]} for step in STEPS],
        [{"log": [*range(max(0, step - 5), step)]} for step in STEPS],
        [{"log": [*range(min(step, 25))]} for step in STEPS],
        [{"log": [*range(step)]} for step in range(20)],
        [{"gold": step, "names": ["Ann", "Bob"]} for step in STEPS],
        [{"pile": [*range(40 - step)], "sold": [*range(step)]} for step in STEPS],
    ],
    ids=["ships move", "the last only", "an end", "a short game", "numbers", "a pile that is dealt"],
)
def test_what_moves_or_goes_or_stops_is_not_found(documents: list[dict[str, object]]) -> None:
    assert [*growing(documents)] == []
