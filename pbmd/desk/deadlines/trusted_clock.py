"""Whether the clock of this machine can be trusted. As long as it is in doubt no deadline passes and nothing is resolved.

A clock that nobody can set (`Desk.steady`) runs beside it, so the one is ahead of the other by the same time for as long as the
machine is up. If that changes by more than `JUMP`, however often and by however little at a time, the clock was set; whether
it was wrong before or is wrong now, nobody here can say. The doubt ends by itself when the clock goes back to where it was, or
when the mail server's clock, which stamps the letters, agrees with it; else the game master ends it.

Each host that works on the ledger has a clock of its own: one that is in doubt stops what that host decides, and no other.

After a new start of the machine there is nothing to compare with. Then the clock is in doubt if it is behind what it was when
the mailbox was last read, or if the mail server's clock does not agree. Nothing is resolved before the mailbox was read, and
so not before the server was asked.

It is looked at once a minute, within a second of being set, and anew in each transaction that would let a deadline pass. The
clock that nobody can set is CLOCK_BOOTTIME, which is comparable within one boot of the machine; the mail server's is read off
the sign that says who reads the mailbox (`pbmd.post.imap.lock`).
"""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.hosts import on_host
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.tables import Clock
from pbmd.rules.protocol import Refused
from pbmd.terms.times import describe_duration

JUMP = timedelta(minutes=5)
"""Clocks that are put right a little are no news; one that changes by more than this is."""
# Made once and not a row of the session: it is asked in every transaction that moves a game.
_CLOCK = select(Clock.boot, Clock.ahead, Clock.doubted_at, Clock.doubt).where(col(Clock.host) == bindparam("host"))
_DOUBTED = select(Clock).where(col(Clock.doubted_at).is_not(None)).order_by(col(Clock.host))


def doubt(work: Transaction) -> str:
    """Why the clock of this host is not to be trusted just now, in words; empty if it is. Asked anew each time: a clock may
    jump between the last look at it and a decision."""
    clock = work.session.connection().execute(_CLOCK, {"host": work.desk.host}).first()
    if clock is None:
        return ""
    return clock.doubt if clock.doubted_at else jump(work.desk, clock.boot, clock.ahead)


def doubts(work: Transaction) -> str:
    """The same of the clocks of all hosts, for people to read."""
    found = [(work.desk.host, doubt(work)), *((clock.host, clock.doubt) for clock in doubted_elsewhere(work))]
    return "; ".join(on_host(work, host, words) for host, words in found if words)


def doubted_elsewhere(work: Transaction) -> Sequence[Clock]:
    """The clocks of other hosts that are in doubt."""
    return work.session.exec(_DOUBTED.where(col(Clock.host) != work.desk.host)).all()


def must_be_trusted(work: Transaction) -> None:
    """Raises `Refused` as long as the clock is in doubt."""
    if words := doubt(work):
        raise Refused(f"the clock of this machine is in doubt: {words}. If it is right, pbmd clock --confirm or CLOCK CONFIRM")


def ahead_of_steady(desk: Desk) -> float:
    """By how many seconds the clock is ahead of the one that nobody can set: always the same, unless it is set."""
    return desk.now().timestamp() - desk.steady()


def jump(desk: Desk, boot: str, ahead: float) -> str:
    """How the clock has jumped since it was last trusted; empty if it has not, or nobody can say."""
    seconds = ahead_of_steady(desk) - ahead
    if boot != desk.boot or abs(seconds) <= JUMP.total_seconds():
        return ""
    if not abs(seconds) < _MOST_SECONDS:
        return "what pbmd had noted of it is no time"
    return f"it was set {rounded(timedelta(seconds=seconds))} {'ahead' if seconds > 0 else 'back'}"


_MOST_SECONDS = 10_000 * 366 * 86_400.0
"""Longer than all times that can be written."""


def rounded(length: timedelta) -> str:
    """A length of time to the minute."""
    return describe_duration(timedelta(minutes=round(length / timedelta(minutes=1))))
