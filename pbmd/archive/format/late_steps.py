"""Steps that were not resolved when all orders were in: late counts like early.

Whoever waits longer than the terms say gives those time who know of it. It proves nothing, since a host can have been off; so
it is told only where somebody has sent other orders in between.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbmd.archive.format.clock import early_end, terms_of
from pbmd.archive.format.salts import Shown
from pbmd.archive.format.sheets import moment
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.player_entries import OrdersEntry
from pbmd.ledger.entries.step_entries import CreatedEntry, ResolvedEntry, RolledBackEntry
from pbmd.terms.terms import Terms

CLOSED, PASSED, ALL_IN = "the game master decided so", "the deadline passed", "all orders were in"
"""The causes of a resolution in games where all send at once, as `pbmd.desk` has them."""
_LONG, _LONGEST = timedelta(hours=1), timedelta(days=1)
_WAITED_FOR = frozenset({"wait", "ready", "cancelled", "paused", "resumed", "closed", "shifted", "restored"})
"""The kinds of entries for which a step may rightly go on though all orders are in."""
_OPENS = frozenset({"started", "imported", "resolved", "rolled-back"})


@dataclass
class _Step:
    """The step that runs: since when, the first letter of each seat, all later ones, and whether it may wait."""

    opened: datetime
    first: dict[str, datetime] = field(default_factory=dict[str, datetime])
    later: list[tuple[str, datetime]] = field(default_factory=list[tuple[str, datetime]])
    may_wait: bool = False

    def take(self, kind: str, entry: Entry | None) -> None:
        """The next entry, while the step runs."""
        sent = entry.sealed if isinstance(entry, OrdersEntry) else None
        if sent is not None and sent.state == "filed":
            arrived = moment(sent.arrival)
            if self.first.setdefault(sent.seat, arrived) != arrived:
                self.later.append((sent.seat, arrived))
        elif entry is None or kind in _WAITED_FOR:
            self.may_wait = True


def late_steps(entries: Sequence[Shown], times: Sequence[datetime], *, waits: bool = False) -> Iterator[tuple[int, str]]:
    """The entries that resolved a step late, and what is to be told of it; with `waits` also where nobody sent in between, and
    it took more than a day."""
    created = next((entry for _, entry in entries if isinstance(entry, CreatedEntry)), None)
    terms, step = terms_of(created) if created else None, None  # pbmd verify reports what are no terms
    if terms is None or terms.phases or not terms.early:
        return
    for number, ((kind, entry), at) in enumerate(zip(entries, times, strict=False), start=1):
        if step:
            step.take(kind, entry)
        if step and isinstance(entry, ResolvedEntry) and entry.cause == ALL_IN and not step.may_wait:
            yield from ((number, words) for words in _late(step, at, terms, waits=waits))
        if kind in _OPENS:
            step = _Step(at, may_wait=kind == RolledBackEntry.kind)  # with orders in again, it waits for its deadline


def _late(step: _Step, resolved_at: datetime, terms: Terms, *, waits: bool) -> Iterator[str]:
    ready = early_end(terms, step.opened, max(step.first.values(), default=step.opened))
    sent = next(((seat, arrived) for seat, arrived in step.later if arrived >= ready + _LONG), None)
    told = f"all orders were in at {ready:%Y-%m-%d %H:%M} UTC, and the step was resolved at {resolved_at:%Y-%m-%d %H:%M} UTC"
    if sent is not None:
        yield f"{told}; in between, at {sent[1]:%Y-%m-%d %H:%M} UTC, {sent[0]} sent again"
    elif waits and resolved_at >= ready + _LONGEST:
        yield told
