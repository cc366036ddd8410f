"""The hosts that work on one ledger: each says now and then that it is there, with its version and its key."""

import json
import socket
from collections.abc import Mapping, Sequence
from datetime import timedelta

from sqlmodel import col, select

from pbmd import __version__
from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.server_key import key_digest
from pbmd.desk.books.transaction import Transaction
from pbmd.edition import ruleset_digest
from pbmd.ledger.sharing import SHOWN_FOR, hosts_since, names_of_hosts
from pbmd.ledger.tables import Game, GameStatus, Host
from pbmd.rules.registry import UnknownRuleset

LATELY = timedelta(minutes=5)
"""Who has said so within this time is there: it is said once a minute."""
_WAITED_FOR = timedelta(days=1)
"""So long a mailbox is waited for that only a host reads which is not there any more: letters in it may have come in time."""
Rulesets = Mapping[str, str | None]
"""Slug → the beginning of the digest of all that makes its games; None where it is not there or cannot be read."""
_DIGITS = 12
_LOADED = dict[str, str]()
"""Folder of a ruleset → what that was when this process first asked."""


def say_we_are_here(desk: Desk, does: str) -> None:
    """Note that this host works on the ledger, and what it does (``run``). A ledger of one host needs no such note."""
    if not desk.host:
        return
    rulesets = rulesets_played(desk)
    with Transaction(desk, beside=True) as work:
        work.session.merge(Host(
            name=desk.host, does=does, hostname=socket.gethostname(), version=__version__, key=key_digest(desk.key),
            mailbox="" if does == "worker" else mailbox_name(desk), rulesets=json.dumps(rulesets), seen_at=work.now,
        ))  # fmt: skip


def say_we_rest(desk: Desk, does: str) -> None:
    """Note that this host does no more here what it did, until it says so again. Its mailbox stays known, since letters in it
    count."""
    with Transaction(desk, beside=True) as work:
        if (host := work.session.get(Host, (desk.host, does))) is not None:
            host.seen_at = work.now - LATELY


def rulesets_played(desk: Desk) -> Rulesets:
    """The rulesets of the games that are not over, as this process has them."""
    with Transaction(desk, reads=True) as work:
        slugs = work.session.exec(select(Game.ruleset).where(Game.status != GameStatus.FINISHED).distinct()).all()
    return {slug: _digest(desk, slug) for slug in sorted(slugs)}


def rulesets_of(host: Host) -> Rulesets:
    """The same of another host, as it last said."""
    return json.loads(host.rulesets)


def _digest(desk: Desk, slug: str) -> str | None:
    try:
        rules = desk.ruleset(slug)
    except UnknownRuleset:
        return None
    folder = str(rules.info.folder)
    # A process goes on with the rules that it has loaded, whatever becomes of their files.
    if folder not in _LOADED:
        _LOADED[folder] = ruleset_digest(rules)[:_DIGITS]
    return _LOADED[folder]


def hosts_here(work: Transaction, within: timedelta = SHOWN_FOR) -> Sequence[Host]:
    """Who has worked on the ledger within that time, by hostname."""
    return hosts_since(work.session, work.now - within)


def mailboxes_read(work: Transaction) -> frozenset[str]:
    """The mailboxes that feed the ledger: that of this host, and those of all others that were not given up
    (`pbmd.desk.due.abandoned_mail`)."""
    ours = mailbox_name(work.desk)
    if not work.desk.host:
        return frozenset((ours,))
    return frozenset((ours, *work.session.exec(select(Host.mailbox).where(Host.mailbox != ""))))


def lost_mailboxes(work: Transaction) -> dict[str, list[Host]]:
    """The mailboxes that were waited for long enough, each with the hosts that read it and are not there any more."""
    readers = dict[str, list[Host]]()
    for host in work.session.exec(select(Host).where(Host.mailbox != "").order_by(col(Host.mailbox), col(Host.name))):
        readers.setdefault(host.mailbox, []).append(host)
    readers.pop(mailbox_name(work.desk), None)
    since = work.now - _WAITED_FOR
    return {mailbox: hosts for mailbox, hosts in readers.items() if all(host.seen_at <= since for host in hosts)}


def on_host(work: Transaction, host: str, words: str) -> str:
    """Words about a host: ``it was set 2 h ahead``, ``on alpha it was set 2 h ahead`` if there are several."""
    names = names_of_hosts(work.session.exec(select(Host)).all()) if host else {}
    return words if len(names) < 2 else f"on {names.get(host, host[:6])} {words}"
