"""A report as it was mailed, held against the one that the books have for its reader.

Mail programs wrap lines, quote them, and change blanks and line ends; so it is words that are compared, in their order. What
stands around the report is not in the books: who is to move until when, press, the order form.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbmd.archive.books import Books, KeptReport
from pbmd.archive.claims import COMMITMENT, SECRET, Claims, Statement, in_one_line
from pbmd.archive.findings import BLANK

_BEHIND = re.compile(r"(?:PRESS|ORDER FORM)\b")
"""What can stand between a report and its foot."""
_SHOWN = 12
"""Words of a difference that are shown."""
_ANCHOR = 4
_MOST_ANCHORS = 50


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of it. `whose` says which report it is; `holds` is None if it cannot be told whether it is that one."""

    whose: str
    holds: bool | None
    words: str


def compare(claims: Claims, statement: Statement, books: Books) -> Compared:
    """Hold the report of a statement, which must have one, against the books."""
    said = BLANK.text(statement.report or "")
    if books.no_reports:
        return Compared("", None, f"its text was not compared: {books.no_reports}")
    of_step = _of_step(statement, books)
    if not of_step:
        return Compared("", None, "its text was not compared: the books have no report of the step that it is about")
    if statement.kind != "seat":
        return _compare_loosely(statement, said, of_step)
    seat = _seat(said, books)
    kept = [report for report in of_step if report.seat == (seat or report.seat)]
    whose = f"{seat or 'a seat'}, {of_step[0].of or 'the beginning'}"
    if not kept:
        return Compared(whose, None, f"its text was not compared: the reports of {seat} are not in this archive")
    tries = [(report, BLANK.text(report.text())) for report in kept]
    if found := next(((report, text) for report, text in tries if _stands_in(in_one_line(text), said)), None):
        exact = found[1].strip("\n") in BLANK.text(claims.text)
        same = "its text is" if exact else "its words are, blanks and line breaks aside,"
        return Compared(f"{found[0].seat}, {found[0].of or 'the beginning'}", True, f"{same} that of the report in the books")
    if not seat and books.seats - {report.seat for report in kept}:
        return Compared(whose, None, "its text was not compared: it does not say whose it is, and not those of all are here")
    where = max((_difference(in_one_line(text), said) for _, text in tries), key=lambda each: each[0])[1]
    if claims.written:
        return Compared(whose, False, f"its text is not that of the report in the books: {where}")
    return Compared(whose, None, f"its text is not that of the report in the books, or was cut where it was quoted: {where}")


def _compare_loosely(statement: Statement, said: str, kept: Sequence[KeptReport]) -> Compared:
    """A report that does not say which of several it is."""
    found = next((each for each in kept if f" {in_one_line(BLANK.text(each.text()))} " in f" {said} "), None)
    what = "the public report" if statement.kind == "public" else "a report that was sent again"
    if found is None:
        return Compared(what, None, "its text is not that of any report in the books that it could be")
    whose = f"{found.seat or 'public'}, {found.of or 'the beginning'}"
    return Compared(whose, True, "its words are, blanks and line breaks aside, that of the report in the books")


def _of_step(statement: Statement, books: Books) -> list[KeptReport]:
    """The reports that it could be: those of its step, as its dice secret says, or the commitment of the beginning. One without
    a foot has only words for it, or none at all."""
    secret, promise = statement.first(SECRET), statement.first(COMMITMENT)
    kept = [report for report in books.reports if bool(report.seat) == (statement.kind != "public")]
    if statement.values:
        return [report for report in kept if (report.secret == secret if secret else report.commitment == promise != "")]
    if statement.step == "the beginning":
        return [report for report in kept if not report.of]
    # A whole turn may have several steps.
    step = statement.step
    return [report for report in kept if not step or report.of == step or report.of.endswith(f" of {step}")]


def _seat(said: str, books: Books) -> str:
    """Whose report it is, by the words with which it begins; empty if they do not say it."""
    in_length = sorted(books.seats, key=len, reverse=True)
    return next((name for name in in_length if f"{said} ".startswith(f"{in_one_line(name)}. ")), "")


def _stands_in(report: str, said: str) -> bool:
    """Whether the report is there, and nothing behind it that would look like more of it."""
    begin = f" {said} ".find(f" {report} ")
    rest = said[begin + len(report) :].strip() if begin >= 0 else ""
    return begin >= 0 and (not rest or _BEHIND.match(rest) is not None)


def _difference(report: str, said: str) -> tuple[int, str]:
    """How many words are the same from the beginning of the report on, and what is different then."""
    wanted, there = report.split(" "), said.split(" ")
    same, at = 0, 0
    for place in _anchors(wanted, there):
        count = _common(wanted, there[place:])
        if count > same:
            same, at = count, place
    if not same:
        return 0, f'it should begin with "{_some(wanted)}", and no such words are in the mail'
    if same == len(wanted):
        return same, f'behind it stands "{_some(there[at + same :])}", which is not in it'
    begin = max(same - 3, 0)
    ours, theirs = _some(wanted[begin:]), _some(there[at + begin :])
    return same, f'after {same} words the books have "{ours}", and the mail "{theirs}"'


def _anchors(wanted: Sequence[str], there: Sequence[str]) -> list[int]:
    """Where the report may begin in the mail."""
    first = list(wanted[:_ANCHOR])
    return [place for place in range(len(there)) if list(there[place : place + len(first)]) == first][:_MOST_ANCHORS]


def _common(wanted: Sequence[str], there: Sequence[str]) -> int:
    pairs = enumerate(zip(wanted, there, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(wanted), len(there)))


def _some(words: Sequence[str]) -> str:
    return " ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")
