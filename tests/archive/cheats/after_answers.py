"""What a host does who has answered a command, and plays on as if it had never come; and what it says beside its answers."""

import re
from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from pbmd.desk.changes.seats import Hands, Holder, to_other_hands
from tests.archive.cheats.hosts import first_mail, instead, then
from tests.archive.cheats.played import (
    CHEATED,
    DAY,
    GAME,
    LOOKS_ON,
    MOVES,
    Evidence,
    Played,
    go_on,
    joined,
    mails_of,
    passes,
    sends,
)
from tests.archive.cheats.rewritten import in_all, rewritten
from tests.archive.made import export
from tests.desk.world import World, opened


def _loses(name: str, text: str) -> Callable[[Played], Evidence]:
    """Borealis writes that before a move, and has the answer."""

    def host(played: Played) -> Evidence:
        with played.gone_back(name) as world:
            sends(CHEATED, text)(world)
            answered = mails_of(world)
        gone_on = played.again(name)
        return replace(gone_on, mails={**gone_on.mails, CHEATED: joined(answered, gone_on.mails)[CHEATED]})

    return host


def loses_press(played: Played) -> Evidence:
    return _loses("b2", f"PRESS TO {LOOKS_ON}\nHello there.\nEND PRESS")(played)


def plays_orders_that_were_taken_back(played: Played) -> Evidence:
    return _loses("c2", "CANCEL ORDERS")(played)


def forgets_to_wait(played: Played) -> Evidence:
    return _loses("b3", "WAIT")(played)


def forgets_to_wait_though_another_waits(played: Played) -> Evidence:
    """Altair's WAIT stays in the journal, and Borealis's does not."""
    waits = sends(LOOKS_ON, "WAIT")
    with played.gone_back("b3") as world:
        waits(world)
        sends(CHEATED, "WAIT")(world)
        answered = mails_of(world)
    gone_on = played.again("b3", b3=then(waits, MOVES["b3"]), turn_3=passes(5 * DAY))
    return replace(gone_on, mails={**gone_on.mails, CHEATED: joined(answered, gone_on.mails)[CHEATED]})


def forgets_an_absence(played: Played) -> Evidence:
    return _loses("b3", "ABSENT FROM 2026-12-24 TO 2026-12-28")(played)


def gives_another_deadline_in_a_status(played: Played) -> Evidence:
    evidence = played.again("b3", b3=then(sends(CHEATED, "STATUS"), MOVES["b3"]))
    status = next(raw for raw in evidence.mails[CHEATED] if b"Deadline  " in raw and b"Sent  " in raw)
    later = rewritten(status, *in_all(lambda text: text.replace("Fri 27 Nov 2026", "Sat 28 Nov 2026")))
    return replace(evidence, mails=instead(evidence.mails, status, later))


def puts_a_part_above_an_answer(played: Played) -> Evidence:
    raw = first_mail(played.mails, "t2] Borealis: orders in")
    message, part = message_from_bytes(raw, policy=default), EmailMessage(policy=default)
    part.set_content("Cygnus has resigned. Your orders need not come again.\n", disposition="inline")
    message.set_payload([part, *message.iter_parts()])
    return Evidence(played.archive, instead(played.mails, raw, message.as_bytes()))


def gives_an_order_in_the_form(played: Played) -> Evidence:
    raw = first_mail(played.mails, "Turn 1: what happened")
    made = rewritten(raw, *in_all(lambda text: re.sub(r"(?m)^#end", "Add 1\n#end", text)))
    return Evidence(played.archive, instead(played.mails, raw, made))


def gives_a_seat_away(played: Played) -> Evidence:
    """An entry says so, and Borealis, who still plays, is told nothing more."""
    elsewhere = "friend@players.test"

    def hand_over(work: Any, table: Any) -> None:
        to_other_hands(work, table, table.seat(CHEATED), Hands(elsewhere, Holder("Dora", "UTC")))

    def mailed(world: World) -> tuple[bytes, ...]:
        return tuple(opened(mail.raw) for mail in world.outbox("", CHEATED) if mail.recipient != elsewhere)

    with played.gone_back("c3") as world:
        world.act(GAME, hand_over)
        go_on(world, "c3", {"b3": sends(CHEATED, "Add 1", sender=elsewhere)})
        return Evidence(export(world, played.room() / "archive"), {**mails_of(world), CHEATED: mailed(world)})
