"""Our sign in the mailbox, which keeps a second pbmd away."""

import hmac
import logging
import socket

from sqlmodel import col, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.trusted_clock import ahead_of_steady
from pbmd.desk.ingest import note_clock, note_follows
from pbmd.desk.mail.alarms import alarm, all_clear
from pbmd.ledger.database import is_shared
from pbmd.ledger.tables import Alarm
from pbmd.post.imap.connection import InboxLost, LoginRefused
from pbmd.post.imap.inbox import Inbox
from pbmd.post.imap.lock import Installation, Lock

_log = logging.getLogger("pbmd.daemon")
CLOCK_MAY_DIFFER = 5.0
"""The clock may be corrected by this many seconds between two checks and still count as the same."""


def lock_of(desk: Desk, installation: str) -> Lock:
    """What we put into the mailbox to keep a second pbmd away. Processes that share a ledger, and its key, count as one: they
    settle among themselves which of them reads the mailbox."""
    if is_shared(desk.settings.database_url):
        return Lock(Installation(_name_of_all(desk.key), "", ""), of_several=True)
    return Lock(Installation(installation, socket.gethostname(), str(desk.settings.data.resolve())))


def _name_of_all(key: bytes) -> str:
    return hmac.digest(key, b"the sign in the mailbox", "sha256")[:8].hex()


def hold(desk: Desk, inbox: Inbox, lock: Lock) -> None:
    """Renew our sign in the mailbox, and compare our clock with the mail server's, unless ours was set meanwhile: then nobody
    knows which of the two times the server agrees with.

    If the connection is lost over the sign twice, and the folder can be opened for reading, it is read without the sign. Raises
    `MailboxTaken`, `InboxLost` and `LoginRefused`.
    """
    if lock.given_up:
        return
    before = ahead_of_steady(desk)
    if trouble := _lost_over_it(inbox, lock):
        lock.give_up()
        with Transaction(desk) as work:
            alarm(work, "sign", trouble)
        return
    _note_signed(desk)
    same = abs(ahead_of_steady(desk) - before) < CLOCK_MAY_DIFFER
    note_clock(desk, lock.server_ahead if same else None)
    if (other := lock.followed) is not None:
        note_follows(desk, other.by.host, other.by.data, other.put_at)


def _lost_over_it(inbox: Inbox, lock: Lock) -> str:
    """What went wrong if the sign cannot be put up though the mailbox can be read; empty if it is up. Raises what `hold`
    does."""
    trouble = ""
    for _ in range(2):
        try:
            inbox.hold(lock)
        except InboxLost as problem:
            trouble = str(problem)
            inbox.connect()
        else:
            return ""
    inbox.look()  # if that fails, too, the server is to blame and not the sign
    return trouble


def _note_signed(desk: Desk) -> None:
    with Transaction(desk, reads=True) as work:
        lasts = work.session.exec(select(Alarm.id).where(Alarm.kind == "sign", col(Alarm.ended).is_(None))).first()
    if lasts is not None:
        with Transaction(desk) as work:
            all_clear(work, "sign", "the sign is up again")


def give_back(inbox: Inbox, lock: Lock) -> None:
    """Take our sign away, over a new connection if the old one is gone."""
    if not lock.held:
        return
    try:
        try:
            inbox.release(lock, leaves_word=True)
        except InboxLost:
            inbox.connect()
            inbox.release(lock, leaves_word=True)
    except (InboxLost, LoginRefused) as problem:
        _log.warning("the sign in the mailbox could not be taken away, and keeps others out for an hour: %s", problem)
