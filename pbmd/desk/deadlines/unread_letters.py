"""Letters that were put aside since the mail server gives no text for them: deadlines wait for them, since they may hold
anybody's orders, and not for ever. After a day, or when the game master says so, that ends: an act of its own, in the log
before any deadline goes by without them, and in the cause of what goes by then.
"""

from datetime import timedelta

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.lost_mailboxes import give_up_lost_mailboxes
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.mail.alarms import alarm
from pbmd.ledger.tables import Letter, UnreadLetter, UtcDateTime
from pbmd.rules import Refused
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
    .order_by(col(Letter.id))
)


def give_up_waiting(desk: Desk) -> None:
    """Wait no longer for mailboxes that nobody reads any more, nor for letters that nobody can read."""
    give_up_lost_mailboxes(desk)
    give_up_unread_letters(desk)


def give_up_unread_letters(desk: Desk) -> None:
    """Wait no longer for letters that were waited for long enough and asked for to the last. To be called now and then by
    whoever looks after the games."""
    with Transaction(desk, reads=True) as work:
        if not _too_old(work) or doubt(work):
            return
    with Transaction(desk) as work:
        for unread in _too_old(work):
            _give_up(work, unread, "it was waited for long enough")


def give_up(work: Transaction, letter_id: int) -> None:
    """The game master says that no deadline is to wait for this letter any more. Raises `Refused`."""
    unread = work.session.get(UnreadLetter, letter_id)
    if unread is None:
        raise Refused(f"no deadline waits for letter {letter_id}: only for those whose text the mail server does not give")
    if unread.given_up_at is not None:
        raise Refused(f"letter {letter_id} is not waited for since {describe_time(unread.given_up_at)}")
    _give_up(work, unread, "the game master has said so")


def ask_soon(work: Transaction, letter_id: int) -> bool:
    """Have the server asked for this letter at the next reading; False if that is no letter without text."""
    unread = work.session.get(UnreadLetter, letter_id)
    if unread is None:
        return False
    unread.tried_at = EPOCH
    return True


def passed_over(work: Transaction, table: OpenGame) -> str:
    """The letters that arrived in this step and cannot be read, so that nobody knows whose they were; empty if there are
    none."""
    since = table.game.takes_from or table.game.opened_at or EPOCH
    found = work.session.connection().execute(_ARRIVED, {"since": since.replace(microsecond=0)}).all()
    named = ", ".join(f"letter {number} of {describe_time(at, seconds=True)}" for number, at in found)
    return f"without {named}, of which the mail server gives no text" if named else ""


def _too_old(work: Transaction) -> list[UnreadLetter]:
    waited = select(UnreadLetter).where(col(UnreadLetter.given_up_at).is_(None), UnreadLetter.aside_at <= work.now - WAITED_FOR)
    # One that was not asked for to the last may have its text by now.
    return [each for each in work.session.exec(waited) if each.tried_at >= each.aside_at + WAITED_FOR - 2 * ASKED_EVERY]


def _give_up(work: Transaction, unread: UnreadLetter, why: str) -> None:
    unread.given_up_at = work.now
    work.session.flush()
    letter = work.session.get(Letter, unread.letter_id)
    assert letter is not None
    detail = f"letter {letter.id}, which arrived {describe_time(letter.arrived_at, seconds=True)}: {why}"
    work.log("letter-given-up", detail=detail)
    alarm(work, "unread-given-up", detail, about=f"letter {letter.id}", lasts=False)
