"""In whose hands a seat is."""

import json

from sqlmodel import Session, select

from pbmd.ledger.tables import Game, JournalEntry


def taken_over(session: Session, game: Game, seat: str) -> int:
    """The number of the journal entry since which a seat is in the hands in which it is, 0 if it always was."""
    holders = select(JournalEntry.number, JournalEntry.public).where(
        JournalEntry.game_id == game.id, JournalEntry.kind == "holder"
    )
    return max((number for number, public in session.exec(holders) if json.loads(public)["seat"] == seat), default=0)
