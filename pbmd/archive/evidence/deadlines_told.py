"""Deadlines that mails give, held against those that ran when the mail was written."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta

from pbmd.archive.appearance.finding import Finding, not_compared
from pbmd.archive.evidence.mail_kinds.mail_dates import AT_ONCE
from pbmd.archive.evidence.mail_patterns import (
    ARRIVED,
    DUE,
    HAVE_SENT,
    LEFT,
    LENGTH,
    NOT_SENT,
    TO_THE_SECOND,
    names_in,
    names_of,
)
from pbmd.archive.format.books import Books
from pbmd.archive.format.press_and_deadlines import in_one_line, moment_in
from pbmd.archive.verify.event_times import time_words
from pbmd.ledger.entries.kinds import PausedEntry
from pbmd.ledger.entries.step_entries import RestoredEntry
from pbmd.terms.calendar import TimeError
from pbmd.terms.times import describe_time, parse_duration


def examine_deadline(books: Books, value: str, head: int, dated: datetime | None, seat: str) -> Finding:
    """A deadline in a mail to a seat, which shows the head of this entry, 0 if it shows none, and has this date. Seats can have
    deadlines of their own, which not all entries show, and the last one of a running game may have been moved since; so one
    that is in no entry may still be right."""
    told = frozenset({moment_in(value)}) - {None}
    if not books.deadlines & told:
        words = "not looked at: no entry that is shown says it; it can be that of a seat alone, or of the step which is open"
        return Finding(DUE, value, None, words, whole=False)
    running = _running(books, head, dated, seat)
    if running is None or running & told:
        return Finding(DUE, value, True, "an entry of the journal says it")
    then = " or ".join(map(time_words, sorted(running)))
    return Finding(DUE, value, None, f"an entry says it, but not for when this mail was written: then the deadline was {then}")


def _running(books: Books, head: int, dated: datetime | None, seat: str) -> frozenset[datetime] | None:
    """The deadlines that a mail of then can give; None if that is not known."""
    first, last = entries_then(books, head, dated)
    if not 0 < first <= last <= len(books.due):
        return None
    running = [due.of(seat) for due in books.due[first - 1 : last]]
    return None if None in running else frozenset(at for each in running if each for at in each)


def examine_times(text: str, dated: datetime | None) -> Iterator[Finding]:
    """Whether the times in a text of that date are written as times are, each with the weekday and the hour elsewhere that it
    has; and whether it is as long until then as the text says."""
    for found in LEFT.finditer(text):
        said, left = found["at"], found["left"]
        at, zoned = moment_in(said.partition(" (")[0]), _ZONED.search(said)
        if at is None:
            continue
        with suppress(TimeError):
            if said not in (describe_time(at, zoned[0] if zoned else "UTC", seconds=each) for each in (True, False)):
                yield not_compared(DUE, said, "another day of the week, or hour of that zone")
        slack = timedelta(hours="day" in (left or ""), minutes=2)
        if dated and left and not timedelta(minutes=-1) <= at - dated - parse_duration(left) <= slack:
            yield not_compared(DUE, said, f"by the date of this mail it is not {left} until then")


_AFTER_PAUSE = re.compile(rf"\b(?:Deadline|Due|Orders are due) (?P<left>{LENGTH}) after the game resumes")


def examine_resumed(text: str, books: Books, dated: datetime | None, seat: str) -> Iterator[Finding]:
    """Whether a pause leaves as much time as a text of that date says, if nothing has changed since it began."""
    last, found = _entries_by(books, dated, -AT_ONCE), _AFTER_PAUSE.search(text)
    paused = max((number for number, (kind, _) in enumerate(books.kinds[:last], 1) if kind == PausedEntry.kind), default=0)
    if found is None or paused < 2 or len({*map(str, books.due[paused - 1 : last])}) > 1:
        return
    running, left = books.due[paused - 2].of(seat) or (), parse_duration(found["left"])
    slack = timedelta(hours="day" in found["left"], minutes=2)
    if running and not any(timedelta(minutes=-1) <= at - books.times[paused - 1] - left <= slack for at in running):
        yield not_compared(DUE, found[0], f"by the entries it is not {found['left']} then")


_ZONED = re.compile(r"[\w/+-]+(?=\)$)")


def examine_sent(text: str, books: Books, dated: datetime | None, receipt: int) -> Iterator[Finding]:
    """How many or who have sent orders by this text of that date, which has a receipt of this number, 0 if it has none."""
    says = HAVE_SENT.replace("@names", names_of([*map(in_one_line, books.seats)]))
    found, sent = re.search(says, text), _sent_then(books, dated, receipt)
    if found is None or sent is None:
        return
    (sure, maybe), count, many = sent, int(found["count"] or 0), int(found["many"] or 1)
    named = names_in(found["names"], map(in_one_line, books.seats)) if found["names"] else sure
    if not len(sure) <= count <= len(maybe) or not count <= many <= len(books.seats) or not named >= sure:
        by_entries = ", ".join(sorted(sure)) if found["names"] and sure else str(len(sure) or "nobody")
        yield not_compared(NOT_SENT, found[0], f"by the entries {by_entries} had sent orders")


_REPLACED = re.compile(rf"\b(?:replaces?|added to) (?:those|the one) that came on (?P<at>{TO_THE_SECOND})")


def examine_replaced(text: str, books: Books, seat: str) -> Iterator[Finding]:
    """When the orders of a seat came that others replace, or stand beside, by this text."""
    came = {given.arrived_at.replace(microsecond=0) for given in books.orders if given.seat == seat}
    found = None if books.unseen or books.open_end or RestoredEntry.kind in dict(books.kinds) else _REPLACED.search(text)
    if found and moment_in(found["at"].partition(" (")[0]) not in came:
        yield not_compared(ARRIVED, found["at"], f"by the entries no orders of {seat} came then")


def _sent_then(books: Books, dated: datetime | None, receipt: int) -> tuple[set[str], set[str]] | None:
    """Who had sent orders, and who may have, when an answer with a receipt of this number was written; None if nobody knows."""
    first, last = (receipt, receipt) if receipt else (_entries_by(books, dated, AT_ONCE), _entries_by(books, dated, -AT_ONCE))
    opened = _opened_by(books, first)
    is_open = _opened_by(books, len(books.kinds)) == opened
    if not opened or opened != _opened_by(books, last) or books.unseen or (books.open_end and is_open):
        return None
    came = [each for each in books.orders if opened < each.receipt <= last]
    # What is replaced may never have counted, as of a letter that came when a later one was in force.
    sure = {in_one_line(each.seat) for each in came if each.state in _STANDS and each.receipt <= first}
    return sure, sure | {in_one_line(each.seat) for each in came if each.state in _ON_FILE | _TAKEN_BACK}


def examine_not_sent(books: Books, value: str, dated: datetime | None, seat: str) -> Finding:
    """That a seat has sent nothing in the step that was open on a date."""
    last = _entries_by(books, dated, AT_ONCE)
    opened = _opened_by(books, last)
    on_file = (each.receipt for each in books.orders if each.seat == seat and each.state in _ON_FILE)
    if not seat or not opened:
        return not_compared(NOT_SENT, value, "of whom and when it says so is not known")
    if number := next((receipt for receipt in on_file if opened < receipt <= last), 0):
        return Finding(
            NOT_SENT, value, None, f"entry {number} holds orders of {seat}, which had come before this mail was written"
        )
    return Finding(NOT_SENT, value, True, "no entry before this mail has any for the step")


def _entries_by(books: Books, dated: datetime | None, apart: timedelta) -> int:
    """The last entry so long before a date, 0 if there is none."""
    return 0 if dated is None else sum(dated - at >= apart for at in books.times)


def _opened_by(books: Books, last: int) -> int:
    """The last entry up to this one that opened a step, 0 if none did."""
    return max((number for number, (kind, _) in enumerate(books.kinds[:last], 1) if kind in _OPENS_STEP), default=0)


_OPENS_STEP = frozenset({"started", "imported", "resolved", "rolled-back"})
_STANDS = frozenset({"filed", "used"})
_ON_FILE = _STANDS | {"replaced"}
_TAKEN_BACK = frozenset({"cancelled", "rolled-back"})


def entries_then(books: Books, head: int, dated: datetime | None) -> tuple[int, int]:
    """The first and the last entry that can have been the end of the journal when a mail was written that shows a head, or has
    only a date; zeros if nobody knows."""
    if 0 < head <= len(books.times):
        begin, then = head, books.times[head - 1]
    elif dated is not None and not head:
        begin, then = sum(at < dated for at in books.times), dated
    else:
        return 0, 0
    return begin, max(begin, sum(at - then <= AT_ONCE for at in books.times))  # a date may be the last there is
