"""When a mail server fails: whom to tell how often, and how long to wait before the next try."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

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


@dataclass(frozen=True, slots=True)
class Refusals:
    """The refused logins in a row, kept in a file for who is started anew for each look at the mailbox (cron)."""

    file: Path

    def again_at(self, now: datetime) -> datetime | None:
        """When the next login may be tried; None if at once."""
        count, last = self._kept()
        if last is None or last > now:  # the clock was set back: nobody can say how long ago it was
            return None
        again = last + timedelta(seconds=backoff(count, refused=True, jitter=0.0))
        return again if again > now else None

    def note(self, now: datetime) -> int:
        """One more, just now; how many there are."""
        count = self._kept()[0] + 1
        self.file.write_text(json.dumps({"refused": count, "last": now.isoformat()}))
        return count

    def forget(self) -> None:
        """A login was not refused."""
        self.file.unlink(missing_ok=True)

    def _kept(self) -> tuple[int, datetime | None]:
        try:
            kept = json.loads(self.file.read_bytes())
            return int(kept["refused"]), datetime.fromisoformat(kept["last"])
        except FileNotFoundError:
            return 0, None
        except (ValueError, TypeError, KeyError):  # cut short by a crash; the next refusal writes it anew
            return 0, None
