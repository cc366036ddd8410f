"""Mail that deadlines wait for, and at some time no longer: letters that came in time may lie in a mailbox that nobody reads
any more, or here without their text. After a day the wait ends. It is an act of its own, in the log before any deadline goes by
without that mail.
"""

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.hosts import lost_mailboxes
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.deadlines.unread_letters import end_waiting, waited_for_long_enough
from pbmd.desk.mail.alarms import alarm
from pbmd.ledger.sharing import names_of_hosts
from pbmd.terms.times import describe_time


def give_up_waiting(desk: Desk) -> None:
    """Wait no longer for mailboxes that nobody reads any more, nor for letters that nobody can read. To be called now and then
    by whoever looks after the games."""
    give_up_lost_mailboxes(desk)
    give_up_unread_letters(desk)


def give_up_lost_mailboxes(desk: Desk) -> None:
    """Wait no longer for mailboxes whose only readers are hosts that are not there any more, and tell the game master."""
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


def give_up_unread_letters(desk: Desk) -> None:
    """Wait no longer for letters whose text the mail server does not give, and tell the game master."""
    with Transaction(desk, reads=True) as work:
        if not waited_for_long_enough(work) or doubt(work):
            return
    with Transaction(desk) as work:
        for unread in waited_for_long_enough(work):
            end_waiting(work, unread, "it was waited for long enough")
