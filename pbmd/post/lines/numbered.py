"""The lines of a mail that are to be read, numbered so that what was separate in it stays separate."""

from collections.abc import Sequence
from typing import NamedTuple

from pbmd.post.lines.quotes import Lines
from pbmd.post.lines.text import normal, without_bullet

FORM = "a line of the form"
"""The reason for what is not read because it belongs to an order form."""


class TextLine(NamedTuple):
    """A line to be read as a command: `text` for parsing, `original` as written. `number` counts from 1, blank lines too.

    `marked` is the text with [b]…[/b] around what is bold, "" if nothing in it is.
    """

    number: int
    text: str
    original: str
    marked: str = ""


def text_lines(lines: Lines, why: Sequence[str], marked: Sequence[str]) -> tuple[TextLine, ...]:
    """The lines without a reason why they are not read. What was left out between two of them counts as a blank line."""
    kept = [i for i, reason in enumerate(why) if not reason]
    first = next((n for n, i in enumerate(kept) if lines.bodies[i]), len(kept))
    del kept[:first]
    while kept and not lines.bodies[kept[-1]]:
        del kept[-1]
    made: list[TextLine] = []
    number = 0
    for before, i in zip([kept[0] - 1 if kept else 0, *kept], kept, strict=False):
        number += 2 if before < i - 1 and _were_written(lines, why, before, i) else 1
        made.append(_marked_line(lines, i, number, marked) if marked else _text_line(lines, i, number))
    return tuple(made)


def _were_written(lines: Lines, why: Sequence[str], before: int, i: int) -> bool:
    """Whether something stands between two lines that is none of the form's."""
    return any(lines.bodies[j] and why[j] != FORM for j in range(before + 1, i))


def _text_line(lines: Lines, i: int, number: int) -> TextLine:
    body = lines.bodies[i]
    return TextLine(number, without_bullet(normal(body)), body if lines.depths[i] else lines.originals[i])


def _marked_line(lines: Lines, i: int, number: int, marked: Sequence[str]) -> TextLine:
    line = _text_line(lines, i, number)
    if marked[i] == lines.originals[i]:
        return line
    bold = marked[i].strip().lstrip("> \t") if lines.depths[i] else marked[i]
    return line._replace(marked=without_bullet(normal(bold)))
