"""The rows that a transaction gathers: how they are inserted, past the ORM, which would build an object for each, and in which
order, so that none waits for another's for ever."""

import json
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import insert, text
from sqlmodel import SQLModel

from pbmd.ledger.digests import must_be_digests
from pbmd.ledger.readable import Place, Read
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
from pbmd.terms.terms import Terms

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


def _must_be_entries(written: str) -> None:
    if not all(isinstance(each, dict) for each in json.loads(written)):
        raise TypeError


TEXTS: Mapping[Place, Read] = {
    ("game", "terms"): Terms.model_validate_json,
    ("game", "digests"): must_be_digests,
    ("game", "meanwhile"): _must_be_entries,
    ("seat", "timezone"): ZoneInfo,
}
"""How texts are read that are loaded with a game, and of which the ledger knows no more than that they are texts."""
