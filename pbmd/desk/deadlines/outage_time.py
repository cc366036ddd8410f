"""How much of the time before a deadline was taken by an outage of the mailbox."""

from datetime import datetime, timedelta

from pbmd.desk.books.transaction import OpenGame
from pbmd.terms.quiet_days import allowed
from pbmd.terms.times import parse_duration

LEAST_OUTAGE = timedelta(minutes=15)
"""What is shorter than this took nobody's chance to send orders and to read the answer."""
_MINUTE = timedelta(minutes=1)


def deadline_after_outage(table: OpenGame, outage: tuple[datetime, datetime], deadline: datetime) -> datetime:
    """When a deadline of the current step is after an outage, from when to when; the deadline itself if it does not move: if
    that took too little, or the step waits for no deadline."""
    game, terms = table.game, table.terms
    if game.opened_at is None or game.closed_at:
        return deadline
    began, ended = outage
    closing = deadline + terms.grace_time
    taken = min(ended, closing) - max(began, closing - parse_duration(terms.outage_window), game.opened_at)
    if taken < LEAST_OUTAGE:
        return deadline
    moved = max(deadline, ended) + taken
    at = moved + (-(moved - deadline) % _MINUTE)
    return deadline if at == deadline else allowed(terms, at)
