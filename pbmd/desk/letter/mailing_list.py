"""Letters that came by way of a mailing list, which are never answered as others are: programs answer programs there.

Their player is told of it in a mail to the address of the seat, and never to the list, once in a step at most: whatever program
reads that mail, no loop comes of it. Nothing of the letter is in it: somebody else on the list may have written it.
"""

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.letter.opened_letter import Arrived
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import is_queued, mail_to_seat
from pbmd.desk.mail.rate_limits import answer_digest, request_text
from pbmd.ledger.tables import Seat

_READ = "It was read, but such a mail gets no answer. STATUS shows the orders that you have in."
_UNREAD = "Nothing in it was read, since the list writes its own address in place of yours, so that it is nobody's for certain."
_HOW = (
    "Everybody on that list can have read the secret address to which it went. To be on the safe side write NEW TOKEN in a "
    "reply to this mail; and send your orders to the game alone, in reply to its mails."
)


def tell_of_list(work: Transaction, table: OpenGame, seat: Seat, arrived: Arrived, *, is_read: bool) -> None:
    """Tell the player of a seat that a mail with its secret came by way of a mailing list, and whether it was read."""
    key = f"list {table.id} {seat.number} {table.game.step}"
    if not arrived.letter.from_list or arrived.letter.vacation or is_queued(work, key):
        return
    sentence = f"A mail for your seat came by way of a mailing list. {_READ if is_read else _UNREAD} {_HOW}"
    text = render("told.txt", {"seat": seat.name, "game": table.game, "sentence": sentence, "left_out": ()})
    title = "your mail came by way of a mailing list" if is_read else "NOT READ: a mail by way of a mailing list"
    digest = answer_digest(request_text(arrived.letter), text)
    mail_to_seat(work, table, seat, Draft("acknowledgement", key, subject(table, title, seat=seat.name), text, digest=digest))
