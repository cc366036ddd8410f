"""One pass over everything, for cron."""

import logging
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from functools import partial

from pbmd.daemon.heartbeat import PATIENCE_SECONDS, work_pass, write_log
from pbmd.daemon.installation import AlreadyRunning, only_one
from pbmd.daemon.parts import Parts
from pbmd.daemon.pass_steps import PassSteps
from pbmd.daemon.refusals import REFUSALS, SMTP_REFUSALS, LoginWaits, SenderWaits, failure
from pbmd.daemon.sign import give_back, hold, lock_of
from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.hosts import say_we_are_here
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.desk.due.abandoned_mail import give_up_waiting
from pbmd.desk.due.outages import note_unreadable
from pbmd.desk.ingest import ask_again, read_mailbox, tidy_again
from pbmd.desk.mail.alarms import WATCHED_BY_EACH, watch
from pbmd.desk.publish.archives import send_archives
from pbmd.desk.publish.dashboard import show
from pbmd.desk.publish.webhooks import post_news
from pbmd.desk.sending.batches import is_due
from pbmd.desk.sending.rate import Pace
from pbmd.desk.sending.sender import new_pace, recover, send_due, write_unwritten
from pbmd.desk.unreadable.looks import found_aside, look_now_and_then
from pbmd.desk.upkeep.backups import back_up_if_due
from pbmd.desk.upkeep.daily_look import look_daily
from pbmd.post.imap.connection import InboxLost, LoginRefused
from pbmd.post.imap.inbox import Inbox
from pbmd.post.imap.lock import Lock, MailboxTaken
from pbmd.post.outage import Failure, Refusals
from pbmd.post.smtp.client import Smtp, SmtpError

_log = logging.getLogger("pbmd.daemon")


def tick(desk: Desk) -> None:
    """One pass over everything, for cron. If several share a ledger, the parts of the others are left to them.

    Raises `AlreadyRunning`, `DamagedLedger`, and `InboxLost`, `LoginRefused`, `SmtpError` or whatever else went wrong after
    everything else was done.
    After refused logins the mailbox is left alone for as long as a daemon would, and so is an SMTP server that refuses our
    login or our mail. At the end the sign in the mailbox is taken away, so that a pbmd on another machine may follow at once.
    """
    inbox = Inbox(desk.settings.imap_account(), now=desk.now)
    with only_one(desk.settings.data) as installation, closing(inbox), _parts(desk) as parts:
        lock = lock_of(desk, installation)
        try:
            _tick(desk, inbox, lock, parts)
        finally:
            give_back(inbox, lock)


@contextmanager
def _parts(desk: Desk) -> Generator[Parts]:
    """The parts, kept while the pass lasts: if the database hears nothing of them, they become another's."""
    parts, stopping = Parts(desk.settings.database_url, mailbox_name(desk)), threading.Event()
    keeper = threading.Thread(target=parts.keep, args=(stopping, lambda: None), name="parts")
    keeper.start()
    try:
        yield parts
    finally:
        stopping.set()
        keeper.join()
        parts.give_back()


def _tick(desk: Desk, inbox: Inbox, lock: Lock, parts: Parts) -> None:
    # A row of the ledger may be to blame, and then the next step goes better.
    steps = PassSteps(desk, partial(found_aside, desk))
    steps.do(partial(look_now_and_then, desk))
    look_at_clock(desk)
    say_we_are_here(desk, "tick")
    recover(desk)
    steps.do(partial(look_daily, desk))
    trouble = steps.do(partial(_read, desk, inbox, lock)) if parts.mailbox.is_ours() else None
    if parts.games.is_ours():
        steps.do(partial(work_pass, desk, mail_waits=lambda: None))
        steps.do(partial(give_up_waiting, desk))
        steps.do(partial(watch, desk, kinds=("mailbox",)))
        steps.do(partial(back_up_if_due, desk))
        steps.do(partial(send_archives, desk))
    steps.do(partial(watch, desk, kinds=WATCHED_BY_EACH if parts.are_shared else ("disk", "log")))
    lost = steps.do(partial(_send, desk, parts)) if parts.outbox.is_ours() else None
    if parts.games.is_ours():
        steps.do(partial(watch, desk, kinds=("outbox",)))  # what has come since the last pass could only go out in this one
    steps.do(partial(write_log, desk))
    if parts.pages.is_ours():
        steps.do(partial(show, desk))
        steps.do(partial(post_news, desk))
    steps.end(is_told=trouble is not None or lost is not None)
    if lost is not None and trouble is not None:
        raise SmtpError(f"{lost}; nor could the mailbox be read: {trouble}") from lost
    if lost is not None:
        raise lost
    if trouble is not None:
        raise trouble


def _read(desk: Desk, inbox: Inbox, lock: Lock) -> InboxLost | LoginRefused | None:
    """Read the mailbox; returns what prevented it. Raises `AlreadyRunning`."""
    refusals = Refusals(desk.settings.data / REFUSALS)
    try:
        if again_at := refusals.again_at(desk.now()):
            raise LoginWaits(
                f"{inbox.account.host} has refused the login of {inbox.account.user}, which is tried again from "
                f"{again_at:%Y-%m-%d %H:%M:%S} UTC on; pbmd check tries it at once"
            )
        inbox.connect()
        refusals.forget()
        hold(desk, inbox, lock)
        read_mailbox(desk, inbox)
        ask_again(desk, inbox)
        tidy_again(desk, inbox)
    except MailboxTaken as problem:
        with Transaction(desk) as work:
            work.log("imap-taken", detail=str(problem))
        write_log(desk)
        raise AlreadyRunning(str(problem)) from None
    except LoginWaits as problem:
        return problem
    except LoginRefused as problem:
        note_unreadable(desk)
        if refusals.note(desk.now()) == 1:
            with Transaction(desk) as work:
                work.log("imap-refused", detail=str(problem))
        return problem
    except InboxLost as problem:
        note_unreadable(desk)
        kind = failure(problem)
        if kind is Failure.LOST or refusals.note(desk.now(), kind) == 1:
            with Transaction(desk) as work:
                work.log("imap-lost", detail=str(problem))
        return problem
    return None


def _send(desk: Desk, parts: Parts) -> SmtpError | None:
    """Send what is due; returns what prevented it."""
    pace = new_pace(desk)
    try:
        _send_unless_refused(desk, pace, lambda: not parts.outbox.is_held)
    except SmtpError as problem:
        return problem
    finally:
        write_unwritten(desk, pace, PATIENCE_SECONDS)
    return None


def _send_unless_refused(desk: Desk, pace: Pace, stopping: Callable[[], bool]) -> None:
    """Send what is due, unless the server has refused that, too, lately. Raises `SmtpError`, which is then in the log."""
    account, refusals = desk.settings.smtp_account(), Refusals(desk.settings.data / SMTP_REFUSALS)
    if not is_due(desk):
        return
    if again_at := refusals.again_at(desk.now()):
        raise SenderWaits(
            f"{account.host} has refused to take mail from pbmd, which is tried again from {again_at:%Y-%m-%d %H:%M:%S} UTC "
            "on; after pbmd check --send-to an address it is tried at once"
        )
    try:
        send_due(desk, lambda: Smtp(account), stopping, pace)
        refusals.forget()
    except SmtpError as problem:
        kind = failure(problem)
        if kind is Failure.LOST or refusals.note(desk.now(), kind) == 1:
            with Transaction(desk) as work:
                work.log("smtp-lost", detail=str(problem))
        raise
