"""Letters of those who once had a seat, and reply to its mails: how they lost it, and how they can play again.

Nothing in such a letter is done, but what anybody may ask for (`pbmd.desk.visitors.asked_for`). The answer tells its reader
what a mail had told them when it happened, and never who has the seat now.
"""

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.letter.opened_letter import Arrived, Former
from pbmd.desk.mail.draft import render
from pbmd.desk.visitors.ask import answer_visitor
from pbmd.ledger.tables import GameStatus
from pbmd.post.compose import can_be_written
from pbmd.post.lines.sent import SENT
from pbmd.post.lines.sorted_lines import left_out

_NOT_YOURS = "the seat is no longer yours"


def hear_former(work: Transaction, former: Former, arrived: Arrived) -> bool:
    """Tell somebody who once had a seat that it is no longer theirs; False if no mail can be sent to them."""
    table, letter = former.table, arrived.letter
    if not can_be_written(letter.sender):
        return False
    written = left_out([line.original for line in letter.lines], _NOT_YOURS)
    values = {
        "game": table.game,
        "seat": former.seat.name,
        "lost": former.lost,
        "over": table.game.status is GameStatus.FINISHED,
        "left_out": written + tuple(piece for piece in letter.left_out if piece.reason != SENT),
    }
    title = f"{former.seat.name}: NOTHING DONE, {_NOT_YOURS}"
    answer_visitor(work, letter, arrived.id, title, render("not_yours.txt", values), table)
    return True
