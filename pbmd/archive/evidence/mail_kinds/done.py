"""What an answer says that a command has done: an entry of that time must have it, or it was taken back behind the answer."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.evidence.mail_kinds.mail_dates import is_at_once
from pbmd.archive.format.books import Books
from pbmd.ledger.entries.player_entries import CancelledEntry, PressEntry, ReadyEntry, WaitEntry
from pbmd.ledger.entries.step_entries import RestoredEntry

DONE = "what was done"
_TOLD: Mapping[str, re.Pattern[str]] = {
    PressEntry.kind: re.compile(r"\bYour message (?:went|goes out with the next report,) to "),
    CancelledEntry.kind: re.compile(r"\bYour orders for [^.:]{1,80} are cancelled\. The game waits"),
    WaitEntry.kind: re.compile(r"\bNoted: [^.]{1,80} will wait for its deadline\."),
    ReadyEntry.kind: re.compile(r"\bNoted: as far as you are concerned, "),
    "absent": re.compile(r"\bYou are away \w{3} \d"),
    "present": re.compile(r"\bYour absence is cancelled\."),
}


def told_done(answer: str) -> frozenset[str]:
    """The kinds of entries of which an answer, in one line, says that they were made."""
    return frozenset(kind for kind, told in _TOLD.items() if told.search(answer))


def compare_done(done: frozenset[str], dated: datetime | None, books: Books) -> Iterator[Finding]:
    """Whether entries have what an answer of that date says. Where nobody may know who has sent, they are made later."""
    if dated is None or books.is_silent or not _are_of(books, dated):
        return
    for kind in sorted(done):
        if not any(is_at_once(at, dated) for at, (each, _) in zip(books.times, books.kinds, strict=False) if each == kind):
            yield Finding(DONE, kind, None, f'no entry "{kind}" was written when this mail says that it was done')


def _are_of(books: Books, dated: datetime) -> bool:
    """Whether books have all entries of that time: none is withheld, or was lost with what a backup did not have."""
    is_then = bool(books.times) and books.times[0] <= dated <= books.times[-1]
    return is_then and not {"", RestoredEntry.kind} & {*dict(books.kinds)}
