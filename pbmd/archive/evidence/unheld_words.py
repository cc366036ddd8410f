"""What answers and reminders say besides what is held against books: the words of their host."""

import re
from collections.abc import Iterator

from pbmd.archive.evidence.claims import Claims
from pbmd.archive.evidence.mail_kinds.done import entries_of_then
from pbmd.archive.evidence.mail_kinds.subjects import first_said
from pbmd.archive.evidence.mail_patterns import ANSWER, BALLOT, KNOWN, REMINDER, beyond, fixed_sentences
from pbmd.archive.evidence.verdict import seat_of_mail
from pbmd.archive.format.books import Books
from pbmd.archive.format.findings import BLANK
from pbmd.archive.format.press_and_deadlines import in_one_line
from pbmd.ledger.entries.vote_entries import VotedEntry
from pbmd.rendering.vote_words import quorum_words

_AGAIN = re.compile(rf"\bREPORT OF [A-Z0-9 -]{{1,80}} {KNOWN}")
_BEGUN = re.compile(r"Vote (\d{1,9}) has begun, on ")


def unheld_words(claims: Claims, books: Books) -> str:
    """What such a mail says that is neither compared nor said in each; empty if it is another mail, or says no more."""
    if claims.listed is None or claims.own is None or claims.own.kind not in (ANSWER, REMINDER):
        return ""
    rest = _without_report(claims.listed.rest, claims, books)
    if (first := first_said(f"{rest} ")[0]) is not None:
        above = rest[: first.start()].removesuffix(f"{seat_of_mail(claims, books)}: ")
        rest = f"{above}{KNOWN}{rest[first.end() :]}"
    ballots = (said.value for each in claims.statements for said in each.values if said.what == BALLOT)
    votes = {*(said.rpartition(" ")[2] for said in ballots), *_BEGUN.findall(rest)}
    is_over = claims.dated is not None and any(entries_of_then(VotedEntry.kind, claims.dated, books))
    for _, told in (each for vote in votes for each in proposed_in(books, vote, is_over=is_over)):
        rest = re.sub(told, KNOWN, rest, count=1)
    known = fixed_sentences("answers", seats=frozenset(map(in_one_line, books.seats)))
    return " … ".join(filter(None, beyond(rest, known)))


def _without_report(text: str, claims: Claims, books: Books) -> str:
    """The text of an answer without a report that is sent again in it; nothing of one with any other report, or with one that
    the books have not, of which something else is said."""
    kinds = {each.kind for each in claims.statements if each.report is not None}
    if not kinds:
        return text
    seat = seat_of_mail(claims, books) if kinds == {"again"} else None
    again = (in_one_line(BLANK.text(each.text())) for each in books.reports if each.seat == seat)
    report = max((each for each in again if f" {each} " in f" {text} "), key=len, default="")
    return _AGAIN.sub(KNOWN, text.replace(report, KNOWN, 1), count=1) if report else ""


def proposed_in(books: Books, vote: str, *, is_over: bool = False) -> Iterator[tuple[str, str]]:
    """What was proposed when a vote began, and as a regular expression what answers to that and to a ballot say; a ballot with
    which the vote `is_over` may say so."""
    over = r"(?: With that the vote is over\.)?" if is_over else ""
    for told in (kept.notice for kept in books.notices if kept.notice.headline == f"vote {vote} has begun"):
        what = in_one_line(told.words.partition(" proposes ")[2])
        could = books.could_vote(told.headline)
        maybe = range(could or 1, len(books.seats) + 1)  # more could vote then, if somebody has left since
        agree = "|".join(re.escape(quorum_words(told.quorum, many)) for many in maybe)
        begun = rf"You have voted yes\. {re.escape(told.until)}(?: \([^()]{{1,60}}\))?\. (?:{agree}) {re.escape(told.rules)}"
        voted = rf"You have (?:voted (?:yes|no)|no ballot) in vote {vote}, on {re.escape(what)}{over}"
        yield what, rf"{voted}|Vote {vote} has begun, on {re.escape(what)} {begun}"
