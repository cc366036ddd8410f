"""When a mail server fails: how often to report it, and how long to wait before the next try."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path

from pbmd.files import keep_file

STEADY_SECONDS = 300.0
"""A server that works for less than this before it fails again has not recovered: the pauses keep growing."""


class Failure(Enum):
    """What failed: the seconds of the first and of the longest pause before the next try."""

    LOST = 1.0, 300.0
    """The connection."""
    PUT_OFF = 5.0, 900.0
    """The login, for a reason that should pass. If it is the password after all, seven tries in ten minutes and then four an
    hour lock no account."""
    REFUSED = 60.0, 3600.0
    """The login, or whatever we want from the server."""


def backoff(attempt: int, failure: Failure, *, jitter: float) -> float:
    """Seconds to wait before connecting again, after `attempt` (1, 2, …) such failures: each time twice as long, up to the
    longest. `jitter` from 0 to 1 adds up to a quarter, so that many clients of one server do not come back together.
    """
    first, most = failure.value
    doublings = min(max(attempt, 1) - 1, 16)
    return min(first * 2**doublings, most) * (1 + jitter / 4)


def weighed(failure: Failure, refusals: int) -> Failure:
    """A failure after refused logins: a server that has said that the password is wrong, and then that there were too many
    tries, has not taken back the first."""
    return Failure.REFUSED if failure is Failure.PUT_OFF and refusals else failure


@dataclass
class Outage:
    """The failures of one server in a row: when to report them, and how long to wait after each."""

    clock: Callable[[], float] = time.monotonic
    """Seconds by a monotonic clock."""
    jitter: Callable[[], float] = random.random
    failures: Counter[Failure] = field(default_factory=Counter[Failure])
    told: bool = False
    refusal_told: bool = False
    works_since: float | None = None

    @property
    def tries(self) -> int:
        """How many there were."""
        return self.failures.total()

    def begins(self, failure: Failure = Failure.LOST) -> bool:
        """Whether to report this failure: the first of an outage, and its first refused login."""
        refused = failure is Failure.REFUSED
        new = not self.refusal_told if refused else not self.told
        self.told = True
        self.refusal_told = self.refusal_told or refused
        return new

    def pause(self, failure: Failure = Failure.LOST) -> float:
        """Seconds to wait after one more failure; much longer when the server refused our login."""
        if self.works_since is not None and self.clock() - self.works_since >= STEADY_SECONDS:
            self.failures.clear()
        self.works_since = None
        failure = weighed(failure, self.failures[Failure.REFUSED])
        self.failures[failure] += 1
        return backoff(self.failures[failure], failure, jitter=self.jitter())

    def ends(self) -> bool:
        """Note that the server works again, and return whether to report that."""
        if self.works_since is None:
            self.works_since = self.clock()
        told, self.told, self.refusal_told = self.told, False, False
        return told


@dataclass(frozen=True, slots=True)
class Refusals:
    """The refused logins in a row, stored in a file for a process that is started for each look at the mailbox (cron)."""

    file: Path

    def again_at(self, now: datetime) -> datetime | None:
        """When the next login may be tried; None for at once."""
        count, failure, last = self._kept()
        if last is None or last > now:  # the clock was set back, so nobody can say how long ago it was
            return None
        again = last + timedelta(seconds=backoff(count, failure, jitter=0.0))
        return again if again > now else None

    def note(self, now: datetime, failure: Failure = Failure.REFUSED) -> int:
        """Note one more, just now, and return how many there are of its kind."""
        before, kind, _ = self._kept()
        failure = weighed(failure, before if kind is Failure.REFUSED else 0)
        count = before + 1 if kind is failure else 1
        keep_file(self.file, json.dumps({"refused": count, "kind": failure.name, "last": now.isoformat()}).encode())
        return count

    def forget(self) -> None:
        """Note that a login was not refused."""
        self.file.unlink(missing_ok=True)

    def _kept(self) -> tuple[int, Failure, datetime | None]:
        try:
            kept = json.loads(self.file.read_bytes())
            kind = Failure[kept.get("kind", Failure.REFUSED.name)]  # version 1.0.0 wrote none
            last = datetime.fromisoformat(kept["last"])
            return int(kept["refused"]), kind, last if last.tzinfo else None
        except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            return 0, Failure.REFUSED, None  # none, or cut short by a crash; the next refusal rewrites it
