"""Where order forms and sheets of answers begin and end in a mail, and which of them are not, or no longer, the seat's own."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from pbmd.post.lines.copies import Copies
from pbmd.post.lines.form_line import HEAD, form_mark, is_sheet, is_whole, sheet_digest, tells
from pbmd.post.lines.quotes import Lines
from pbmd.post.lines.sorted_lines import FORM
from pbmd.post.lines.text import is_comment, normal, without_bullet

FOREIGN_SHEET = "it stands in a list that is not of your seat"
_PRESS = re.compile(r"(?:anonymous(?:ly)? )?press to .+", re.IGNORECASE)
_END_PRESS = re.compile(r"end\s+press[.!]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mark:
    """A line "#orders TAG HEAD WORD" or "#end"; `said` is the word for the dice."""

    line: int
    word: str
    tag: str
    head: str = ""
    said: str = ""


def marks_in(lines: Lines) -> list[Mark]:
    """The marks among the lines, each with the number of its line."""
    found = (Mark(i, *form_mark(body)) for i, body in enumerate(lines.bodies) if body and is_comment(body))
    return [mark for mark in found if mark.word]


_REST = re.compile(rf"(?P<head>{HEAD})?(?: ?(?=[a-z]*[2-7])(?P<word>[a-z2-7]{{13}}))?", re.IGNORECASE)
"""What can only be the rest of a mark: a head, and a word of our making. A word of letters alone may be an order."""


def mend_marks(lines: Lines, copies: Copies | None, why: list[str]) -> list[Mark]:
    """The marks, each of which a mail program has broken into several lines made one again: with the lines below that are
    together the rest of one in the mails that a letter answers, or can be nothing else."""
    marks, is_mended = marks_in(lines), False
    for mark in marks:
        copy = copies.at(mark.line) if copies and mark.word == "orders" else None
        last = max(copy.last if copy else mark.line, _last_of(lines, mark))
        if last > mark.line:
            is_mended = True
            lines.bodies[mark.line] = " ".join(lines.bodies[mark.line : last + 1])
            for piece in range(mark.line + 1, last + 1):
                lines.bodies[piece], why[piece] = "", FORM
    return marks_in(lines) if is_mended else marks


def _last_of(lines: Lines, mark: Mark) -> int:
    """The last line that can only be a part of a mark."""
    last, head, said = mark.line, mark.head, mark.said
    while mark.tag and not said and last + 1 < len(lines.bodies):
        body, depth = lines.bodies[last + 1], lines.depths[last + 1]
        found = _REST.fullmatch(body) if body and depth in (lines.depths[mark.line], 0) else None
        if found is None or bool(head) == bool(found["head"]):
            break
        last, head, said = last + 1, head or found["head"], found["word"] or ""
    return last


def press_in(lines: Lines) -> frozenset[int]:
    """The lines of unquoted messages that are closed by END PRESS: what stands there is text for others."""
    inside: set[int] = set()
    start: int | None = None
    for i, body in enumerate(lines.bodies):
        if lines.depths[i] or "press" not in body[:200].lower():
            continue
        text = without_bullet(normal(body))
        if start is None and _PRESS.fullmatch(text):
            start = i
        elif start is not None and _END_PRESS.fullmatch(text):
            inside.update(range(start, i + 1))
            start = None
    return frozenset(inside)


def is_changed_in_quote(lines: Lines, marks: Sequence[Mark], owned: Set[str]) -> bool:
    """Whether the first sheet of the seat that is quoted, from mark to mark, has other lines than it was sent with. Lines that
    stand between without a quote mark may be the rest of others, or the writer's."""
    for mark, end in pairwise(marks):
        if lines.depths[mark.line] and is_sheet(mark.tag) and mark.tag in owned and end.word == "end":
            inside = [i for i in range(mark.line + 1, end.line) if lines.bodies[i] and not is_comment(lines.bodies[i])]
            quoted = [i for i in inside if lines.depths[i]]
            return not any(tells(mark.tag, sheet_digest(lines.bodies[i] for i in each)) for each in (inside, quoted))
    return False


def leave_out_foreign(lines: Lines, marks: Sequence[Mark], owned: Set[str], why: list[str]) -> bool:
    """Whether there are lines to be read in a sheet that is not of the seat, and is not quoted: who pastes what another player
    was answered shows it to somebody. They are not read."""
    ends = [*(mark.line + 1 for mark in marks[1:]), len(lines.bodies)]
    foreign = [
        i
        for mark, end in zip(marks, ends, strict=True)
        if is_whole(mark.tag) and mark.tag not in owned and not lines.depths[mark.line]
        for i in range(mark.line, end)
        if not why[i] and lines.bodies[i]
    ]
    for i in foreign:
        why[i] = FOREIGN_SHEET
    return bool(foreign)
