"""When the next step is due: the rule, the first deadline, and the one after a step."""

from datetime import datetime

from pbmd.desk.books.work import Table
from pbmd.terms.quiet_days import allowed
from pbmd.terms.terms import BY_RULES
from pbmd.terms.times import next_deadline


def deadline_rule(table: Table) -> str:
    """The rule for the deadline of the step that begins now: the game's, or what the rules recommend."""
    hours = table.ruleset.hours
    return f"{hours(table.position)}h" if table.terms.deadline == BY_RULES and hours else table.terms.deadline


def first_deadline(table: Table, now: datetime) -> datetime:
    """The deadline of a step that follows no other."""
    return allowed(table.terms, next_deadline(deadline_rule(table), now))


def following_deadline(rule: str, now: datetime, last: datetime | None) -> datetime:
    """The next step's deadline. A calendar rule goes on after the last deadline, so that an early resolution never
    leaves less time than the rule promises."""
    calendar = rule.strip().lower().startswith("every")
    return next_deadline(rule, max(now, last) if calendar and last else now)
