"""When the next step is due: the rule, the first deadline, and the one after a step.

With the term `rules`, which a game has if nobody said anything and the rules recommend hours (`Ruleset.hours`), a step has so
many hours after the report that opens it. In a sequential game a step sets the game's deadline anew only if the turn changed or
a seat is newly awaited: where all may move in any order it goes on.
"""

from datetime import datetime

from pbmd.desk.books.transaction import OpenGame
from pbmd.terms.quiet_days import allowed
from pbmd.terms.terms import BY_RULES
from pbmd.terms.times import following_deadline


def deadline_rule(table: OpenGame) -> str:
    """The rule for the deadline of the step that begins now: the game's, or what the rules recommend."""
    hours = table.ruleset.hours
    return f"{hours(table.position)}h" if table.terms.deadline == BY_RULES and hours else table.terms.deadline


def first_deadline(table: OpenGame, now: datetime) -> datetime:
    """The deadline of a step that follows no other."""
    return deadline_after(table, now, None)


def deadline_after(table: OpenGame, now: datetime, last: datetime | None) -> datetime:
    """The deadline of a step that begins now, after one with the deadline `last`, on no quiet day."""
    return allowed(table.terms, following_deadline(deadline_rule(table), now, last, table.terms.promised_share))
