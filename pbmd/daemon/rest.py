"""When the desk may rest: nothing was written to the ledger, nothing is due, and nobody has set the clock.

What is due is looked up once, after each pass. From then on a beat compares two clocks and looks at one file, which costs two
system calls. The desk looks at everything once a minute all the same, for what nobody has a time for.
"""

import time
from datetime import datetime

from sqlmodel import col, func, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.trusted_clock import ahead_of_steady
from pbmd.ledger.tables import UNSENT, Game, GameStatus, Outbox, Vote

LONGEST_SECONDS = 60.0
"""The longest rest: there are things without a time, such as letters whose players may be asked again tomorrow."""
CLOCK_SECONDS = 1.0
"""If the clock was set by more than this everything is looked at: what is due, and whether the clock is to be trusted."""
_GAME = select(func.min(Game.due_at)).where(Game.status == GameStatus.RUNNING, col(Game.due_at).is_not(None))
_VOTE = select(func.min(Vote.due_at)).where(col(Vote.due_at).is_not(None))
_DIGEST = select(func.min(Game.digest_at)).where(col(Game.digest_at).is_not(None))
_MAIL = select(func.min(Outbox.next_try_at)).where(UNSENT)


class Rest:
    """The desk's rest between two passes."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._ends = float("-inf")
        self._due: datetime | None = None
        self._ahead = 0.0

    def begin(self) -> None:
        """A pass has done everything that there was to do."""
        self._due, self._ahead = next_due(self._desk), ahead_of_steady(self._desk)
        self._ends = time.monotonic() + LONGEST_SECONDS

    def end(self) -> None:
        """There is something to do."""
        self._ends = float("-inf")

    @property
    def is_ended(self) -> bool:
        """Whether a pass is at work, or has failed: not all is done that there is to do."""
        return self._ends == float("-inf")

    def is_over(self) -> bool:
        """Whether it is time for the next pass."""
        is_due = self._due is not None and self._due <= self._desk.now()
        return time.monotonic() >= self._ends or is_due or self.clock_was_set()

    def clock_was_set(self) -> bool:
        """Whether the clock was set since the rest began, so that what was to wait may be due, of whatever kind."""
        return abs(ahead_of_steady(self._desk) - self._ahead) > CLOCK_SECONDS


def next_due(desk: Desk) -> datetime | None:
    """When something is due next in any game: its clock is to be looked at, a vote is over, its game master is to be told of
    news. None if nothing is."""
    with Transaction(desk, reads=True) as work:
        return min((at for each in (_GAME, _VOTE, _DIGEST) if (at := work.session.exec(each).first())), default=None)


def seconds_to_mail(desk: Desk) -> float:
    """How long it is until the next mail of the outbox is due, for whoever sends it: a minute at most."""
    with Transaction(desk, reads=True) as work:
        at = work.session.exec(_MAIL).first()
        return LONGEST_SECONDS if at is None else min(LONGEST_SECONDS, (at - work.now).total_seconds())
