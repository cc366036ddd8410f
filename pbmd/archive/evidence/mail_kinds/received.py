"""When a mail was handed over, by the lines that mail servers put on top of it.

What a host writes itself proves nothing of when it sent a mail; the first server that is not the host's does. A report that was
handed over when there was hardly any time left is as good as one that was kept back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import Message

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.evidence.mail_patterns import DUE
from pbmd.archive.format.books import Books
from pbmd.archive.format.press_and_deadlines import moment_in

HANDED = "handed over"
_BY = re.compile(r"\bby\s+(?P<server>[^\s;()]{1,255})", re.IGNORECASE)
_LEAST_HELD = timedelta(hours=1)
_SHARE = 4
"""What leaves less than this part of the time is told."""
_MOST_LINES = 50


@dataclass(frozen=True, slots=True)
class Handed:
    """When the first server took the mail that is not the host's, and which one that is."""

    at: datetime
    server: str


def handed_over(message: Message, own: Own) -> Handed | None:
    """When a mail was handed over; None if no server says so."""
    lines = [" ".join(str(line).split()) for line in message.get_all("Received", [])][:_MOST_LINES]
    for line in reversed(lines):
        by, at = _BY.search(line), moment_in(line.rpartition(";")[2])
        if by is None or at is None or _is_of(by["server"].lower().rstrip("."), own.domain):
            continue
        return Handed(at, by["server"])
    return None


def _is_of(server: str, domain: str) -> bool:
    return server in ("localhost", domain) or server.endswith(f".{domain}")


def compare_handed(handed: Handed, entry: int, due: datetime | None, books: Books) -> Iterator[Finding]:
    """Whether a mail that tells of an entry left its reader the time that the books gave, until the deadline in it."""
    if not entry or due is None or entry > len(books.times):
        return
    written = books.times[entry - 1]
    held, left = handed.at - written, due - handed.at
    if held < _LEAST_HELD or left * _SHARE >= due - written:
        return
    told = f"{handed.server} got it {handed.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC, and entry {entry} was written"
    yield Finding(HANDED, DUE, None, f"{told} {written:%Y-%m-%d %H:%M} UTC: that left {_hours(left)} until the deadline")


def _hours(left: timedelta) -> str:
    return "no time" if left <= timedelta(0) else f"{left / timedelta(hours=1):.1f} h"
