"""A substitute: a player asks for one, the seat is theirs for that time, and then it comes back."""

from datetime import UTC, datetime, timedelta

import pytest

from pbmd.desk.changes import pauses
from pbmd.ledger.tables import Outbox, Substitution, SubstitutionState
from tests.desk.world import BEGIN, World, address_of, body_of

DORA, EVE = "dora@players.test", "eve@players.test"
CYGNUS = address_of("Cygnus")
DAYS = "SUBSTITUTE FROM 2026-11-23 TO 2026-11-29"
"""The game begins on Friday the 20th at noon."""
FIRST, AFTER = datetime(2026, 11, 23, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC)


def game(world: World, **terms: object) -> World:
    """A game of Count in which Dora stands by."""
    world.count(**{"deadline": "every day 18:00", "listed": True} | terms)
    stand_by(world, "Dora")
    return world


def stand_by(world: World, name: str) -> None:
    world.send(name, "STANDBY galaxy-7", to="games@pbmd.test")
    world.confirm(address_of(name))


def asked(world: World, address: str) -> list[Outbox]:
    return [mail for mail in world.outbox() if mail.recipient == address and mail.key.startswith("question")]


def agree(world: World, address: str = DORA) -> str:
    return " ".join(world.reply(asked(world, address)[-1], "YES").split())


def go_to(world: World, at: datetime) -> None:
    """Time passes until then, an hour at a time, and all that is due is done."""
    while world.now < at:
        world.pass_time(min(timedelta(hours=6), at - world.now))


def to(world: World, address: str) -> list[Outbox]:
    return [mail for mail in world.outbox() if mail.recipient == address]


def said(mail: Outbox) -> str:
    text = body_of(mail)
    assert max(map(len, text.splitlines())) <= 72
    return " ".join(text.split())


def wish(world: World) -> Substitution:
    return world.rows(Substitution)[-1]


def with_substitute(world: World, **terms: object) -> World:
    """Dora plays Cygnus for its player."""
    game(world, **terms)
    world.send("Cygnus", DAYS)
    agree(world)
    go_to(world, FIRST)
    assert world.seat("Cygnus").address == DORA
    return world


def test_the_seat_goes_to_the_first_who_says_yes_for_that_time_and_comes_back(world: World) -> None:
    game(world)
    answer = " ".join(world.send("Cygnus", DAYS).split())
    assert "You want a substitute Mon 23 Nov 2026 to Sun 29 Nov 2026. We ask those who stand by, now" in answer
    assert "Do you want to play Cygnus in galaxy-7" in said(asked(world, DORA)[-1])
    assert "Thank you: you play Cygnus in galaxy-7, Mon 23 Nov 2026 to Sun 29 Nov 2026" in agree(world)
    assert "Somebody has agreed to play Cygnus" in said(to(world, CYGNUS)[-1])
    go_to(world, FIRST - timedelta(minutes=1))
    assert world.seat("Cygnus").address == CYGNUS
    assert world.send("Cygnus", "add 3")
    assert world.sheet("Cygnus") == ["Add 3"]
    go_to(world, FIRST)
    seat = world.seat("Cygnus")
    assert (seat.address, seat.token_generation) == (DORA, 2)
    assert "From now on a substitute plays Cygnus in galaxy-7 for you, until the end of Sun 29 Nov 2026" in said(
        to(world, CYGNUS)[-1]
    )
    welcome = to(world, DORA)[-1]
    assert "From now on you are Cygnus, for a player who is away: until the end of Sun 29 Nov 2026" in said(welcome)
    world.reply(welcome, "add 2")
    assert world.sheet("Cygnus") == ["Add 2"]
    go_to(world, AFTER)
    seat = world.seat("Cygnus")
    assert (seat.address, seat.holder, seat.token_generation) == (CYGNUS, "Cygnus's player", 3)
    assert "Your time as a substitute is over" in said(to(world, DORA)[-1])
    assert "Cygnus in galaxy-7 is yours again" in said(to(world, CYGNUS)[-1])
    world.send("Cygnus", "add 1")
    assert world.sheet("Cygnus") == ["Add 1"]
    assert wish(world).state is SubstitutionState.ENDED
    assert {wish(world).address, wish(world).named, wish(world).holder} == {""}
