"""Honest games that are played from their beginning, each odd in its terms or in its course."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

from tests.archive.cheats.played import (
    CHEATED,
    DAY,
    FRIEND,
    GAME,
    LOOKS_ON,
    MINUTE,
    SEATS,
    Evidence,
    Move,
    Played,
    deadline,
    passes,
    sends,
)
from tests.archive.made import export
from tests.desk.restored import restored
from tests.desk.world import World, address_of, opened

Game = Callable[[Played], Evidence]
_FAR, _TARGET = 9 * DAY, {"target": 60}


def _begun(*moves: Move, options: Mapping[str, Any] = _TARGET, ruleset: str = "count", **terms: Any) -> Game:
    """A game with these terms and moves; its players keep what they got and what they have sent."""

    def game(played: Played) -> Evidence:
        with closing(World(played.room())) as world:
            world.start(GAME, SEATS, options, ruleset=ruleset, **({"reminders": ()} | terms))
            for move in moves:
                move(world)
            letters = [letter.raw for letter in world.letters()]
            mails = {seat: (*_to(world, seat), *(raw for raw in letters if _is_from(raw, seat))) for seat in SEATS}
            return Evidence(export(world, played.room() / "archive"), mails)

    return game


def _to(world: World, seat: str) -> Sequence[bytes]:
    return [opened(mail.raw) for mail in world.outbox("", seat)]


def _is_from(raw: bytes, seat: str) -> bool:
    return f"From: {address_of(seat)}".encode() in raw.partition(b"\r\n\r\n")[0]


def _all_send(*orders: str) -> tuple[Move, ...]:
    """All send orders, and the turn is over."""
    return *(sends(seat, order) for seat, order in zip(SEATS, orders, strict=True)), passes()


def _says(text: str) -> Move:
    return lambda world: world.master(text)


def _decides(text: str) -> Move:
    """What the game master is asked about first."""
    return lambda world: world.sure(text)


def _at_deadline(length: Any) -> Move:
    def move(world: World) -> None:
        world.now = deadline(world) + length

    return move


def _has_a_substitute(world: World) -> None:
    address = "substitute@players.test"
    world.send(LOOKS_ON, f"SUBSTITUTE {address} UNTIL 2026-12-10")
    for asked in world.questions(address):
        world.reply(asked, "YES", sender=address)


def _is_watched(world: World) -> None:
    world.send("", f"WATCH {GAME}", sender="eve@players.test", to="games@pbmd.test")
    world.confirm("eve@players.test")


_FIRST, _LAST = _all_send("Add 1", "Add 2", "Add 3"), _all_send("Add 9", "Add 8", "Add 7")
_OVER = _decides("ABANDON because it is enough")
WHOLE_GAMES: dict[str, Game] = {
    "nobody ever sent anything": _begun(*[passes(_FAR)] * 3, _OVER),
    "all slept, and one woke up": _begun(
        *[passes(_FAR)] * 3, sends(CHEATED, "I'M BACK\nAdd 2"), passes(_FAR), missed_in_a_row=2
    ),
    "deadlines on one weekday went on beyond summer time": _begun(
        sends(CHEATED, "TIMEZONE Europe/Berlin"), *[passes(_FAR)] * 22, _OVER, deadline="every Friday 20:00 Europe/Berlin"
    ),
    "a deadline fell into the hour that was left out": _begun(
        sends(CHEATED, "TIMEZONE Australia/Lord_Howe"),
        *[passes(_FAR)] * 16,
        _OVER,
        deadline="every Sunday 02:30 America/New_York",
        quiet_days=("monday",),
    ),
    "a player had a substitute": _begun(_has_a_substitute, *_FIRST, passes(2 * _FAR), *_LAST),
    "an absence over the end of the year moved deadlines": _begun(
        sends(CHEATED, "TIMEZONE Pacific/Auckland"),
        sends(CHEATED, "ABSENT FROM 2026-12-30 TO 2027-01-03 because of snow"),
        *_FIRST,
        *[passes(_FAR)] * 6,
        absences="extend",
    ),
    "orders came after the deadline and before the end of grace": _begun(
        sends(CHEATED, "Add 3"), _at_deadline(30 * MINUTE), sends(LOOKS_ON, "Add 3"), passes(DAY), grace="2h"
    ),
    "a turn lasted for a time whoever had sent": _begun(*_FIRST, passes(DAY), *_LAST, passes(DAY), minimum_time="12h"),
    "orders were changed in the pause before the end of a turn": _begun(
        *_FIRST, passes(60 * MINUTE), sends(CHEATED, "Add 7"), passes(DAY), *_LAST, passes(DAY), second_thought="6h"
    ),
    "turns end at their deadlines alone": _begun(*_FIRST, passes(_FAR), *_LAST, passes(_FAR), _OVER, early=False),
    "the game master ended a turn, set deadlines, and gave one more time": _begun(
        sends(CHEATED, "Add 3"),
        _decides("RESOLVE because all agree"),
        _decides("DEADLINE in 36h because of the weekend"),
        _says(f"EXTEND 24h FOR {LOOKS_ON} because ill"),
        passes(_FAR),
    ),
    "days became quiet and were so no more": _begun(
        _says("QUIET Saturday, Sunday because of rest"),
        _says("HOLIDAY 2026-11-23 TO 2026-11-25 because of a feast"),
        _says("NO HOLIDAY 2026-11-23 TO 2026-11-25"),
        _says("QUIET NONE"),
        passes(_FAR),
    ),
    "the game was paused a minute before the deadline": _begun(
        _at_deadline(-MINUTE), _says("PAUSE"), passes(DAY), sends(CHEATED, "STATUS"), _says("RESUME"), passes(DAY)
    ),
    "a watcher got press, and all was anonymous": _begun(
        _is_watched,
        sends(LOOKS_ON, "PRESS TO SPECTATORS\nLook here.\nEND PRESS"),
        sends(CHEATED, "ANONYMOUS PRESS TO ALL\nPsst | x\n\n> quoted\nEND PRESS"),
        *_FIRST,
        *_LAST,
        listed=True,
        spectators=True,
        anonymous_press=True,
        holders="hidden",
    ),
    "press was kept out of the archive": _begun(
        sends(LOOKS_ON, f"PRESS TO {CHEATED}\nHi.\nEND PRESS"), *_FIRST, *_LAST, press_archive="none"
    ),
    "only press to all is in the archive": _begun(
        sends(LOOKS_ON, f"PRESS TO {CHEATED}\nHi.\nEND PRESS"),
        sends(LOOKS_ON, "PRESS TO ALL\nHi, all.\nEND PRESS"),
        *_FIRST,
        press_archive="public",
    ),
    "all wrote to each other all the time": _begun(
        *(
            sends(seat, f"PRESS TO {reader}\nLine {number}.\nTurn {number}: what happened.\nEND PRESS")
            for number in range(4)
            for seat, reader in ((LOOKS_ON, "ALL"), (CHEATED, LOOKS_ON), (FRIEND, CHEATED))
        ),
        *_FIRST,
    ),
    "failed votes are not told": _begun(
        sends(LOOKS_ON, "PROPOSE DRAW"), sends(CHEATED, "VOTE 1 NO"), passes(_FAR), votes=("draw",), failed_votes="untold"
    ),
    "what can be voted on changed": _begun(
        sends(LOOKS_ON, "PROPOSE DRAW"),
        _says("VETO 1 because too early"),
        _says("VOTES pause, extension because simpler"),
        sends(LOOKS_ON, "PROPOSE EXTENSION 2 days"),
        *(sends(seat, "VOTE 2 YES") for seat in (CHEATED, FRIEND)),
        passes(),
        *_FIRST,
        votes=("draw",),
    ),
    "a turn was taken back, and its orders were used again": _begun(
        *_FIRST,
        *_LAST,
        _decides("ROLLBACK TO TURN 1 because of a slip"),
        sends(CHEATED, "USE ORDERS OF TURN 1"),
        passes(_FAR),
        _OVER,
    ),
    "a backup was restored twice in a turn": _begun(
        *_FIRST, restored, sends(CHEATED, "Add 2"), restored, *_FIRST, passes(_FAR)
    ),
    "the game master granted more time, and refused it": _begun(
        sends(LOOKS_ON, "EXTEND 3 days"),
        _says("APPROVE 1 because it rains"),
        sends(CHEATED, "EXTEND 4 days"),
        _says("REFUSE 2 because that is enough"),
        passes(2 * _FAR),
    ),
    "orders came for turns to come": _begun(
        sends(CHEATED, "ORDERS FOR TURN 3\nAdd 3"), sends(CHEATED, "ORDERS FOR TURN 2\nAdd 2"), *_FIRST, *[passes(_FAR)] * 2
    ),
    "the mailbox could not be read before the deadline": _begun(
        _at_deadline(-60 * MINUTE),
        passes(0 * MINUTE),
        *[lambda world: world.pass_time(10 * 60 * MINUTE, reading=False)] * 2,
        passes(MINUTE),
        passes(_FAR),
    ),
    "the clock of the machine jumped ahead, and back": _begun(
        *_FIRST,
        lambda world: world.set_clock(4 * _FAR),
        passes(MINUTE),
        lambda world: world.set_clock(-4 * _FAR),
        *_LAST,
    ),
    "players are reminded in their zones, and see who has sent": _begun(
        sends(CHEATED, "TIMEZONE Asia/Tokyo"),
        _at_deadline(-25 * 60 * MINUTE),
        passes(2 * 60 * MINUTE),
        passes(20 * 60 * MINUTE),
        passes(DAY),
        reminders=("24h", "6h"),
        who_has_sent="names",
    ),
    "the game master looked at orders, changed an option, and wrote": _begun(
        sends(CHEATED, "Add 4"),
        _decides(f"PEEK {CHEATED} because asked"),
        _says("SET target 40 because it is late"),
        _says("ANNOUNCE\nDear all,\n\nTurn 2: what happened.\nReceipt 7\nEND ANNOUNCE"),
        *_LAST,
    ),
    "players have their reports otherwise": _begun(
        sends(CHEATED, "SET REPORT TEXT"), *_FIRST, sends(CHEATED, "SET REPORT HTML"), *_LAST
    ),
    "a letter had HTML alone": _begun(
        lambda world: world.arrive(world.letter(CHEATED, "", html="<p>Add 4</p>")), passes(_FAR), passes(_FAR)
    ),
    "some moved ahead and took it back": _begun(
        sends(LOOKS_ON, "Add 1"),
        sends(FRIEND, "Add 3"),
        sends(FRIEND, "CANCEL ORDERS"),
        sends(CHEATED, "Add 1"),
        passes(_FAR),
        _OVER,
        ruleset="relay",
        options={"die": True},
    ),
}
"""By what is odd in them."""
