"""A report as it was mailed, checked against the one that the books have for its reader: its text, its page, and its map.

Mail programs wrap lines, quote them, and change blanks and line ends; so words are compared, in order. What surrounds the
report is not in the books: who is to move, what became of orders, the order form. Press that was mailed by itself is, if the
game's terms allow it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from pbmd.archive.appearance.finding import Finding, not_compared
from pbmd.archive.appearance.links import without_detours
from pbmd.archive.appearance.report_page import End, around_text, compare_page
from pbmd.archive.appearance.word_diff import common_words, readable_words
from pbmd.archive.evidence.claims import Claims
from pbmd.archive.evidence.mail_kinds.mail_dates import NEWER, is_newer
from pbmd.archive.evidence.mail_patterns import COMMITMENT, MAP, PAGE, PRESS, REPORT, SECRET, of_once, turn_of
from pbmd.archive.evidence.statements import Statement
from pbmd.archive.format.books import Books, KeptReport
from pbmd.archive.format.findings import BLANK
from pbmd.archive.format.press_and_deadlines import NOBODY, KeptPress, in_one_line, same_words, without_blanks
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.picture import drawing_digest, drawn_svg, svg_png, svg_png_as_once
from pbmd.rendering.pixels import look_alike
from pbmd.rendering.render import parted

_BEHIND = re.compile(
    r"(?:HOW IT WENT|WHO PLAYED|WHAT COMES NOW|PRESS|ORDER FORM|YOUR PAGES|PROOF OF|MAILS THAT WERE NOT SENT|--)(?!\S)"
)
"""What can stand between a report and its foot."""
_LONGEST = 2_000_000
"""In characters; reports have some ten thousand."""
_ANCHOR = 4
_MOST_ANCHORS = 50
_OF_WATCHER = re.compile(r"spectator [A-Z2-7]{8}")


def compare(claims: Claims, statement: Statement, books: Books) -> Iterator[Finding]:
    """Check the report of a statement, which must have one, against the books."""
    said = BLANK.text(statement.report or "")
    of_step = _of_step(statement, books)
    if books.no_reports:
        yield Finding(REPORT, "", None, f"it was not compared: {books.no_reports}")
    elif len(said) > _LONGEST:
        yield Finding(REPORT, "", None, "it was not compared: it is longer than any report")
    elif not of_step:
        yield Finding(REPORT, "", None, "it was not compared: the books have no report of the step that it is about")
    elif statement.kind != "seat":
        yield from _compare_loosely(claims, statement, said, of_step)
    else:
        compared, report = _compare_text(claims, said, of_step, books)
        yield compared
        if report is not None and claims.body and compared.holds:
            yield from _compare_around(claims, report, compared.value, _end(report, books))
        if report is not None and claims.page:
            yield from _compare_page(claims, report, compared.value, _end(report, books))
        if report is not None and (claims.drawings or claims.pictures):
            yield _compare_map(claims, report, compared.value)


def seat_of(statement: Statement, books: Books) -> str:
    """Whose report a statement has; empty if it has none, or one that does not say."""
    if statement.report is None or statement.kind != "seat":
        return ""
    return _seat(BLANK.text(statement.report), books)


def compare_press(statement: Statement, books: Books, dated: datetime | None = None) -> Finding:
    """Check the press of a statement, which must have some, against what the entries show."""
    whose = f"from {statement.writer}, {statement.step}"
    same = same_press(statement, books)
    if same:
        found = (_of_other_press(statement, kept, books) for kept in same)
        holds, told = max(found, key=lambda each: (each[0] is True, each[0] is None))
        return Finding(PRESS, whose, holds, told, whole=holds is not None)
    if press_of(books.press, *by_detours(statement)):
        told = "its words are those in the books but for links, which lead to these by others; servers that look at links do so"
        return Finding(PRESS, whose, None, told, whole=False)
    if statement.readers == "spectators" and _OF_WATCHER.fullmatch(statement.writer):
        return Finding(PRESS, whose, None, "it was not compared: what those who watch write is in no journal", whole=False)
    if books.unshown:
        return Finding(PRESS, whose, None, "it was not compared: these books do not show all press", whole=False)
    if books.open_end and not _is_over(statement.step, books):
        return Finding(PRESS, whose, None, "it was not compared: it is of a step that is not over in these books", whole=False)
    if is_newer(dated, books.times):
        return Finding(PRESS, whose, None, f"no entry that is shown has it; {NEWER}")
    return Finding(PRESS, whose, False, "no press with these words from this writer is in the books")


def same_press(statement: Statement, books: Books) -> list[KeptPress]:
    """The press in the books that has the words of a statement, from the same writer."""
    return press_of(books.press, *passed_on(statement))


def _of_other_press(statement: Statement, kept: KeptPress, books: Books) -> tuple[bool | None, str]:
    """Whether the entry that has its words says of which turn it is, and to whom, as a mail does. How another version named
    them is not known."""
    turn, of = turn_of(statement.step), books.kinds[kept.entry - 1][1]
    if turn is not None and of is not None and turn != of:
        return False, f"entry {kept.entry} has it in turn {of}"
    to, shown = ("".join(each.split()) for each in (statement.readers, kept.shown_readers))
    if to == shown:
        return True, "its words are those in the books"
    told = f"entry {kept.entry} has it to {kept.shown_readers}"
    if kept.is_ours or {*statement.readers.split(", ")} <= {*books.seats, "everybody"}:
        return False, told
    return None, f"to whom it is was not compared: {told}, in the words of another version"


def press_of(press: Iterable[KeptPress], writer: str, words: str) -> list[KeptPress]:
    """The press of entries that is from this writer, with these words of a mail."""
    key = without_blanks(words)
    return [kept for kept in press if kept.in_one_piece == key and kept.writer == writer and same_words(kept.words, words)]


def passed_on(statement: Statement) -> tuple[str, str]:
    """Who wrote what in press that was mailed."""
    writer = NOBODY[0] if statement.writer in NOBODY else statement.writer
    return writer, BLANK.text(statement.press or "")


def by_detours(statement: Statement) -> tuple[str, str]:
    """The same, with the links that servers have put others around."""
    writer, words = passed_on(statement)
    return writer, without_detours(words)


def _is_over(step: str, books: Books) -> bool:
    """Whether the books go on beyond a step, as a mail calls it."""
    turn = re.search(r"turn (\d{1,6})$", step)
    return turn is not None and any(kind == "resolved" and of is not None and of >= int(turn[1]) for kind, of in books.kinds)


def _compare_text(claims: Claims, said: str, of_step: Sequence[KeptReport], books: Books) -> tuple[Finding, KeptReport | None]:
    """The result for the text, and the report of the books that it is, or must be."""
    seat = _seat(said, books)
    kept = [report for report in of_step if report.seat == (seat or report.seat)]
    whose = _whose(seat or "a seat", of_step[0])
    if not kept:
        return Finding(REPORT, whose, None, f"it was not compared: the reports of {seat} are not in this archive"), None
    texts = [BLANK.text(report.text()) for report in kept]
    for report, text in zip(kept, texts, strict=True):
        if _is_in(text, said):
            same = "its text is" if _is_exact(text, BLANK.text(claims.text)) else "its words are, blanks and line breaks aside,"
            return Finding(REPORT, _whose(report.seat, report), True, f"{same} that of the report in the books"), report
    if not seat and books.seats - {report.seat for report in kept}:
        words = "it was not compared: it does not say whose it is, and not those of all are here"
        return Finding(REPORT, whose, None, words), None
    where = _least_difference(texts, said)
    its = "its text is not that of the report in the books"
    if claims.own is not None:
        return Finding(REPORT, whose, False, f"{its}: {where}"), kept[0] if len(kept) == 1 else None
    return Finding(REPORT, whose, None, f"{its}, or was cut where it was quoted: {where}"), None


def _whose(seat: str, report: KeptReport) -> str:
    return f"{seat}, {report.of or 'the beginning'}"


def _least_difference(texts: Sequence[str], said: str) -> str:
    """Where the text differs from the report that it has most in common with."""
    parts = [in_one_line(part) for text in texts for part in parted(text) if part]
    wrong = [part for part in parts if f" {part} " not in f" {said} "] or parts
    return max((_difference(part, said) for part in wrong), key=lambda each: each[0])[1]


def _compare_page(claims: Claims, report: KeptReport, whose: str, end: End) -> Iterator[Finding]:
    """What a person sees of the HTML of a mail."""
    of_now = not of_once(in_one_line(claims.text))
    page = compare_page(claims.page, claims.text, report.page(), of_now=of_now, end=end)
    words = f"{page.words}: {_difference(page.wanted, page.there)[1]}" if page.wanted else page.words
    yield Finding(PAGE, whose, page.holds, words, page.whole)
    if page.more:
        yield not_compared(PAGE, whose, page.more)


def _end(report: KeptReport, books: Books) -> End:
    """What the last report says of the game, if it was over with the step of this one."""
    entry = next((each.entry for each in books.secrets if each.value == report.secret), 0)
    later = enumerate(books.kinds[entry:], entry + 1)
    ends = ((number, kind) for number, (kind, _) in later if kind in ("resolved", "rolled-back", "finished"))
    number, kind = next(ends, (0, ""))
    is_last = entry > 0 and kind == "finished"
    return End(books.seats, "\n".join(books.who_played(number))) if is_last else End()


def _compare_around(claims: Claims, report: KeptReport, whose: str, end: End) -> Iterator[Finding]:
    """What surrounds the report in its text."""
    course = "the numbers of how the game went" if end.seats and "HOW IT WENT" in claims.body else ""
    if more := around_text(claims.body, claims.page, report.page(), report.text(), end) or course:
        yield not_compared(REPORT, whose, more)


def _compare_map(claims: Claims, report: KeptReport, whose: str) -> Finding:
    """The map of a mail: the drawing that is attached, or identified by its digest, and the picture made from it, which another
    version may render differently."""
    drawn = drawn_svg(report.page())
    if not drawn:
        return Finding(MAP, whose, None, "it was not compared: the page in the books has none")
    if any(each.strip() != drawn.strip() for each in claims.drawings):
        return Finding(MAP, whose, False, "the drawing that is attached is not the one in the books")
    if any(digest != drawing_digest(drawn) for digest in claims.drawn):
        return Finding(MAP, whose, False, "the picture says that it is made of another drawing than the one in the books")
    made = _pictures(drawn)
    if claims.pictures and made:
        return _compare_looks(claims.pictures, made, whose)
    words = (
        "the drawing that is attached is the one in the books"
        if claims.drawings
        else "it says that it is made of the drawing in the books"
        if claims.drawn
        else "no drawing is attached"
    )
    if not claims.pictures:
        return Finding(MAP, whose, bool(claims.drawings) or None, words)
    words += "; the picture cannot be made here, and was not compared"
    return Finding(MAP, whose, bool(claims.drawings) or None, words, whole=False)


def _compare_looks(pictures: Sequence[bytes], made: Sequence[bytes], whose: str) -> Finding:
    """Pictures that were packed otherwise, or rendered by another version, look the same."""
    if all(picture in made for picture in pictures):
        return Finding(MAP, whose, True, "it is the one in the books")
    alike = all(any(look_alike(picture, one) for one in made) for picture in pictures)
    words = "it looks like the one in the books" if alike else "it does not look like the one in the books"
    return Finding(MAP, whose, True if alike else None, words)


def _pictures(drawn: str) -> tuple[bytes, ...]:
    """The pictures that this version and older ones make from a drawing."""
    try:
        return svg_png(drawn), svg_png_as_once(drawn)
    except MapError:
        return ()


def _compare_loosely(claims: Claims, statement: Statement, said: str, kept: Sequence[KeptReport]) -> Iterator[Finding]:
    """A report that does not say which of several it is, and its map."""
    found = [each for each in kept if f" {in_one_line(BLANK.text(each.text()))} " in f" {said} "]
    if not found:
        what = "the public report" if statement.kind == "public" else "a report that was sent again"
        yield Finding(REPORT, what, None, "its text is not that of any report in the books that it could be")
        return
    whose = _whose(found[0].seat or "public", found[0])
    yield Finding(REPORT, whose, True, "its words are, blanks and line breaks aside, that of the report in the books")
    if claims.drawings or claims.pictures:
        maps = [_compare_map(claims, each, whose) for each in found]
        yield next((each for each in maps if each.holds), maps[0])


def _of_step(statement: Statement, books: Books) -> list[KeptReport]:
    """The reports that it could be: those of its step, going by its dice secret, or the commitment of the beginning. One
    without a foot has only words for it, or none at all."""
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
    """Whose report it is, by its opening words; empty if they do not say."""
    in_length = sorted(books.seats, key=len, reverse=True)
    return next((name for name in in_length if f"{said} ".startswith(f"{in_one_line(name)}. ")), "")


def _is_in(report: str, said: str) -> bool:
    """Whether a report is there: what it says about its reader, within the desk's words, then the rest as a whole."""
    you, rest = (in_one_line(part) for part in parted(report))
    return f" {you} " in f" {said} " and _stands_in(rest, said) if you else _stands_in(rest, said)


def _is_exact(report: str, mail: str) -> bool:
    """Whether its lines are there unchanged."""
    return all(part.strip("\n") in mail for part in parted(report))


def _stands_in(report: str, said: str) -> bool:
    """Whether the report is there, with nothing after it that would look like more of it."""
    begin = f" {said} ".find(f" {report} ")
    rest = said[begin + len(report) :].strip() if begin >= 0 else ""
    return begin >= 0 and (not rest or _BEHIND.match(rest) is not None)


def _difference(report: str, said: str) -> tuple[int, str]:
    """How many words are the same from the beginning of the report on, and what differs then."""
    wanted, there = report.split(" "), said.split(" ")
    same, at = 0, 0
    for place in _anchors(wanted, there):
        count = common_words(wanted, there[place:])
        if count > same:
            same, at = count, place
    if not same:
        return 0, f'it should begin with "{readable_words(wanted)}", and no such words are in the mail'
    if same == len(wanted):
        return same, f'behind it stands "{readable_words(there[at + same :])}", which is not in it'
    begin = max(same - 3, 0)
    ours, theirs = readable_words(wanted[begin:]), readable_words(there[at + begin :])
    return same, f'after {same} words the books have "{ours}", and the mail "{theirs}"'


def _anchors(wanted: Sequence[str], there: Sequence[str]) -> list[int]:
    """Where the report may begin in the mail."""
    first = list(wanted[:_ANCHOR])
    return [place for place in range(len(there)) if list(there[place : place + len(first)]) == first][:_MOST_ANCHORS]
