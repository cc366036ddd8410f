"""Orders that a mail shows, by the number of their receipt, their arrival and their digest, held against those of the books."""

from datetime import datetime

from pbmd.archive.evidence.mail_patterns import ARRIVED, DIGEST, RECEIPT
from pbmd.archive.evidence.statements import Statement
from pbmd.archive.evidence.verdict import Finding, missing
from pbmd.archive.format.books import Books
from pbmd.archive.format.orders_on_file import HOLD_ORDERS, OrdersOnFile
from pbmd.archive.format.press_and_deadlines import moment_in
from pbmd.archive.verify.event_times import time_words
from pbmd.ledger.entries.step_entries import ResolvedEntry, RolledBackEntry


def orders_by_number(books: Books, number: int, statement: Statement) -> OrdersOnFile | None:
    """The orders with that receipt. Letters that waited for a step share the entry that ended it, so if there are several,
    those that fit the statement best; where not all are shown, it may be about others."""
    arrived, shown = statement.first(ARRIVED), statement.first(DIGEST)

    def fits(given: OrdersOnFile) -> tuple[bool, bool]:
        return bool(arrived) and _is_then(arrived, given.arrived_at), bool(shown) and given.digest.startswith(shown)

    best = max((given for given in books.orders if given.receipt == number), key=fits, default=None)
    may_be_others = books.unseen and (arrived or shown) and books.kind_at(number) != "orders"
    return None if best and may_be_others and not any(fits(best)) else best


def orders_by_arrival(books: Books, statement: Statement, seat: str) -> OrdersOnFile | None:
    """The orders of a seat that came at the second that a receipt without a number tells; of several those with its digest."""
    arrived, shown = statement.first(ARRIVED), statement.first(DIGEST)
    if not seat or arrived.count(":") < _WITH_SECONDS:
        return None
    same = (given for given in books.orders if given.seat == seat and _is_then(arrived, given.arrived_at))
    return max(same, key=lambda given: bool(shown) and given.digest.startswith(shown), default=None)


def orders_by_digest(books: Books, shown: str) -> OrdersOnFile | None:
    """The last orders with that digest, or one that begins like it: the same orders may have been sent again."""
    same = (given for given in reversed(books.orders) if shown and given.digest.startswith(shown))
    return next(same, None)


def _in_force(books: Books, shown: str, given: OrdersOnFile | None) -> OrdersOnFile | None:
    """The orders with that digest which the answer to others of the same seat shows in their place: those were not taken, or
    had come before these and were read behind them."""
    if given is None or given.state in _TAKEN:
        return None
    of_seat = (each for each in reversed(books.orders) if each.seat == given.seat and each.receipt <= given.receipt)
    same = [each for each in of_seat if shown and each.digest.startswith(shown)]
    if given.state not in _NOT_TAKEN:
        return next((each for each in same if each.arrived_at >= given.arrived_at), None)
    return next((each for each in same if _is_of_one_step(books, each.receipt, given.receipt)), None)


def _is_of_one_step(books: Books, first: int, last: int) -> bool:
    """Whether no turn was over between two entries."""
    if not 0 < first <= last <= len(books.kinds):
        return False
    between = (kind for kind, _ in books.kinds[first : last - 1])
    return books.kinds[first - 1][1] == books.kinds[last - 1][1] or not any(kind in _OPENS_STEP for kind in between)


_WITH_SECONDS = 2
"""So many colons are in a time with seconds."""
_TAKEN = frozenset({"used", "filed", "rolled-back"})
_NOT_TAKEN = frozenset({"refused", "late", "granted"})
_OPENS_STEP = frozenset({ResolvedEntry.kind, RolledBackEntry.kind})


_BECAME = {
    "used": "they were used when the step was resolved",
    "filed": "they are on file, and used when the step is resolved unless others replace them",
    "replaced": "they were replaced by a later mail, so they were not used",
    "refused": "they were refused, so they were not used",
    "late": "they came, or were seen, too late, so they were not used",
    "cancelled": "they were cancelled, so they were not used",
    "granted": "what they asked for was granted",
    "rolled-back": "they were used, and that step was taken back later",
}


def _told_of(given: OrdersOnFile, books: Books) -> str:
    became = _BECAME.get(given.state, f"they are {given.state}")
    source = f" ({books.told_by})" if books.told_by else ""
    return f"orders of {given.seat} that arrived {time_words(given.arrived_at)}; {became}{source}"


def examine_receipt(books: Books, number: int, given: OrdersOnFile | None) -> Finding:
    """The number of a receipt, which is that of an entry; `given` are the orders that it is of, as far as they are known."""
    return Finding(RECEIPT, str(number), *_of_receipt(books, number, given))


def _of_receipt(books: Books, number: int, given: OrdersOnFile | None) -> tuple[bool | None, str]:
    if not 0 < number <= len(books.kinds):
        return missing(books)
    kind, turn = books.kinds[number - 1]
    if given and number in books.blanked:
        return None, f"{_told_of(given, books)}; a token was blanked in entry {number}, so the chain cannot vouch for it"
    if given:
        return True, f"entry {number} of the journal, turn {turn}: {_told_of(given, books)}"
    if kind == "orders":
        return True, f"entry {number} of the journal is orders of turn {turn}; more may not be read here"
    if kind in HOLD_ORDERS and books.unseen:
        # Letters that waited share the entry that ended their step, and not all in it are shown here.
        return None, f"whether entry {number} of the journal ({kind}) holds orders cannot be told here"
    return False, f"entry {number} of the journal is no receipt of orders ({kind})"


def examine_arrival(books: Books, value: str, given: OrdersOnFile | None, number: int) -> Finding:
    """When a mail says that a letter arrived; `number` is that of its receipt, 0 if the mail shows none, here and below."""
    if given is None and number not in books.arrivals:
        return Finding(ARRIVED, value, None, "whose orders these are cannot be told here")
    if given and not number:
        # The same orders may have been sent again; and the answer to refused orders shows the digest of others.
        of_seat = [each for each in books.orders if each.seat == given.seat]
        came = any(_is_then(value, each.arrived_at) for each in of_seat)
        words = "as the books have it" if came else f"no mail of {given.seat} that came then is shown here"
        return Finding(ARRIVED, value, came or None, words)
    arrived_at = given.arrived_at if given else books.arrivals[number]
    holds = _is_then(value, arrived_at)
    return Finding(ARRIVED, value, holds, "as the books have it" if holds else f"the books have {time_words(arrived_at)}")


def _is_then(value: str, arrived_at: datetime) -> bool:
    # A report leaves out the seconds.
    wanted = arrived_at.replace(microsecond=0, second=arrived_at.second if value.count(":") > 1 else 0)
    return moment_in(value) == wanted


def examine_digest(books: Books, value: str, given: OrdersOnFile | None, number: int = 0) -> Finding:
    """The digest of orders, or its beginning."""
    if given and given.digest.startswith(value):
        return Finding(DIGEST, value, True, f"receipt {given.receipt}: {_told_of(given, books)}")
    if in_force := _in_force(books, value, given):
        return Finding(DIGEST, value, True, f"receipt {in_force.receipt}: {_told_of(in_force, books)}")
    # Of a letter that came after the end of these books nothing is known, and it may say what an earlier one said.
    of_others = given is not None and orders_by_digest(books, value) is not None
    return Finding(DIGEST, value, *(_OTHER_DIGEST if of_others else _missing_digest(books, given, number)))


_OTHER_DIGEST = False, "these orders have another digest in the books"


def _missing_digest(books: Books, given: OrdersOnFile | None, number: int) -> tuple[bool | None, str]:
    """What to say about a digest that no orders in the books have."""
    if given is None and number and books.kind_at(number) == "orders":
        return None, f"how the orders of receipt {number} were understood cannot be told here"
    if given and given.left_out:
        return None, f"the digest of receipt {given.receipt} is left out here, since a name in them was replaced"
    if books.unseen and not (given and given.digest):
        return None, f"no digest that is shown here, and not all are: {books.unseen}"
    return missing(books) if given is None or books.open_end else _OTHER_DIGEST
