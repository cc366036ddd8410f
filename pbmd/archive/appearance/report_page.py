"""The HTML of a report as it was mailed, compared with its page in the books: the words that a person sees.

What the rules say must be there to the letter. What surrounds it was written by the desk: those words must be in the text of
the mail or, like title and foot, around the page in the books.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

from pbmd.archive.appearance.html_against_text import LONGEST, SENTENCE, said_aloud, said_in, without_buttons
from pbmd.archive.appearance.visible_text import Seen, seen
from pbmd.archive.appearance.word_diff import Runs, readable_words, words_in
from pbmd.archive.format.findings import BLANK
from pbmd.archive.verify.report_pages import is_made_anew, report_in
from pbmd.post.read.html import TooComplex
from pbmd.rendering.picture import LEFT_OUT, words_instead
from pbmd.rendering.render import YOU_HTML, parted


class Page(NamedTuple):
    """The result; `wanted` is the first part of the report that is missing, and `there` what stands in its place. `more` is
    what surrounds the report in the mail alone."""

    holds: bool | None
    words: str
    whole: bool = True
    wanted: str = ""
    there: str = ""
    more: str = ""


class End(NamedTuple):
    """What the last report of a game says that no other does: numbers of all these `seats`, and, if nobody knew, in `players`
    who had them. Empty in all others."""

    seats: Collection[str] = ()
    players: str = ""


_NOT_LAST = End()


def compare_page(mailed: str, text: str, kept: str, *, of_now: bool, end: End = _NOT_LAST) -> Page:
    """Compare the HTML of a mail with this text against the page in the books. Without `of_now`, how that version of pbmd
    words what surrounds a report is not known."""
    kept = BLANK.text(kept)
    parts = [_line(seen(part).lines) for part in report_in(kept)]
    if not any(parts):
        return Page(None, "it was not compared: the books have no such page")
    if len(mailed) > LONGEST:
        return Page(None, "it was not compared: it is longer than that of any report")
    mailed = BLANK.text(mailed)
    try:
        page = seen(mailed)
    except TooComplex:
        return Page(None, "it was not compared: it has more tags than that of any report")
    page.lines, outside = page.parted_lines()
    without_map = _line(seen(LEFT_OUT).lines)
    lines = [line for line in without_buttons(page) if line != without_map]
    there = f" {_line(lines)} "
    if (wrong := next((part for part in parts if f" {part} " not in there), None)) is not None:
        return Page(False, "its words are not those of the report's page in the books", wanted=wrong, there=there.strip())
    around = [*_around(lines, there, parts)]
    told = _beside(around, text, kept) or _strange_caption(page, kept)
    if not told:
        below = [*_without_tables(_around(lines, there, parts, below=True), end.seats)]
        around = [*_without_own(_without_tables(around, end.seats))]
        more = _in_mail_alone(around, below, mailed, kept, end.players) if of_now else ""
        more = more or _unread(page, outside, text, kept)
        return Page(True, "its words are those of the report's page in the books", more=more)
    return Page(False, told) if of_now else Page(None, f"words of an older version were not compared: {told}", whole=False)


def _beside(around: Sequence[str], text: str, kept: str) -> str:
    """What stands around a report that neither the text of the mail nor the page in the books says; empty if there is
    nothing."""
    known = Runs(words_in(BLANK.text(text))), Runs(words_in("\n".join(seen(kept).lines)))
    strange = next((line for line in around if not said_in(line, *known)), "")
    return f'beside the report it shows "{_some(strange)}", which neither its text nor the books have' if strange else ""


_OWN = (
    r"This turn.s words: (?:[a-z]{3,8} ?){4}\. Everybody has the same\.|From .{1,200} to .{1,2000}:"
    r"|You have nothing to do in [^.]{1,80}\.(?: The map is left out: REPORT sends it\.)?"
)
_OF_MAILS = re.compile(rf"# ?orders\b|\||(?:{_OWN})$", re.IGNORECASE)
_WRAPPED = _OWN.replace(" ", r"\s")
_IN_TEXT = re.compile(
    rf"^(?:# ?orders(?:\s[\w.-]{{8,40}}){{1,3}}|\|.*|YOU|NEXT(?:: YOUR MOVE)?|PRESS|ORDER FORM|{_WRAPPED})$"
    r"|(?<=orders as you write them:\n)https?://\S+$",
    re.MULTILINE,
)
_FIXED = Runs(
    words_in(
        "HELP lists the commands; RULES sends the handbook. The proof of this turn is attached; RULES FAIRNESS tells what it is"
        " for.\nWhat comes now\nARCHIVE on a line of its own brings the archive: with it anybody can play the game again and "
        "check the dice. Would you play again? LIST shows the games that take players. Thank you for playing.\nPress\nYour "
        "pages, with a form that checks orders as you write them. Keep this link to yourself: anybody who has it sees what you "
        "see. NEW TOKEN replaces it.\nThe map is left out: REPORT sends it."
    )
)
"""What around a report only its mail has: the form, press, words of the turn, and fixed sentences."""


_CUT = "\ue000"
_NEXT = "Next: your move "
_COMMENT = re.compile("^#.*$", re.MULTILINE)
_SAID_OTHERWISE = (
    (
        re.compile(r"\bUntil ([^,]{1,80}(?:, in (?:less than )?\d[^,.]{1,40})?), in ([^.]{1,80}\.) Reply "),
        r"in \2 until \1. Reply ",
    ),
    (re.compile(r"\bIt is your move in "), "Your move in "),
)
"""What a text says of a move in other words than its page."""


def around_text(body: str, mailed: str, kept: str, report: str, end: End = _NOT_LAST) -> str:
    """What surrounds a report in the text of a mail alone, like `Page.more`; `end` as for `compare_page`."""
    mailed, kept = BLANK.text(mailed), BLANK.text(kept)
    page = seen(kept).lines[:2]
    if len(page) < 2 or page[0].count(" · ") < 2:
        return "what surrounds the report in its text, since the books have no such page"
    text = "\n".join(_marked_where_due([_line([line]) for line in BLANK.text(body).split("\n") if line.strip()]))
    for part in filter(None, (_line([part]) for part in (*parted(BLANK.text(report)), end.players))):
        begin = f" {text} ".replace("\n", " ").find(f" {part} ")
        text = text[:begin] + _CUT + text[begin + len(part) :] if begin >= 0 else text
    _, game, seat = page[0].rsplit(" · ", 2)
    heading = f"{game} {page[1]}. You are {seat}. You were {seat}. {game} {game} begins, and you are {seat}."
    around, below = ([*_sentences(each, end.seats)] for each in (text, text.rpartition(_CUT)[2]))
    more = _in_mail_alone(around, below, mailed, kept, f"{heading} Reply to this mail; the form is below.")
    return more or _left_out(body, kept)


def _left_out(body: str, kept: str) -> str:
    """What stands around a report in its page in the books, and not in this text; empty if there is nothing."""
    lines = seen(kept).lines
    parts = [_line(seen(part).lines) for part in report_in(kept)]
    text = Runs(words_in(_as_page(_line([BLANK.text(body)]))))
    around = takewhile("Fairness".__ne__, _around(lines, f" {_line(lines)} ", parts))
    here = (line.removeprefix(_NEXT) for line in islice(around, 2, None) if not _OF_MAILS.match(line))
    missing = next((line for line in here if not said_in(line, text)), "")
    return f'its text lacks "{_some(missing)}", which its page in the books has' if missing else ""


def _as_page(said: str) -> str:
    """What a text says, in the words of its page."""
    for otherwise, as_page in _SAID_OTHERWISE:
        said = otherwise.sub(as_page, said)
    return said


def _marked_where_due(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a text, those without their marks that stand neither in its form nor in press: they are nobody else's. A
    mail has one form, and no other line begins it."""
    in_form = in_press = had_form = False
    for (before, line), after in zip(pairwise(("", *lines)), (*lines[1:], ""), strict=True):
        in_form = in_form or (not had_form and _FORM_BEGINS.match(f"{line} {after}") is not None)
        had_form = had_form or in_form
        in_press = line.startswith("|") and (in_press or before.endswith(":"))
        yield line if in_form or in_press else line.lstrip("#| ")
        in_form = in_form and _FORM_ENDS.match(line) is None


_FORM_BEGINS = re.compile(r"#orders g\d{1,9}p\d{1,6}\.[a-z2-7]{16}\b", re.IGNORECASE)
_FORM_ENDS = re.compile("# ?end\\b")


def _sentences(text: str, seats: Collection[str]) -> Iterator[str]:
    """What of a text without its report is held against the page, as that words it."""
    text = _IN_TEXT.sub(_CUT, text)
    yield from _COMMENT.findall(text)
    for piece in _COMMENT.sub(_CUT, text).split(_CUT):
        yield from SENTENCE.split(_as_page(" ".join(_without_tables(piece.split("\n"), seats))))


def _in_mail_alone(around: Sequence[str], below: Sequence[str], mailed: str, kept: str, more: str = "") -> str:
    """The first line around a report that its page in the books has not, nor what else is known; empty if there is none. A page
    that was made anew can have none of those that stand not `below` the report: of these it only says that they are there."""
    known = Runs(words_in("\n".join([*seen(kept).lines, more]))), _FIXED
    known = *known, _below_move(mailed, kept)
    strange = [line for line in around if not said_in(line, *known)]
    if strange and is_made_anew(kept):
        strange = [line for line in strange if line in below]
        if not strange:
            return "what stands above the report, of which its page in the books says nothing"
    return f'beside the report it says "{_some(" ".join(strange), 60)}", which its page in the books has not' if strange else ""


def _below_move(mailed: str, kept: str) -> Runs:
    """A move, and what a mail says about the letter with it, below that and in one frame with it: it can be private, so no page
    of the books has it."""
    move = re.search(rf"{re.escape(YOU_HTML)}\n(?:<p [^<>]*>[^<]*</p>\n)*(?P<move><pre [^<>]*>[^<]*)</pre>\n", kept)
    _, above, below = mailed.replace("\r\n", "\n").partition(f"{move['move']}\n") if move else ("", "", "")
    return Runs(words_in("\n".join(seen(above + below.partition("</pre>")[0]).lines)))


def _without_own(around: Iterable[str]) -> Iterator[str]:
    """The lines without those that every mail of a report has of its own."""
    return (line for line in around if not _OF_MAILS.match(line.strip()))


_COURSE = re.compile(r"How it went|[\w ]{1,20}?(?: (?:start|t\d{1,6})){2,}|Who played", re.IGNORECASE)
"""The headings of what only the last report has, and the head of its table of numbers."""


def _without_tables(around: Iterable[str], seats: Collection[str]) -> Iterator[str]:
    """The lines without the numbers that say how a game with these `seats` went, which only the last report has."""
    names = "|".join(map(re.escape, seats))
    row = re.compile(rf"(?:{names})(?: ?-?\d+(?:\.\d+)?)+")
    return (line for line in around if not seats or not (row.fullmatch(line.strip()) or _COURSE.fullmatch(line.strip())))


def _line(lines: Sequence[str]) -> str:
    return " ".join(" ".join(lines).split())


def _around(lines: Sequence[str], there: str, parts: Sequence[str], *, below: bool = False) -> Iterator[str]:
    """The lines of a page that do not belong to the report, which has these parts; only those `below` it."""
    spans = [(begin, begin + len(part)) for part in parts if part for begin in [there.find(f" {part} ") + 1]]
    if below:
        spans = [(0, max((last for _, last in spans), default=0))]
    at = 1
    for line in lines:
        end = at + len(line)
        cuts = [(max(at, begin), min(end, last)) for begin, last in spans if begin < end and at < last]
        if not cuts:
            yield line
        else:
            begin, last = min(cut[0] for cut in cuts), max(cut[1] for cut in cuts)
            yield from filter(str.strip, (there[at:begin], there[last:end]))
        at = end + 1


def _strange_caption(page: Seen, kept: str) -> str:
    """What is wrong with the words that stand in place of a map."""
    words = words_instead(kept)
    ours = (each.instead for each in page.pictures if not page.is_outside(each))
    wrong = next((each for each in ours if each.split() != words.split()), None)
    return "" if wrong is None else f'in place of the map it says "{_some(wrong)}", not the words of the books'


def _aloud(page: Seen, text: str, kept: str) -> str:
    """What a page says in a title, or aloud, that neither its text nor the page in the books says; empty for nothing."""
    books = seen(kept)
    words = said_aloud(page, Runs(words_in(text)), Runs(words_in("\n".join([*books.lines, *books.beside]))))
    return f'in a title, or aloud, it says "{words}", which neither its text nor its page in the books has' if words else ""


def _unread(page: Seen, outside: Sequence[str], text: str, kept: str) -> str:
    """What a page says that neither is in its frame nor in the books; empty for nothing."""
    return _aloud(page, text, kept) or _outside(outside, text)


def _outside(lines: Sequence[str], text: str) -> str:
    """What servers may have put above or below a page, and did not put into its text; empty for nothing."""
    known = Runs(words_in(text))
    strange = next((line for line in lines if not said_in(line, known)), "")
    return f'around its page it shows "{_some(strange)}", which a server may have put there' if strange else ""


def _some(text: str, most: int = 12) -> str:
    return readable_words(text.split(), most)
