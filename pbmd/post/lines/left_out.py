"""What is not read of a mail, as the answer lists it."""

from collections.abc import Sequence
from typing import NamedTuple

from pbmd.post.blank import Blanker
from pbmd.post.lines import quotes
from pbmd.post.lines.form_line import form_mark, form_note
from pbmd.post.lines.numbered import FORM
from pbmd.post.lines.quotes import Lines
from pbmd.post.lines.sent import SENT

BROUGHT_ALONG = frozenset((SENT, quotes.QUOTED, quotes.EARLIER, quotes.INTRODUCTION, quotes.PROGRAM, quotes.LIST_FOOTER))
"""The reasons for what mail programs put into an answer by themselves."""


_USUAL, _SHORT = frozenset((quotes.INTRODUCTION, quotes.SIGNATURE)), 60


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
_SHOWN_CHARS = 200
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
    return tuple(LeftOut(_shown(lines, run, reason), reason, len(run)) for reason, run in runs)


def left_out(lines: Sequence[str], reason: str) -> tuple[LeftOut, ...]:
    """Lines that could have been read and are not, for a reason that only the caller knows."""
    written = [line.strip()[:_SHOWN_CHARS] for line in lines if line.strip()]
    return (LeftOut(_harmless(written[:_SHOWN_LINES]), reason, len(written)),) if written else ()


def _shown(lines: Lines, run: Sequence[int], reason: str) -> str:
    most = 1 if reason == SENT else _SHOWN_LINES
    return _harmless([lines.originals[i].strip()[:_SHOWN_CHARS] for i in run[:most]])


_TAGS = Blanker(())


def _harmless(shown: Sequence[str]) -> str:
    """Lines of a mail as they may stand in another that is answered in its turn: no mark is one there, none brings anything
    back, and no token stands there, since players show each other our answers."""
    return _TAGS.text("\n".join(map(_without_mark, shown)))


def _without_mark(line: str) -> str:
    body = line.lstrip("> \t")
    word = form_mark(body).word or form_note(body)[0]
    return f"(#{word})" if word else line
