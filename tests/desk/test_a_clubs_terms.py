"""What a club of Diplomacy agrees on for a year, in the other games: clocks, sleepers, substitutes, votes and seats."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pbmd.desk.changes import new_game
from pbmd.ledger.tables import GameStatus, Seat
from pbmd.rules.protocol import Refused
from pbmd.terms.terms import Terms
from tests.archive.made import export, verified
from tests.desk.bunches import GAME, desk, drawn_fast
from tests.desk.step.sleepers.test_all_games import others_send
from tests.desk.world import ADDRESS, World

OTHERS = ("cosmic_conquest", "galactic_overlord", "local_cluster", "societies", "starship_squadrons")
BERLIN = ZoneInfo("Europe/Berlin")
TERMS = {
    "deadline": "every Friday 20:00 Europe/Berlin",
    "early": False,
    "missed_in_a_row": 1,
    "sleeper": "offer",
    "votes": ("pause", "draw"),
    "listed": True,
}
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


@pytest.fixture(params=OTHERS)
def club(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A game of that ruleset with the club's terms."""
    drawn_fast(monkeypatch)
    with desk(tmp_path / "home", request.param, **TERMS) as world:
        yield world


def due(world: World) -> datetime:
    """The deadline: the game's, or the last of those of seats."""
    at = world.game().deadline or max(seat.deadline for seat in world.rows(Seat) if seat.deadline)
    assert at is not None
    return at


def on_fridays(world: World) -> bool:
    local = due(world).astimezone(BERLIN)
    return (local.weekday(), local.hour, local.minute) == (4, 20, 0)


def play(world: World, but: str = "") -> None:
    """All who are awaited send orders, perhaps but for one, and Friday comes."""
    others_send(world, but)
    world.pass_time(due(world) - world.now + MINUTE)
    assert on_fridays(world)


def agree(world: World, proposal: str) -> None:
    """Somebody proposes it, and all others say yes; who is out of the game has no vote."""
    first, *rest = world.rows(Seat)
    while "you have no vote" in world.send(first.name, proposal, sender=first.address):
        first, *rest = rest
    for seat in rest:
        world.send(seat.name, "VOTE YES", sender=seat.address)


def stand_by(world: World, name: str) -> str:
    address = f"{name}@players.test"
    world.send(name, f"STANDBY {GAME}", to=ADDRESS, sender=address)
    world.confirm(address)
    return address


def last_question(world: World, address: str) -> str:
    """YES to the question that came last; gives the answer."""
    asked = [mail for mail in world.outbox() if mail.recipient == address and mail.key.startswith("question")]
    return world.reply(asked[-1], "YES")


@pytest.mark.in_turn(3)
def test_the_clubs_terms_hold_in_other_games(club: World, tmp_path: Path) -> None:
    world = club
    hana, ivo = stand_by(world, "hana"), "ivo@players.test"
    assert on_fridays(world)
    sleeper, *others = world.rows(Seat)

    # Somebody sends nothing, falls asleep, and is replaced.
    for _ in range(12):
        play(world, but=sleeper.name)
        if world.seat(sleeper.name).is_asleep:
            break
    assert world.seat(sleeper.name).is_asleep
    last_question(world, hana)
    assert (world.seat(sleeper.name).address, world.seat(sleeper.name).is_asleep) == (hana, False)

    # All agree on a pause, after which Friday is Friday.
    until = (world.now + 23 * DAY).replace(hour=0, minute=0, second=0, microsecond=0)
    agree(world, f"PROPOSE PAUSE UNTIL {until:%Y-%m-%d}")
    assert world.game().status is GameStatus.PAUSED
    world.pass_time(until - world.now + MINUTE)
    assert world.game().status is GameStatus.RUNNING
    assert on_fridays(world)

    # Somebody else plays a seat for two weeks.
    first = (world.now + 2 * DAY).replace(hour=0, minute=0, second=0, microsecond=0)
    away = others[0]
    days = f"FROM {first:%Y-%m-%d} TO {first + 13 * DAY:%Y-%m-%d}"
    world.send(away.name, f"SUBSTITUTE {ivo} {days}", sender=away.address)
    last_question(world, ivo)
    while due(world) < first:
        play(world)
    world.pass_time(first + MINUTE - world.now)
    assert world.seat(away.name).address == ivo
    after = first + 14 * DAY
    while due(world) < after:
        play(world)
    world.pass_time(after + MINUTE - world.now)
    world.pass_time()
    assert world.seat(away.name).address == away.address
    assert on_fridays(world)

    # All agree on a draw.
    agree(world, "PROPOSE DRAW")
    assert world.game().status is GameStatus.FINISHED
    assert [str(problem) for problem in verified(export(world, tmp_path / "archive", GAME)).problems] == []


@pytest.mark.parametrize("slug", OTHERS)
def test_seats_by_preference_are_refused_where_players_name_their_seats(world: World, slug: str) -> None:
    with pytest.raises(Refused) as refused, world.work() as work:
        new_game.create_game(work, "friday", slug, Terms(seating="preference"), {})
    assert "players choose the name of their" in str(refused.value)
