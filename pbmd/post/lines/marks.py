"""Where order forms and sheets of answers begin and end in a mail, and which of these are not the seat's own, or no more."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from pbmd.post.lines.quotes import Lines
from pbmd.post.lines.sheet import digest, digest_in, is_sheet, is_whole
from pbmd.post.lines.text import form_mark, is_comment, normal, without_bullet

FOREIGN_SHEET = "it stands in a list that is not of your seat"
_PRESS = re.compile(r"(?:anonymous(?:ly)? )?press to .+", re.IGNORECASE)
_END_PRESS = re.compile(r"end\s+press[.!]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mark:
    """A line "#orders TAG" or "#end"."""

    line: int
    word: str
    tag: str


def marks_in(lines: Lines) -> list[Mark]:
    found = ((i, *form_mark(body)) for i, body in enumerate(lines.bodies) if body and is_comment(body))
    return [Mark(i, word, tag) for i, word, tag in found if word]


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
            found = (digest(lines.bodies[i] for i in inside), digest(lines.bodies[i] for i in inside if lines.depths[i]))
            return digest_in(mark.tag) not in found
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
