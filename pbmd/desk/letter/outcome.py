"""What becomes of a letter."""

from dataclasses import dataclass

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import LetterState, Seat


@dataclass(frozen=True, slots=True)
class Outcome:
    """`note` stands beside the letter in the ledger, with the game and the seat that it is of; if it is `logged`, in the log,
    too. A letter that is `held` waits for an answer, and whoever holds it has written that down."""

    note: str = ""
    table: OpenGame | None = None
    seat: Seat | None = None
    logged: bool = False
    held: bool = False

    def write_down(self, work: Transaction, letter_id: int) -> None:
        """Put it into the ledger."""
        if self.held:
            return
        game_id, seat_id = self.table and self.table.id, self.seat and self.seat.id
        work.settle_letter(letter_id, LetterState.DONE, self.note, game_id, seat_id)
        if self.logged:
            work.log("letter", self.table, self.seat.name if self.seat else "-", f"letter {letter_id} {self.note}")


def unanswered(why: str, table: OpenGame | None = None, seat: Seat | None = None) -> Outcome:
    """A letter that is not answered, for a reason that the log shows."""
    return Outcome(f"not answered: {why}", table, seat, logged=True)
