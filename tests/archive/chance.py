"""Games of every ruleset in which all happens to the clock that can, in any order: played at a real desk, by a plan that
follows from a seed."""

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.changes import deadline_changes, new_game, pauses
from pbmd.desk.changes.deadline_changes import close_step, set_deadline
from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.options import set_option
from pbmd.desk.changes.quiet_days import add_holiday, set_quiet_days
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.due.outages import note_unreadable
from pbmd.desk.ingest import _note_reading
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import GameStatus, Seat, SeatState
from pbmd.rules import HmacDice, Refused, Ruleset
from pbmd.rules.options import complete
from pbmd.simulate import signups
from pbmd.terms.terms import Terms
from tests.archive.made import rules_of
from tests.desk.world import World, address_of
from tests.doses import dose

GAME = "galaxy-7"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
RULES = ("every day 20:00 Europe/Berlin", "every Tuesday, Friday 02:30 America/New_York", "48h", "5h")
ZONES = ("UTC", "Asia/Tokyo", "Europe/Berlin", "America/Lima")
MOVES = dose(25, 60)


def play_by_chance(world: World, slug: str, seed: int) -> None:
    """Play a game; most are over then."""
    chance = Random(f"{slug} {seed}")
    rules = begin(world, slug, chance)
    for _ in range(MOVES):
        happen(world, rules, chance)
    if world.game().status is not GameStatus.FINISHED and chance.random() < 0.7:
        world.act(GAME, abandon)


def begin(world: World, slug: str, chance: Random) -> Ruleset[Any]:
    """A game with terms of any kind."""
    world.now += chance.random() * 300 * DAY
    rules = rules_of(slug)
    terms: dict[str, Any] = {
        "grace": chance.choice(("0h", "2h")),
        "early": chance.random() < 0.8,
        "minimum_time": chance.choice(("0h", "3h")),
        "second_thought": chance.choice(("0m", "30m")),
        "absences": chance.choice(("extend", "tell")),
        "quiet_days": chance.choice(((), ("sunday",), ("monday", "tuesday"))),
        "reminders": chance.choice(((), ("24h",))),
    }
    if chance.random() < 0.7:
        terms["deadline"] = chance.choice(RULES)
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, GAME, slug, Terms(**terms), {})
        for signup in signups(rules, 2 if slug == "starship_squadrons" else 3, complete(rules.info.options, {})):
            new_game.add_seat(work, table, signup, new_game.Newcomer(address_of(signup.seat), "", chance.choice(ZONES)))
        new_game.start_game(work, table)
    return rules


def happen(world: World, rules: Ruleset[Any], chance: Random) -> None:
    """One thing more; what cannot be done now is not."""
    what = chance.choices(WHATS, WEIGHTS)[0]
    try:
        what(world, rules, chance)
    except Refused:
        return
    world.now += timedelta(seconds=chance.randrange(600))


def any_seat(world: World, chance: Random) -> Seat:
    return chance.choice([seat for seat in world.rows(Seat) if seat.state is SeatState.ACTIVE] or world.rows(Seat))


def write(world: World, seat: Seat, text: str, late: timedelta = timedelta(0)) -> None:
    asked = len(world.questions())
    world.send(seat.name, text, sender=world.seat(seat.name).address, at=world.now - late)
    for question in world.questions()[asked:]:
        world.reply(question, "YES")


def order(world: World, rules: Ruleset[Any], chance: Random) -> None:
    if world.game().status is not GameStatus.RUNNING:
        return
    position = rules.load(world.position())
    names = rules.awaiting(position)
    for name in names if chance.random() < 0.5 else names[:1]:
        position = rules.load(world.position())
        if name in rules.awaiting(position):
            dice = HmacDice(str(world.uid).encode(), b"")
            text = rules.random_orders(position, name, dice) if chance.random() < 0.9 else "no order at all"
            late = chance.choice((0, 0, 0, 1, 30)) * HOUR  # it was seen late
            write(world, world.seat(name), text + chance.choice(("", "", "\nWAIT", "\nCANCEL ORDERS")), late)
            world.now += timedelta(minutes=1)


def say(world: World, _rules: Ruleset[Any], chance: Random) -> None:
    day = world.now.date() + chance.randrange(4) * DAY
    text = chance.choice(
        (
            "EXTEND 3h because of rain",
            "EXTEND 90s",
            "READY",
            "WAIT",
            f"ABSENT FROM {day} TO {day + 2 * DAY}",
            "CANCEL ABSENCE",
            "CANCEL ORDERS",
            "STATUS",
            "USE ORDERS OF TURN 1",
        )
    )
    write(world, any_seat(world, chance), text)


def resign(world: World, _rules: Ruleset[Any], chance: Random) -> None:
    write(world, any_seat(world, chance), "RESIGN")


def pass_time(world: World, _rules: Ruleset[Any], chance: Random) -> None:
    world.pass_time(chance.choice((1, 5, 20, 50, 200)) * HOUR, reading=chance.random() < 0.9)


def pass_the_deadline(world: World, _rules: Ruleset[Any], chance: Random) -> None:
    due = world.game().deadline
    if due is not None and due > world.now:
        world.now = due + chance.choice((-1, 0, 1)) * timedelta(seconds=1)
    world.pass_time()


def lose_the_mailbox(world: World, _rules: Ruleset[Any], chance: Random) -> None:
    due = world.game().deadline
    if due is None:
        return
    world.now = max(world.now, due - chance.randrange(1, 6) * HOUR)
    note_unreadable(world.desk)
    world.now += chance.randrange(1, 9) * HOUR
    _note_reading(world.desk, mailbox_name(world.desk), world.now)


def master(act: Callable[..., Any], arguments: Callable[[World, Random], tuple[Any, ...]]) -> Callable[..., None]:
    def do(world: World, _rules: Ruleset[Any], chance: Random) -> None:
        world.act(GAME, act, *arguments(world, chance))

    return do


def set_clock_option(world: World, rules: Ruleset[Any], chance: Random) -> None:
    if rules.info.clock and rules.info.options[rules.info.clock.turn_hours].midgame:
        world.act(GAME, set_option, rules.info.clock.turn_hours, str(chance.randrange(5, 90)))


def extend_seat(world: World, _rules: Ruleset[Any], chance: Random) -> None:
    with changing_games(world.desk) as work:
        table = work.table_named(GAME)
        assert table is not None
        deadline_changes.extend(work, table, chance.randrange(1, 30) * HOUR, "the game master", "", chance.choice(table.seats))


def stop_and_go(world: World, _rules: Ruleset[Any], chance: Random) -> None:
    world.act(GAME, pauses.pause)
    for _ in range(chance.randrange(3)):
        write(world, any_seat(world, chance), "STATUS")
        world.now += chance.randrange(40) * HOUR
    world.act(GAME, pauses.resume)


def hear_the_master_late(world: World, _rules: Ruleset[Any], chance: Random) -> None:
    world.master(chance.choice(("PAUSE", "RESUME", "RESOLVE", "EXTEND 3h")), at=world.now - chance.choice((0, 1, 5, 30)) * HOUR)


def replace(world: World, _rules: Ruleset[Any], _chance: Random) -> None:
    gone = next((seat for seat in world.rows(Seat) if seat.state is SeatState.RESIGNED), None)
    if gone is None:
        raise Refused("nobody is gone")
    world.master(f"REPLACE {gone.name} BY new{gone.number}@players.test")
    if world.questions(f"new{gone.number}@players.test"):
        world.reply(world.questions(f"new{gone.number}@players.test")[-1], "YES")


def _ahead(world: World, chance: Random) -> tuple[Any, ...]:
    return (world.now + chance.randrange(1, 60) * HOUR,)


def _length(_world: World, chance: Random) -> tuple[Any, ...]:
    return (chance.randrange(1, 30) * HOUR, "the game master")


def _turn(world: World, chance: Random) -> tuple[Any, ...]:
    return (max(0, world.game().turn - chance.randrange(1, 3)),)


def _nothing(_world: World, _chance: Random) -> tuple[Any, ...]:
    return ()


def _days(_world: World, chance: Random) -> tuple[Any, ...]:
    return (chance.sample(("monday", "wednesday", "saturday", "sunday"), chance.randrange(3)),)


def _holiday(world: World, chance: Random) -> tuple[Any, ...]:
    return (str(world.now.date() + chance.randrange(6) * DAY),)


WHATS_WITH_WEIGHTS: tuple[tuple[Callable[[World, Ruleset[Any], Random], None], int], ...] = (
    (order, 30),
    (pass_time, 14),
    (pass_the_deadline, 10),
    (say, 14),
    (lose_the_mailbox, 3),
    (stop_and_go, 4),
    (hear_the_master_late, 4),
    (extend_seat, 3),
    (set_clock_option, 2),
    (resign, 1),
    (replace, 2),
    (master(deadline_changes.extend, _length), 3),
    (master(set_deadline, _ahead), 3),
    (master(set_quiet_days, _days), 2),
    (master(add_holiday, _holiday), 2),
    (master(close_step, _nothing), 2),
    (master(deadline_changes.resolve_now, _nothing), 2),
    (master(roll_back, _turn), 2),
)
WHATS, WEIGHTS = zip(*WHATS_WITH_WEIGHTS, strict=True)
