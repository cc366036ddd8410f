"""NMR, "no moves received": a deadline passed with nothing usable. It carries its cause and the evidence for it."""

from sqlmodel import col, or_, select

from pbmd.desk.seats import NEVER_CONFIRMED
from pbmd.desk.times import describe_duration
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import Letter, LetterState, Seat, SeatState, Submission, SubmissionState


def missing(table: Table) -> list[Seat]:
    """The seats whose orders the rules await and that have not missed this step yet, whether anybody plays them or not."""
    names = set(table.ruleset.awaiting(table.position))
    return [seat for seat in table.seats if seat.name in names and seat.missed_step < table.game.step]


def miss(work: Work, table: Table, seat: Seat) -> None:
    """The seat's deadline passed without usable orders: tell the rules, the journal and the log, with the cause."""
    cause = "the seat is empty" if seat.state is SeatState.RESIGNED else cause_of(work, table, seat, closing=True)
    seat.missed_step = table.game.step
    work.move(table, table.ruleset.miss(table.position, seat.name).position)
    work.journal(table, "missed", {"turn": table.game.turn, "step": table.game.step}, {"seat": seat.name, "cause": cause})
    work.log("nmr", table, seat.name, cause)


def cause_of(work: Work, table: Table, seat: Seat, *, closing: bool = False) -> str:
    """Why there are no usable orders: no mail, only refused mail, cancelled orders, or mail that came too late.

    `closing`: the step is being closed now, so that a deadline still to come means that the GM did not wait for it.
    """
    last = last_submission(work, table, seat)
    deadline = seat.deadline or table.game.deadline
    if last is None and closing and deadline and work.now < deadline:
        return "no mail with orders arrived before the game master resolved the turn, which was before the deadline"
    if last is None and _is_unconfirmed(work, table, seat):
        return "mail came in this player's name, but it was not confirmed"
    if last is None:
        return "no mail with orders arrived"
    # From the numbers of receipts one could count what others send.
    receipt = "" if table.terms.who_has_sent == "nothing" else f" (receipt {last.number})"
    if last.state is SubmissionState.LATE:
        late = last.arrived_at - (seat.deadline or table.game.deadline or last.arrived_at)
        return f"orders arrived late by {describe_duration(late)}{receipt}"
    if last.state is SubmissionState.CANCELLED:
        return f"orders were cancelled{receipt}"
    return f"only mail whose orders could not be taken arrived{receipt}"


def _is_unconfirmed(work: Work, table: Table, seat: Seat) -> bool:
    """Whether a letter that came in this step waits for its player's word, or waited in vain."""
    letters = select(Letter.id).where(Letter.game_id == table.id, Letter.seat_id == seat.id)
    waiting = or_(col(Letter.state) == LetterState.HELD, col(Letter.note) == NEVER_CONFIRMED)
    return work.session.exec(letters.where(waiting, col(Letter.arrived_at) >= table.game.opened_at)).first() is not None


def last_submission(work: Work, table: Table, seat: Seat, state: SubmissionState | None = None) -> Submission | None:
    """The latest orders received from a seat in this step: those in that state, or in any but that of an older letter
    which came to light when a newer one was in force."""
    work.write()
    statement = select(Submission).where(
        Submission.game_id == table.id, Submission.step == table.game.step, Submission.seat_id == seat.id
    )
    wanted = col(Submission.state) == state if state else col(Submission.state) != SubmissionState.REPLACED
    return work.session.exec(statement.where(wanted).order_by(col(Submission.id).desc()).limit(1)).first()
