"""How fast mail may go out: in all, to one domain, and to a domain that accepts none at the moment.

Kept in memory while the process lives, since it is only about the last minutes; with it what the ledger does not know yet. What
went out within the last minute is looked up at the beginning, whoever has sent it. The caller provides the times.
"""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbmd.post.addresses import folded
from pbmd.post.smtp.client import Deferred, Result, Unknown

MINUTE = timedelta(minutes=1)
FAILURES = 3
"""After this many mails in a row that a domain did not accept, the others to it wait: else each would cost its time-out."""
_RESTS = (MINUTE, 5 * MINUTE, 15 * MINUTE)
LONGEST_REST = _RESTS[-1]


def domain_of(recipient: str) -> str:
    """The domain of an address, in lower case."""
    return folded(recipient.rpartition("@")[2])


@dataclass
class _Domain:
    handed: deque[datetime] = field(default_factory=deque[datetime])
    failures: int = 0
    rests: int = 0
    rest_until: datetime | None = None
    probe: int | None = None


@dataclass
class Pace:
    """What has been handed over lately. `null_refused`: the server does not accept the empty return path."""

    per_minute: int
    per_domain: int = 0
    null_refused: bool = False
    told: bool = False
    """The log says that the ceiling is reached."""
    unwritten: list[int] = field(default_factory=list[int])
    """Mails that the server has accepted while the ledger could not be written: they must not go out again."""
    _asked_at: datetime | None = None
    _handed: deque[datetime] = field(default_factory=deque[datetime])
    _domains: dict[str, _Domain] = field(default_factory=dict[str, _Domain])

    def clock_was_set_back(self, now: datetime) -> bool:
        """Whether it is earlier than at the last call; also possible at the first."""
        before, self._asked_at = self._asked_at, now
        return before is None or now < before

    def room(self, now: datetime) -> int:
        """How many more mails may be handed over now, to whomever."""
        _forget(self._handed, now)
        return self.per_minute - len(self._handed)

    def waits_until(self, domain: str, now: datetime) -> datetime | None:
        """Until when mail to a domain has to wait, None if it need not."""
        known = self._domains.get(domain)
        if known is None:
            return None
        if (rest_until := _rest(known, now)) is not None:
            return rest_until
        _forget(known.handed, now)
        return known.handed[0] + MINUTE if 0 < self.per_domain <= len(known.handed) else None

    def stops(self, domain: str, mail: int, now: datetime) -> datetime | None:
        """Until when a mail that was to go out has to wait, because its domain has accepted none since; None if it need not."""
        known = self._domains.get(domain)
        if known is None or known.failures < FAILURES or known.probe == mail:
            return None
        return max(_rest(known, now) or now, now + MINUTE)

    def hand(self, domain: str, mail: int, now: datetime) -> None:
        """The mail with that number is about to be handed over."""
        self._handed.append(now)
        if self.per_domain:
            self._domains.setdefault(domain, _Domain()).handed.append(now)
        known = self._domains.get(domain)
        if known is not None and known.failures >= FAILURES:
            # After a rest one mail tries; the others wait for its result.
            known.probe, known.rest_until = mail, now + MINUTE

    def remember(self, domain: str, at: datetime) -> None:
        """Before this pace began somebody handed a mail over; earlier ones must be passed in first."""
        self._handed.append(at)
        if self.per_domain:
            self._domains.setdefault(domain, _Domain()).handed.append(at)

    def give_back(self, domain: str, at: datetime) -> None:
        """A mail that was to be handed over at that time was not."""
        known = self._domains.get(domain)
        for handed in (self._handed, known.handed if known else deque[datetime]()):
            if at in handed:
                handed.remove(at)

    def note(self, domain: str, result: Result, now: datetime) -> None:
        """What became of a mail to this domain. If the problem is us, the domain is not blamed."""
        if isinstance(result, Deferred) and result.about_us:
            return
        if not isinstance(result, (Deferred, Unknown)):
            if (known := self._domains.get(domain)) is not None:
                known.failures, known.rests, known.rest_until, known.probe = 0, 0, None, None
            return
        known = self._domains.setdefault(domain, _Domain())
        known.failures += 1
        if known.failures >= FAILURES:
            known.rest_until = now + _RESTS[min(known.rests, len(_RESTS) - 1)]
            known.rests += 1


def _rest(known: _Domain, now: datetime) -> datetime | None:
    """Until when a domain rests; no rest is longer than the longest, unless the clock was set back meanwhile."""
    until = known.rest_until
    return until if until is not None and now < until <= now + LONGEST_REST else None


def _forget(handed: deque[datetime], now: datetime) -> None:
    # What was handed over later than now, was so before the clock was set back.
    while handed and not timedelta(0) <= now - handed[0] < MINUTE:
        handed.popleft()
