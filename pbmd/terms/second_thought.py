"""How long a turn stays open after the last orders if nobody has said so: a share of the time from one deadline to the next."""

from datetime import timedelta

from pbmd.terms.terms import BY_RULES
from pbmd.terms.times import EPOCH, calendar_of, next_deadline

_PART = 24
"""A turn is this many times as long: an hour of a day, three hours of three days."""
_LONGEST = timedelta(hours=6)
_OF_RULES = timedelta(hours=1)
"""For rules that recommend a time for each step; the shortest is mostly a day."""
_MINUTE = timedelta(minutes=1)


def second_thought_of(rule: str) -> str:
    """The pause after the last orders that goes with a deadline rule, in whole minutes, written as a duration. Raises
    `TimeError`."""
    pause = _OF_RULES if rule == BY_RULES else min(_shortest_turn(rule) // _PART, _LONGEST)
    minutes = pause // _MINUTE
    return f"{minutes // 60}h" if minutes and minutes % 60 == 0 else f"{minutes}m"


def _shortest_turn(rule: str) -> timedelta:
    """The shortest time from one deadline to the next."""
    calendar = calendar_of(rule)
    return calendar.promise if calendar else next_deadline(rule, EPOCH) - EPOCH
