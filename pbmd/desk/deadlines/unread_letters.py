"""Letters that were put aside since the mail server gives no text for them: deadlines wait for them, since they may hold
anybody's orders, and not for ever. After a day (`pbmd.desk.due.abandoned_mail`), or when the game master says so
(`pbmd.desk.changes.letters_put_aside`), that ends: an act of its own, in the log before any deadline goes by without them, and
in the cause of what goes by then.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.alarms import alarm
from pbmd.ledger.tables import Letter, UnreadLetter, UtcDateTime
from pbmd.terms.times import EPOCH, describe_time

WAITED_FOR = timedelta(days=1)
"""So long deadlines wait for a letter that was put aside."""
ASKED_EVERY = timedelta(hours=1)
"""How often the server is asked for a letter as long as deadlines wait for it, and shortly before a deadline."""
LIES_UNREAD = (
    "A letter that came to this server meanwhile lies unread, since the mail server does not give its text. Nobody knows whose "
    "it is. If you had sent one that was not answered, tell the game master."
)
"""For the report of each player: whether it held orders, or newer ones, cannot be told."""
# Made once: putting a statement together takes longer than the ledger takes to answer.
_ARRIVED = (
    select(Letter.id, Letter.arrived_at)
    .join(UnreadLetter, col(UnreadLetter.letter_id) == Letter.id)
    .where(col(Letter.arrived_at) >= bindparam("since", type_=UtcDateTime))
    .order_by(col(UnreadLetter.letter_id))  # by that of the few: else SQLite looks at every letter there ever was
)


@dataclass(slots=True)
class PassedOver:
    """The slot of what was passed over since an instant: it is asked for each seat that misses a step."""

    since: dict[datetime, str] = field(default_factory=dict[datetime, str])


def passed_over(work: Transaction, table: OpenGame) -> str:
    """The letters that arrived in this step and cannot be read, so that nobody knows whose they were; empty if there are
    none."""
    since = (table.game.takes_from or table.game.opened_at or EPOCH).replace(microsecond=0)
    known = work.slot(PassedOver).since
    if since not in known:
        found = work.session.connection().execute(_ARRIVED, {"since": since}).all()
        named = ", ".join(f"letter {number} of {describe_time(at, seconds=True)}" for number, at in found)
        known[since] = f"without {named}, of which the mail server gives no text" if named else ""
    return known[since]


def waited_for_long_enough(work: Transaction) -> list[UnreadLetter]:
    """The letters that deadlines have waited for, and that were asked for to the last."""
    waited = select(UnreadLetter).where(col(UnreadLetter.given_up_at).is_(None), UnreadLetter.aside_at <= work.now - WAITED_FOR)
    # One that was not asked for to the last may have its text by now.
    return [each for each in work.session.exec(waited) if each.tried_at >= each.aside_at + WAITED_FOR - 2 * ASKED_EVERY]


def end_waiting(work: Transaction, unread: UnreadLetter, why: str) -> None:
    """No deadline waits for this letter any more, which the log and the game master are told."""
    unread.given_up_at = work.now
    work.session.flush()
    letter = work.session.get(Letter, unread.letter_id)
    assert letter is not None
    detail = f"letter {letter.id}, which arrived {describe_time(letter.arrived_at, seconds=True)}: {why}"
    work.log("letter-given-up", detail=detail)
    alarm(work, "unread-given-up", detail, about=f"letter {letter.id}", lasts=False)
