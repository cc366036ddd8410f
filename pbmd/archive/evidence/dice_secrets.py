"""Dice secrets, the commitments to them, salts, and words for the dice, as mails give them, checked against the books."""

from collections.abc import Iterator, Sequence

from pbmd.archive.evidence.mail_patterns import ARRIVED, DIGEST, RECEIPT, SALT, SECRET, WORD, turn_of
from pbmd.archive.evidence.statements import Statement, Value
from pbmd.archive.evidence.verdict import Finding, entries_named, missing
from pbmd.archive.format.books import Books, ShownSecret
from pbmd.archive.format.orders_on_file import OrdersOnFile
from pbmd.archive.format.press_and_deadlines import moment_in


def examine_dice(books: Books, said: Value, entry: int) -> Finding:
    """A secret or a commitment: that of the entry at which the mail was written, if the mail names it; else that of its
    step."""
    shown = books.secrets if said.what == SECRET else books.promises
    same = next((each for each in shown if each.value == said.value), None)
    then = _shown_at(books, shown, entry)
    if then and then.value != said.value:
        words = f"two histories: at entry {entry} these books have another, {then.value}"
        return Finding(said.what, said.value, False, words)
    if same and said.step and same.of and said.step not in same.of:
        words = f"the mail has it for {said.step}, and these books as {same.told}"
        return Finding(said.what, said.value, False, words)
    if same:
        return Finding(said.what, said.value, True, same.told)
    return Finding(said.what, said.value, *_missing_dice(books, said, shown))


def _shown_at(books: Books, shown: Sequence[ShownSecret], entry: int) -> ShownSecret | None:
    """The last of them that was shown up to an entry; None if these books have no such entry, or may not show a later one."""
    last = max((each for each in shown if each.entry <= entry), key=lambda each: each.entry, default=None)
    if last is None or entry > len(books.kinds) or any(last.entry < each <= entry for each in books.unopened):
        return None
    return last


def examine_salt(books: Books, said: Value, promise: str) -> Finding:
    """The salt that a player was given for the dice of a step, with its commitment beside it."""
    told = books.salts.get(said.value, "")
    turns = turn_of(said.step), turn_of(told)
    if None not in turns and turns[0] != turns[1]:
        return Finding(SALT, said.value, False, f"the mail has it for {said.step}, and in these books it is {told}")
    if told:
        return Finding(SALT, said.value, True, told)
    if books.sealed and books.open_end and books.promises and books.promises[-1].value == promise:
        words = "not looked at: it is that of the step which is open, and is opened when that is over"
        return Finding(SALT, said.value, None, words, whole=False)
    if books.unopened:
        return Finding(SALT, said.value, None, f"not in these books, but {entries_named(books.unopened)} may open it")
    if books.sealed:
        words = "not among the salts that are opened here: those of a step stand beside its orders, in an archive of view all"
        return Finding(SALT, said.value, None, words)
    return Finding(SALT, said.value, *missing(books))


def _missing_dice(books: Books, said: Value, shown: Sequence[ShownSecret]) -> tuple[bool | None, str]:
    if books.unopened:
        return None, f"not in these books, but {entries_named(books.unopened)} may have it, whose public part is withheld"
    others = [each for each in shown if said.step and said.step in each.of]
    # Where a turn has several steps of one name, the last of them may be still to come.
    is_last = books.open_end and bool(others) and others[-1].entry == max(each.entry for each in shown if each.of)
    if others and not is_last:
        return False, f"two histories: for {said.step} these books have {' and '.join(each.value for each in others[-3:])}"
    return missing(books)


# The word for the dice


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
