"""How doubt in the clock of a machine begins and ends (`trusted_clock` says whether there is any)."""

from datetime import timedelta

from sqlmodel import select

from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.trusted_clock import JUMP, ahead_of_steady, doubted_elsewhere, doubts, jump, rounded
from pbmd.desk.mail.alarms import alarm, all_clear
from pbmd.ledger.tables import Clock, Mailbox
from pbmd.rules.protocol import Refused
from pbmd.terms.times import describe_time

_CONFIRMS = "the game master says that it is right"
AGREES = timedelta(minutes=1)
"""The mail server's clock bears ours out if they differ by no more: its stamps have whole seconds, and it may be slow."""
_CONFIRMED = "confirmed"
"""In place of the start of a machine: the game master bears the clock of another host out, however it is set when that host
looks at it next."""


def look_at_clock(desk: Desk) -> None:
    """Notice a clock that has jumped, and one that is back: to be called often."""
    with Transaction(desk, reads=True) as work:
        clock = work.session.get(Clock, desk.host)
        same = clock is not None and clock.boot == desk.boot
        known = same or (clock is not None and clock.doubted_at is not None)
        if clock is not None and known and bool(clock.doubted_at) == bool(not same or jump(desk, clock.boot, clock.ahead)):
            return
    with Transaction(desk) as work:
        _look(work, _clock(work))


def _look(work: Transaction, clock: Clock) -> None:
    jumped = jump(work.desk, clock.boot, clock.ahead)
    if clock.boot == _CONFIRMED:
        _start_anew(work, clock)
        clock.proved = True
    elif clock.boot == work.desk.boot:
        if jumped and not clock.doubted_at:
            _begin_to_doubt(work, clock, jumped)
        elif clock.doubted_at and not jumped:
            _trust(work, clock, "it was set back to where it was")
    elif not clock.doubted_at:
        box = work.session.exec(select(Mailbox).where(Mailbox.name == mailbox_name(work.desk))).first()
        behind = box.read_through - work.now if box and box.read_through else timedelta(0)
        if behind > JUMP:
            _begin_to_doubt(work, clock, f"it is {rounded(behind)} behind the last reading of the mailbox")
        else:
            _start_anew(work, clock)


def server_says(desk: Desk, ahead: timedelta) -> None:
    """The mail server's clock was just found to be so far ahead of ours (or behind)."""
    with Transaction(desk, reads=True) as work:
        if _is_proved(desk, work.session.get(Clock, desk.host)):
            return
    with Transaction(desk) as work:
        clock = _clock(work)
        _look(work, clock)
        if clock.doubted_at:
            if abs(ahead) <= AGREES:
                _start_anew(work, clock)
                _trust(work, clock, "the mail server's clock agrees with it")
        elif abs(ahead) > JUMP and not clock.proved:
            how = "behind" if ahead > timedelta(0) else "ahead of"
            clock.boot = ""  # what it is ahead by now is nothing to come back to
            _begin_to_doubt(work, clock, f"it is {rounded(ahead)} {how} the mail server's")
        if not clock.doubted_at:
            clock.proved = True


def _is_proved(desk: Desk, clock: Clock | None) -> bool:
    """Whether a server's clock, or the game master, has borne ours out since the machine started, and it was not set since."""
    if clock is None or clock.boot != desk.boot or clock.doubted_at:
        return False
    return clock.proved and not jump(desk, clock.boot, clock.ahead)


def confirm(work: Transaction) -> str:
    """The game master says that the clocks are right as they are now, of whichever host; gives what was in doubt. Raises
    `Refused` if nothing was."""
    clock = _clock(work)
    _look(work, clock)
    words = doubts(work)
    if not words:
        raise Refused("the clock of this machine is not in doubt")
    for other in doubted_elsewhere(work):
        other.boot, other.proved = _CONFIRMED, True
        _trust(work, other, _CONFIRMS)
    if clock.doubted_at:
        _start_anew(work, clock)
        clock.proved = True
        _trust(work, clock, _CONFIRMS)
    return words


def _clock(work: Transaction) -> Clock:
    clock = work.session.get(Clock, work.desk.host)
    if clock is None:
        clock = Clock(host=work.desk.host, boot="", ahead=0.0)
        work.session.add(clock)
        work.session.flush()
    return clock


def _start_anew(work: Transaction, clock: Clock) -> None:
    clock.boot, clock.ahead, clock.proved = work.desk.boot, ahead_of_steady(work.desk), False
    work.session.flush()


def _begin_to_doubt(work: Transaction, clock: Clock, words: str) -> None:
    clock.doubted_at, clock.doubt = work.now, words
    work.session.flush()
    alarm(work, "clock", f"{words}; it shows {describe_time(work.now)} now")


def _trust(work: Transaction, clock: Clock, why: str) -> None:
    clock.doubted_at, clock.doubt = None, ""
    work.session.flush()
    all_clear(work, "clock", why, clock.host)
