"""How often seats have missed a deadline."""

import json
from collections import Counter

from sqlalchemy import bindparam, select
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import JournalEntry

EMPTY = "the seat is empty"
"""Why a deadline of a seat that nobody plays has passed."""
_HOLDER = "holder"
# Made once: putting a statement together takes longer than the ledger takes to answer.
_ENTRIES = (
    select(col(JournalEntry.kind), col(JournalEntry.secret))
    .where(col(JournalEntry.game_id) == bindparam("game"), col(JournalEntry.kind).in_(("missed", _HOLDER)))
    .order_by(col(JournalEntry.number))
)


def times_missed(work: Transaction, table: OpenGame) -> dict[str, int]:
    """How often whoever plays a seat now has missed a deadline in this game, by the name of the seat, if they ever did."""
    work.write_rows()
    times: Counter[str] = Counter()
    for kind, secret in work.session.connection().execute(_ENTRIES, {"game": table.id}):
        told = json.loads(secret)
        if told and kind == _HOLDER:
            del times[told["seat"]]
        elif told and told["cause"] != EMPTY:
            times[told["seat"]] += 1
    return dict(times)
