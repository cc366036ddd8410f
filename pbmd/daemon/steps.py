"""The steps of a pass, each of which is done though another has failed."""

import logging
import sqlite3
from collections.abc import Callable
from typing import TypeVar

from pbmd.daemon.installation import AlreadyRunning
from pbmd.ledger.damage import UNUSABLE
from pbmd.rules.troubles import DEFECTS, place_of

_log = logging.getLogger("pbmd.daemon")
T = TypeVar("T")


class EndingError(Exception):
    """pbmd is about to end: what was not begun yet is left for its next start."""


_ENDS_ALL = (*UNUSABLE, sqlite3.Error, AlreadyRunning, EndingError)
"""The ledger cannot be used, another pbmd is at work, or this one ends."""


class Steps:
    """The steps of a pass, of which one that fails holds up none of the others: what went wrong first is raised at the end, and
    what else did is in the program's own log. `after_defect` is called when one fails of something else than the machine."""

    def __init__(self, after_defect: Callable[[], object] = lambda: None) -> None:
        self._after_defect = after_defect
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
                _log_trouble(problem)
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


def _log_trouble(problem: BaseException) -> None:
    if isinstance(problem, OSError):
        _log.error("%s; all else was done", problem)
    else:
        _log.error("a defect of pbmd (%s); all else was done", place_of(problem))
