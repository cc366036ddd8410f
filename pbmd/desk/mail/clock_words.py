"""What a mail says of the time that is left."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import Seat
from pbmd.rules.protocol import Wait
from pbmd.rules.words import listing
from pbmd.terms.times import calendar_of, describe_duration, describe_time, short_time

_NAMED = 3
"""Of more players whose move it is only the number is given."""


@dataclass(frozen=True, slots=True)
class ClockWords:
    """The deadline as a player reads it, and the time left; empty when no deadline runs, or none can be told of.

    While the clock stands nothing is counted down: the deadline is so long after the game goes on, or at least so long.

    In sequential games these are empty for a seat whose move it is not, and `who` tells who "is" or `are` to move, `until`
    until when; empty where there is nothing to tell. `due` is the deadline for a subject, `day` its day alone.
    """

    deadline: str = ""
    left: str = ""
    who: str = ""
    are: str = ""
    until: str = ""
    due: str = ""
    day: str = ""

    @property
    def ahead(self) -> str:
        """The time left, as it stands behind the deadline: in brackets unless the reader's own time of it already is."""
        apart = f", in {self.left}" if self.deadline.endswith(")") else f" (in {self.left})"
        return apart if self.left else ""


NO_CLOCK = ClockWords()


def clock_words(table: OpenGame, seat: Seat, now: datetime) -> ClockWords:
    """What the clock of a game says to a seat now."""
    own = table.own_deadline(seat)
    # Nothing is due in a game that cannot go on; what its game master has to say is sent all the same.
    if own is None or table.trouble:
        return NO_CLOCK
    if table.game.closed_at is not None:
        return ClockWords("as soon as all mail that has arrived is read, since the game master is ending this now")
    if table.ruleset.sequential and table.position is not None:
        awaited = table.awaiting
        if seat.name not in awaited:
            return _others_clock(table, awaited, seat.timezone, now)
    return _own_clock(table, seat, own, table.waiting_for(seat), table.deadline_of(seat) or own, now)


def deadline_words(work: Transaction, table: OpenGame, seat: Seat | None = None) -> str:
    """The deadline of a game, or of a seat, as shown to the game master."""
    at = (seat.deadline if seat else None) or table.game.deadline
    return describe_time(at, work.desk.settings.server.timezone) if at else "none"


def _others_clock(table: OpenGame, awaited: tuple[str, ...], timezone: str, now: datetime) -> ClockWords:
    """Who is to move, and until when: the last deadline if they differ."""
    deadlines = [at for name in awaited if (at := table.own_deadline(table.seat(name)))]
    if not deadlines:
        return NO_CLOCK
    last = max(deadlines)
    names = listing(awaited) if len(awaited) <= _NAMED else f"{len(awaited)} players"
    left = f", in {describe_duration(last - now)}" if last > now else ""
    until = _once_it_goes_on(table, last) or f"{describe_time(last, timezone)}{left}"
    return ClockWords(who=names, are="is" if len(awaited) == 1 else "are", until=until)


def _own_clock(table: OpenGame, seat: Seat, own: datetime, wait: Wait | None, deadline: datetime, now: datetime) -> ClockWords:
    if wait:
        if stands := _once_it_goes_on(table, own):
            return ClockWords(f"{wait.hours} h after the orders of {wait.on} are in, not before {stands}")
        return ClockWords(
            f"{wait.hours} h after the orders of {wait.on} are in, not before {describe_time(own, seat.timezone)}",
            f"at least {describe_duration(max(own - now, timedelta(hours=wait.hours)))}",
        )
    if stands := _once_it_goes_on(table, deadline):
        return ClockWords(stands)
    left = describe_duration(deadline - now) if deadline > now else ""
    due = short_time(deadline, seat.timezone)
    return ClockWords(describe_time(deadline, seat.timezone), left, due=due, day=" ".join(due.split()[:3]))


def _once_it_goes_on(table: OpenGame, deadline: datetime) -> str:
    """A deadline as it is told while the clock stands: it moves by as long as that, or on to the next slot of a calendar. Empty
    if the clock runs."""
    since = table.game.paused_at
    if since is None:
        return ""
    least = "at least " if calendar_of(table.step_terms.deadline) else ""
    return (
        f"{least}{describe_duration(deadline - since)} after the game resumes" if deadline > since else "when the game resumes"
    )
