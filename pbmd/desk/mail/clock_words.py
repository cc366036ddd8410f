"""What a mail says of the time that is left."""

from datetime import datetime, timedelta
from typing import Any

from pbmd.desk.books.deadlines import deadline_of, own_deadline, waiting_for
from pbmd.desk.books.work import Table
from pbmd.ledger.tables import Seat
from pbmd.terms.times import describe_duration, describe_time

_NAMED = 3
"""Of more players whose move it is only the number is given."""


def clock_words(table: Table, seat: Seat, now: Any) -> dict[str, str]:
    """The deadline as this player reads it, and the time left; empty words when no deadline runs, or none can be told of.

    In sequential games these are empty for a seat whose move it is not, and `who` tells who "is" or `are` to move, `until`
    until when; empty where there is nothing to tell.
    """
    own = own_deadline(table, seat)
    nothing = {"deadline": "", "left": "", "who": "", "are": "", "until": ""}
    # Nothing is due in a game that cannot go on; what its game master has to say is sent all the same.
    if own is None or table.trouble:
        return nothing
    if table.ruleset.sequential and table.position is not None:
        awaited = table.ruleset.awaiting(table.position)
        if seat.name not in awaited:
            return nothing | _others_clock(table, awaited, seat.timezone, now)
    return nothing | _own_clock(table, seat, own, now)


def _others_clock(table: Table, awaited: tuple[str, ...], timezone: str, now: Any) -> dict[str, str]:
    """Who is to move, and until when: the last deadline if they differ."""
    deadlines = [at for name in awaited if (at := own_deadline(table, table.seat(name)))]
    if not deadlines:
        return {}
    last = max(deadlines)
    names = ", ".join(awaited) if len(awaited) <= _NAMED else f"{len(awaited)} players"
    left = f", in {describe_duration(last - now)}" if last > now else ""
    return {"who": names, "are": "is" if len(awaited) == 1 else "are", "until": f"{describe_time(last, timezone)}{left}"}


def _own_clock(table: Table, seat: Seat, own: datetime, now: Any) -> dict[str, str]:
    if wait := waiting_for(table, seat):
        return {
            "deadline": f"{wait.hours} h after the orders of {wait.on} are in, not before {describe_time(own, seat.timezone)}",
            "left": f"at least {describe_duration(max(own - now, timedelta(hours=wait.hours)))}",
        }
    deadline = deadline_of(table, seat) or own
    return {
        "deadline": describe_time(deadline, seat.timezone),
        "left": describe_duration(deadline - now) if deadline > now else "",
    }
