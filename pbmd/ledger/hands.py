"""Since when a seat has had its present holder."""

from sqlmodel import Session

from pbmd.ledger.entries.player_entries import HolderEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.tables import Game


def taken_over(session: Session, game: Game, seat: str) -> int:
    """The number of the journal entry by which a seat came to its present holder, 0 if it never changed hands."""
    holders = entries_of(session, game.id, HolderEntry)
    return max((change.number for change in holders if change.entry.seat == seat), default=0)
