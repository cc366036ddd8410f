"""What is written down of readings of the mailbox: only what a decision rests on, and now and then the rest, which a person may
want to know, and which an alarm is about."""

import time

from sqlmodel import col, func, select

from pbmd.daemon.rest import next_due
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.tables import Letter, LetterState

SELDOM_SECONDS = 300.0
# Not with `game_id`, by which SQLite would be led to the index over the games of all letters there are.
_WAITS = select(Letter.id).where(col(Letter.state) == LetterState.NEW, func.coalesce(Letter.game_id, 0) != 0).limit(1)
"""A letter that came has no game until it is dealt with, or waits for the mailbox to be read further."""


class NotedEvidence:
    """The readings of one daemon. Those who share a ledger wait for each other's, and write down each."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        alarm = desk.settings.alarms.mailbox_minutes * 60.0 / 3
        self.seldom = min(SELDOM_SECONDS, alarm or SELDOM_SECONDS)
        self._noted = float("-inf")

    def is_wanted(self) -> bool:
        """Whether that the mailbox was read is to be written down: something is due that waits for it, or letters wait for it,
        or it was not written down for long."""
        now = time.monotonic()
        if not self._desk.host and now - self._noted < self.seldom and not self._is_waited_for():
            return False
        self._noted = now
        return True

    def _is_waited_for(self) -> bool:
        due = next_due(self._desk)
        if due is not None and due <= self._desk.now():
            return True
        with Transaction(self._desk, reads=True) as work:
            return work.session.exec(_WAITS).first() is not None
