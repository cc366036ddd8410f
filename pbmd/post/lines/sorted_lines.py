"""The lines of a mail, sorted: those that are to be read, numbered so that what was separate in it stays separate, and those
that are not, as the answer lists them."""

from collections.abc import Sequence
from typing import NamedTuple

from pbmd.post.blank import Blanker
from pbmd.post.lines import quotes
from pbmd.post.lines.form_line import form_mark, form_note
from pbmd.post.lines.quotes import Lines
from pbmd.post.lines.sent import SENT
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


BROUGHT_ALONG = frozenset((SENT, quotes.QUOTED, quotes.EARLIER, quotes.INTRODUCTION, quotes.PROGRAM, quotes.LIST_FOOTER))
"""The reasons for what mail programs put into an answer by themselves."""


HEADING = "a heading of what stands below it"
"""What is said of a line that is no order, and by which others were read."""
_USUAL, _SHORT = frozenset((quotes.INTRODUCTION, quotes.SIGNATURE, HEADING)), 60


class LeftOut(NamedTuple):
    """Some lines one below the other that were not read: `text`, why, and how many they are.

    `text` has each of them, but of what we sent ourselves only the first, and of a flood only the beginning.
    """

    text: str
    reason: str
    lines: int

    @property
    def is_sent(self) -> bool:
        """Whether we sent it ourselves."""
        return self.reason == SENT

    @property
    def in_a_word(self) -> bool:
        """Whether a few words are enough, since nearly every mail has it."""
        return self.is_sent or (self.reason in _USUAL and len(self.text) <= _SHORT)


_SHOWN_LINES = 100
SHOWN_CHARS = 200
_MAX_ENTRIES = 20


def left_out_of(lines: Lines, why: Sequence[str]) -> tuple[LeftOut, ...]:
    """Runs of lines with the same reason; blank lines and those of the form are not worth a word."""
    if not any(why):
        return ()
    runs: list[tuple[str, list[int]]] = []
    for i, reason in enumerate(why):
        if reason and reason != FORM and lines.bodies[i]:
            if not runs or runs[-1][0] != reason:
                runs.append((reason, []))
            runs[-1][1].append(i)
    if len(runs) > _MAX_ENTRIES:  # interleaved answers: one entry a reason
        runs = [(name, [i for reason, run in runs if reason == name for i in run]) for name in dict(runs)]
    return tuple([LeftOut(_shown(lines, run, reason), reason, len(run)) for reason, run in runs])


def left_out(lines: Sequence[str], reason: str) -> tuple[LeftOut, ...]:
    """Lines that could have been read and are not, for a reason that only the caller knows."""
    written = [line.strip()[:SHOWN_CHARS] for line in lines if line.strip()]
    return (LeftOut(_harmless(written[:_SHOWN_LINES]), reason, len(written)),) if written else ()


def _shown(lines: Lines, run: Sequence[int], reason: str) -> str:
    most = 1 if reason == SENT else _SHOWN_LINES
    return _harmless([lines.originals[i].strip()[:SHOWN_CHARS] for i in run[:most]])


_TAGS = Blanker(())


def _harmless(shown: Sequence[str]) -> str:
    """Lines of a mail as they may stand in another that is answered in its turn: no mark is one there, none brings anything
    back, and no token stands there, since players show each other our answers."""
    return _TAGS.text("\n".join(map(_without_mark, shown)))


def _without_mark(line: str) -> str:
    if "#" not in line and line.isascii():  # as nearly all are
        return line
    body = line.lstrip("> \t")
    word = form_mark(body).word or form_note(body)[0]
    return f"(#{word})" if word else line
