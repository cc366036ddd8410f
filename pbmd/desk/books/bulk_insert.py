"""The rows that a transaction gathers: how they are inserted, past the ORM, which would build an object for each, and in which
order, so that none waits for another's for ever."""

from typing import Any

from sqlalchemy import insert, text
from sqlmodel import SQLModel

from pbmd.ledger.tables import (
    JournalEntry,
    LogLine,
    Outbox,
    Picture,
    PictureInMail,
    Report,
    StepPlayed,
    StepRecord,
    Submission,
)

# Made once: putting a statement together takes longer than the ledger takes to answer.
INSERTS: dict[type[SQLModel], Any] = {
    JournalEntry: insert(JournalEntry),
    Submission: insert(Submission),
    StepRecord: insert(StepRecord),
    StepPlayed: insert(StepPlayed),
    Report: insert(Report),
    Outbox: insert(Outbox),
    # Both databases that pbmd knows have this word for what is kept already.
    Picture: text("INSERT INTO picture (digest, data) VALUES (:digest, :data) ON CONFLICT DO NOTHING"),
    PictureInMail: insert(PictureInMail),
    LogLine: insert(LogLine),
}
KINDS = tuple(INSERTS)
"""In the order in which rows are written."""
PICTURES = (Picture, PictureInMail)
LAST = frozenset({*PICTURES, LogLine})
"""Where two who write beside each other write the same, one waits for the other's commit: so these come at the end."""
