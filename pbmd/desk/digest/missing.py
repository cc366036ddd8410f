"""How often seats have missed a deadline."""

import json
from collections import Counter

from sqlalchemy import bindparam, select
from sqlmodel import col

from pbmd.desk.books.work import Table, Work
from pbmd.ledger.tables import JournalEntry

EMPTY = "the seat is empty"
"""Why a deadline of a seat that nobody plays has passed."""
# Made once: putting a statement together takes longer than the ledger takes to answer.
_MISSED = select(col(JournalEntry.secret)).where(
    col(JournalEntry.game_id) == bindparam("game"), col(JournalEntry.kind) == "missed"
)


def times_missed(work: Work, table: Table) -> dict[str, int]:
    """How often each seat has missed a deadline in this game while somebody played it, by its name; those that never did are
    left out."""
    work.write_rows()
    entries = map(json.loads, work.session.connection().execute(_MISSED, {"game": table.id}).scalars())
    return dict(Counter(entry["seat"] for entry in entries if entry and entry["cause"] != EMPTY))
