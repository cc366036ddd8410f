"""What mail programs write above a copy of one of our mails, in any language: it names who wrote that mail, and when.

A heading is the line, or the few lines, with our own address, or with our name and a date, that stand above a quote or a copy;
or the header of the original: who wrote it, to whom, when, about what. The mail itself tells what that says.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import takewhile

from pbmd.post.lines.quotes import (
    INTRODUCTION,
    ORIGINALS,
    PROGRAM,
    QUOTED,
    SIGNATURE,
    Lines,
    header_at,
    reasons_from,
)
from pbmd.post.lines.text import normal

_SPAN = 3
"""Over how many lines mail programs may break an introduction."""
_PARAGRAPH = 8
_HEADER = 16
_WRITTEN = 60
"""At most this many lines between an introduction and its quote are examined."""
_STARTS = 40
_MAY_BE_HEADING = ORIGINALS | {"", INTRODUCTION, SIGNATURE, PROGRAM}


def mark_headings(lines: Lines, why: list[str], sent: Sequence[bool]) -> None:
    """Mark the headings above quotes and copies, and return to the writer what stands between an introduction and its quote.
    `sent` finds the lines that are copied from our mails."""
    for start in list(_starts(lines, why, sent))[:_STARTS]:
        _mark_above(lines, why, start, sent)


def _starts(lines: Lines, why: Sequence[str], sent: Sequence[bool]) -> Iterator[int]:
    """Where quotes and copies begin, below lines that are neither."""
    was_other = True
    for i, body in enumerate(lines.bodies):
        if body:
            is_other = bool(lines.depths[i]) or sent[i] or why[i] == QUOTED
            if is_other and not was_other:
                yield i
            was_other = is_other


def _mark_above(lines: Lines, why: list[str], start: int, sent: Sequence[bool]) -> None:
    last = _text_above(lines, start)
    if last is None or why[last] not in _MAY_BE_HEADING:
        return
    if (found := _header_above(lines, last)) is not None:
        first = found
    else:
        first = _introduction(lines, why, last, is_close=last == start - 1)
        if first is None:
            last, first = _introduction_further_up(lines, why, last, sent)
            if first is None:
                return
            _give_back(lines, why, last + 1, start)
    first = _with_lines_above(lines, why, first)
    for i in range(first, last + 1):
        if lines.bodies[i] and not lines.depths[i]:
            why[i] = INTRODUCTION


def _text_above(lines: Lines, i: int) -> int | None:
    return next((j for j in range(i - 1, max(i - 6, -1), -1) if lines.bodies[j]), None)


def _header_above(lines: Lines, last: int) -> int | None:
    """The first line of a header that ends at line `last`, None if none does."""
    for i in range(last, max(last - _HEADER, -1), -1):
        if lines.depths[i]:
            return None
        names_us = lines.bodies[i] and lines.head.kind_of(lines.bodies[i]) == "from"
        if names_us and (found := header_at(lines, i)) is not None:
            return found.first if found.last >= last else None
        if names_us and _is_parted_header(lines, i, last):
            return i
    return None


def _is_parted_header(lines: Lines, first: int, last: int) -> bool:
    """Whether a header whose fields are parted by blank lines begins and ends there: below who wrote stand two at least of
    when, to whom, and about what, the last of them at its end."""
    kinds = [lines.head.kind_of(body) for body in lines.bodies[first + 1 : last + 1] if body]
    return bool(kinds) and kinds[-1] != "" and len({"date", "to", "subject"} & {*kinds}) > 1


def _introduction(lines: Lines, why: Sequence[str], last: int, *, is_close: bool) -> int | None:
    """The first line of an introduction that ends at line `last`: of the paragraph, or of its last three lines if the quote
    is close, those below the last order. None if they do not name us."""
    first = last + 1
    most = _SPAN if is_close else _PARAGRAPH
    while first > max(last + 1 - most, 0) and lines.bodies[first - 1] and not lines.depths[first - 1]:
        if why[first - 1] not in _MAY_BE_HEADING or lines.is_order(lines.bodies[first - 1]):
            break
        first -= 1
    if first > last:
        return None
    if not lines.head.introduces(" ".join(lines.bodies[first : last + 1])):
        return first if _goes_on_from_quote(lines, first, last) else None
    return None if _is_whole_above(lines, first, last) else first


def _goes_on_from_quote(lines: Lines, first: int, last: int) -> bool:
    """Whether these lines are the rest of an introduction that begins with a ">", so that its first line seems quoted."""
    above = first - 1
    if above < 0 or not lines.depths[above] or (above and lines.depths[above - 1]):
        return False
    return _closes(lines.bodies[last]) and lines.head.introduces(lines.bodies[above])


def _is_whole_above(lines: Lines, first: int, last: int) -> bool:
    """Whether a colon ends the introduction before the last of these lines: then that is its writer's."""
    ends = (i for i in range(first, last) if normal(lines.bodies[i])[-1:] == ":")
    return any(lines.head.introduces(" ".join(lines.bodies[first : i + 1])) for i in ends)


def _introduction_further_up(lines: Lines, why: Sequence[str], below: int, sent: Sequence[bool]) -> tuple[int, int | None]:
    """The last and the first line of a header, or of an introduction, below which its writer has written before the quote
    begins."""
    own = list(takewhile(lambda i: not (lines.depths[i] or sent[i]), range(below, max(below - _WRITTEN, -1), -1)))
    for i in own:
        if lines.bodies[i] and lines.head.kind_of(lines.bodies[i]) == "from":
            header = header_at(lines, i)
            if header is not None and header.last <= below:
                return header.last, header.first
    for last in own:
        if lines.bodies[last] and _closes(lines.bodies[last]) and _may_end(lines, last, below):
            first = _introduction(lines, why, last, is_close=False)
            if first is not None:
                return last, first
    return below, None


def _may_end(lines: Lines, last: int, below: int) -> bool:
    """Whether an introduction may end at a line: below it is a blank line, or its writer goes on after a colon."""
    return last >= below or not lines.bodies[last + 1] or normal(lines.bodies[last])[-1:] == ":"


def _closes(body: str) -> bool:
    """Whether a line ends as an introduction does below which something may be written: with a sign, which is no colon in
    each script."""
    sign = normal(body)[-1:]
    return sign in (":", ">", "-") or (not sign.isascii() and unicodedata.category(sign)[0] == "P")


def _give_back(lines: Lines, why: list[str], first: int, start: int) -> None:
    """Let what stands between an introduction and its quote be the writer's own, by the rules for such lines."""
    if any(why[i] in ORIGINALS for i in range(first, start)):
        why[first:start] = reasons_from(lines, first)[: start - first]


def _with_lines_above(lines: Lines, why: Sequence[str], first: int) -> int:
    """The first line of a heading with the rule, or the greeting by a program, that stands above it."""
    for _ in range(2):
        above = _text_above(lines, first)
        if above is None or above < first - 3 or lines.depths[above] or why[above] not in _MAY_BE_HEADING:
            return first
        body = lines.bodies[above]
        if not (is_rule(body) or (lines.head.greets(body) and not lines.is_order(body))):
            return first
        first = above
    return first


_RULES = ("---", "___", "===", "***")
_MIDDLE_CHARS = 60


def is_rule(body: str) -> bool:
    """Whether a line is a rule of dashes or the like, perhaps with words in the middle. A regular expression would take seconds
    for a line of a million dashes that ends otherwise."""
    line = normal(body)
    if not line.startswith(_RULES):
        return False
    middle = line.strip(line[0])
    return not middle or (line.endswith(line[0] * 3) and len(middle) <= _MIDDLE_CHARS)
