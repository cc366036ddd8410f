"""When a mail server fails: whom to tell how often, and how long to wait before the next try."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

STEADY_SECONDS = 300.0
"""A server that works for less than this before it fails again has not come back: the pauses go on growing."""


def backoff(attempt: int, *, refused: bool, jitter: float) -> float:
    """Seconds to wait before connecting again, after `attempt` (1, 2, …) failures in a row.

    1, 2, 4 … 300 s after a lost connection; 60, 120 … 3600 s after a refused login. `jitter` from 0 to 1 adds up to a quarter,
    so that many clients of one server do not come back together.
    """
    first, most = (60.0, 3600.0) if refused else (1.0, 300.0)
    doublings = min(max(attempt, 1) - 1, 16)
    return min(first * 2**doublings, most) * (1 + jitter / 4)


@dataclass
class Outage:
    """The failures of one server in a row: when to tell of them, and how long to wait after each."""

    clock: Callable[[], float] = time.monotonic
    """Seconds that only go forward."""
    jitter: Callable[[], float] = random.random
    tries: int = 0
    refusals: int = 0
    told: bool = False
    refusal_told: bool = False
    works_since: float | None = None

    def begins(self, *, refused: bool = False) -> bool:
        """Whether to tell of this failure: the first of an outage, and the first refused login of it."""
        new = not self.refusal_told if refused else not self.told
        self.told = True
        self.refusal_told = self.refusal_told or refused
        return new

    def pause(self, *, refused: bool = False) -> float:
        """Seconds to wait after one more failure; much longer when the server refused our login."""
        if self.works_since is not None and self.clock() - self.works_since >= STEADY_SECONDS:
            self.tries = self.refusals = 0
        self.works_since = None
        self.tries += 1
        self.refusals = self.refusals + 1 if refused else 0
        return backoff(self.refusals or self.tries, refused=refused, jitter=self.jitter())

    def ends(self) -> bool:
        """The server has done what it is for; whether to tell of that."""
        if self.works_since is None:
            self.works_since = self.clock()
        told, self.told, self.refusal_told = self.told, False, False
        return told
