"""Who is asleep does not vote, so that nobody's sleep stops a vote of the others."""

import json
from datetime import timedelta

from sqlmodel import Session

from pbmd.pages.votes import vote_lines
from tests.desk.world import World, address_of, body_of

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


def asleep(world: World, **terms: object) -> World:
    """A game in which Cygnus is asleep, and Altair has proposed a draw."""
    world.count(missed_in_a_row=1, who_has_sent="names", **VOTES | terms)
    for seat in ("Altair", "Borealis"):
        world.send(seat, "Add 1")
    world.pass_time(timedelta(hours=73))
    assert world.seat("Cygnus").is_asleep
    world.send("Altair", "PROPOSE DRAW")
    return world


def shared(world: World) -> list[list[str]]:
    return [json.loads(entry.public)["draw"] for entry in world.journal("finished")]


def words(text: str) -> str:
    return " ".join(text.split())


def test_who_is_asleep_has_their_part_of_a_draw(world: World) -> None:
    asleep(world)
    world.send("Borealis", "VOTE YES")
    assert shared(world) == [["Altair", "Borealis", "Cygnus"]]


def test_who_is_asleep_reads_what_makes_their_vote_count_and_it_does(world: World) -> None:
    asleep(world)
    told = [words(body_of(mail)) for mail in world.outbox("notice") if mail.recipient == address_of("Cygnus")]
    wake = "send orders, or write I'M BACK on a line of its own, since Cygnus is asleep."
    assert f"Your vote counts as soon as you are awake: {wake} To vote, reply with YES or NO" in told[-1]
    answer = words(world.send("Cygnus", "VOTE NO"))
    assert answer.startswith("You have voted no in vote 1")
    assert wake in answer
    assert "you have voted no, which counts as soon as you are awake" in words(world.send("Cygnus", "STATUS"))
    world.send("Cygnus", "I'M BACK")
    world.send("Borealis", "VOTE YES")
    assert shared(world) == []


def test_of_who_sleeps_on_no_vote_counts(world: World) -> None:
    asleep(world)
    world.send("Cygnus", "VOTE NO")
    world.send("Borealis", "VOTE YES")
    assert len(shared(world)) == 1


def test_a_vote_counts_that_comes_with_orders_which_wake_the_seat(world: World) -> None:
    asleep(world)
    world.send("Cygnus", "VOTE YES\nAdd 1")
    world.send("Borealis", "VOTE YES")
    assert len(shared(world)) == 1
    [vote] = world.journal("voted")
    assert json.loads(vote.public)["voters"] == ["Altair", "Borealis", "Cygnus"]


def test_who_is_asleep_proposes_nothing_before_they_are_awake(world: World) -> None:
    asleep(world, votes=("draw", "cancel"))
    assert "PROPOSE: first send orders, or write I'M BACK" in words(world.send("Cygnus", "PROPOSE CANCEL"))
    assert len(world.journal("proposed")) == 1


def test_the_page_of_the_game_shows_no_vote_that_does_not_count(world: World) -> None:
    asleep(world, vote_ballots="open", votes=("draw", "cancel"))
    world.send("Borealis", "PROPOSE CANCEL")
    world.send("Cygnus", "VOTE 2 YES")
    with Session(world.desk.engine) as session:
        assert [line.partition("yes: ")[2] for line in vote_lines(session, world.game())] == [
            "Altair; no: nobody",
            "Borealis; no: nobody",
        ]
