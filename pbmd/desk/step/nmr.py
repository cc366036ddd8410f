"""NMR, "no moves received": a deadline passed with nothing usable. It records its cause and the evidence for it."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlmodel import col, or_, select

from pbmd.desk.books.question_payloads import WhichSeat, read_as
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.unread_letters import passed_over
from pbmd.desk.digest.news import ASLEEP, EMPTY
from pbmd.desk.language.player_commands import PlayerLanguage
from pbmd.desk.step.end_questions import NEVER_CONFIRMED
from pbmd.desk.step.events import tell_events
from pbmd.desk.step.substitutes.away_mails import tell_away_missed
from pbmd.ledger.entries.step_entries import MissedDeadline, MissedEntry
from pbmd.ledger.tables import (
    Confirmation,
    ConfirmationState,
    Letter,
    LetterState,
    Seat,
    SeatState,
    Submission,
    SubmissionState,
)
from pbmd.rules.protocol import Event, Status
from pbmd.terms.times import describe_duration

_LINES_NAMED = 10
_NO_ORDERS = (SubmissionState.REPLACED, SubmissionState.GRANTED, SubmissionState.USED)


def miss(work: Transaction, table: OpenGame, seat: Seat) -> None:
    """The seat's deadline passed without usable orders: record it in the rules, the journal and the log, with the cause."""
    empty = seat.state is SeatState.RESIGNED
    cause, errors, *_ = NoOrders(EMPTY) if empty else no_orders(work, table, seat, closing=True)
    events = note_missed(work, table, seat)
    sealed = MissedDeadline(seat=seat.name, cause=cause, errors=tuple(errors) or None)
    work.journal(table, MissedEntry(turn=table.game.turn, step=table.game.step, sealed=sealed))
    work.log("nmr", table, seat.name, table.of_step(cause))
    if table.has_substitutes:
        tell_away_missed(work, table, seat)
    if events:
        tell_events(work, table, events, seat, f"missed {seat.number}")


def note_missed(work: Transaction, table: OpenGame, seat: Seat) -> tuple[Event, ...]:
    """What changes in the game when a seat has missed the step, without any notice yet; returns what happened by it."""
    resolution = table.ruleset.miss(table.position, seat.name)
    work.move(table, resolution.position)
    seat.missed_step, seat.settled_at = table.game.step, work.now
    return resolution.events


class NoOrders(NamedTuple):
    """Why there are no usable orders: no mail, only refused mail, cancelled orders, or mail that came too late. For refused
    orders the `cause`, which is in the log, has only the numbers of the wrong lines; for the seat itself `errors` has what was
    wrong in its last mail, a sentence each, and `told` gives the cause, if there is more to say than that no mail came."""

    cause: str
    errors: Sequence[str] = ()
    told: str = ""
    unread: bool = False
    """A letter is unread, and may have contained some."""


def no_orders(work: Transaction, table: OpenGame, seat: Seat, *, closing: bool = False) -> NoOrders:
    """Why this seat has none. `closing`: the step is being closed now, so that a deadline still to come means that the game
    master did not wait for it."""
    if seat.is_asleep:
        return NoOrders(ASLEEP)
    last = last_submission(work, table, seat)
    if last is None:
        return NoOrders(*_no_mail(work, table, seat, closing=closing))
    return _useless_mail(table, seat, last)._replace(errors=refused_words(last, table.commands))


def _no_mail(work: Transaction, table: OpenGame, seat: Seat, *, closing: bool) -> NoOrders:
    own, deadline = table.own_deadline(seat), table.deadline_of(seat)
    if closing and own and (deadline is None or work.now < deadline):
        it = table.game.step_name or "the turn"
        cause = f"no mail with orders arrived before the game master resolved {it}, which was before the deadline"
        return NoOrders(cause, told="(The game master did not wait for the deadline.)")
    if _is_unconfirmed(work, table, seat):
        told = "(A mail came in your name, but it was not confirmed.)"
        return NoOrders("mail came in this player's name, but it was not confirmed", told=told)
    if passed_over(work, table):
        return NoOrders("no mail with orders arrived that could be read", unread=True)
    return NoOrders("no mail with orders arrived")


def _useless_mail(table: OpenGame, seat: Seat, last: Submission) -> NoOrders:
    # The numbers of receipts would let others count what is sent.
    number = "" if table.terms.who_has_sent == "nothing" or not last.number else f"receipt {last.number}"
    receipt, which = (f" ({number})", f": {number}") if number else ("", "")
    if last.state is SubmissionState.LATE:
        late = last.arrived_at - (table.deadline_of(seat) or table.own_deadline(seat) or last.arrived_at)
        by = describe_duration(late)
        return NoOrders(f"orders arrived late by {by}{receipt}", told=f"(Your orders came {by} late{which}.)")
    if last.state is SubmissionState.CANCELLED:
        return NoOrders(f"orders were cancelled{receipt}", told=f"(You cancelled those that you had sent{which}.)")
    if not json.loads(last.verdicts):
        other = "phase or turn" if table.game.step_name else "turn"
        told = f"(A mail of yours came, but its orders were for another {other}{which}.)"
        return NoOrders(f"only mail with orders for another {other} arrived{receipt}", told=told)
    wrong = _wrong_lines(last)
    told = f"(A mail of yours came, but none of its orders could be taken{which}.)"
    return NoOrders(f"only mail whose orders could not be taken arrived{receipt}{wrong}", told=told)


def _wrong_lines(last: Submission) -> str:
    wrong = [str(number) for number, *_ in _errors(last) if number]
    more = f" and {len(wrong) - _LINES_NAMED} more" if len(wrong) > _LINES_NAMED else ""
    return f": wrong in line{'s' if len(wrong) > 1 else ''} {', '.join(wrong[:_LINES_NAMED])}{more}" if wrong else ""


def refused_words(last: Submission, commands: PlayerLanguage) -> list[str]:
    """What was wrong with the orders in the seat's last mail if they were refused, a sentence each, for the seat itself. What
    was said of the mail as a whole is left out beside what was wrong in its lines: that none was taken, and what to do then."""
    if last.state is not SubmissionState.REFUSED:
        return []
    errors = _errors(last)
    told = [error for error in errors if error[0]] or errors
    hinted = [(number, text, commands.hinted(message, text)) for number, text, message in told]
    return [f'Line {number}: "{text}": {message}' if number else message for number, text, message in hinted]


def _errors(refused: Submission) -> list[tuple[int, str, str]]:
    verdicts = json.loads(refused.verdicts)
    return [(number, text, message) for number, status, text, message in verdicts if status == Status.ERROR]


def _is_unconfirmed(work: Transaction, table: OpenGame, seat: Seat) -> bool:
    """Whether a letter that came in this step waits for its player's confirmation, or waited in vain."""
    ledger, since = work.session.connection(), table.game.takes_from
    if ledger.execute(_WAITS, {"game": table.id, "seat": seat.id, "since": since}).first() is not None:
        return True
    # One that could be for several games belongs to none until somebody has said for which.
    asked = ledger.execute(_WHICH, {"since": since}).scalars()
    return any((table.id, seat.id) in read_as(WhichSeat, kept).seats for kept in asked)


def last_submission(work: Transaction, table: OpenGame, seat: Seat, state: SubmissionState | None = None) -> Submission | None:
    """The latest orders received from a seat in this step: those in that state, or in any, except an older letter's that turned
    up when a newer one was in force, and a request's, which are no orders.

    In sequential games others may move while a seat's time goes on, so what counts is what came since its time began; orders in
    a given state may be from any earlier time.
    """
    work.write_rows()
    here = {"game": table.id, "seat": seat.id}
    if not table.ruleset.sequential:
        which, here = _OF_STEP[state is not None], here | {"step": table.game.step}
    elif state is None and table.game.takes_from:
        which, here = _SINCE, here | {"since": table.game.takes_from.replace(microsecond=0)}
    else:
        which = _EVER[state is not None]
    return work.session.scalars(which, here | ({"state": state} if state else {})).first()


# Made once: building a statement takes longer than the ledger takes to answer.
_ARRIVED = col(Letter.arrived_at) >= bindparam("since")
_WAITS = (
    select(Letter.id)
    .where(Letter.game_id == bindparam("game"), Letter.seat_id == bindparam("seat"), _ARRIVED)
    .where(or_(col(Letter.state) == LetterState.HELD, col(Letter.note) == NEVER_CONFIRMED))
    .limit(1)
)
_WHICH = (
    select(Confirmation.payload)
    .join(Letter, col(Letter.id) == Confirmation.letter_id)
    .where(col(Confirmation.seat_id).is_(None), Confirmation.subject == "which", _ARRIVED)
    .where(col(Confirmation.state).in_((ConfirmationState.OPEN, ConfirmationState.EXPIRED)))
)
_NEWEST = col(Submission.id).desc()
_THEIRS = (
    select(Submission)
    .where(col(Submission.game_id) == bindparam("game"), col(Submission.seat_id) == bindparam("seat"))
    .order_by(_NEWEST)
    .limit(1)
)
_EVER = (
    _THEIRS.where(col(Submission.state).not_in(_NO_ORDERS)),
    _THEIRS.where(col(Submission.state) == bindparam("state")),
)
"""The latest orders, and the latest in a given state."""
_OF_STEP = tuple(statement.where(col(Submission.step) == bindparam("step")) for statement in _EVER)
_SINCE = _EVER[0].where(col(Submission.arrived_at) >= bindparam("since"))
