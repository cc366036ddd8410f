"""Which of our mails a letter may be an answer to, so that what it copies from them is not read as its own."""

from sqlalchemy import bindparam, select
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import Outbox, Seat
from pbmd.post.read.letter import Letter, may_copy

_MOST = 3
"""A thread may be long, but what mail programs copy is the mail that is answered, and the one before inside of it."""
_REFERENCES = 20
_KEPT = select(col(Outbox.raw)).where(col(Outbox.raw) != b"")
_TO_SEAT = _KEPT.where(col(Outbox.seat_id) == bindparam("seat"))
_NEWEST = col(Outbox.id).desc()
# Made once: putting a statement together takes longer than the ledger takes to answer.
_IS_NAMED = col(Outbox.message_id).in_(bindparam("ids", expanding=True))
_NAMED = _TO_SEAT.where(_IS_NAMED).order_by(_NEWEST).limit(_MOST)
_REPORT = (
    _TO_SEAT.where(col(Outbox.recipient) == bindparam("to"), col(Outbox.kind) == "report")
    .order_by(col(Outbox.queued_at).desc(), _NEWEST)
    .limit(1)
)
_TO_ADDRESS = _KEPT.where(col(Outbox.recipient) == bindparam("to"))
_NAMED_TO_ADDRESS = _TO_ADDRESS.where(_IS_NAMED).order_by(_NEWEST).limit(_MOST)
_LAST_TO_ADDRESS = _TO_ADDRESS.order_by(col(Outbox.queued_at).desc(), _NEWEST).limit(_MOST)
_TO_GM = _KEPT.where(col(Outbox.game_id) == bindparam("game"), col(Outbox.recipient) == bindparam("to"))
_NAMED_TO_GM = _TO_GM.where(_IS_NAMED).order_by(_NEWEST).limit(_MOST)


def answered_mails(work: Transaction, seat: Seat, letter: Letter) -> list[bytes]:
    """The mails to this seat that the letter names as those it answers, else the last report; none for a letter that is
    too short to have a copy in it."""
    if not may_copy(letter):
        return []
    ledger = work.session.connection()
    if letter.references:
        ids = letter.references[-_REFERENCES:] + letter.references[:1]
        if found := list(ledger.execute(_NAMED, {"seat": seat.id, "ids": ids}).scalars()):
            return found
    return list(ledger.execute(_REPORT, {"seat": seat.id, "to": seat.address}).scalars())


def answered_of_gm(work: Transaction, table: OpenGame, letter: Letter) -> list[bytes]:
    """The same for a letter of the game master: the mails to them about the game that it names."""
    if not may_copy(letter) or not letter.references:
        return []
    ids = letter.references[-_REFERENCES:] + letter.references[:1]
    which = {"game": table.id, "to": work.desk.settings.server.gm, "ids": ids}
    return list(work.session.connection().execute(_NAMED_TO_GM, which).scalars())


def answered_of_anybody(work: Transaction, letter: Letter) -> list[bytes]:
    """The same for a letter that shows no seat: the mails to its sender's address that it names, else the last ones."""
    if not may_copy(letter) or not letter.sender:
        return []
    ledger, ids = work.session.connection(), letter.references[-_REFERENCES:] + letter.references[:1]
    named = list(ledger.execute(_NAMED_TO_ADDRESS, {"to": letter.sender, "ids": ids}).scalars()) if ids else []
    return named or list(ledger.execute(_LAST_TO_ADDRESS, {"to": letter.sender}).scalars())
