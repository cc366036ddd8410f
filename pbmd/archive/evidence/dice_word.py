"""The word for the dice that an answer says came with the orders of a receipt, checked against the books."""

from collections.abc import Iterator

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.evidence.mail_patterns import ARRIVED, DIGEST, RECEIPT, WORD
from pbmd.archive.evidence.statements import Statement
from pbmd.archive.format.books import Books
from pbmd.archive.format.orders_on_file import OrdersOnFile
from pbmd.archive.format.press_and_deadlines import moment_in


def examine_word(books: Books, word: str, receipt: int, statement: Statement) -> Finding:
    """Whether the orders that a statement is about came with that word. `receipt` is their number, 0 if none is given: then
    digest and arrival identify them. What the books have instead is not revealed: it may still be secret."""
    words = {given.word for given in _orders(books, receipt, statement)}
    if word in words:
        return Finding(WORD, word, True, "the books have it with these orders")
    if not words or None in words:
        return Finding(WORD, word, None, "which word came with these orders is not shown here")
    return Finding(WORD, word, False, "these orders came with another word in the books, or with none")


def has_word(books: Books, statement: Statement) -> bool:
    """Whether all orders that a receipt can be about came with a word, and are or were on file."""
    found = [*_orders(books, int(statement.first(RECEIPT)), statement)]
    return bool(found) and all(given.word and given.state in _ON_FILE for given in found)


_ON_FILE = frozenset({"filed", "used", "replaced"})


def _orders(books: Books, receipt: int, statement: Statement) -> Iterator[OrdersOnFile]:
    """The orders that it can be about. Those that waited can share a receipt."""
    came, digest = moment_in(statement.first(ARRIVED)), statement.first(DIGEST)
    for given in books.orders:
        fits = given.receipt == receipt if receipt else bool(digest) and given.digest.startswith(digest)
        if fits and came in (None, given.arrived_at.replace(microsecond=0)):
            yield given
