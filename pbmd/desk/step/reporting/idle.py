"""A seat with nothing to do in a phase of a turn: its report is mailed without pictures, and says so first.

Its own order form shows that it has nothing to do; what comes next, and when that ends at the latest, is for everybody: so it
learns nothing about others.
"""

from collections.abc import Set

from pbmd.desk.books.carried_out import START, Tick
from pbmd.desk.books.transaction import OpenGame
from pbmd.desk.mail.clock_words import ClockWords
from pbmd.ledger.tables import called_briefly


def idle_seats(table: OpenGame, tick: Tick, awaited: Set[str]) -> frozenset[int]:
    """The numbers of the seats that have nothing to do in the step that begins now: it is a phase in which they are not among
    the `awaited`, and could not order anything anyway. The beginning and the end of a game are for everybody."""
    rules = table.ruleset
    if rules.sequential or not table.game.step_name or tick.step == START or tick.outcome is not None:
        return frozenset()
    others = [seat for seat in table.seats if seat.name not in awaited]
    return frozenset([seat.number for seat in others if not _offers_any(rules.order_form(tick.position, seat.name))])


def _offers_any(form: str) -> bool:
    """Whether an order form has more than remarks."""
    return any(line.strip() and not line.startswith("##") for line in form.splitlines())


def idle_words(table: OpenGame, clock: ClockWords, *, has_map: bool) -> str:
    """The first words of the mail."""
    ends = f" It ends by {clock.deadline}{clock.ahead}." if clock.deadline else ""
    now = f"You have nothing to do in {table.game.step_called}.{ends}"
    return f"{now} The map is left out: REPORT sends it." if has_map else now


def idle_headlines(tick: Tick) -> tuple[str, ...]:
    """The same for the subject, with the report's headline if there is room for it."""
    words = "nothing to do"
    return f"{words}; {called_briefly(tick.turn, tick.name)}: what happened", words
