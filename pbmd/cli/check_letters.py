"""What `pbmd check --letters` finds out: whether the letters that pbmd has not read can be fetched. Nothing is stored or
moved."""

from collections.abc import Iterator

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, select

from pbmd.cli.checks import Check
from pbmd.cli.symptoms import Symptom, more
from pbmd.desk.books.desk import mailbox_name, open_desk
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.damage import DamagedLedger, UnfitLedger
from pbmd.ledger.schema import WrongSchema
from pbmd.ledger.tables import Mailbox, UnreadLetter
from pbmd.post.imap.connection import InboxLost, LoginRefused, NoText
from pbmd.post.imap.fetched import Watermark
from pbmd.post.imap.inbox import Inbox
from pbmd.settings import Settings
from pbmd.terms.times import describe_time

NAME = "letters"
_MOST_NAMED = 10
_MEND = "look at it in the mailbox with a mail program, ask its writer to send it again, and take it out of the folder"


def check_letters(settings: Settings, after: int = 0) -> Iterator[Check]:
    """Fetch what is unread, of the messages above that UID: a line for each that the server does not give, and how many it
    does. Each of the first costs a connection, so a line says how many there are beyond some, and how to go on with them."""
    try:
        mark, aside = _read_so_far(settings, after)
    except (DamagedLedger, UnfitLedger, WrongSchema, SQLAlchemyError, OSError):
        yield Check(NAME, False, "not tried: the ledger does not open")
        return
    inbox = Inbox(settings.imap_account())
    try:
        inbox.connect()
        yield from _unread(inbox, mark, after)
        yield from _put_aside(inbox, aside)
    except (InboxLost, LoginRefused) as problem:
        hint = "it is trouble of the server and not of a letter: wait, or ask its provider"
        yield Check(NAME, False, str(problem), hint, more(Symptom.UNREADABLE))
    finally:
        inbox.close()


def _read_so_far(settings: Settings, after: int) -> tuple[Watermark, list[UnreadLetter]]:
    """How far the mailbox was read, and which of its letters above that UID were put aside."""
    desk = open_desk(settings)
    try:
        with Transaction(desk, reads=True) as work:
            box = work.session.exec(select(Mailbox).where(Mailbox.name == mailbox_name(desk))).first()
            if box is None:
                return Watermark(0, 0), []
            aside = select(UnreadLetter).where(UnreadLetter.mailbox_id == box.id, UnreadLetter.uid > after)
            return Watermark(box.uidvalidity, box.last_uid), [*work.session.exec(aside.order_by(col(UnreadLetter.uid)))]
    finally:
        desk.engine.dispose()


def _unread(inbox: Inbox, mark: Watermark, after: int) -> Iterator[Check]:
    given = refused = 0
    while refused < _MOST_NAMED:
        try:
            for batch in inbox.scan(mark, careful=True, above=after):
                given += len(batch)
                mark = Watermark(batch[-1].uidvalidity, batch[-1].uid)
            break
        except NoText as missing:
            refused += 1
            mark = Watermark(missing.uidvalidity, missing.uid)
            yield _cannot_be_had(missing)
    if given or not refused:
        yield Check(NAME, True, f"{given} unread, and can be fetched" if given else "none is unread")
    if refused == _MOST_NAMED and (left := inbox.count(mark)):
        yield _not_tried(left, "unread", mark.last_uid)


def _put_aside(inbox: Inbox, aside: list[UnreadLetter]) -> Iterator[Check]:
    for unread in aside[:_MOST_NAMED]:
        try:
            found = inbox.letter(unread.uidvalidity, unread.uid)
        except NoText as missing:
            yield _cannot_be_had(missing, f", which is letter {unread.letter_id} here and was put aside")
        else:
            told = "can be fetched now" if found else "is not in the folder any more"
            yield Check(NAME, True, f"letter {unread.letter_id}, which was put aside, {told}: pbmd will see that by itself")
    if left := len(aside[_MOST_NAMED:]):
        yield _not_tried(left, "put aside", aside[_MOST_NAMED - 1].uid)


def _not_tried(left: int, what: str, uid: int) -> Check:
    return Check(NAME, False, f"{left} more {what}, not tried", f"pbmd check --letters --after {uid} goes on with them")


def _cannot_be_had(missing: NoText, which: str = "") -> Check:
    when = "at an unknown time" if missing.is_estimated else describe_time(missing.arrived_at, seconds=True)
    told = f"message {missing.uid} of the folder{which}: {missing.why}; it arrived {when}"
    return Check(NAME, False, told, _MEND, more(Symptom.UNREADABLE))
