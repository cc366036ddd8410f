"""What is said to the holder of a seat that is asleep, or will be with the next miss."""

from pbmd.desk.books.attendance import Missed, missed_by
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.awaiting import awaited
from pbmd.desk.step.substitutes.wishes import time_of_substitute
from pbmd.ledger.tables import Seat
from pbmd.rules.words import counted
from pbmd.terms.sleepers import BACK, step_of
from pbmd.terms.terms import ASLEEP_BY_DEFAULT, Terms


def sleep_words(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """That a seat is asleep, and how it wakes up; or what happens if it misses the step that runs, where that would be the one
    too many. Empty if there is nothing to say, as in games in which no seat falls asleep."""
    if seat.is_asleep:
        return asleep_words(work, table, seat)
    if not table.terms.have_sleepers or seat not in awaited(table):
        return ""
    missed = missed_by(work, table, seat)
    if not (too_much := _too_much(table.terms, Missed(missed.in_a_row + 1, missed.in_all + 1))):
        return ""
    so_far = missed.in_a_row if too_much == _ROW else missed.in_all
    before = f"You have missed {_so_far(table, missed, in_a_row=too_much == _ROW)}. " if so_far else ""
    back = f"or write {BACK} on a line of its own, " if too_much == _ROW and table.terms.missed_in_a_row > 1 else ""
    will = _WILL[fate_of(work, table, seat)]
    return f"{before}If no orders of yours come by the deadline, {will}. Send orders, {back}to keep it."


OFFERED = "offer"
"""The seat is offered to those who stand by, to be theirs."""
_ROW, _TOTAL = "in a row", "in all"


def _too_much(terms: Terms, missed: Missed) -> str:
    """Which of both is too much: what was missed in a row, or in all; empty if neither is."""
    if 0 < terms.missed_in_a_row <= missed.in_a_row:
        return _ROW
    return _TOTAL if 0 < terms.missed_in_all <= missed.in_all else ""


def _so_far(table: OpenGame, missed: Missed, *, in_a_row: bool) -> str:
    count, what = missed.in_a_row if in_a_row else missed.in_all, step_of(table.ruleset.info.timing)
    if count == 1:
        return f"a {what}"
    return f"{counted(count, what)} {_ROW if in_a_row else _TOTAL}"


def too_much_missed(table: OpenGame, missed: Missed) -> str:
    """How much a seat has missed if that is too much by the terms, in words; empty if it is not."""
    which = _too_much(table.terms, missed)
    return _so_far(table, missed, in_a_row=which == _ROW) if which else ""


def fate_of(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """What becomes of a seat while it sleeps, as the terms call it. One that a substitute has is offered to nobody: it comes
    back to its player, who has missed nothing."""
    sleeper = table.terms.sleeper
    return ASLEEP_BY_DEFAULT if sleeper == OFFERED and time_of_substitute(work, table, seat) is not None else sleeper


def asleep_words(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """What it means for the holder of a seat that it is asleep, and what they can do."""
    means = _IS[fate_of(work, table, seat)]
    return (
        f"{seat.name} is asleep: the game does not wait for your orders, and {means}. Send orders, or write "
        f"{BACK} on a line of its own, and it is awake again."
    )


_WILL = {
    "default": "your seat falls asleep: the game waits for it no longer, and the rules act for it",
    "offer": "your seat falls asleep: the game waits for it no longer, and it is offered to others",
    "disorder": "your seat falls asleep: the game waits for it no longer, and it goes to civil disorder",
}
_IS = {
    "default": "the rules act for you",
    "offer": "others who stand by may take it over; until one of them says YES it is yours",
    "disorder": "it is in civil disorder",
}
