"""What an answer says that a command has done: an entry of that time must have it, to the same players or for the same days, or
it was taken back behind the answer."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.evidence.mail_kinds.mail_dates import is_at_once
from pbmd.archive.format.books import Books
from pbmd.archive.format.press_and_deadlines import NOBODY, in_one_line
from pbmd.ledger.entries.kinds import ExtendedEntry
from pbmd.ledger.entries.player_entries import CancelledEntry, PressEntry, ReadyEntry, ResignedEntry, TokenEntry, WaitEntry
from pbmd.ledger.entries.step_entries import RestoredEntry

DONE = "what was done"
Done = tuple[str, str]
"""The kind of an entry of which an answer says that it was made, and what stands behind that, as far as it is compared."""
_MOST_TOLD = 50
_TOLD: Mapping[str, re.Pattern[str]] = {
    PressEntry.kind: re.compile(r"\bYour message (?=(?P<of>(?:went|goes out with the next report,) to .{1,2000}))"),
    CancelledEntry.kind: re.compile(r"\bYour orders for [^.:]{1,80} are cancelled\. The game waits"),
    WaitEntry.kind: re.compile(r"\bNoted: [^.]{1,80} will wait for its deadline\."),
    ReadyEntry.kind: re.compile(r"\bNoted: as far as you are concerned, "),
    "absent": re.compile(r"\bYou are away (?=(?P<of>\w{3} \d.{1,80}))"),
    "present": re.compile(r"\bYour absence is cancelled\."),
    ResignedEntry.kind: re.compile(r"\bYou have resigned as .{1,80}?\. Thank you for playing\b"),
    TokenEntry.kind: re.compile(r"\bYour seat has a new secret\. Replies to older mails"),
    ExtendedEntry.kind: re.compile(r"\bThe deadline is (?=(?P<of>\d.{1,40}? later, for everybody\.))"),
}


_TO_NO_SEAT = frozenset({ResignedEntry.kind})
"""Of these whoever has no seat any more is told."""


def told_done(answer: str, *, to_seat: bool = True) -> frozenset[Done]:
    """What an answer, in one line, says that was done; one that is not to a seat speaks of other things in such words."""
    kinds = {kind: told for kind, told in _TOLD.items() if to_seat or kind in _TO_NO_SEAT}
    found = ((kind, each) for kind, told in kinds.items() for each in islice(told.finditer(answer), _MOST_TOLD))
    return frozenset((kind, each.groupdict().get("of") or "") for kind, each in found)


def compare_done(done: frozenset[Done], dated: datetime | None, books: Books) -> Iterator[Finding]:
    """Whether entries have what an answer of that date says. Where nobody may know who has sent, they are made later."""
    if dated is None or books.is_silent or not _are_of(books, dated):
        return
    for kind, of in sorted(done):
        of_then = [*entries_of_then(kind, dated, books)]
        shown = [each for number in of_then for each in _of_entry(number, books)]
        if not of_then:
            yield Finding(DONE, kind, None, f'no entry "{kind}" was written when this mail says that it was done')
        elif of and {number for number, _ in shown} == {*of_then} and not any(of.startswith(f"{each}.") for _, each in shown):
            number, told = shown[-1]
            yield Finding(
                DONE, kind, None, f'it says "{of.partition(". ")[0][:80]}", and by entry {number} it would be "{told}"'
            )


def entries_of_then(kind: str, dated: datetime, books: Books) -> Iterator[int]:
    """The entries of that kind that were written when a mail is dated."""
    written = enumerate(zip(books.times, books.kinds, strict=False), 1)
    return (number for number, (at, (each, _)) in written if each == kind and is_at_once(at, dated))


def _of_entry(number: int, books: Books) -> Iterator[tuple[int, str]]:
    """To whom or for which days it is what an entry tells of, in the words of answers."""
    for kept in books.press:
        goes = "goes out with the next report," if kept.waits else "went"
        unnamed = ", without your name" if kept.writer in NOBODY else ""
        if kept.entry == number:
            listed = (in_one_line(", ".join(kept.readers)), kept.shown_readers)
            readers = (*listed, *(" and ".join(each.rsplit(", ", 1)) for each in listed))  # as until pbmd 1.1.0, and as now
            yield from ((number, f"{goes} to {each}{unnamed}") for each in readers)
    for kept in books.notices:
        if kept.entry == number and (later := kept.notice.headline.removeprefix("the deadline is ")) != kept.notice.headline:
            yield number, f"{later}, for everybody"
        told = f"{kept.notice.seat} is away "
        if kept.entry == number and kept.notice.words.startswith(told):
            yield number, kept.notice.words.removeprefix(told).removesuffix(".")


def _are_of(books: Books, dated: datetime) -> bool:
    """Whether books have all entries of that time: none is withheld, or was lost with what a backup did not have."""
    is_then = bool(books.times) and books.times[0] <= dated <= books.times[-1]
    return is_then and not {"", RestoredEntry.kind} & {*dict(books.kinds)}
