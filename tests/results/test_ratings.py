"""Ratings: from the order of the games and the places in them, and from nothing else."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmd.results.finished import GameResult, SeatResult, Steps
from pbmd.results.ratings import Rating, ratings
from pbmd.results.table import results_of

BEGIN = datetime(2026, 11, 20, tzinfo=UTC)


def game(number: int, *seats: tuple[str, int], ruleset: str = "count") -> GameResult:
    """A game of these players, empty for one who is not listed, each with a place."""
    first = [place for _, place in seats].count(1)
    places = [
        SeatResult(f"seat {number}", place, won=place == first == 1, drew=place == 1 < first, player=player)
        for number, (player, place) in enumerate(seats)
    ]
    return GameResult(
        number,
        f"nova-{number}",
        ruleset,
        ruleset.title(),
        BEGIN + timedelta(days=number),
        tuple(places),
        {p: Steps(0, 1) for p, _ in seats if p},
    )


SEATS = st.lists(st.tuples(st.sampled_from(["Ada", "Bo", "Cy", "Di", ""]), st.integers(1, 3)), min_size=2, max_size=6).filter(
    lambda seats: len({p for p, _ in seats if p}) == len([p for p, _ in seats if p])
)


def test_whoever_finishes_before_others_has_the_higher_rating_and_more_games_make_it_surer() -> None:
    once = ratings([game(1, ("Ada", 1), ("Bo", 2))])
    often = ratings([game(number, ("Ada", 1), ("Bo", 2)) for number in range(9)])
    assert once["Ada"].strength > 25 > once["Bo"].strength
    assert often["Ada"].sure > once["Ada"].sure
    assert often["Ada"].uncertainty < once["Ada"].uncertainty < 50 / 3


def test_among_equals_a_draw_changes_no_strength() -> None:
    drawn = ratings([game(1, ("Ada", 1), ("Bo", 1), ("", 1))])
    assert {each.strength for each in drawn.values()} == {25.0}


def test_to_beat_somebody_strong_is_worth_more_than_to_beat_somebody_unknown() -> None:
    before = [game(number, ("Ada", 1), ("", 2), ("", 3)) for number in range(9)]
    after = ratings([*before, game(10, ("Bo", 1), ("Ada", 2)), game(11, ("Cy", 1), ("", 2))])
    assert after["Bo"].strength > after["Cy"].strength


@settings(max_examples=20)
@given(st.lists(SEATS, min_size=1, max_size=5), st.randoms())
def test_the_order_of_seats_in_a_game_changes_nothing_tied_or_not(played: list[list[tuple[str, int]]], chance) -> None:
    games = [game(number, *seats) for number, seats in enumerate(played)]
    mixed = [replace(each, seats=tuple(chance.sample(each.seats, len(each.seats)))) for each in games]
    assert ratings(mixed) == ratings(games)


@settings(max_examples=20)
@given(st.lists(SEATS, min_size=1, max_size=5))
def test_in_one_game_who_was_before_another_of_the_same_strength_is_so_afterwards(played: list[list[tuple[str, int]]]) -> None:
    rated = ratings([game(1, *played[0])])
    listed = sorted((place, name) for name, place in played[0] if name)
    for (place, name), (other_place, other) in pairwise(listed):
        if place == other_place:
            assert rated[name] == rated[other]
        else:
            assert rated[name].strength > rated[other].strength


@pytest.mark.parametrize(
    "places", [(1, 1, 2, 3), (1, 1, 1, 4, 5), (1, 1, 1, 4, 5, 6, 7), (1, 2, 2, 2, 2, 2, 2), (1, 1, 1, 1, 1, 6)]
)
def test_whoever_shares_a_place_rises_more_than_whoever_comes_behind_them(places: tuple[int, ...]) -> None:
    rated = ratings([game(1, *((f"Player {number}", place) for number, place in enumerate(places)))])
    of_place = {place: rated[f"Player {number}"].strength for number, place in enumerate(places)}
    assert all(before > behind for before, behind in pairwise(of_place.values()))
    assert len({each.strength for each in rated.values()}) == len(of_place)


def test_of_many_who_share_places_in_groups_of_many_sizes_nobody_rises_above_those_before_them() -> None:
    places = [1] * 4 + [5] * 5 + [10] * 7 + [17] * 9 + [26] * 9  # it would take 1,260 turns to be exact
    rated = ratings([game(1, *((f"Player {number}", place) for number, place in enumerate(places)))])
    groups = [
        [rated[f"Player {number}"].strength for number, other in enumerate(places) if other == place]
        for place in sorted({*places})
    ]
    assert all(min(before) > max(behind) for before, behind in pairwise(groups))
    assert all(max(group) - min(group) < 0.2 for group in groups)


def test_a_game_of_one_rates_nobody() -> None:
    assert ratings([game(1, ("Ada", 1))]) == {}


def test_each_ruleset_has_its_own_table_and_the_surest_stands_first() -> None:
    games = [
        *(game(number, ("Ada", 1), ("Bo", 2), ("Cy", 3)) for number in range(3)),
        game(5, ("Bo", 1), ("Di", 2), ("", 2), ruleset="tides"),
        game(6, ("", 1), ("", 2), ruleset="tides"),
    ]
    count, tides = results_of(games)
    assert [player.player for player in count.players] == ["Ada", "Bo", "Cy"]
    assert [player.places for player in count.players] == [(3, 0, 0, 0), (0, 3, 0, 0), (0, 0, 3, 0)]
    assert [player.player for player in tides.players] == ["Bo", "Di"]
    assert [(player.games, player.wins, player.draws) for player in tides.players] == [(1, 1, 0), (1, 0, 0)]
    assert [each.name for each in count.games] == ["nova-2", "nova-1", "nova-0"]
    assert [each.name for each in tides.games] == ["nova-5"], "a game without anybody listed is not shown"


def test_who_has_lucky_games_does_not_lead_before_who_is_surely_strong() -> None:
    proven = [game(number, ("Ada", 1), ("", 2), ("", 3), ("", 4)) for number in range(12)]
    [table] = results_of([*proven, game(20, ("Bo", 1), *[("", 2)] * 6)])
    assert [player.player for player in table.players] == ["Ada", "Bo"]
    assert Rating(30.0, 4.2).sure == 25.8
