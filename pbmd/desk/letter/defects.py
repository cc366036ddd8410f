"""What is said to the sender of a letter that a defect has put aside."""

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.letter.opened_letter import Sender
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import is_queued, mail_to_seat
from pbmd.desk.mail.rate_limits import answer_digest
from pbmd.post.read.letter import Letter


def tell_sender(work: Transaction, sender: Sender, letter: Letter, letter_id: int) -> None:
    """Tell a player, once, that their letter is kept and waits."""
    key = f"quarantined {letter_id}"
    if letter.automatic or is_queued(work, key):
        return
    table, seat = sender.table, sender.seat
    text = render("defect_to_sender.txt", {"game": table.game, "seat": seat.name})
    words = subject(table, "your mail waits", seat=seat.name)
    told = Draft("notice", key, words, text, answers=letter.message_id, digest=answer_digest(key, "it waits"))
    mail_to_seat(work, table, seat, told)
