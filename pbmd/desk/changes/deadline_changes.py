"""Changes of the deadline of a step by those who may: more time for a game or a seat, another deadline, the end now."""

from datetime import datetime, timedelta

from sqlmodel import func, select

from pbmd.desk.books.deadlines import (
    move_deadlines,
    move_own_deadlines,
    not_missed,
    sealed_deadlines,
    sealed_since,
)
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.trusted_clock import must_be_trusted
from pbmd.desk.mail.notice import GM, Notice, in_words_of, tell
from pbmd.desk.step import resolve
from pbmd.desk.step.moves_due import carry_on
from pbmd.ledger.entries.master_entries import ClosedEntry, DeadlineEntry, ExtendedEntry
from pbmd.ledger.entries.player_entries import UNTIL_ORDERS, EarlyEnd, WaitEntry
from pbmd.ledger.entries.vote_entries import VOTE
from pbmd.ledger.journal import written_deadline
from pbmd.ledger.tables import Letter, LetterState, Seat, SeatState
from pbmd.rendering.entry_notices import notices_of
from pbmd.rendering.notice_sentences import GIVEN_TO_ONE, NEW_DEADLINE, NO_WAITING
from pbmd.rules.protocol import Refused
from pbmd.rules.words import capital
from pbmd.terms.quiet_days import allowed
from pbmd.terms.times import LONGEST, describe_duration, describe_time


def whole_minutes(length: timedelta) -> timedelta:
    """How long an extension is: a part of a minute is a minute, as the journal has it, and all that tells of one."""
    return timedelta(minutes=-(-length // timedelta(minutes=1)))


def extend(work: Transaction, table: OpenGame, length: timedelta, by: str, reason: str = "", seat: Seat | None = None) -> None:
    """Move the deadline, of one seat or of the game, and notify everybody concerned. A step that was closed and is not resolved
    yet is open again if there is more time for all. Raises `Refused`.

    A seat that has missed this step's deadline keeps it: the turn no longer waits for it.
    """
    table.must_run()
    table.must_go_on()
    length = whole_minutes(length)
    plain = _running_deadline(table, seat) + length
    at = allowed(table.terms, plain)
    extended = [seat] if seat else not_missed(table)
    if seat is not None:
        seat.deadline = at
    else:
        table.game.closed_at = None
        move_deadlines(table, lambda deadline: allowed(table.terms, deadline + length))
    told = describe_duration(length)
    on = ", and on over quiet days" if at != plain else ""
    words = f"{told} more, by {by}{on}"
    entry = ExtendedEntry(
        turn=table.game.turn,
        step=table.game.step,
        minutes=int(length.total_seconds() // 60),
        by=by,
        reason=reason,
        seat=seat.name if seat else "",
        deadline=written_deadline(at),
        sealed=sealed_deadlines(table, work.cause),
    )
    number = work.journal(table, entry)
    work.log("extended", table, seat.name if seat else "-", f"{words}: {reason}" if reason else words)
    words = f"{capital(by)} {'gave' if by in (GM, VOTE) else 'took'} {told} more{on}."
    if seat is not None and (holds := hold_for(work, table, seat)):
        words = f"{words} {holds}"
    own, *others = notices_of(entry)
    headline = own.headline
    words, why = in_words_of(by, words, reason)
    due = f"{headline}: {{due}}"
    key = f"notice {table.id} {number}"
    tell(work, table, extended, Notice(key, headline, words, why, due=due, by=by))
    for notice in others:
        text = GIVEN_TO_ONE.format(by=by)
        rest = [other for other in table.seats if other is not seat]
        tell(work, table, rest, Notice(f"{key} others", notice.headline, text, why, by=by))


def hold_for(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """The step waits for those who were given more time: until they have sent orders again, or say READY, it does not end
    early, whatever is on file. Returns the sentence for them, empty where a step does not end early.

    The journal records it whether there are orders on file or not, and whether they wait already: nobody may see that.
    """
    playing = seat.state is SeatState.ACTIVE and seat.missed_step != table.game.step and seat.name in table.with_part
    if table.ruleset.sequential or not table.step_terms.early or not playing:
        return ""
    seat.waits_for_orders = seat.waits_for_orders or not seat.waits
    seat.waits = True
    sealed = EarlyEnd(seat=seat.name, arrived=work.as_of.isoformat(), until=UNTIL_ORDERS)
    work.journal(table, WaitEntry(turn=table.game.turn, step=table.game.step, sealed=sealed))
    return f"{table.game.step_name.capitalize() or 'The turn'} stays open until then, unless you send orders again or READY."


def _running_deadline(table: OpenGame, seat: Seat | None) -> datetime:
    """The deadline of this step that is to be moved, that of the game if no seat is named. Raises `Refused` if none is
    running."""
    game = table.game
    if game.deadline is None:
        raise Refused(f"{game.name} has no deadline that could be extended")
    if seat is None:
        return game.deadline
    if seat.missed_step == game.step:
        raise Refused(f"{seat.name} has missed the deadline of {game.step_called} already")
    if seat.name not in table.with_part:
        if table.ruleset.sequential:
            raise Refused(f"it is not {seat.name}'s move, so it has no deadline")
        raise Refused(f"{game.step_called} does not wait for orders of {seat.name}, so it has no deadline")
    return seat.deadline or game.deadline


def set_deadline(work: Transaction, table: OpenGame, at: datetime, reason: str = "") -> None:
    """Set the deadline of the current turn to this instant, for everybody who has not missed it. Raises `Refused`."""
    game = table.game
    table.must_run()
    table.must_go_on()
    if at <= work.now:
        raise Refused(f"{describe_time(at)} is over; RESOLVE ends the turn now")
    if at - work.now > LONGEST:
        raise Refused(f"{describe_time(at)} is too far away; ten years are the most")
    # Seats that were granted more time keep what is beyond the new deadline.
    move_own_deadlines(table, lambda own: own if own > at else None)
    game.deadline, game.closed_at = at, None
    sealed = sealed_deadlines(table, work.cause)
    entry = DeadlineEntry(turn=game.turn, deadline=written_deadline(at), by=GM, reason=reason, sealed=sealed)
    number = work.journal(table, entry)
    work.log("deadline", table, detail=describe_time(at) + (f": {reason}" if reason else ""))
    text = NEW_DEADLINE.format(step=game.step_called)
    (told,) = notices_of(entry)
    notice = Notice(f"notice {table.id} {number}", told.headline, text, reason, due="the new deadline: {due}")
    tell(work, table, not_missed(table), notice)


def close_step(work: Transaction, table: OpenGame, reason: str = "") -> None:
    """Have the current step resolved as soon as all mail is known that had arrived by now, whoever is missing. Raises
    `Refused`."""
    game = table.game
    table.must_run()
    table.must_go_on()
    must_be_trusted(work)
    game.closed_at = work.as_of
    _enter_closing(work, table, reason)
    work.log("closed", table, detail="the turn is resolved without waiting for anybody")


def resolve_now(work: Transaction, table: OpenGame, reason: str = "") -> None:
    """Resolve the step without waiting for anybody: the game master's decision. Raises `Refused`, also while letters in the
    ledger are not handled: their senders would be told that no mail had come."""
    table.must_run()
    must_be_trusted(work)
    # Letters for this game already wait for what is done here (`pbmd.desk.letter.arrival_queue`).
    new = select(Letter.id).where(Letter.state == LetterState.NEW, func.coalesce(Letter.game_id, 0) == 0)
    if work.session.exec(new.limit(1)).first() is not None:
        raise Refused("letters are being dealt with; try again in a moment")
    _enter_closing(work, table, reason)
    resolve.close_for_missing(work, table)
    if table.ruleset.sequential:
        carry_on(work, table)
    else:
        resolve.carry_out(work, table, resolve.CLOSED)


def _enter_closing(work: Transaction, table: OpenGame, reason: str = "") -> None:
    """The journal records that the game master closes the step: else it would look like one whose deadline was cut. If they
    gave a reason, all players get it."""
    entry = ClosedEntry(
        turn=table.game.turn,
        step=table.game.step,
        by=GM,
        reason=reason or None,
        sealed=sealed_since(work, work.cause),
    )
    number = work.journal(table, entry)
    for told in notices_of(entry):
        words = NO_WAITING.format(step=table.game.step_called)
        tell(work, table, table.seats, Notice(f"notice {table.id} {number}", told.headline, words, reason))
