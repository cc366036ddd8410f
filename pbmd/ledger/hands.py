"""Since when a seat has had its present holder."""

import json

from sqlmodel import Session, select

from pbmd.ledger.tables import Game, JournalEntry


def taken_over(session: Session, game: Game, seat: str) -> int:
    """The number of the journal entry by which a seat came to its present holder, 0 if it never changed hands."""
    holders = select(JournalEntry.number, JournalEntry.public).where(
        JournalEntry.game_id == game.id, JournalEntry.kind == "holder"
    )
    return max((number for number, public in session.exec(holders) if json.loads(public)["seat"] == seat), default=0)
