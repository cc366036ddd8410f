"""What one player would like is in nothing that others get: neither before seats are given, nor then, if they get the same."""

from datetime import timedelta

import pytest

from tests.desk.test_secrecy import bytes_for_others, two_desks  # noqa: F401 – a fixture
from tests.desk.visitors.test_seats_given_later import join, names
from tests.desk.world import ADDRESS, address_of


def sign_up(world, first, then):
    """Altair signs up with a list and sends another; Borealis has joined before, and asks for all that could tell of it."""
    world.open("galaxy-7", ruleset="diplomacy", seating="preference", seats=3, reminders=(), options={"map": "hundred"})
    join(world, "Borealis", "JOIN galaxy-7 PREFER E")
    join(world, "Altair", f"JOIN galaxy-7 PREFER {first}")
    world.send("Player 2", f"PREFER {then}", sender=address_of("Altair"))
    world.send("Player 1", "STATUS\nHELP\nPREFER E [BF]\nLIST", sender=address_of("Borealis"))
    world.send("Stranger", "LIST", to=ADDRESS)
    world.send("Stranger", "JOIN galaxy-7 PREFER Q", to=ADDRESS)
    world.master("STATUS")
    world.pass_time(timedelta(days=1))


LISTS = [(("F", "B E"), ("[FB]", "[BE] F")), (("any", "B"), ("E", "any"))]


@pytest.mark.parametrize("lists", LISTS)
def test_before_the_game_begins_nothing_tells_of_a_list(two_desks, lists):  # noqa: F811
    for world, (first, then) in zip(two_desks, lists, strict=True):
        sign_up(world, first, then)
    one, two = (bytes_for_others(world, "Altair", seat="Player 2") for world in two_desks)
    assert one == two


def test_whoever_gets_the_same_seat_learns_nothing_of_the_lists_of_others(two_desks):  # noqa: F811
    for world, then in zip(two_desks, ("B", "B [EF]"), strict=True):
        sign_up(world, "F", then)
        join(world, "Cygnus", "JOIN galaxy-7 PREFER F")
        assert names(world, "galaxy-7") == {"borealis": "England", "altair": "Burgundy", "cygnus": "France"}
    one, two = (bytes_for_others(world, "Altair", seat="Burgundy") for world in two_desks)
    assert one == two
