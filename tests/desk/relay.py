"""A game of Relay (tests/rules/relay) at a desk, for tests of sequential play."""

from datetime import timedelta
from typing import Any

from tests.desk.world import NAMES, World, body_of, message_of

GAME = "galaxy-7"
HOUR = timedelta(hours=1)


def relay(world: World, *seats: str, **options: Any) -> World:
    """A running game without reminders, dice or turn 0; the seats move in the order given, or Altair, Borealis, Cygnus."""
    terms = {"reminders": options.pop("reminders", ())}
    world.start(GAME, seats or NAMES, {"die": False} | options, ruleset="relay", **terms)
    return world


def past_turn_0(world: World, *seats: str) -> World:
    """All have moved once, so that from here on they move one after the other."""
    movers = seats or NAMES

    def move() -> None:
        for seat in movers:
            world.send(seat, "Add 1")
            world.now += timedelta(minutes=1)

    world.unless_patched(f"all of {movers} have moved once", move, "relay")
    return world


def mails_to(world: World, seat: str, since: int = 0) -> list[str]:
    """Subject and text of the mails to a seat with an id above `since`."""
    return [f"{message_of(mail)['Subject']}\n{body_of(mail)}" for mail in world.outbox("", seat) if (mail.id or 0) > since]


def last_id(world: World) -> int:
    """The id of the newest mail."""
    return max((mail.id or 0 for mail in world.outbox()), default=0)
