"""The steps of a pass, each of which is done though another has failed."""

import logging
import sqlite3
from collections.abc import Callable
from typing import TypeVar

from pbmd.daemon.installation import AlreadyRunning
from pbmd.desk.books.desk import Desk
from pbmd.desk.mail.alarms import tell_of_failure
from pbmd.ledger.damage import UNUSABLE
from pbmd.rules.troubles import DEFECTS, place_of

_log = logging.getLogger("pbmd.daemon")
T = TypeVar("T")


class EndingError(Exception):
    """pbmd is about to end: what was not begun yet is left for its next start."""


_ENDS_ALL = (*UNUSABLE, sqlite3.Error, AlreadyRunning, EndingError)
"""The ledger cannot be used, another pbmd is at work, or this one ends."""


class PassSteps:
    """The steps of a pass, of which one that fails holds up none of the others: what went wrong first is raised at the end, and
    of what else did the game master is told. `after_defect` is called when one fails of something else than the machine."""

    def __init__(self, desk: Desk, after_defect: Callable[[], object] = lambda: None) -> None:
        self._desk, self._after_defect = desk, after_defect
        self._first: BaseException | None = None

    def do(self, step: Callable[[], T]) -> T | None:
        """Do one of them; returns None if it fails. Raises what says that nothing can be done just now; then what went wrong
        before is only in the log."""
        try:
            return step()
        except _ENDS_ALL:
            self.end(is_told=True)
            raise
        except DEFECTS as problem:
            if self._first is None:
                self._first = problem
            else:
                tell_of_failure(self._desk, _log_trouble(problem))
            if not isinstance(problem, OSError):
                self._mend()
            return None

    def _mend(self) -> None:
        try:
            self._after_defect()
        except _ENDS_ALL:
            raise
        except DEFECTS as problem:
            _log_trouble(problem)

    def end(self, *, is_told: bool = False) -> None:
        """Raise what went wrong first, if anything did; if the caller raises something itself, it is only in the log then."""
        if self._first is not None and not is_told:
            raise self._first
        if self._first is not None:
            _log_trouble(self._first)


def _log_trouble(problem: BaseException) -> str:
    """Returns what is said of it; the text of a defect may tell secrets."""
    words = str(problem) if isinstance(problem, OSError) else place_of(problem)
    what = words if isinstance(problem, OSError) else f"a defect of pbmd ({words})"
    _log.error("%s; all else was done", what)
    return words
