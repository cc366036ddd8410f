"""When a mail was handed over, by the lines that mail servers put on top of it.

What a host writes itself proves nothing of when it sent a mail; the first server that is not the host's does. A report that was
handed over when there was hardly any time left is as good as one that was kept back. A host can write lines of servers
that never were below all others: so the last server counts, too, though mails are held up on their way.
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
    """When a server took the mail that is not the host's, and which one that is; `is_first`: of all those."""

    at: datetime
    server: str
    is_first: bool = True


def handed_over(message: Message, own: Own) -> tuple[Handed, ...]:
    """When a mail was handed over, by the first server and by the last; empty if none says so."""
    lines = [" ".join(str(line).split()) for line in message.get_all("Received", [])][:_MOST_LINES]
    found = list[Handed]()
    for line in reversed(lines):
        by, at = _BY.search(line), moment_in(line.rpartition(";")[2])
        if by is not None and at is not None and not _is_of(by["server"].lower().rstrip("."), own.domain):
            found.append(Handed(at, by["server"], is_first=not found))
    return tuple(dict.fromkeys((*found[:1], *found[-1:])))


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
    rest = f"{left / timedelta(hours=1):.1f} h" if left > timedelta(0) else "no time"
    told = f"{handed.server} got it {handed.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC, and entry {entry} was written"
    told += f" {written:%Y-%m-%d %H:%M} UTC: that left {rest} until the deadline"
    told += "" if handed.is_first else "; it was held up on its way, unless the host has written what other servers say"
    yield Finding(HANDED, DUE, None, told, whole=handed.is_first)
