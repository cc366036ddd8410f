"""What the benchmarks run in processes of their own: ``read``, ``acknowledge`` or ``daemon``, then a settings file."""

import sys
from pathlib import Path

from sqlmodel import select

from pbmd.daemon.heartbeat import seldom_look_for_garbage
from pbmd.daemon.threads import Daemon
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.ingest import read_mailbox
from pbmd.ledger.tables import Letter
from pbmd.post.imap.inbox import Inbox
from pbmd.post.read.letter import read_letter
from pbmd.settings import read_settings


def main(what: str, settings_file: Path) -> None:
    """Open the ledger and do what is asked."""
    desk = open_desk(read_settings(settings_file))
    if what == "daemon":
        daemon = Daemon(desk)
        daemon.handle_signals()
        daemon.run()
        return
    seldom_look_for_garbage()
    inbox = Inbox(desk.settings.imap_account())
    inbox.connect()
    read_mailbox(desk, inbox)
    inbox.close()
    if what == "acknowledge":
        from pbmd.desk.mailroom import process_letters  # a daemon loads it with the first letter

        process_letters(desk)
    else:
        _parse(desk)
    desk.engine.dispose()


def _parse(desk: Desk) -> None:
    """Read every letter, as the clerk does before it deals with one."""
    with Transaction(desk, reads=True) as work:
        for raw in work.session.exec(select(Letter.raw).execution_options(yield_per=500)):
            assert read_letter(raw).lines


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
