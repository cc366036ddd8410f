"""What the books have for the reader of some mails, and none of these mails shows: a report, press or notice that did not come,
or an answer to orders that the reader never sent.

It proves nothing, since people lose mails; but nobody else would notice. So it is reported, and the reader is the one to know.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise

from pbmd.archive.appearance.finding import Finding, not_compared
from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.evidence.claims import Claims
from pbmd.archive.evidence.mail_kinds.mail_dates import AT_ONCE, is_at_once
from pbmd.archive.evidence.mail_kinds.notices import Shown, absent_notices
from pbmd.archive.evidence.mail_patterns import ANSWER, COMMITMENT, HEAD, NOTICE, RECEIPT, SEAT, SECRET
from pbmd.archive.evidence.report_mails import by_detours, passed_on, press_of, seat_of
from pbmd.archive.evidence.statements import Statement
from pbmd.archive.evidence.verdict import entries_named, is_about, seat_of_mail, seat_of_number
from pbmd.archive.format.books import Books, Deed
from pbmd.archive.format.press_and_deadlines import KeptPress, without_blanks


@dataclass(slots=True)
class _Has:
    """What mails to a seat show: the dice secrets of their reports, or the commitment of the beginning, and receipts; the
    addresses that they went to; and their dates, and those of the mails among them that only a holder gets."""

    reports: set[str] = field(default_factory=set[str])
    notices: list[Shown] = field(default_factory=list[Shown])
    press: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    receipts: set[int] = field(default_factory=set[int])
    promises: set[str] = field(default_factory=set[str])
    readers: set[str] = field(default_factory=set[str])
    dates: list[datetime] = field(default_factory=list[datetime])
    held: list[datetime] = field(default_factory=list[datetime])


@dataclass(frozen=True, slots=True)
class _Held:
    """The entries from `begin` to `end`, but for those of `between` two, and those by which a seat was `passed_on`."""

    begin: int
    end: int
    between: Sequence[tuple[int, int]]
    passed_on: Sequence[int]

    def __contains__(self, entry: int) -> bool:
        return self.begin <= entry <= self.end and not any(left < entry < back for left, back in self.between)


def _held(seat: str, has: _Has, books: Books) -> _Held:
    """The entries of the time in which those held a seat who got these mails: nobody gets those of another holder, or those to
    another address."""
    passed_on = [(*each, books.times[each[0] - 1]) for each in books.passed_on.get(seat, ()) if each[0] <= len(books.times)]
    first, last = min(has.dates, default=books.times[-1]), max(has.held or has.dates, default=books.times[-1])
    begin = max((number for number, _, at in passed_on if at - first <= AT_ONCE), default=0)
    end = min((number for number, _, at in passed_on if number > begin and last - at < AT_ONCE), default=len(books.kinds))
    return _held_from(begin, end, books.passed_on.get(seat, ()))


def _held_from(begin: int, end: int, passed_on: Sequence[tuple[int, bool]]) -> _Held:
    of_then = [each for each in passed_on if begin <= each[0] <= end]
    between = [(left, back) for (left, is_held), (back, _) in pairwise(of_then) if not is_held]
    edges = [number for number, _ in of_then if number in (begin, end)]
    return _Held(begin, end, between, sorted({*edges, *(number for each in between for number in each)}))


@dataclass(slots=True)
class Missing:
    """What is missing from some mails: `absent` is that in words. `unanswered` counts orders and deeds to which no answer was
    due, and `silenced` the answers of a time for which a mail says that there are none: the host's word. `not_due` says what
    was not asked for, as it went to another holder or address of a seat; that there is one is the word of the books."""

    absent: list[str] = field(default_factory=list[str])
    not_due: list[Finding] = field(default_factory=list[Finding])
    unanswered: int = 0
    silenced: int = 0


def missing_from(mails: Sequence[Claims], books: Books) -> Missing:
    """What is missing from the mails to each seat that has some."""
    missing = Missing()
    for seat, has in sorted(_by_seat(mails, books).items()):
        held = _held(seat, has, books)
        if held.passed_on:
            words = f"what is of other holders or addresses of {seat}, by {entries_named(held.passed_on)}"
            missing.not_due.append(not_compared(SEAT, seat, words))
        missing.absent += [*_reports(seat, has, held, books), *_press(seat, has, held, books)]
        _answers(seat, has, held, mails, books, missing)
        missing.absent += _notices(seat, has, held, books)
    return missing


def _reports(seat: str, has: _Has, held: _Held, books: Books) -> Iterator[str]:
    told = {each.value: each.entry for each in (*books.promises, *books.secrets)}
    own = {
        report.secret or report.commitment: report.of
        for report in books.reports
        if report.seat == seat and told.get(report.secret or report.commitment, held.begin) in held
    }
    # For a game that went on from an archive, another host mailed the earlier reports.
    if has.reports & own.keys():
        yield from (f"the report of {of or 'the beginning'} for {seat}" for key, of in own.items() if key not in has.reports)


def _press(seat: str, has: _Has, held: _Held, books: Books) -> Iterator[str]:
    shown = defaultdict[str, list[KeptPress]](list)
    for kept in books.press if has.reports else ():
        shown[kept.in_one_piece].append(kept)
    came = {kept.entry for writer, words in has.press for kept in press_of(shown[without_blanks(words)], writer, words)}
    for kept in books.press if has.reports else ():
        # What waited for a report came with the next one.
        due = not kept.waits or next((each.value for each in books.secrets if each.entry > kept.entry), "") in has.reports
        if seat in kept.readers and due and kept.entry not in came and kept.entry in held:
            yield f"press from {kept.writer} to {seat}, entry {kept.entry}"


_SILENT = timedelta(days=1)
"""So long there are no answers at most, once a mail has said so."""
_TOLD_TO = timedelta(minutes=1)
"""Mails tell a time to the minute."""


def _answers(seat: str, has: _Has, held: _Held, mails: Iterable[Claims], books: Books, missing: Missing) -> None:
    """The answers to a seat that no mail shows."""
    again, silent = _again(books), _silences(seat, has, mails, books)
    receipts, undue = _receipts(seat, has, books) - has.receipts, _unanswered(held, again, books)
    undone, undated = _undone(seat, mails, held, books)
    numbers, deeds = sorted(receipts - undue), [deed for deed in undone if deed.entry not in again]
    due = [number for number in numbers if not _is_silenced(books.times[number - 1], silent)]
    done = [deed for deed in deeds if not _is_silenced(books.times[deed.entry - 1], silent)]
    missing.absent += [f"an answer to orders of {seat} with receipt {number}" for number in due]
    missing.absent += [f"an answer to {deed.words} of {seat}, entry {deed.entry}" for deed in done[undated:]]
    missing.unanswered += len(receipts & undue) + len(undone) - len(deeds)
    missing.silenced += len(numbers) - len(due) + len(deeds) - len(done)


def _undone(seat: str, mails: Iterable[Claims], held: _Held, books: Books) -> tuple[list[Deed], int]:
    """The deeds of the holder of a seat of whose time no answer is dated, if there are answers at all; and how many
    answers have no date."""
    dates = [claims.dated for claims in mails if _is_answer(claims) and seat_of_mail(claims, books) == seat]
    own = [deed for deed in books.deeds if deed.seat == seat and deed.entry in held and deed.entry <= len(books.times)]
    missing = [deed for deed in own if dates and not any(map(partial(is_at_once, books.times[deed.entry - 1]), dates))]
    return missing, dates.count(None)


def _silences(seat: str, has: _Has, mails: Iterable[Claims], books: Books) -> list[tuple[datetime, timedelta]]:
    """From when and for how long mails say that nothing is answered: those to this seat, or, since it is an address that is not
    answered, whatever game it has written to, to one at which mails to this seat have come."""
    said = ((each.own, each.dated, each.silent) for each in mails)
    return [
        (begin, min(until - begin + _TOLD_TO, _SILENT))
        for own, begin, until in said
        if own and begin and until and (own.reader in has.readers or seat_of_number(own, books) == seat)
    ]


def _is_silenced(at: datetime, silent: Iterable[tuple[datetime, timedelta]]) -> bool:
    """Whether a mail says that what was written then is not answered."""
    return any(begin - at <= AT_ONCE and at - begin < length for begin, length in silent)


def _is_answer(claims: Claims) -> bool:
    """Whether a mail of ours can be an answer. Where a relay has written the header, one without a receipt looks like a notice
    that says nothing."""
    own = claims.own
    is_notice = any(each.headline or each.step for each in claims.statements)
    return own is not None and (own.kind == ANSWER or (own.kind == NOTICE and own.steps is None and not is_notice))


def _receipts(seat: str, has: _Has, books: Books) -> set[int]:
    """The receipts of a seat, if any of them is there."""
    own = {given.receipt for given in books.orders if given.seat == seat and books.kind_at(given.receipt) == "orders"}
    return own if own & has.receipts else set()


_AN_HOUR = timedelta(hours=1)
"""What comes again in the same words gets no second answer within this time."""


def _again(books: Books) -> set[int]:
    """The entries of orders, with their words for the dice, and of deeds that are those of the entry before of that kind and
    seat, which was answered not long ago."""
    orders = ((given.receipt, given.seat, "orders", f"{given.digest} {given.word}") for given in books.orders if given.digest)
    done = ((deed.entry, deed.seat, deed.words, deed.said) for deed in books.deeds)
    found, last = set[int](), dict[tuple[str, str], tuple[str, datetime]]()
    for number, seat, words, said in sorted([*orders, *done]):
        at = books.times[number - 1] if 0 < number <= len(books.times) else None
        before, then = last.get((seat, words), ("", None))
        if at is not None:
            found |= {number} if then is not None and before == said and at - then < _AN_HOUR else set()
            last[seat, words] = said, at
    return found


def _unanswered(held: _Held, again: Container[int], books: Books) -> set[int]:
    """The receipts that whoever held a seat then never got: a rollback has filed orders again, under another number, with
    their old arrival; the orders are those of an earlier holder, or came again when they had just been answered."""
    first = dict[tuple[str, datetime, str], int]()
    for given in sorted(books.orders, key=lambda given: given.receipt):
        first.setdefault((given.seat, given.arrived_at, given.digest), given.receipt)
    return {
        given.receipt
        for given in books.orders
        if first[given.seat, given.arrived_at, given.digest] < given.receipt
        or given.receipt not in held
        or given.receipt in again
    }


def _notices(seat: str, has: _Has, held: _Held, books: Books) -> Iterator[str]:
    if not has.reports:
        return
    yield from absent_notices(seat, has.notices, held, books)
    for promise in books.promises:
        kind, turn = books.kinds[promise.entry - 1]
        if kind == "restored" and turn is not None and promise.value not in has.promises:
            yield f"a notice to {seat} that the dice of turn {turn} are promised anew, entry {promise.entry}"


def _by_seat(mails: Iterable[Claims], books: Books) -> dict[str, _Has]:
    """What there is for each seat, in pbmd's own mails; nobody knows what was left out of quoted ones. Not every mail names its
    seat, even by number: then it belongs to one of those for which its reader has reports."""
    statements = ((claims.own, claims.dated, each) for claims in mails for each in claims.statements)
    own = [(of, dated, statement) for of, dated, statement in statements if of is not None and is_about(statement, books)]
    seats = defaultdict[str, set[str]](set)
    for of, _, statement in own:
        seats[of.reader] |= {seat_of(statement, books)} - {""}
    found = defaultdict[str, _Has](_Has)
    for of, dated, statement in own:
        named = seat_of(statement, books) or seat_of_number(of, books)
        for seat in {named} if named else seats[of.reader]:
            _note(found[seat], of, statement, dated)
    return found


def _note(has: _Has, of: Own, statement: Statement, dated: datetime | None) -> None:
    """What one statement shows."""
    number = int(statement.first(RECEIPT) or 0)
    # Where moves are carried out one by one, a report is the answer; of orders that were used it has no head.
    is_receipt = bool(number and statement.first(HEAD))
    if dated is not None:
        has.dates.append(dated)
        has.held += [dated] if is_receipt or statement.report is not None or statement.press is not None else []
    has.readers.add(of.reader)
    if statement.press is not None:
        has.press.update((passed_on(statement), by_detours(statement)))
    elif statement.report is not None:
        has.reports.add(statement.first(SECRET) or statement.first(COMMITMENT))
    elif of.kind == NOTICE:
        has.notices.append((statement, dated))
        has.promises.add(statement.first(COMMITMENT))
    elif is_receipt:
        has.receipts.add(number)
