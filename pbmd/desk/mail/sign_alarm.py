"""Whether the sign is up that keeps a second pbmd away from the mailbox."""

from sqlmodel import col, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.work import Work
from pbmd.desk.mail.alarms import alarm, all_clear
from pbmd.ledger.tables import Alarm


def note_unsigned(desk: Desk, trouble: str) -> None:
    """The mailbox is read without the sign; `trouble` says why it could not be put up."""
    with Work(desk) as work:
        alarm(work, "sign", trouble)


def note_signed(desk: Desk) -> None:
    """The sign is up."""
    with Work(desk, reads=True) as work:
        lasts = work.session.exec(select(Alarm.id).where(Alarm.kind == "sign", col(Alarm.ended).is_(None))).first()
    if lasts is not None:
        with Work(desk) as work:
            all_clear(work, "sign", "the sign is up again")
