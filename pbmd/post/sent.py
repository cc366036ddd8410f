"""Which lines of a letter are from the mail that it answers: pbmd knows what it sent, so no language has to be guessed.

Quoted or not, such lines are nobody's orders. A line that stands among them and is another was written into the quote. All
loops go once over the lines; looking for a piece of a line is tried a limited number of times.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pbmd.post.quotes import EARLIER, INTRODUCTION, QUOTED, SIGNATURE, Lines, dated
from pbmd.post.text import normal

SENT = "it is from the mail that you answered"
EDITED = "it stands inside the mail that you answered, where it is not read"


@dataclass(frozen=True, slots=True)
class Sent:
    """The mails that a letter may answer: all of their lines as keys, one behind the other, and where each line begins."""

    text: str = ""
    starts: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    heads: dict[str, int] = field(default_factory=dict[str, int])
    """The first line of each mail, and where it ends."""
    form: frozenset[str] = frozenset()
    """The lines of order forms that are no comments: they stand there to be filled in."""

    def __bool__(self) -> bool:
        return bool(self.text)


_SENT_CHARS = 200_000
_LOOK_UPS = 400
"""How often a line is looked for that is not a whole line of the mail: mail programs wrap what they quote."""
_PIECE = 12
"""A shorter piece of a line may be there by chance."""
_GAP = 400
"""How many characters of the mail may have been deleted before the next line that is believed to be from it."""
_NOISE = re.compile(r"[\s*_|]+")


def key(line: str) -> str:
    """What is the same of a line whatever mail programs do to it: no blanks, no marks of bold, small letters."""
    return _NOISE.sub("", normal(line[:1000])).casefold()


def sent_mails(texts: Sequence[Sequence[str]]) -> Sent:
    """Make the texts of mails, each as its lines, ready for being found again."""
    pieces: list[str] = []
    starts: dict[str, list[int]] = {}
    heads: dict[str, int] = {}
    form: set[str] = set()
    place = 0
    for lines in texts:
        begins, in_form = True, False
        for line in lines:
            piece = key(line)
            if piece.startswith("#"):
                in_form = piece.startswith("#orders") or (in_form and piece != "#end")
            elif in_form and piece:
                form.add(piece)
            if piece and place + len(piece) <= _SENT_CHARS:
                starts.setdefault(piece, []).append(place)
                pieces.append(piece)
                place += len(piece)
                if begins:
                    heads.setdefault(piece, place)
                    begins = False
    return Sent("".join(pieces), starts, heads, frozenset(form))


def mark_sent(lines: Lines, why: list[str], sent: Sent) -> None:
    """Change the reasons of those lines that are from the mails, and of those that stand among them in a quote."""
    search = _Search(sent)
    keys = [key(body) if body else "" for body in lines.bodies]
    first = _unquoted_copy(lines, keys, why, sent)
    if first is not None:
        _mark_copy(lines, keys, why, first, search)
        _mark_header(lines, why, first)
    _mark_quotes(lines, keys, why, search)


class _Search:
    """Finds lines in the mails, within a number of tries."""

    def __init__(self, sent: Sent) -> None:
        self._sent = sent
        self._tries = _LOOK_UPS

    def place(self, piece: str, after: int, *, backwards: bool) -> int | None:
        """Where a line, or a piece of one, stands at or behind a place of the mails, or if need be before it."""
        if self._sent.text.startswith(piece, after):
            return after
        if found := self._sent.starts.get(piece):
            at = bisect_left(found, after)
            return found[at] if at < len(found) else found[0] if backwards else None
        if len(piece) < _PIECE or not self._tries:
            return None
        self._tries -= 1
        found = self._sent.text.find(piece, 0 if backwards else after)
        return found if found >= 0 else None


def _unquoted_copy(lines: Lines, keys: Sequence[str], why: Sequence[str], sent: Sent) -> int | None:
    """The line with which a copy without quote marks begins: the first two lines of one of the mails, one after the other."""
    own = [i for i in range(len(keys)) if keys[i] and not lines.depths[i] and not why[i]]
    for i, following in pairwise(own):
        end = sent.heads.get(keys[i])
        if end is not None and sent.text.startswith(keys[following], end):
            return i
    return None


def _mark_copy(lines: Lines, keys: Sequence[str], why: list[str], first: int, search: _Search) -> None:
    """Of a copy without quote marks, the lines that are in their order: what was written between and below them stays."""
    at = search.place(keys[first], 0, backwards=False) or 0
    our_signature = False
    for i in range(first, len(keys)):
        if not keys[i] or lines.depths[i] or why[i] not in ("", SIGNATURE):
            continue
        place = search.place(keys[i], at, backwards=False)
        ours = place is not None and place - at <= _GAP
        if lines.bodies[i].startswith("--"):
            our_signature = ours
        if place is not None and ours:
            why[i] = SENT
            at = place + len(keys[i])
        elif our_signature:
            why[i] = ""  # the rules took what stands below the end of our mail for a signature


_HEADER_LINES = 8


def _mark_header(lines: Lines, why: list[str], first: int) -> None:
    """What a mail program writes above a copy, in whatever language: a line with a colon at its end, or dated fields."""
    last = next((i for i in range(first - 1, max(first - 5, -1), -1) if lines.bodies[i]), None)
    if last is None or why[last]:
        return
    if lines.bodies[last][-1] in ":：":
        why[last] = INTRODUCTION
        return
    top = last + 1
    while top > max(0, last - _HEADER_LINES) and _is_field(lines.bodies[top - 1]) and not why[top - 1]:
        top -= 1
    if last - top < 2 or not dated(" ".join(lines.bodies[top : last + 1])):
        return
    rule = next((i for i in range(top - 1, max(top - 3, -1), -1) if lines.bodies[i]), top)
    if lines.bodies[rule].strip("_-="):
        rule = top
    why[rule : last + 1] = [EARLIER] * (last + 1 - rule)


def _is_field(body: str) -> bool:
    """Whether a line has the form "label: value", with a short label."""
    return ":" in body[1:40] or "：" in body[1:40]


_ENOUGH = 2
"""So many lines of a quote must be ours for the others in it to be taken for edited."""


def _mark_quotes(lines: Lines, keys: Sequence[str], why: list[str], search: _Search) -> None:
    """Of what is known to be quoted, tell what is ours from what was written into it."""
    run: list[int] = []
    at = 0
    for i in range(len(keys) + 1):
        if i < len(keys) and (why[i] in (QUOTED, EARLIER) or not keys[i]):
            if keys[i]:
                run.append(i)
                place = search.place(keys[i], at, backwards=True)
                if place is not None:
                    why[i] = SENT
                    at = place + len(keys[i])
            continue
        _mark_edited(lines, why, run)
        run = []


def _mark_edited(lines: Lines, why: list[str], run: Sequence[int]) -> None:
    """Of a quote that is ours for the most part, the lines between ours were written by the player."""
    ours = [i for i in run if why[i] == SENT]
    if len(ours) < _ENOUGH:
        return
    depth = min(lines.depths[i] for i in ours)
    for i in run:
        if why[i] != SENT and lines.depths[i] == depth and ours[0] < i < ours[-1]:
            why[i] = EDITED
