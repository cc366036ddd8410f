"""The entries of a journal by whose hash all who follow a game compare what they were told: those that begin and end its turns.

It is not the head at the time of the report: what comes behind it in the same transaction depends on the report, and whoever
has the journal alone must know which entry is meant.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from sqlmodel import Session, col, select

from pbmd.ledger.entries.step_entries import FinishedEntry, ImportedEntry, ResolvedEntry, RolledBackEntry, StartedEntry
from pbmd.ledger.tables import JournalEntry

TURN_ENTRIES = frozenset({StartedEntry.kind, ImportedEntry.kind, ResolvedEntry.kind, FinishedEntry.kind})
"""What a game begins with, what a step is resolved with, and its end, which stands for its last step."""


_BEGINNING = -1
Shown = TypeVar("Shown")


class TurnEntry(NamedTuple):
    """Number and hash of such an entry."""

    number: int
    hash: str


def last_turn_entry(session: Session, game_id: int | None) -> TurnEntry | None:
    """The one of the last report: None before the game begins, and after a step was taken back until the next is resolved. No
    report tells of the end of a game that was given up."""
    ends = select(JournalEntry.number, JournalEntry.hash, JournalEntry.kind, JournalEntry.public).where(
        JournalEntry.game_id == game_id, col(JournalEntry.kind).in_({*TURN_ENTRIES, RolledBackEntry.kind})
    )
    for number, digest, kind, public in session.exec(ends.order_by(col(JournalEntry.number).desc()).limit(2)):
        if kind != FinishedEntry.kind or not json.loads(public).get("abandoned"):
            return TurnEntry(number, digest) if kind in TURN_ENTRIES else None
    return None


def ends_of_steps(entries: Iterable[tuple[str, Mapping[str, Any], Shown]]) -> dict[int, Shown]:
    """Step → what is shown of its entry, from the kind and the public part of each. The end of the game stands for its last
    step, unless it was given up, of which no report tells."""
    ends, last = dict[int, Shown](), _BEGINNING
    for kind, public, shown in entries:
        if kind == ResolvedEntry.kind:
            last = public.get("step", last)
        if kind in TURN_ENTRIES and not public.get("abandoned"):
            ends[last if kind in (ResolvedEntry.kind, FinishedEntry.kind) else _BEGINNING] = shown
    return ends


def turn_entry_of(session: Session, game_id: int | None, step: int) -> TurnEntry | None:
    """The one of the report of a step; None if there is none."""
    kept = select(JournalEntry.number, JournalEntry.hash, JournalEntry.kind, JournalEntry.public).where(
        JournalEntry.game_id == game_id, col(JournalEntry.kind).in_(TURN_ENTRIES)
    )
    rows = session.exec(kept.order_by(col(JournalEntry.number)))
    return ends_of_steps((kind, json.loads(public), TurnEntry(number, digest)) for number, digest, kind, public in rows).get(
        step
    )
