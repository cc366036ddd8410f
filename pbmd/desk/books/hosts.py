"""The hosts that work on one ledger: each says now and then that it is there, with its version and its key."""

import socket
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from sqlmodel import col, select

from pbmd import __version__
from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.server_key import key_digest
from pbmd.desk.books.work import Work
from pbmd.ledger.tables import Host

LATELY = timedelta(minutes=5)
"""Who has said so within this time is there: it is said once a minute."""
_READ_WITHIN = timedelta(days=1)
"""So long a mailbox is waited for that only a host reads which is not there any more: letters in it may have come in time."""
_SHOWN_FOR = timedelta(days=7)


def say_we_are_here(desk: Desk, does: str) -> None:
    """Note that this host works on the ledger, and what it does (``run``). A ledger of one host needs no such note."""
    if not desk.host:
        return
    with Work(desk) as work:
        work.session.merge(Host(
            name=desk.host, does=does, hostname=socket.gethostname(), version=__version__, key=key_digest(desk.key),
            mailbox="" if does == "worker" else mailbox_name(desk), seen_at=work.now,
        ))  # fmt: skip


def hosts_here(work: Work, within: timedelta = _SHOWN_FOR) -> Sequence[Host]:
    """Who has worked on the ledger within that time, by hostname."""
    order = (col(Host.hostname), col(Host.name), col(Host.does))
    return work.session.exec(select(Host).where(col(Host.seen_at) > work.now - within).order_by(*order)).all()


def mailboxes_read(work: Work) -> frozenset[str]:
    """The mailboxes that feed the ledger: that of this host, and those of hosts that were there within a day."""
    ours = mailbox_name(work.desk)
    if not work.desk.host:
        return frozenset((ours,))
    theirs = select(Host.mailbox).where(col(Host.seen_at) > work.now - _READ_WITHIN, Host.mailbox != "")
    return frozenset((ours, *work.session.exec(theirs)))


def names_of_hosts(hosts: Sequence[Host]) -> dict[str, str]:
    """What to call each host: its hostname, and the beginning of its own name if another has the same."""
    hostnames = {host.name: host.hostname for host in hosts}
    often = Counter(hostnames.values())
    return {name: f"{hostname} ({name[:6]})" if often[hostname] > 1 else hostname for name, hostname in hostnames.items()}


def on_host(work: Work, host: str, words: str) -> str:
    """Words about a host: ``it was set 2 h ahead``, ``on alpha it was set 2 h ahead`` if there are several."""
    names = names_of_hosts(work.session.exec(select(Host)).all()) if host else {}
    return words if len(names) < 2 else f"on {names.get(host, host[:6])} {words}"
