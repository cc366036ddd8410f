"""Seats that miss too much fall asleep: nobody waits for them, others are asked, and who comes back in time has them again."""

from datetime import timedelta

from pbmd.ledger.tables import JournalEntry
from tests.desk.world import World, body_of, message_of

TURN = timedelta(hours=73)


def words(text: str) -> str:
    return " ".join(text.split())


def play(world: World, *seats: str, game: str = "galaxy-7") -> int:
    """A turn in which these send orders, up to its deadline if others are awaited."""
    for seat in seats:
        world.send(seat, "Add 1", game=game)
    early = world.pass_time(timedelta(minutes=1))
    return early or world.pass_time(TURN)


def until_asleep(world: World, turns: int = 2) -> None:
    """Altair misses turn after turn."""
    for _ in range(turns):
        play(world, "Borealis", "Cygnus")


def said(world: World, seat: str, kind: str = "report") -> str:
    """The last mail of that kind to a seat."""
    return words(body_of(world.outbox(kind, seat)[-1]))


def titles(world: World, recipient: str, kind: str = "notice") -> list[str]:
    return [message_of(mail)["Subject"] for mail in world.outbox(kind) if mail.recipient == recipient]


def kinds(world: World) -> list[str]:
    return [entry.kind for entry in world.rows(JournalEntry)]


def test_who_misses_as_many_turns_in_a_row_as_the_terms_say_is_not_waited_for_any_more(world: World) -> None:
    world.count(missed_in_a_row=2)
    until_asleep(world)
    assert world.seat("Altair").is_asleep
    assert kinds(world)[-2:] == ["resolved", "asleep"]
    began = world.now
    play(world, "Borealis", "Cygnus")
    assert world.now - began < timedelta(hours=1), "the step ended with the orders of the others"
    assert "missed" in kinds(world)[-3:]
