"""Up to where all mail is known and dealt with: what every decision of the clock rests on.

Letters are dealt with in order of arrival, so this is a line in that order: what arrived before it counts, and what comes after
it need not be waited for. A letter that arrived in time is on this side of the line even if the daemon or the mail server was
down, and downtime only shifts the line.

A reading proves what arrived before it began, less `clock_tolerance_seconds` of the settings: the server's clock, which stamps
letters, may be behind ours. What is read while our clock is in doubt proves nothing.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import col, func, select

from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.books.hosts import mailboxes_read
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import Letter, LetterState, Mailbox, UnreadLetter
from pbmd.terms.times import EPOCH, describe_time

Place = tuple[datetime, int]
"""Where a letter stands among all others: its arrival and, for those of one second, its place in the mailbox."""
_SECOND = timedelta(seconds=1)
PATIENCE = timedelta(minutes=5)
"""So long a letter waits at most for those of other mailboxes that may have arrived before it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All mail that arrived until `read` is in the ledger, and dealt with up to the letter at `before`, if one still waits."""

    read: datetime
    before: Place | None = None

    @property
    def until(self) -> datetime:
        """Up to which instant all mail is known and dealt with."""
        return min(self.read, self.before[0]) if self.before else self.read

    def covers(self, instant: datetime) -> bool:
        """Whether all letters that arrived up to this instant are known, those of the second in which it falls, too."""
        return self.until >= second_after(instant)

    def is_past(self, instant: datetime, last: Place) -> bool:
        """Whether it is known what there was when nobody was awaited any more: at `instant`, or, if that is when the letter at
        `last` arrived, just after that letter."""
        if self.before is None or instant >= self.read:
            return instant < self.read
        return instant < self.before[0] or (last[0] == instant == self.before[0] and last < self.before)


def second_after(instant: datetime) -> datetime:
    """The first second whose letters come after this instant. Stamps have whole seconds, so that a letter of the second in
    which it falls counts as in time, wherever in that second it arrived."""
    return instant.replace(microsecond=0) + _SECOND


ALL_MAIL = datetime.max.replace(tzinfo=UTC)
"""As if the mailbox had been read for all time: to ask what comes before a letter, and not whether that is known."""
# Made once: putting a statement together takes longer than the ledger takes to answer.
_FIRST_UNREAD = (
    select(func.min(Letter.arrived_at))
    .join(UnreadLetter, col(UnreadLetter.letter_id) == Letter.id)
    .where(UnreadLetter.mailbox_id == Mailbox.id, col(UnreadLetter.given_up_at).is_(None))
    .correlate(Mailbox)
    .scalar_subquery()
)
"""When the first letter arrived that a reading has passed over and that is waited for."""
_READ_THROUGH = select(Mailbox.read_through, _FIRST_UNREAD).where(col(Mailbox.name).in_(bindparam("names", expanding=True)))
# Not with OR, by which SQLite would be led to the index over the games of all letters there are.
_FIRST_NEW = (
    select(Letter.arrived_at, Letter.uid)
    .where(Letter.state == LetterState.NEW, func.coalesce(Letter.game_id, bindparam("game")) == bindparam("game"))
    .order_by(col(Letter.arrived_at), col(Letter.uid))
    .limit(1)
)
_FIRST_OF_NOBODY = (
    select(Letter.arrived_at, Letter.uid)
    .where(Letter.state == LetterState.NEW, func.coalesce(Letter.game_id, 0) == 0)
    .order_by(col(Letter.arrived_at), col(Letter.uid))
    .limit(1)
)


def evidence_for(work: Transaction, table: OpenGame) -> Evidence | None:
    """Up to where all mail is dealt with that may be of this game; None if that cannot be said."""
    read = read_so_far(work)
    if read is None:
        return None
    first = work.session.connection().execute(_FIRST_NEW, {"game": table.id}).first()
    return Evidence(read, (first[0], first[1]) if first else None)


def read_so_far(work: Transaction) -> datetime | None:
    """Up to which instant, as the mail server stamps letters, all mail is in the ledger; None if that cannot be said."""
    # Only those that are read now: one of former settings would hold back all games for ever.
    names = mailboxes_read(work) if work.desk.host else (mailbox_name(work.desk),)
    rows = work.session.connection().execute(_READ_THROUGH, {"names": sorted(names)})
    times = [min(read, unread or read) for read, unread in rows if read]
    read = min(times) if len(times) == len(names) else None
    if read is None:
        return None
    # What a clock that ran ahead has written down is no evidence for anything; that of another host may be a little ahead.
    known = read - tolerance(work)
    return None if known > work.now else known


def in_order_until(work: Transaction) -> datetime | None:
    """Of letters that arrived up to then it is known that none is still to come which arrived before them, where several
    mailboxes feed the ledger: as far as all were read, and none is waited for longer than `PATIENCE`. None with one mailbox,
    which is read in order."""
    if len(mailboxes_read(work)) < 2:
        return None
    return max(read_so_far(work) or EPOCH, work.now - PATIENCE)


def due_until(work: Transaction) -> datetime | None:
    """Of games that are due later than this nothing can be known yet that they wait for: the mailbox was not read so far, or a
    letter of which nobody knows whose it is came before. None if that is so of all games."""
    read = read_so_far(work)
    if read is None:
        return None
    first = first_of_nobody(work)
    return min(work.now, (min(read, first[0]) if first else read) + tolerance(work))


def first_of_nobody(work: Transaction) -> Place | None:
    """The place of the first new letter of which nobody knows yet what game it is of; None if there is none."""
    first = work.session.connection().execute(_FIRST_OF_NOBODY).first()
    return (first[0], first[1]) if first else None


def tolerance(work: Transaction) -> timedelta:
    """By how much the server's clock, which stamps letters, may be behind ours."""
    return timedelta(seconds=work.desk.settings.imap.clock_tolerance_seconds)


def read_until(evidence: Evidence | None) -> str:
    """The evidence that a decision of the clock rests on, for the log."""
    return f"mailbox read until {describe_time(evidence.read, seconds=True)}" if evidence else ""
