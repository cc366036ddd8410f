"""The entries of a journal by whose hash all who follow a game compare what they were told: those that begin and end its turns.

It is not the head at the time of the report: what comes behind it in the same transaction depends on the report, and whoever
has the journal alone must know which entry is meant.
"""

import json
from typing import NamedTuple

from sqlmodel import Session, col, select

from pbmd.ledger.entries.step_entries import FinishedEntry, ImportedEntry, ResolvedEntry, RolledBackEntry, StartedEntry
from pbmd.ledger.tables import JournalEntry

TURN_ENTRIES = frozenset({StartedEntry.kind, ImportedEntry.kind, ResolvedEntry.kind, FinishedEntry.kind})
"""What a game begins with, what a step is resolved with, and its end, which stands for its last step."""


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
