"""A seat that was offered to several people has been taken by one of them: the others are told."""

import json

from sqlmodel import col, delete, or_, select

from pbmd.desk.mails import Draft, mail_to, render, subject
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import Confirmation, ConfirmationState, Seat, Visitor, VisitorKind


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
