"""What a mail says of the time that is left: nothing is counted down while the clock stands."""

from datetime import timedelta

from pbmd.desk.changes import pauses
from tests.desk.relay import GAME, past_turn_0, relay
from tests.desk.world import World, body_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def test_while_the_clock_stands_a_deadline_is_so_long_after_the_game_goes_on(world: World) -> None:
    world.count()
    world.now += 12 * HOUR
    world.act("galaxy-7", pauses.pause)
    notice = body_of(world.outbox("notice", "Altair")[-1])
    assert "Orders are due 2 days 12 h after the game resumes" in notice
    assert "Time left" not in notice
    for _ in range(2):
        world.now += DAY
        for said in ("Add 1", "STATUS"):
            answer = world.send("Altair", said)
            assert "2 days 12 h after the game resumes" in answer
            assert "Time left" not in answer
            assert "UTC, 1 day" not in answer
    world.act("galaxy-7", pauses.resume)
    assert "Wed 25 Nov 2026 12:00 UTC, 2 days 12 h left" in world.send("Altair", "STATUS")


def test_what_was_over_before_is_due_when_it_goes_on(world: World) -> None:
    world.count()
    world.now += 4 * DAY
    world.act("galaxy-7", pauses.pause)
    assert "Deadline  when the game resumes" in world.send("Altair", "STATUS")


def test_so_it_is_for_those_who_wait_for_a_move(world: World) -> None:
    past_turn_0(relay(world))
    world.act(GAME, pauses.pause)
    told = [world.send(seat, "STATUS") for seat in ("Altair", "Borealis", "Cygnus")]
    assert sum("To move" in text for text in told) == 2
    assert all("after the game resumes" in text and "UTC, in" not in text for text in told)
