"""What the game master's commands about a seat do, and what they would do: who is to play it, and whether it is waited for. As
those in `pbmd.desk.gm.commands`."""

import shlex

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import gm
from pbmd.desk.changes.seats import Holder
from pbmd.desk.gm.commands import Done
from pbmd.desk.gm.question_facts import Said, seat_named
from pbmd.desk.mail import notice
from pbmd.desk.questions.seat_offers import must_be_to_offer, offer, offer_seat, would_be_asked
from pbmd.desk.questions.substitutes import end_by_gm
from pbmd.desk.step.end_questions import must_have_begun
from pbmd.desk.step.sleepers.waking import wake
from pbmd.ledger.tables import Seat, SeatState
from pbmd.post.addresses import folded
from pbmd.rules.protocol import Refused


def eject(work: Transaction, table: OpenGame, said: Said) -> Done:
    """EJECT."""
    seat = seat_named(table, said["seat"])
    gm.eject(work, table, seat, said.get("reason", ""))
    finds = "finds another player for it."
    given = shlex.join((table.game.name, seat.name))
    return Done(
        f"{seat.name} is empty.",
        next_by_mail=f"OFFER {seat.name} or REPLACE {seat.name} BY an address {finds}",
        next_in_shell=f"pbmd offer {given} or pbmd replace {given} --by ADDRESS {finds}",
    )


def foresee_eject(_work: Transaction, table: OpenGame, said: Said) -> str:
    """What EJECT would do."""
    seat = seat_named(table, said["seat"])
    must_have_begun(table)
    if seat.state is not SeatState.ACTIVE:
        raise Refused(f"nobody holds {seat.name} in {table.game.name}")
    for_good = table.ruleset.resign is not None and table.ruleset.take_over is None
    return (
        f"{seat.name} would be taken from {seat.holder or seat.address}, who can do nothing more in {table.game.name}, and all "
        "players would be told." + (" In this game a seat that was given up is out of it for good." if for_good else "")
    )


def offer_to_one(work: Transaction, table: OpenGame, said: Said) -> Done:
    """REPLACE."""
    seat = seat_named(table, said["seat"])
    to = Holder(said.get("holder", ""), said.get("timezone", "UTC"))
    offer(work, table, seat.name, said["address"], to, said.get("reason", ""))
    return Done(f"{said['address']} is asked to take over {seat.name}. Until they say yes it stays as it is.{_told(seat)}")


def foresee_replace(work: Transaction, table: OpenGame, said: Said) -> str:
    """What REPLACE would do."""
    seat = seat_named(table, said["seat"])
    must_be_to_offer(work, table, seat, folded(said["address"]), said.get("holder", ""), said.get("timezone", "UTC"))
    return _foreseen_offer(table, seat, said["address"], "they have said yes")


def offer_to_standbys(work: Transaction, table: OpenGame, said: Said) -> Done:
    """OFFER."""
    seat = seat_named(table, said["seat"])
    count = offer_seat(work, table, seat.name, said.get("reason", ""))
    return Done(f"{seat.name} is offered to {count} on the standby list. The first yes that arrives has it.{_told(seat)}")


def foresee_offer(work: Transaction, table: OpenGame, said: Said) -> str:
    """What OFFER would do."""
    seat = seat_named(table, said["seat"])
    count = len(would_be_asked(work, table, seat))
    return _foreseen_offer(table, seat, f"{count} on the standby list", "the first of them has said yes")


def no_substitute(work: Transaction, table: OpenGame, said: Said) -> Done:
    """End the time of a seat's substitute, or its player's wish for one."""
    return Done(end_by_gm(work, table, seat_named(table, said["seat"]), said.get("reason", "")))


def _foreseen_offer(table: OpenGame, seat: Seat, to: str, until: str) -> str:
    """What an offer means for the present player of the seat; nothing if there is none."""
    if seat.state is not SeatState.ACTIVE:
        return ""
    holder = seat.holder or seat.address
    return (
        f"{seat.name} is played by {holder}. It would be offered to {to}. {holder} would be told at once, and play on until "
        f"{until}; then {holder} could do nothing more in {table.game.name}."
    )


def wake_up(work: Transaction, table: OpenGame, said: Said) -> Done:
    """Wait again for a seat that is asleep."""
    seat = seat_named(table, said["seat"])
    must_have_begun(table)
    wake(work, table, seat, notice.GM, said.get("reason", ""))
    return Done(f"{seat.name} is awake: the game waits for its orders again. Its player is told.")


def _told(seat: Seat) -> str:
    return " Whoever plays it is told." if seat.state is SeatState.ACTIVE else ""
