"""A seat wakes up: its player wrote, or the game master says so; nobody else has taken it over meanwhile."""

from typing import Literal

from sqlmodel import col, select

from pbmd.desk.books.question_payloads import OfSeat, read_as
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.notice import GM, Notice, tell
from pbmd.desk.mail.queue import mail_to
from pbmd.ledger.entries.sleep_entries import DISORDER, AwakeEntry, Waking
from pbmd.ledger.tables import Confirmation, ConfirmationState, Seat
from pbmd.rules.protocol import Refused

By = Literal["its player", "the game master"]


def wake(work: Transaction, table: OpenGame, seat: Seat, by: By, reason: str = "") -> None:
    """The game waits for the seat again, and what it misses in a row counts anew. Who was offered it gets a mail, and the other
    players do unless nobody may know who has sent orders. Raises `Refused` for a seat that is awake."""
    if not seat.is_asleep:
        raise Refused(f"{seat.name} is not asleep")
    game, sleeper = table.game, table.terms.sleeper
    if sleeper == DISORDER and table.ruleset.disorder is not None:
        work.move(table, table.ruleset.disorder(table.position, seat.name, False))
    seat.asleep_since, seat.counted_from = -1, game.step
    sealed = Waking(seat=seat.name, cause=(work.cause or None) if by == GM else None)
    entry = AwakeEntry(turn=game.turn, step=game.step, sleeper=sleeper, by=by, reason=reason or None, sealed=sealed)
    number = work.journal(table, entry)
    work.log("awake", table, seat.name, f"by {by}")
    _withdraw_offers(work, table, seat)
    key = f"notice {table.id} {number}"
    if by == GM:
        words = f"{GM.capitalize()} has woken {seat.name}: the game waits for your orders again."
        tell(work, table, [seat], Notice(key, f"{seat.name} is awake again", words, reason))
    if table.terms.who_has_sent != "nothing":
        others = [other for other in table.seats if other is not seat]
        words = f"{seat.name} is awake again: the game waits for its orders as before."
        tell(work, table, others, Notice(key, f"{seat.name} is awake again", words, reason))


def _withdraw_offers(work: Transaction, table: OpenGame, seat: Seat) -> None:
    """Nobody can take over the seat any more who was offered it since it slept; who was offered it by the game master can."""
    work.write()
    asked = select(Confirmation).where(Confirmation.seat_id == seat.id, Confirmation.subject == "take-over")
    open_ones = asked.where(Confirmation.state == ConfirmationState.OPEN).order_by(col(Confirmation.id))
    for question in work.session.exec(open_ones).all():
        kept = read_as(OfSeat, question.payload)
        if kept.asleep:
            question.state = ConfirmationState.EXPIRED
            text = render("seat_awake.txt", {"game": table.game, "seat": seat.name})
            title = subject(table, f"{seat.name} is not free after all")
            mail_to(work, kept.address, Draft("notice", f"awake {question.id}", title, text, owed=True), table)
