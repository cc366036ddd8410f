"""What a player writes for others to read, in a game in which nobody may know who plays which seat."""

from pbmd.desk.books.transaction import OpenGame
from pbmd.desk.language.own_name import shown_of_writer
from pbmd.ledger.tables import GameStatus, Seat
from pbmd.rules.protocol import Refused

REASON_CHARS = 200


def must_be_a_reason(table: OpenGame, seat: Seat, text: str) -> None:
    """Raises `Refused` if a reason is too long, or shows who gives it where nobody may know."""
    if len(text) > REASON_CHARS:
        raise Refused(f"the reason may have {REASON_CHARS} characters, yours has {len(text)}")
    must_not_name_its_writer(table, seat, text, "your reason")


def must_not_name_its_writer(table: OpenGame, seat: Seat, text: str, what: str) -> None:
    """Raises `Refused` if everybody would know by `what` they wrote who has the seat."""
    if not table.terms.hides_holders or table.game.status is GameStatus.FINISHED:
        return
    addresses = (seat.address, seat.other_address)
    if shown := shown_of_writer(text, seat.holder, addresses, (each.name for each in table.seats)):
        raise Refused(
            f"{what} has {shown} in it, and in {table.game.name} nobody is to know who plays {seat.name} before the game is "
            "over; so it was not sent. Take it out and send it again"
        )
