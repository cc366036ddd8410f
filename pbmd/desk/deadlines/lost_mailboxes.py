"""A mailbox whose only readers are hosts that are not there any more: it is waited for, since letters may lie in it that came
in time, and given up after a day. That is an act of its own, in the log before any deadline goes by without that mailbox."""

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.hosts import lost_mailboxes
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.mail.alarms import alarm
from pbmd.ledger.sharing import names_of_hosts
from pbmd.terms.times import describe_time


def give_up_lost_mailboxes(desk: Desk) -> None:
    """Wait no longer for the mailboxes that were waited for long enough, and tell the game master. To be called now and then by
    whoever looks after the games."""
    if not desk.host:
        return
    with Transaction(desk, reads=True) as work:
        # By a clock that was set ahead the host would seem to be gone.
        if not lost_mailboxes(work) or doubt(work):
            return
    with Transaction(desk) as work:
        for mailbox, readers in lost_mailboxes(work).items():
            last = max(readers, key=lambda host: host.seen_at)
            name = names_of_hosts(readers)[last.name]
            detail = f"{mailbox}, last read by {name}, which was last heard of {describe_time(last.seen_at)}"
            for host in readers:
                host.mailbox = ""
            work.session.flush()
            work.log("mailbox-given-up", detail=detail)
            alarm(work, "given-up", detail, about=mailbox, lasts=False)
