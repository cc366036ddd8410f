"""An answer to orders: the orders that it lists must be those of its digest, and what proves them must be there."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import filterfalse, pairwise, product
from math import prod

from pbmd.archive.appearance.finding import Finding, not_compared
from pbmd.archive.evidence.mail_kinds.sent_words import commands_told
from pbmd.archive.evidence.mail_patterns import DIGEST, HEAD, ORDERS_DUE_NOW, RECEIPT
from pbmd.archive.format.press_and_deadlines import as_seen, in_one_line
from pbmd.ledger.tables import called
from pbmd.rendering.render import SAID_ROOM
from pbmd.rules.protocol import Sheet
from pbmd.rules.sheets import digest

LISTED = "its orders"
_IN_TEXT = re.compile(
    r"^[ \t]*YOUR (?:MOVE|ORDERS FOR (?P<step>[^\n]{1,80})), as we read (?:it|them)[ \t]*\n"
    r"(?P<list>(?:[^\n]*\S[^\n]*\n?)+)",
    re.MULTILINE,
)
_FORM = re.compile(
    r"^[ \t>]*# ?orders\b[^\n]*\n(?P<list>(?:(?![ \t>]*# ?(?:end|orders)\b)[^\n]*\n)*)[ \t>]*# ?end\b[^\n]*",
    re.IGNORECASE | re.MULTILINE,
)
_PROPOSED = re.compile(r"\bBelow is what would be accepted\b")
_GONE = re.compile(
    r"^[ \t]*NO LONGER STANDS[ \t]*\n(?P<list>(?:(?![ \t]*(?:NO LONGER STANDS|To restore a line)\b)[^\n]+\n)+)"
    r"[ \t]*To restore a line, take away its # in the list below\.",
    re.MULTILINE,
)
_IN_FILE = re.compile(r"^The orders that are in force with it:[ \t]*\n(?P<list>(?:\|[^\n]*\n?)+)", re.MULTILINE)
_SEAT = re.compile(
    r"\ARECEIPT (?:\d{1,9} )?of [a-z0-9-]{1,64}, (?P<step>[^,]{1,80}), for (?P<seat>.{1,200}?) Keep this file with the mail\."
)
_IN_BRACKETS = "In brackets: what you wrote, where it was different."
_NONE_IN = re.compile(r"\bYou have no (?:move|orders) in(?: for [^.]{1,80})?\.")
_SAYS_REFUSED = re.compile(r"[^.]{1,300}? lines? (?:was|were) refused\b")
_REFUSED = re.compile(r"^[ \t]*REFUSED\b", re.MULTILINE)
_NOTHING = re.compile(r"\(none: you do nothing [^)]{1,100}\)")
_ARE_IN = re.compile(r"\byour (?:orders for .{1,80}? are|move (?:.{1,80}? )?is) in\b")
_IS_IN = re.compile(rf"(?:[^:.]{{1,80}}: )?{_ARE_IN.pattern}")
_PROVES = re.compile(r"\bReceipt \d{1,9}, arrived\b")
_SETTLES = re.compile(
    r"\b(?:Receipt \d{1,9}, arrived|Your mail arrived|not (?:be )?read|nothing (?:was|is) changed|nothing in your mail"
    r"|what (?:they|it) (?:were|was)|is kept|carried out)\b",
    re.IGNORECASE,
)
"""What an answer to a letter with orders has: what became of them."""
_SURELY_WHOLE = 58
"""No word of so many characters is broken within, not even in the narrowest list."""
_SLACK = 3
"""So many characters less than there is room for may have been too long."""
_MOST_LISTED, _LONGEST_LINE, _MOST_DIGESTED = 200_000, 2000, 2_000_000
"""In characters: what is compared of a list, which anybody may have written, and of its lines, as long as what is read of a
letter's; and what is digested in all ways in which its lines can go on, some tenth of a second."""


@dataclass(frozen=True, slots=True)
class ListedOrders:
    """What an answer lists: the words of its text, None if it lists nothing, and the lines of its file; whose orders they are,
    and their digest, as the file says. `lacks`: what such an answer has, and this one has not. `settles`: it says what became
    of orders; `of` are the commands of which it says something. `again` are the lines of the list that it gives back to be sent
    again, without comments, and `rest` is all else that it says."""

    words: str | None = None
    lines: tuple[str, ...] | None = None
    seat: str = ""
    digest: str = ""
    lacks: str = ""
    is_in: bool = False
    settles: bool = False
    of: frozenset[str] = frozenset()
    rest: str = ""
    again: Sequence[str] | None = None


def listed_orders(text: str, files: Sequence[str], values: Sequence[tuple[str, str]]) -> ListedOrders:
    """What an answer with this text, these files and these values lists."""
    text, of_file = as_seen(text), as_seen("\n".join(files))
    text = text if _IN_TEXT.search(text) else _single_spaced(text)
    found = _IN_TEXT.search(text)
    filed = _IN_FILE.search(of_file)
    head = _SEAT.match(in_one_line(of_file))
    whole = in_one_line(text)
    there = {what for what, _ in values}
    wanted = (RECEIPT, HEAD, *((DIGEST,) if found else ())) if _PROVES.search(whole) else ()
    missing = [*filterfalse(there.__contains__, wanted), *_of_one_step(found, head)]
    missing += _unlisted(whole, found, is_filed=bool(filed), is_proof=head is not None and DIGEST in there)
    missing += _untold(text, of_file)
    return ListedOrders(
        in_one_line(found["list"]).removesuffix(_IN_BRACKETS).strip() if found else None,
        tuple(line[1:].removeprefix(" ").rstrip() for line in filed["list"].splitlines()) if filed else None,
        head["seat"] if head else "",
        next((value for what, value in values if what == DIGEST), ""),
        ", ".join(missing),
        says_orders_are_in(whole),
        bool(_SETTLES.search(whole)) or RECEIPT in there,
        commands_told(whole),
        _besides(text),
        _given_back(text),
    )


def _of_one_step(*found: re.Match[str] | None) -> Iterator[str]:
    """What is lacking if the list in a text and the head of its file name several steps."""
    if len({called(each["step"].lower()) for each in found if each and each["step"]}) > 1:
        yield "one step in its text and its file"


def _lines_of_form(text: str) -> Sequence[str]:
    form = _FORM.search(text)
    return [line for line in form["list"].split("\n") if line.strip()] if form else ()


def _is_comment(line: str) -> bool:
    return line.lstrip(" >").startswith("#")


def _given_back(text: str) -> Sequence[str] | None:
    """The lines of the list in force that an answer gives back, without comments; None if it gives none."""
    if _PROPOSED.search(text) or not _FORM.search(text):
        return None
    return [line for line in _lines_of_form(text) if not _is_comment(line)]


def _besides(text: str) -> str:
    """What an answer says, in one line, besides the list of orders and the one that is given back, each of which it has once.
    The comments in that stay, except for lines that no longer stand, which the answer lists, too."""
    comments = in_one_line(" ".join(line.lstrip(" >").lstrip("#") for line in _lines_of_form(text) if _is_comment(line)))
    gone = _GONE.search(text)
    if gone and (lines := in_one_line(gone["list"])) in comments:
        text, comments = text.replace(gone[0], "", 1), comments.replace(lines, "", 1)
    listed = _IN_TEXT if _IN_TEXT.search(text) else _NONE_IN
    return in_one_line(_FORM.sub(lambda _: comments, listed.sub("", text, count=1), count=1))


def _single_spaced(text: str) -> str:
    """The text without the empty lines that some programs put between all lines."""
    return "\n".join(line.rstrip() for line in text.split("\n")).replace("\n\n", "\n")


def _unlisted(text: str, found: re.Match[str] | None, *, is_filed: bool, is_proof: bool) -> Iterator[str]:
    """The lists that an answer, in one line, lacks, if it comes with a proof of orders."""
    if not is_proof or not text:  # of a text that got lost something else is said
        return
    if not found:
        yield "list of orders"
    if _IS_IN.match(text) and not is_filed and not (found and _NOTHING.search(in_one_line(found["list"]))):
        yield "list of orders in its file"


def _untold(text: str, of_file: str) -> Iterator[str]:
    """What else an answer lacks that tells of it, given its text and the file that proves its orders, if it has one."""
    whole = in_one_line(text)
    if not _IN_FILE.search(of_file):
        return
    if ORDERS_DUE_NOW.search(whole) and not ORDERS_DUE_NOW.search(in_one_line(of_file)):
        yield "deadline in its file"
    if _SAYS_REFUSED.match(whole) and not _REFUSED.search(text):
        yield "list of refused lines"


def says_orders_are_in(text: str) -> bool:
    """Whether a text in one line says that orders have been taken."""
    return bool(_ARE_IN.search(text))


def of_itself(listed: ListedOrders) -> Iterator[Finding]:
    """Whether text, file and digest are of the same orders, and nothing is missing."""
    if listed.lacks:
        yield Finding(LISTED, "", None, f"it has no {listed.lacks}, which every such answer has")
    lines = listed.lines
    if listed.again is not None and listed.words is not None and not is_list(listed.words, listed.again):
        told = f'the list that it gives back has "{" ".join(listed.again)[:80]}", and not the orders above it'
        yield not_compared(LISTED, "", told)
    if lines is None:
        return
    if sum(map(len, lines)) + len(lines) + len(listed.words or "") > _MOST_LISTED or max(map(len, lines)) > _LONGEST_LINE:
        yield not_compared(LISTED, "", "they are longer than what anybody sends")
        return
    if listed.words is not None and not is_list(listed.words, lines):
        yield Finding(LISTED, "", False, "the orders in its text are not those in the file beside it")
    if listed.digest and listed.seat:
        yield from _of_digest(listed, lines)


def _of_digest(listed: ListedOrders, lines: Sequence[str]) -> Iterator[Finding]:
    """Whether the digest is that of the orders in the file, in any of the ways in which its lines can go on."""
    joins = [_joins(before, line) for before, line in pairwise(lines)]
    if prod(map(len, joins)) * sum(map(len, lines)) > _MOST_DIGESTED:
        yield Finding(
            LISTED, "", None, "not compared with its digest: too many of its lines may go on in the next", whole=False
        )
    elif all(_digest(listed.seat, _joined(lines, way)) != listed.digest for way in product(*joins)):
        yield Finding(LISTED, "", False, "its digest is not that of the orders that it lists")


def _digest(seat: str, lines: Sequence[str]) -> str:
    return digest([Sheet(seat, (0, 0), tuple(lines))]).hex()


def _joins(before: str, line: str) -> Sequence[str | None]:
    """What can stand between two lines of a file, in which what is too long for a line goes on in the next: None if that is
    another order. Words are broken behind a hyphen, too, and within if they are longer than a line."""
    if len(before) + len(line.partition(" ")[0]) <= SAID_ROOM - _SLACK:
        return (None,)
    if line.startswith(" "):
        return ("", None)
    return ("", " ", None) if before.endswith("-") or len(before) >= SAID_ROOM else (" ", None)


def _joined(lines: Sequence[str], joins: Sequence[str | None]) -> Sequence[str]:
    """The orders in these lines, with this between them."""
    pieces = list(lines[:1])
    for join, line in zip(joins, lines[1:], strict=True):
        pieces += ["\n" if join is None else join, line]
    return "".join(pieces).split("\n")


def is_list(words: str, lines: Sequence[str]) -> bool:
    """Whether words are those of these lines, each of which may have in brackets what was written instead."""
    there, at = words.split(), 0
    wanted = [in_one_line(line).split() for line in lines if line.strip()]
    if not wanted:
        return not there or _NOTHING.fullmatch(words) is not None
    for place, line in enumerate(wanted):
        end = _end_of(there, at, line)
        if end is None:
            return False
        following = wanted[place + 1] if place + 1 < len(wanted) else []
        at = _behind_brackets(there, end, following)
    return at == len(there)


_MOST_IN_BRACKETS = 500
"""So many words a line of a letter has at most."""


def _behind_brackets(there: Sequence[str], at: int, following: Sequence[str]) -> int:
    """Where the next line begins, behind what stands in brackets, if anything does."""
    if at >= len(there) or not there[at].startswith("(") or (following and _end_of(there, at, following) is not None):
        return at
    ends = (end + 1 for end in range(at, min(at + _MOST_IN_BRACKETS, len(there))) if there[end].endswith(")"))
    behind = (end for end in ends if (_end_of(there, end, following) is not None if following else end == len(there)))
    return next(behind, at)


def _end_of(there: Sequence[str], at: int, line: Sequence[str]) -> int | None:
    """Where the words of a line end that begins there; None if it does not. A mail breaks words behind a hyphen, and within if
    they are longer than its lines."""
    for word in line:
        said = ""
        while said != word:
            is_cut = not said or said.endswith("-") or len(word) > _SURELY_WHOLE
            if at >= len(there) or not is_cut or not word.startswith(said):
                return None
            said, at = said + there[at], at + 1
    return at
