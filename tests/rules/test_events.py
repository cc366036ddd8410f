"""Who sees which part of an event."""

import pytest

from pbmd.rules import GM, PUBLIC, Event, seat_reader, seen_by

SECRET = Event("built", {"ships": 3}, audience=("Altair",))
BATTLE = Event("battle", {"winner": "Cygnus"}, None, {"rounds": 6}, ("Altair", "Cygnus"))
NOTICE = Event("victory", {"winner": "Cygnus"})
ALL = (SECRET, BATTLE, NOTICE)


def test_the_gm_sees_all():
    assert seen_by(ALL, GM) == ALL


def test_the_public_sees_the_public_part_only():
    assert seen_by(ALL, PUBLIC) == (Event("battle", {"winner": "Cygnus"}), NOTICE)


def test_a_seat_sees_its_own_events_and_details_it_takes_part_in():
    assert seen_by(ALL, seat_reader("Altair")) == ALL


@pytest.mark.parametrize("seat", ["Borealis", "", "altair"])
def test_others_see_neither_detail_nor_insiders(seat):
    assert seen_by(ALL, seat_reader(seat)) == (Event("battle", {"winner": "Cygnus"}), NOTICE)


def test_the_public_is_never_an_insider_even_of_a_nameless_seat():
    event = Event("battle", {}, None, {"rounds": 6}, ("",))
    assert seen_by([event], PUBLIC) == (Event("battle", {}),)
