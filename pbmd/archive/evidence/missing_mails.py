"""What the books have for the reader of some mails, and none of these mails shows: a report, press or notice that did not come,
or an answer to orders that the reader never sent.

It proves nothing, since people lose mails; but nobody else would notice. So it is reported, and the reader is the one to know.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.evidence.claims import Claims, Statement
from pbmd.archive.evidence.mail_kinds.mail_dates import is_at_once
from pbmd.archive.evidence.mail_kinds.notices import Shown, absent_notices
from pbmd.archive.evidence.mail_patterns import ANSWER, COMMITMENT, NOTICE, RECEIPT, SECRET
from pbmd.archive.evidence.report_mails import by_detours, passed_on, seat_of
from pbmd.archive.evidence.verdict import is_about, seat_of_mail, seat_of_number
from pbmd.archive.format.books import Books

_OF_REPORT = "report"


@dataclass(slots=True)
class _Has:
    """What mails to a seat show: the dice secrets of their reports, or the commitment of the beginning, and receipts."""

    reports: set[str] = field(default_factory=set[str])
    notices: list[Shown] = field(default_factory=list[Shown])
    press: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    receipts: set[int] = field(default_factory=set[int])
    promises: set[str] = field(default_factory=set[str])


def absent(mails: Iterable[Claims], books: Books) -> Iterator[str]:
    """What is missing from the mails to each seat that has some, in words."""
    mails = list(mails)
    for seat, has in sorted(_by_seat(mails, books).items()):
        yield from _reports(seat, has, books)
        yield from _press(seat, has, books)
        yield from _answers(seat, has, books)
        yield from _answers_to_deeds(seat, mails, books)
        yield from _notices(seat, has, books)


def _reports(seat: str, has: _Has, books: Books) -> Iterator[str]:
    told = {each.value: each.entry for each in books.secrets}
    until = books.gone.get(seat, len(books.kinds))
    own = {
        report.secret or report.commitment: report.of
        for report in books.reports
        if report.seat == seat and told.get(report.secret, 0) <= until
    }
    # For a game that went on from an archive, another host mailed the earlier reports.
    if has.reports & own.keys():
        yield from (f"the report of {of or 'the beginning'} for {seat}" for key, of in own.items() if key not in has.reports)


def _press(seat: str, has: _Has, books: Books) -> Iterator[str]:
    for kept in books.press if has.reports else ():
        due = not kept.waits or _has_report_after(kept.entry, has, books)
        if seat in kept.readers and due and (kept.writer, kept.words) not in has.press:
            yield f"press from {kept.writer} to {seat}, entry {kept.entry}"


def _has_report_after(entry: int, has: _Has, books: Books) -> bool:
    """Whether the report is there that brought what waited for one."""
    following = next((each.value for each in books.secrets if each.entry > entry), "")
    return following in has.reports


def _answers(seat: str, has: _Has, books: Books) -> Iterator[str]:
    expected = _receipts(seat, has, books) - _unanswered(books)
    yield from (f"an answer to orders of {seat} with receipt {number}" for number in sorted(expected - has.receipts))


def _answers_to_deeds(seat: str, mails: Iterable[Claims], books: Books) -> Iterator[str]:
    """The deeds of the present holder of a seat of whose time no answer is dated, if there are answers at all."""
    dates = [claims.dated for claims in mails if _is_answer(claims) and seat_of_mail(claims, books) == seat]
    own = [deed for deed in books.deeds if deed.seat == seat and books.hands.get(seat, 0) <= deed.entry <= len(books.times)]
    missing = [deed for deed in own if not any(map(partial(is_at_once, books.times[deed.entry - 1]), dates))]
    for deed in missing[dates.count(None) :] if dates else ():
        yield f"an answer to {deed.words} of {seat}, entry {deed.entry}"


def _is_answer(claims: Claims) -> bool:
    """Whether a mail of ours can be an answer. Where a relay has written the header, one without a receipt looks like a notice
    that says nothing."""
    own = claims.own
    is_notice = any(each.headline or each.step for each in claims.statements)
    return own is not None and (own.kind == ANSWER or (own.kind == NOTICE and own.steps is None and not is_notice))


def _receipts(seat: str, has: _Has, books: Books) -> set[int]:
    """The receipts of a seat, if any of them is there."""
    own = {given.receipt for given in books.orders if given.seat == seat and _is_own_entry(books, given.receipt)}
    return own if own & has.receipts else set()


def unanswered(mails: Iterable[Claims], books: Books) -> int:
    """For how many of the receipts that no mail has, the owner of these mails was due none."""
    seats, not_due = _by_seat(mails, books), _unanswered(books)
    return sum(len((_receipts(seat, has, books) & not_due) - has.receipts) for seat, has in seats.items())


def _unanswered(books: Books) -> set[int]:
    """The receipts that the present holder of the seat never got: a rollback has filed orders again, under another number, with
    their old arrival; or the orders are those of an earlier holder."""
    first = dict[tuple[str, datetime, str], int]()
    for given in sorted(books.orders, key=lambda given: given.receipt):
        first.setdefault((given.seat, given.arrived_at, given.digest), given.receipt)
    return {
        given.receipt
        for given in books.orders
        if first[given.seat, given.arrived_at, given.digest] < given.receipt or given.receipt < books.hands.get(given.seat, 0)
    }


def _notices(seat: str, has: _Has, books: Books) -> Iterator[str]:
    if has.reports:
        yield from absent_notices(seat, has.notices, books)
    for promise in books.promises if has.reports else ():
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
    if statement.press is not None:
        has.press.update((passed_on(statement), (statement.writer, by_detours(statement))))
    elif statement.report is not None:
        has.reports.add(statement.first(SECRET) or statement.first(COMMITMENT))
    elif of.kind == NOTICE:
        has.notices.append((statement, dated))
        has.promises.add(statement.first(COMMITMENT))
    elif number and of.kind != _OF_REPORT:
        has.receipts.add(number)


def _is_own_entry(books: Books, number: int) -> bool:
    return 0 < number <= len(books.kinds) and books.kinds[number - 1][0] == "orders"
