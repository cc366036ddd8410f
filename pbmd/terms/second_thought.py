"""How long a turn stays open after the last orders, where nobody has said it: by the time from one deadline to the next."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from pbmd.terms.terms import BY_RULES
from pbmd.terms.times import next_deadline

_PART = 24
"""So many times as long is a turn: an hour of a day, three of three days."""
_LONGEST = timedelta(hours=6)
_OF_RULES = timedelta(hours=1)
"""Where the rules recommend another time for each step; the shortest is mostly a day."""
_MINUTE = timedelta(minutes=1)
_A_MONDAY = datetime(2026, 1, 5, tzinfo=UTC)


def second_thought_of(rule: str) -> str:
    """The pause after the last orders that goes with a deadline rule, in whole minutes, as a length of time is written. Raises
    `TimeError`."""
    pause = _OF_RULES if rule == BY_RULES else min(_shortest_turn(rule) // _PART, _LONGEST)
    minutes = pause // _MINUTE
    return f"{minutes // 60}h" if minutes and minutes % 60 == 0 else f"{minutes}m"


def _shortest_turn(rule: str) -> timedelta:
    """The shortest time from one deadline to the next in a week."""
    deadlines = [next_deadline(rule, _A_MONDAY)]
    while deadlines[-1] < deadlines[0] + timedelta(days=7):
        deadlines.append(next_deadline(rule, deadlines[-1]))
        if not rule.strip().lower().startswith("every"):
            break
    return min(after - before for before, after in pairwise(deadlines))
