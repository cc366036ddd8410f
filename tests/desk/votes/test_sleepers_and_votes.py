"""Who is asleep does not vote, so that nobody's sleep stops a vote of the others."""

from datetime import timedelta

from tests.desk.world import World

VOTES = {"votes": ("draw",), "vote_quorum": 100}


def test_a_vote_passes_without_those_who_are_asleep(world: World) -> None:
    world.count(missed_in_a_row=1, who_has_sent="names", **VOTES)
    for seat in ("Altair", "Borealis"):
        world.send(seat, "Add 1")
    world.pass_time(timedelta(hours=73))
    assert world.seat("Cygnus").is_asleep
    world.send("Altair", "PROPOSE DRAW")
    world.send("Borealis", "VOTE YES")
    world.pass_time(timedelta(minutes=1))
    assert world.journal("finished")


def test_where_nobody_may_know_who_has_sent_nothing_they_are_waited_for(world: World) -> None:
    world.count(missed_in_a_row=1, who_has_sent="nothing", **VOTES)
    for seat in ("Altair", "Borealis"):
        world.send(seat, "Add 1")
    world.pass_time(timedelta(hours=73))
    world.send("Altair", "PROPOSE DRAW")
    world.send("Borealis", "VOTE YES")
    world.pass_time(timedelta(minutes=1))
    assert not world.journal("finished")
