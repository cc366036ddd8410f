"""Whether the clock of this machine can be trusted. As long as it is in doubt no deadline passes and nothing is resolved.

A clock that nobody can set (`Desk.steady`) runs beside it, so the one is ahead of the other by the same time for as long as the
machine is up. If that changes by more than `JUMP`, however often and by however little at a time, the clock was set; whether
it was wrong before or is wrong now, nobody here can say. The doubt ends by itself when the clock goes back to where it was, or
when the mail server's clock, which stamps the letters, agrees with it; else the game master ends it.

Each host that works on the ledger has a clock of its own: one that is in doubt stops what that host decides, and no other.

After a new start of the machine there is nothing to compare with. Then the clock is in doubt if it is behind what it was when
the mailbox was last read, or if the mail server's clock does not agree. Nothing is resolved before the mailbox was read, and
so not before the server was asked.
"""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.hosts import on_host
from pbmd.desk.books.work import Work
from pbmd.desk.mail.alarms import alarm, all_clear
from pbmd.ledger.tables import Clock, Mailbox
from pbmd.rules.protocol import Refused
from pbmd.terms.times import describe_duration, describe_time

_CONFIRMS = "the game master says that it is right"
JUMP = timedelta(minutes=5)
"""Clocks that are put right a little are no news; one that changes by more than this is."""
AGREES = timedelta(minutes=1)
"""The mail server's clock bears ours out if they differ by no more: its stamps have whole seconds, and it may be slow."""
_CONFIRMED = "confirmed"
"""In place of the start of a machine: the game master bears the clock of another host out, however it is set when that host
looks at it next."""
# Made once and not a row of the session: it is asked in every transaction that moves a game.
_CLOCK = select(Clock.boot, Clock.ahead, Clock.doubted_at, Clock.doubt).where(col(Clock.host) == bindparam("host"))
_DOUBTED = select(Clock).where(col(Clock.doubted_at).is_not(None)).order_by(col(Clock.host))


def doubt(work: Work) -> str:
    """Why the clock of this host is not to be trusted just now, in words; empty if it is. Asked anew each time: a clock may
    jump between the last look at it and a decision."""
    clock = work.session.connection().execute(_CLOCK, {"host": work.desk.host}).first()
    if clock is None:
        return ""
    return clock.doubt if clock.doubted_at else _jump(work.desk, clock.boot, clock.ahead)


def doubts(work: Work) -> str:
    """The same of the clocks of all hosts, for people to read."""
    found = [(work.desk.host, doubt(work)), *((clock.host, clock.doubt) for clock in _doubted_elsewhere(work))]
    return "; ".join(on_host(work, host, words) for host, words in found if words)


def _doubted_elsewhere(work: Work) -> Sequence[Clock]:
    """The clocks of other hosts that are in doubt."""
    return work.session.exec(_DOUBTED.where(col(Clock.host) != work.desk.host)).all()


def must_be_trusted(work: Work) -> None:
    """Raises `Refused` as long as the clock is in doubt."""
    if words := doubt(work):
        raise Refused(f"the clock of this machine is in doubt: {words}. If it is right, pbmd clock --confirm or CLOCK CONFIRM")


def look_at_clock(desk: Desk) -> None:
    """Notice a clock that has jumped, and one that is back: to be called often."""
    with Work(desk, reads=True) as work:
        clock = work.session.get(Clock, desk.host)
        same = clock is not None and clock.boot == desk.boot
        known = same or (clock is not None and clock.doubted_at is not None)
        if clock is not None and known and bool(clock.doubted_at) == bool(not same or _jump(desk, clock.boot, clock.ahead)):
            return
    with Work(desk) as work:
        _look(work, _clock(work))


def _look(work: Work, clock: Clock) -> None:
    jump = _jump(work.desk, clock.boot, clock.ahead)
    if clock.boot == _CONFIRMED:
        _start_anew(work, clock)
        clock.proved = True
    elif clock.boot == work.desk.boot:
        if jump and not clock.doubted_at:
            _begin_to_doubt(work, clock, jump)
        elif clock.doubted_at and not jump:
            _trust(work, clock, "it was set back to where it was")
    elif not clock.doubted_at:
        box = work.session.exec(select(Mailbox).where(Mailbox.name == mailbox_name(work.desk))).first()
        behind = box.read_through - work.now if box and box.read_through else timedelta(0)
        if behind > JUMP:
            _begin_to_doubt(work, clock, f"it is {_rounded(behind)} behind the last reading of the mailbox")
        else:
            _start_anew(work, clock)


def server_says(desk: Desk, ahead: timedelta) -> None:
    """The mail server's clock was just found to be so far ahead of ours (or behind)."""
    with Work(desk, reads=True) as work:
        if _is_proved(desk, work.session.get(Clock, desk.host)):
            return
    with Work(desk) as work:
        clock = _clock(work)
        _look(work, clock)
        if clock.doubted_at:
            if abs(ahead) <= AGREES:
                _start_anew(work, clock)
                _trust(work, clock, "the mail server's clock agrees with it")
        elif abs(ahead) > JUMP and not clock.proved:
            how = "behind" if ahead > timedelta(0) else "ahead of"
            clock.boot = ""  # what it is ahead by now is nothing to come back to
            _begin_to_doubt(work, clock, f"it is {_rounded(ahead)} {how} the mail server's")
        if not clock.doubted_at:
            clock.proved = True


def _is_proved(desk: Desk, clock: Clock | None) -> bool:
    """Whether a server's clock, or the game master, has borne ours out since the machine started, and it was not set since."""
    if clock is None or clock.boot != desk.boot or clock.doubted_at:
        return False
    return clock.proved and not _jump(desk, clock.boot, clock.ahead)


def confirm(work: Work) -> str:
    """The game master says that the clocks are right as they are now, of whichever host; gives what was in doubt. Raises
    `Refused` if nothing was."""
    clock = _clock(work)
    _look(work, clock)
    words = doubts(work)
    if not words:
        raise Refused("the clock of this machine is not in doubt")
    for other in _doubted_elsewhere(work):
        other.boot, other.proved = _CONFIRMED, True
        _trust(work, other, _CONFIRMS)
    if clock.doubted_at:
        _start_anew(work, clock)
        clock.proved = True
        _trust(work, clock, _CONFIRMS)
    return words


def _clock(work: Work) -> Clock:
    clock = work.session.get(Clock, work.desk.host)
    if clock is None:
        clock = Clock(host=work.desk.host, boot="", ahead=0.0)
        work.session.add(clock)
        work.session.flush()
    return clock


def ahead_of_steady(desk: Desk) -> float:
    """By how many seconds the clock is ahead of the one that nobody can set: always the same, unless it is set."""
    return desk.now().timestamp() - desk.steady()


def _jump(desk: Desk, boot: str, ahead: float) -> str:
    """How the clock has jumped since it was last trusted; empty if it has not, or nobody can say."""
    seconds = ahead_of_steady(desk) - ahead
    if boot != desk.boot or abs(seconds) <= JUMP.total_seconds():
        return ""
    return f"it was set {_rounded(timedelta(seconds=seconds))} {'ahead' if seconds > 0 else 'back'}"


def _rounded(length: timedelta) -> str:
    """A length of time to the minute."""
    return describe_duration(timedelta(minutes=round(length / timedelta(minutes=1))))


def _start_anew(work: Work, clock: Clock) -> None:
    clock.boot, clock.ahead, clock.proved = work.desk.boot, ahead_of_steady(work.desk), False
    work.session.flush()


def _begin_to_doubt(work: Work, clock: Clock, words: str) -> None:
    clock.doubted_at, clock.doubt = work.now, words
    work.session.flush()
    alarm(work, "clock", f"{words}; it shows {describe_time(work.now)} now")


def _trust(work: Work, clock: Clock, why: str) -> None:
    clock.doubted_at, clock.doubt = None, ""
    work.session.flush()
    all_clear(work, "clock", why, clock.host)
