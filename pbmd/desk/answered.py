"""Which of our mails a letter may be an answer to, so that what it copies from them is not read as its own."""

from sqlalchemy import select
from sqlmodel import col

from pbmd.desk.work import Work
from pbmd.ledger.tables import Outbox, Seat
from pbmd.post.letter import Letter, may_copy

_MOST = 3
"""A thread may be long, but what mail programs copy is the mail that is answered, and the one before inside of it."""


def answered_mails(work: Work, seat: Seat, letter: Letter) -> list[bytes]:
    """The mails to this seat that the letter names as those it answers, else the last report; none for a letter that is
    too short to have a copy in it."""
    if not may_copy(letter):
        return []
    to_seat = select(col(Outbox.raw)).where(col(Outbox.seat_id) == seat.id)
    newest = col(Outbox.id).desc()
    if letter.references:
        named = to_seat.where(col(Outbox.message_id).in_(letter.references[-_REFERENCES:] + letter.references[:1]))
        if found := list(work.session.connection().execute(named.order_by(newest).limit(_MOST)).scalars()):
            return found
    report = to_seat.where(col(Outbox.recipient) == seat.address, col(Outbox.kind) == "report")
    return list(work.session.connection().execute(report.order_by(col(Outbox.queued_at).desc(), newest).limit(1)).scalars())


_REFERENCES = 20
