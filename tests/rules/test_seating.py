"""Seats by preference, against all ways to give them."""

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.rules.dice import HmacDice, ScriptedDice
from pbmd.rules.randomly import shuffled
from pbmd.rules.seating import assigned, dissatisfaction

SEATS = ("Austria", "England", "France", "Germany", "Italy")
A, E, F, G, I = SEATS  # noqa: E741


@st.composite
def _lists(draw):
    """Lists of up to as many players as there are seats."""
    seats = SEATS[: draw(st.integers(1, len(SEATS)))]
    return seats, tuple(draw(_ranks(seats)) for _ in range(draw(st.integers(0, len(seats)))))


@st.composite
def _ranks(draw, seats):
    order = draw(st.permutations(seats))[: draw(st.integers(0, len(seats)))]
    ends = draw(st.lists(st.booleans(), min_size=len(order), max_size=len(order)))
    ranks, rank = [], []
    for seat, ends_here in zip(order, ends, strict=True):
        rank.append(seat)
        if ends_here:
            ranks.append(tuple(rank))
            rank = []
    return (*ranks, tuple(rank)) if rank else tuple(ranks)


def by_trying_all(lists, seats, dice):
    """The rule as its docs say it: of the ways with the least dissatisfaction in all, who chooses first chooses first."""
    choosing = shuffled(dice, range(len(lists)))
    order = shuffled(dice, seats)

    def preferred(way):
        unhappy = [dissatisfaction(lists[player], way[player]) for player in range(len(lists))]
        return sum(unhappy), [(unhappy[player], order.index(way[player])) for player in choosing]

    return min(permutations(seats, len(lists)), key=preferred)


@given(_lists(), st.binary(min_size=1, max_size=8))
def test_seats_are_given_as_trying_all_ways_says(of, secret):
    seats, lists = of
    found = assigned(lists, seats, HmacDice(secret, b""))
    assert found == by_trying_all(lists, seats, HmacDice(secret, b""))


@given(_lists(), st.binary(min_size=1, max_size=8))
def test_nobody_alone_would_rather_have_a_seat_that_nobody_has(of, secret):
    seats, lists = of
    found = assigned(lists, seats, HmacDice(secret, b""))
    free = set(seats) - set(found)
    for ranks, seat in zip(lists, found, strict=True):
        assert all(dissatisfaction(ranks, other) >= dissatisfaction(ranks, seat) for other in free)


def test_how_many_seats_are_liked_better():
    ranks = ((A, E), (F,))
    assert [dissatisfaction(ranks, seat) for seat in SEATS] == [0, 0, 2, 3, 3]


def test_a_first_choice_that_nobody_else_wants_is_given():
    lists = (((F,),), ((E,), (F,)), ((E,), (G,)))
    found = {assigned(lists, SEATS, HmacDice(bytes([number]), b"")) for number in range(50)}
    assert found == {(F, E, G)}


def test_of_two_who_want_the_same_the_lot_decides_and_both_can_win():
    lists = (((F,),), ((F,),))
    found = [assigned(lists, (F, G), HmacDice(number.to_bytes(2, "big"), b"")) for number in range(400)]
    assert 150 < found.count((F, G)) < 250
    assert 150 < found.count((G, F)) < 250


def test_a_lot_without_lists_gives_every_way_alike():
    """All rolls of three players for four seats: each way comes up as often."""
    rolls = product(range(1, 4), range(1, 3), range(1, 5), range(1, 4), range(1, 3))
    found = [assigned(((), (), ()), SEATS[:4], ScriptedDice(each)) for each in rolls]
    assert {found.count(way) for way in permutations(SEATS[:4], 3)} == {len(found) // 24}


def test_many_players_take_no_time():
    seats = tuple(f"Seat {number}" for number in range(34))
    ranks = tuple((seat,) for seat in seats)
    found = assigned((ranks,) * 34, seats, HmacDice(b"x", b""))
    assert set(found) == set(seats)


def test_more_players_than_seats_are_no_game():
    with pytest.raises(ValueError, match="3 players for 2 seats"):
        assigned(((), (), ()), (A, E), HmacDice(b"x", b""))
