"""What a host does who tells something true of another time: a deadline that runs later, a notice that had been sent before."""

import re
from collections.abc import Callable

from pbmd.desk.changes.deadline_changes import set_deadline
from pbmd.desk.changes.pauses import pause, resume
from pbmd.desk.changes.peek import peek
from tests.archive.cheats.hosts import first_mail, instead, then
from tests.archive.cheats.played import (
    CHEATED,
    DAY,
    FRIEND,
    GAME,
    MINUTE,
    MOVES,
    Evidence,
    Played,
    World,
    deadline,
    late,
    sends,
)
from tests.archive.cheats.rewritten import in_all, rewritten

HOUR = 60 * MINUTE


def gives_the_deadline_of_the_next_turn(played: Played) -> Evidence:
    raw = first_mail(played.mails, "t2] Borealis: orders in")

    def change(text: str) -> str:
        return text.replace("Mon 23 Nov 2026 12:31", "Thu 26 Nov 2026 12:51").replace("2 days 23 h", "5 days 23 h")

    return Evidence(played.archive, instead(played.mails, raw, rewritten(raw, *in_all(change))))


def reminds_that_orders_have_come(played: Played) -> Evidence:
    def begins(world: World) -> None:
        world.start(GAME, ("Altair", CHEATED, FRIEND), {"target": 60}, ruleset="count", reminders=("24h",))

    def soon(world: World) -> None:
        world.pass_time(50 * HOUR)
        MOVES["c2"](world)

    gone_on = played.again("begins", begins=begins, b2=None, c2=soon, vote_a=None, vote_b=None, vote_c=None)
    raw = first_mail(gone_on.mails, "no orders yet")
    comes = re.compile(r"no\s+orders\s+of\s+yours\s+have\s+come\s+yet")
    changed = rewritten(raw, *in_all(lambda text: comes.sub("your orders have come", text)))
    return Evidence(gone_on.archive, instead(gone_on.mails, raw, changed))


def as_another(raw: bytes) -> bytes:
    """The mail with another Message-ID."""
    return re.sub(rb"(?m)^(Message-ID: <.*\.)[a-z2-7]{16}@", rb"\1aaaaaaaaaaaaaaaa@", raw)


def _first_for_second(evidence: Evidence, is_notice: Callable[[bytes], bool]) -> Evidence:
    first, second = (raw for raw in evidence.mails[CHEATED] if b"<notice" in raw and is_notice(raw))
    return Evidence(evidence.archive, instead(evidence.mails, second, as_another(first)))


def sends_the_first_deadline_for_the_second(played: Played) -> Evidence:
    def word(world: World) -> None:
        world.act(GAME, set_deadline, deadline(world) + DAY)
        world.now += HOUR
        world.act(GAME, set_deadline, world.now + 30 * MINUTE)

    gone_on = played.again("b2", b2=None, c2=then(sends(FRIEND, "Add 9"), word))
    return _first_for_second(gone_on, lambda raw: b"new deadline" in raw)


def tells_of_one_peek_for_two(played: Played) -> Evidence:
    def look(world: World) -> None:
        world.act(GAME, lambda work, table: peek(work, table, table.seat(CHEATED)))
        world.now += HOUR

    return _first_for_second(played.again("c2", c2=then(look, look, late)), lambda raw: b"looked at" in raw)


def sends_a_notice_again_in_the_next_turn(played: Played) -> Evidence:
    def storm(world: World) -> None:
        world.act(GAME, pause, "a storm")
        world.now += DAY
        world.act(GAME, resume)

    gone_on = played.again("c2", c2=then(storm, late))
    raw = as_another(first_mail(gone_on.mails, "is paused"))
    changed = rewritten(raw, *in_all(lambda text: re.sub(r"turn\s+2:", "turn 3:", text)))
    return Evidence(gone_on.archive, {**gone_on.mails, CHEATED: (*gone_on.mails[CHEATED], changed)})
