"""The mark with which the order form in a mail to a seat begins, and what comes back with it.

Of what the dice of a step are made the word is the one thing that is not of the host's making, or need not be: it is drawn for
each mail, comes back with the reply, and a player may write another.
"""

import base64
import hmac
from collections.abc import Sequence

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.tags import mark_line, sheet_mark
from pbmd.ledger.tables import Seat
from pbmd.post.lines.form_line import write_head

_WORD_BYTES = 8


def form_top(work: Transaction, table: OpenGame, seat: Seat, *, reports: bool = False) -> str:
    """The mark with the token of the seat, which says of which game it is, the head of the journal as it is now, and a new word
    for the dice. `reports`: the mail is a report, with which the head goes anyway. Where players may not know who has sent, it
    has no number, and stands in no other mail: that it is another one would tell that somebody has."""
    return " ".join([mark_line(work, seat), *_head(table, reports=reports), _new_word(work)])


def sheet_top(work: Transaction, table: OpenGame, seat: Seat, lines: Sequence[str]) -> str:
    """The same for the sheet at the end of an answer, and its word is another for other orders. The mark is without the token
    of the seat, since players show each other our answers."""
    mark = sheet_mark(work, seat, lines)
    return " ".join([mark, *_head(table), _word_for(work, table, seat, mark)])


def _head(table: OpenGame, *, reports: bool = False) -> list[str]:
    game = table.game
    counted = table.terms.who_has_sent != "nothing"
    return [write_head(game.chain_number if counted else None, game.chain_head)] if counted or reports else []


def top_of_page(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """The mark in the form of the seat's pages. Its word is the same as long as the step lasts, since to look at a page changes
    nothing."""
    return f"{mark_line(work, seat)} {_word_for(work, table, seat, '')}"


def _word_for(work: Transaction, table: OpenGame, seat: Seat, where: str) -> str:
    """A word that nobody without the server's key can foresee."""
    of = f"word {table.id} {table.game.step} {seat.number} {seat.token_generation} {where}".rstrip()
    return _written(hmac.digest(work.desk.key, of.encode(), "sha256")[:_WORD_BYTES])


def _new_word(work: Transaction) -> str:
    """A word that nobody can foresee."""
    return _written(work.desk.entropy(_WORD_BYTES))


def _written(word: bytes) -> str:
    return base64.b32encode(word).decode().rstrip("=").lower()
