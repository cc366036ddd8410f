"""What is told at once is gathered: news for one reader within a minute is one mail.

That mail is in the outbox at once, and is not due before its minute is over. News that comes meanwhile makes another, with all
of it, which takes its place in the transaction of what has caused the news. So it lasts as any mail in the outbox does, nothing
of it is lost, and nothing is sent twice: either the sender takes the mail or the next news does. What comes within the minute
is told by when it happened, and not by when pbmd came to it.
"""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, select, update
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import is_queued, mail_to_seat
from pbmd.ledger.journal import written_time
from pbmd.ledger.tables import UNSENT, Outbox, OutboxState, Seat, UtcDateTime
from pbmd.rules.words import counted

MINUTE = timedelta(minutes=1)
_WAITS = (UNSENT, col(Outbox.state) == OutboxState.QUEUED, col(Outbox.tries) == 0, col(Outbox.gathered) != "")
# Made once: putting a statement together takes longer than the ledger takes to answer.
_WAITING = (
    select(col(Outbox.id), col(Outbox.key), col(Outbox.gathered))
    .where(*_WAITS, col(Outbox.seat_id) == bindparam("seat"), col(Outbox.recipient) == bindparam("address"))
    .order_by(col(Outbox.id).desc())
    .limit(1)
    # What a sender takes at this moment goes out as it is.
    .with_for_update(skip_locked=True)
)
_DUE_NOW = (
    update(Outbox)
    .where(*_WAITS, col(Outbox.game_id) == bindparam("game"))
    .values(next_try_at=bindparam("now", type_=UtcDateTime), gathered="")
)


class _Waiting(NamedTuple):
    """A mail that waits for more: its place in the outbox, when its minute began, and what it tells so far."""

    id: int
    key: str
    began: datetime
    texts: tuple[str, ...]


def tell(work: Transaction, table: OpenGame, seat: Seat, texts: Sequence[str], key: str) -> None:
    """Mail this to the holder of a seat, each text a heading and lines below it, together with what else comes within a
    minute. `key` says what has caused it, so that it is told once."""
    waiting = _waiting(work, seat)
    if waiting is not None and (waiting.key == key or not waiting.began <= work.as_of < waiting.began + MINUTE):
        waiting = None
    began, told = (waiting.began, (*waiting.texts, *texts)) if waiting else (work.as_of, tuple(texts))
    heading, _, lines = "\n\n".join(told).partition("\n")
    values = {"game": table.game, "heading": heading, "lines": lines, "clock": clock_words(table, seat, work.now)}
    titles = (f"{heading}, and {counted(len(told) - 1, 'thing')} more",) if len(told) > 1 else ()
    draft = Draft(
        "notice",
        key,
        subject(table, *titles, heading),
        render("told_event.txt", values),
        owed=True,
        not_before=min(began, work.now) + MINUTE,
        gathered=compact_json({"began": written_time(began), "texts": told}),
    )
    mail_to_seat(work, table, seat, draft)
    if waiting is not None and is_queued(work, key):
        work.session.connection().execute(delete(Outbox).where(col(Outbox.id) == waiting.id))


def let_go(work: Transaction, table: OpenGame) -> None:
    """What waits is due now: it comes before the report that is made of the step, and is not mixed with news of the next."""
    work.write()
    work.session.connection().execute(_DUE_NOW, {"game": table.id, "now": work.now})


def _waiting(work: Transaction, seat: Seat) -> _Waiting | None:
    work.write_rows()
    row = work.session.connection().execute(_WAITING, {"seat": seat.id, "address": seat.address}).first()
    if row is None:
        return None
    kept: dict[str, Any] = json.loads(row.gathered)
    return _Waiting(row.id, row.key, datetime.fromisoformat(kept["began"]), tuple(kept["texts"]))
