"""Stamps of a mail server that can be, and those that cannot: of a time to come, or before there were such servers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.trusted_clock import JUMP, doubt
from pbmd.post.imap.fetched import Fetched

FIRST_MAIL = datetime(1990, 1, 1, tzinfo=UTC)
"""Before that no server can have stamped a letter: a clock stood at its beginning, or a file lost its time."""


def with_possible_times(desk: Desk, batch: Sequence[Fetched]) -> list[Fetched]:
    """The same letters; one whose stamp cannot be counts as arrived now. A clock in doubt says nothing about stamps."""
    now = desk.now().replace(microsecond=0)
    latest = now + max(JUMP, timedelta(seconds=desk.settings.imap.clock_tolerance_seconds))
    if all(FIRST_MAIL <= fetched.arrived_at <= latest for fetched in batch):
        return [*batch]
    with Transaction(desk, reads=True) as work:
        if doubt(work):
            return [*batch]
    return [
        fetched
        if FIRST_MAIL <= fetched.arrived_at <= latest
        else replace(fetched, arrived_at=now, arrival_is_of_scan=True, impossible_arrival=fetched.arrived_at)
        for fetched in batch
    ]
