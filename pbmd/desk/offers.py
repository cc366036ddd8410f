"""Offers of a seat: who plays it is told of them, and when one of several people has taken it, the others are."""

import json

from sqlmodel import col, delete, func, or_, select

from pbmd.desk.mails import Draft, clock_words, mail_to, mail_to_seat, render, subject
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import Confirmation, ConfirmationState, Seat, SeatState, Visitor, VisitorKind


def asked_besides(work: Work, seat: Seat, question: Confirmation | None = None) -> list[str]:
    """The addresses that are asked to take over a seat and have not answered yet, but for this question."""
    work.write()
    same = (Confirmation.seat_id == seat.id, Confirmation.subject == "take-over")
    still_open = select(Confirmation).where(*same, Confirmation.state == ConfirmationState.OPEN)
    others = [each for each in work.session.exec(still_open.order_by(col(Confirmation.id))) if each is not question]
    return list(dict.fromkeys(json.loads(each.payload)["address"] for each in others))


def note_taken(work: Work, table: Table, seat: Seat, others: list[str], letter_id: int) -> None:
    """The seat has a new holder, by this letter."""
    theirs = (col(Visitor.address) == seat.address, col(Visitor.kind) == VisitorKind.STANDBY)
    work.session.exec(delete(Visitor).where(*theirs, or_(col(Visitor.game_id) == table.id, col(Visitor.game_id).is_(None))))
    for place, address in enumerate(address for address in others if address != seat.address):
        words = f"{seat.name} has been taken"
        text = render("seat_taken.txt", {"game": table.game, "seat": seat.name})
        mail_to(work, address, Draft("notice", f"taken {letter_id} {place}", subject(table, words), text, owed=True), table)


def tell_holder(work: Work, table: Table, seat: Seat) -> None:
    """Tell whoever plays a seat that it has just been offered to others: what that means, and what they can do."""
    if seat.state is not SeatState.ACTIVE:
        return
    last = select(func.max(Confirmation.id)).where(Confirmation.seat_id == seat.id, Confirmation.subject == "take-over")
    headline = f"{seat.name} is offered to somebody else"
    days = work.desk.settings.limits.confirmation_days
    text = (
        "The game master has offered your seat to somebody else. Until somebody says yes it is yours: play on, all that you "
        f"send counts. With the first yes, which may come within {days} days, it goes to whoever said it; a mail tells you so, "
        "and from then on your mails count no more. If you want to keep your seat, write to the game master now. If you do "
        "not, RESIGN gives it up at once."
    )
    values = {"game": table.game, "seat": seat.name, "headline": headline, "text": text, "reason": ""}
    words = render("notice.txt", values | clock_words(table, seat, work.now))
    key = f"offered {table.id} {seat.number} {work.session.exec(last).one()}"
    mail_to_seat(work, table, seat, Draft("notice", key, subject(table, headline), words, owed=True))
