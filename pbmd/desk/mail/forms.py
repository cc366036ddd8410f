"""The order form in a mail to a seat: the lines with which it begins, and what comes back with them.

Of what the dice of a step are made the word is the one thing that is not of the host's making, or need not be: it is drawn for
each mail, comes back with the reply, and a player may write another.
"""

import base64
import hmac

from pbmd.desk.books.work import Table, Work
from pbmd.desk.mail.tags import mark_line
from pbmd.ledger.tables import Seat

DIGITS = 24
"""Of a hash in a form: too many for two histories to be made that always begin alike, and few enough for any line."""
_WORD_BYTES = 8


def form_top(work: Work, table: Table, seat: Seat, *, reports: bool = False) -> str:
    """The mark with the token of the seat, the head of the journal as it is now, and a new word for the dice. The head names
    its game, lest one that is pasted into a letter about another game be taken for another history. `reports`: the mail shows
    the head anyway. Where players may not know who has sent, it has no number, and stands in no other mail: that it is another
    one would tell that somebody has."""
    game = table.game
    counted = table.terms.who_has_sent != "nothing"
    place = f"{game.name} {game.chain_number}" if counted else game.name
    head = [f"#head {place} {game.chain_head[:DIGITS]}"] if counted or reports else []
    lines = [mark_line(work, seat), *head, f"#word {_new_word(work)}"]
    return "\n".join(lines)


def word_of_page(work: Work, table: Table, seat: Seat) -> str:
    """The word in the form of the seat's pages: the same as long as the step lasts, since to look at a page changes nothing.
    Nobody without the server's key can foresee it."""
    of = f"word {table.id} {table.game.step} {seat.number} {seat.token_generation}"
    return _written(hmac.digest(work.desk.key, of.encode(), "sha256")[:_WORD_BYTES])


def _new_word(work: Work) -> str:
    """A word that nobody can foresee."""
    return _written(work.desk.entropy(_WORD_BYTES))


def _written(word: bytes) -> str:
    return base64.b32encode(word).decode().rstrip("=").lower()
