"""What ends together with a seat or a game: its questions."""

from collections.abc import Collection

from sqlmodel import col, select

from pbmd.desk.books.question_payloads import Subject
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import Confirmation, ConfirmationState, GameStatus, Letter, LetterState, Seat
from pbmd.rules.protocol import Refused

NEVER_CONFIRMED = "it was never confirmed"
"""The note of a letter that was held in vain; a missed turn is explained by it."""


def must_have_begun(table: OpenGame) -> None:
    """Seats change hands while a game is running: before that, one player leaves and another joins. Raises `Refused`."""
    if table.game.status not in (GameStatus.RUNNING, GameStatus.PAUSED):
        raise Refused(f"{table.game.name} {'has not begun' if table.game.status is GameStatus.SIGNUP else 'is over'}")


def end_questions(work: Transaction, table: OpenGame, seat: Seat, *, but: Collection[Subject] = ()) -> None:
    """Open questions about a seat are closed, `but` not those on these subjects, and letters that waited for an answer are put
    away."""
    work.write()  # The one that was just confirmed is no longer open.
    questions = select(Confirmation).where(Confirmation.seat_id == seat.id, Confirmation.state == ConfirmationState.OPEN)
    for question in work.session.exec(questions.where(col(Confirmation.subject).not_in(but))):
        question.state = ConfirmationState.EXPIRED
    work.write()
    held = select(Letter.id).where(Letter.game_id == table.id, Letter.seat_id == seat.id, col(Letter.state) == LetterState.HELD)
    for letter_id in work.session.exec(held):
        work.settle_letter(letter_id or 0, LetterState.DONE, NEVER_CONFIRMED, table.id, seat.id)
