"""The order forms and sheets in a mail that are not, or no longer, the seat's own."""

from collections.abc import Sequence, Set
from itertools import pairwise

from pbmd.post.lines.form_line import Mark, is_sheet, is_whole, sheet_digest, tells
from pbmd.post.lines.quotes import QUOTED, Lines
from pbmd.post.lines.sent import EDITED
from pbmd.post.lines.text import is_comment

FOREIGN = "it stands in a quoted order form that is not the form of your seat"
FOREIGN_SHEET = "it stands in a list that is not of your seat"


def name_foreign(lines: Lines, marks: Sequence[Mark], owned: Set[str], why: list[str]) -> None:
    """Distinguish other seats' quoted forms from other quoted text: the player may have thought that they count."""
    ends = [*(mark.line for mark in marks[1:]), len(lines.bodies)]
    for mark, end in zip(marks, ends, strict=True):
        if mark.word == "orders" and lines.depths[mark.line] and mark.tag not in owned:
            for i in range(mark.line, end):
                if lines.bodies[i] and not lines.depths[i]:
                    break
                why[i] = FOREIGN if why[i] in (QUOTED, EDITED) else why[i]


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
