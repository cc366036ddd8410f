"""Which lines of a letter are from the mail that it answers: pbmd knows what it sent, so no language has to be guessed.

Quoted or not, such lines are nobody's orders. A line that stands among them and is another was written into the quote.

A line is ours only if it is a whole line of ours, or if it is the beginning of one and the lines below it are the rest: that is
what mail programs do to lines that are too long for them. So a line of which something was taken away, such as the "#" of a
comment, is the player's. All loops go once over the lines, and putting pieces together is tried a limited number of times.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from pbmd.post.quotes import EARLIER, INTRODUCTION, QUOTED, SIGNATURE, Lines, dated, reasons_from
from pbmd.post.text import form_mark, key, normal, without_bullet

SENT = "it is from the mail that you answered"
EDITED = "it stands inside the mail that you answered, where it is not read"
AGAIN = "it stands like that in the mail that you answered, so it may be a copy"


@dataclass(frozen=True, slots=True)
class Sent:
    """The mails that a letter may answer: all of their lines as keys, one behind the other."""

    text: str = ""
    starts: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """Where each line begins."""
    lines: tuple[str, ...] = ()
    """The same lines in the order of the alphabet."""
    breaks: frozenset[int] = frozenset()
    """Where lines begin and end."""
    heads: frozenset[int] = frozenset()
    """Where mails begin."""
    tails: frozenset[int] = frozenset()
    """Where they end."""
    form: frozenset[str] = frozenset()
    """The lines of the seat's order forms that are no comments: they stand there to be filled in."""
    below: frozenset[str] = frozenset()
    """The lines that stand below these forms and nowhere else."""

    def __bool__(self) -> bool:
        return bool(self.text)


_SENT_CHARS = 200_000


def sent_mails(texts: Sequence[Sequence[str]], own: Callable[[str], bool]) -> Sent:
    """Make the texts of mails, each as its lines, ready for being found again. `own` tells the tag of the seat's forms: others
    may have written "#orders" into what was passed on."""
    pieces: list[str] = []
    starts: dict[str, list[int]] = {}
    breaks, heads, tails = {0}, set[int](), set[int]()
    form, above, below = set[str](), set[str](), set[str]()
    place = 0
    for lines in texts:
        begins, where = place, above
        for line in lines:
            word, tag = form_mark(line)
            if word == "orders" and own(tag):
                where = form
            elif word == "end" and where is form:
                where = below
            piece = key(line)
            if not piece or place + len(piece) > _SENT_CHARS:
                continue
            if not piece.startswith("#") or where is not form:
                where.add(piece)
            else:
                above |= {piece, piece.lstrip("#")}
            starts.setdefault(piece, []).append(place)
            pieces.append(piece)
            place += len(piece)
            breaks.add(place)
        if place > begins:
            heads.add(begins)
            tails.add(place)
    return Sent(
        "".join(pieces),
        starts,
        tuple(sorted(starts)),
        frozenset(breaks),
        frozenset(heads),
        frozenset(tails),
        frozenset(form),
        frozenset(below - above - form),
    )


class Copy(NamedTuple):
    """Lines of a letter, from `first` to `last`, that are together the text of our mails from `place` to `end`."""

    first: int
    last: int
    place: int
    end: int


_PIECES = 40
"""Into how many pieces a mail program breaks a line: paragraphs of HTML are long."""
_ALIKE = 8
"""How many lines of ours that begin alike are tried."""
_STEPS = 20_000
"""How many pieces are looked at in a letter."""


class Copies:
    """Finds lines of a letter in the mails that it may answer."""

    def __init__(self, lines: Lines, sent: Sent) -> None:
        self.lines = lines
        self.sent = sent
        self.keys = [key(body) if body else "" for body in lines.bodies]
        self._steps = _STEPS

    def at(self, i: int, after: int = 0, *, backwards: bool = True) -> Copy | None:
        """What begins at line `i` of the letter and is whole lines of ours, those at or behind a place of the mails if there
        are any, else those before it if need be."""
        for piece in self._spellings(i):
            if (copy := self._copy(i, piece, after, backwards=backwards)) is not None:
                return copy
        return None

    def offered(self, i: int) -> Copy | None:
        """The lines from `i` on that together are a comment of ours without its "#"."""
        copies = (self._copy(i, f"#{piece}", 0, backwards=True) for piece in self._spellings(i))
        return next((copy for copy in copies if copy is not None), None)

    def _spellings(self, i: int) -> Iterator[str]:
        """The key of a line, and if it has a bullet the one without."""
        yield self.keys[i]
        plain = normal(self.lines.bodies[i])
        if (bare := without_bullet(plain)) != plain:
            yield key(bare)

    def _copy(self, i: int, piece: str, after: int, *, backwards: bool) -> Copy | None:
        for place in self._places(piece, after, backwards=backwards):
            if (copy := self._whole(i, piece, place)) is not None:
                return copy
        return None

    def _places(self, piece: str, after: int, *, backwards: bool) -> Iterator[int]:
        """Where lines of ours begin that begin with a piece, or with which it begins."""
        sent = self.sent
        if not piece:
            return
        if after in sent.breaks and sent.text.startswith(piece, after):
            yield after
        if piece in sent.starts:
            yield from _nearest(sent.starts[piece], after, backwards=backwards)
        first = bisect_left(sent.lines, piece)
        for line in sent.lines[first : first + _ALIKE]:
            if not line.startswith(piece):
                return
            if line != piece:
                yield from _nearest(sent.starts[line], after, backwards=backwards)

    def _whole(self, i: int, piece: str, place: int) -> Copy | None:
        """Line `i`, of which this is the key, with the lines directly below it that are its rest, and may have lost their quote
        marks. None if it is neither whole nor made whole by them."""
        text, breaks, depths, keys = self.sent.text, self.sent.breaks, self.lines.depths, self.keys
        end, last = place + len(piece), i
        while end not in breaks:
            following = last + 1
            self._steps -= 1
            if (
                self._steps < 0
                or following - i >= _PIECES
                or following >= len(keys)
                or not keys[following]
                or depths[following] not in (depths[i], 0)
                # Nothing breaks a line behind its "#": whoever does that wants the rest to be read.
                or not keys[last].strip("#")
                or not text.startswith(keys[following], end)
            ):
                return None
            end, last = end + len(keys[following]), following
        return Copy(i, last, place, end)


def _nearest(places: Sequence[int], after: int, *, backwards: bool) -> Iterator[int]:
    found = bisect_left(places, after)
    if found < len(places):
        yield places[found]
    elif backwards:
        yield places[0]


def mark_sent(copies: Copies, why: list[str]) -> None:
    """Change the reasons of those lines that are from the mails, and of those that stand among them in a quote."""
    first = _unquoted_copy(copies, why)
    if first is not None:
        _mark_copy(copies, why, first)
        _mark_header(copies.lines, why, first.first)
    _mark_quotes(copies, why)


def _unquoted_copy(copies: Copies, why: Sequence[str]) -> Copy | None:
    """With what a copy without quote marks begins: the first two lines of one of the mails, one after the other."""
    keys, sent = copies.keys, copies.sent
    own = [i for i in range(len(keys)) if keys[i] and not copies.lines.depths[i] and not why[i]]
    for i in own:
        for head in sent.heads:
            copy = copies.at(i, head, backwards=False) if sent.text.startswith(keys[i], head) else None
            if copy is not None and copy.place == head:
                following = bisect_right(own, copy.last)
                if following < len(own) and sent.text.startswith(keys[own[following]], copy.end):
                    return copy
    return None


_GAP = 400
"""How many characters of the mail may have been deleted before the next line that is believed to be from it."""


def _mark_copy(copies: Copies, why: list[str], first: Copy) -> None:
    """Of a copy without quote marks, the lines that are in their order: what was written between and below them stays. A line
    that is alone in its place may have been written there."""
    at = reach = first.place
    i = first.first
    found: list[Copy] = []
    while i < len(why):
        may_be = copies.keys[i] and not copies.lines.depths[i] and why[i] in ("", SIGNATURE)
        copy = copies.at(i, at, backwards=False) if may_be else None
        if copy is None or copy.place > reach + _GAP:
            i += 1
            continue
        reach, i = max(reach, copy.end), copy.last + 1
        if copy.place != at and not _goes_on(copies, copy):
            _mark(why, copy, AGAIN)
            continue
        _mark(why, copy, SENT)
        found.append(copy)
        at = copy.end
        if at in copies.sent.tails:
            # The rules took what stands below our mail for a signature.
            why[i:] = reasons_from(copies.lines, i)
            return
    _doubt_end(copies, why, found)


def _goes_on(copies: Copies, copy: Copy) -> bool:
    """Whether the next line of the letter goes on where a copy ends."""
    following = next((i for i in range(copy.last + 1, len(copies.keys)) if copies.keys[i]), None)
    if following is None or copy.end in copies.sent.tails:
        return copy.end in copies.sent.tails
    return copies.sent.text.startswith(copies.keys[following], copy.end)


def _mark(why: list[str], copy: Copy, reason: str) -> None:
    why[copy.first : copy.last + 1] = [reason] * (copy.last + 1 - copy.first)


def _doubt_end(copies: Copies, why: list[str], found: Sequence[Copy]) -> None:
    """Where the end of our mail is missing below a copy without quote marks, its last lines may have been written there, in the
    words of the mail: those behind what is missing, or else the last paragraph."""
    gap = next((copy.first for before, copy in reversed(list(pairwise(found))) if before.end != copy.place), None)
    last = found[-1].last
    paragraph = next((i + 1 for i in range(last, found[0].first, -1) if not copies.keys[i]), last)
    for i in range(paragraph if gap is None else min(gap, paragraph), last + 1):
        why[i] = AGAIN if why[i] == SENT else why[i]


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


def _mark_quotes(copies: Copies, why: list[str]) -> None:
    """Of what is known to be quoted, tell what is ours from what was written into it."""
    run: list[int] = []
    found: list[Copy] = []
    at = i = 0
    while i < len(why):
        if not copies.keys[i]:
            i += 1
            continue
        if run and why[i] != why[run[0]]:
            _mark_run(copies, why, run, found)
            run, found = [], []
        copy = copies.at(i, at) if why[i] in (QUOTED, EARLIER) else None
        if copy is None:
            run += [i] if why[i] in (QUOTED, EARLIER) else []
            i += 1
            continue
        run += range(i, copy.last + 1)
        found.append(copy)
        at, i = copy.end, copy.last + 1
        if why[run[0]] == EARLIER and found[0].place in copies.sent.heads and at in copies.sent.tails:
            # An original that is wholly ours ends here: what stands below it is the writer's.
            _mark_run(copies, why, run, found)
            run, found = [], []
            why[i:] = reasons_from(copies.lines, i)
    _mark_run(copies, why, run, found)


def _is_in_order(sent: Sent, before: Copy | None, copy: Copy, after: Copy | None) -> bool:
    """Whether a copy stands behind the one before it and before the one after it in our mails, and near one of them unless a
    mail begins or ends there."""
    gaps = [copy.place - before.end] if before else []
    gaps += [after.place - copy.end] if after else []
    at_an_end = copy.place in sent.heads or copy.end in sent.tails
    return min(gaps, default=0) >= 0 and (at_an_end or min(gaps, default=_GAP) < _GAP)


def _parts(sent: Sent, before: Copy | None, copy: Copy, after: Copy | None) -> bool:
    """Whether a copy stands between two that are close to each other in one of our mails, where it does not stand between."""
    if before is None or after is None or (before.end == copy.place and copy.end == after.place):
        return False
    own, following = _next(sent, copy, before.end), _next(sent, after, before.end)
    return following is not None and (own is None or own >= following)


def _next(sent: Sent, copy: Copy, begin: int) -> int | None:
    """Where the text of a copy stands next in our mails, not far behind `begin`."""
    place = sent.text.find(sent.text[copy.place : copy.end], begin, begin + _GAP)
    return place if place in sent.breaks else None


_ENOUGH = 2
"""So many lines of a quote must be ours for the others in it to be taken for edited."""


def _mark_run(copies: Copies, why: list[str], run: Sequence[int], found: Sequence[Copy]) -> None:
    """Mark what is ours in a quote; if it is ours for the most part, the others were written into it by the player."""
    if not found:
        return
    has_marks = why[run[0]] == QUOTED
    places = Counter(copy.place for copy in found)
    around = [None, *found, None]
    for before, copy, after in zip(around, found, around[2:], strict=False):
        goes_on = (before is not None and before.end == copy.place) or (after is not None and after.place == copy.end)
        # A line of ours that is alone in a place that is not its own was put there, or between two that belong together.
        is_alone = not goes_on and (places[copy.place] > 1 or not _is_in_order(copies.sent, before, copy, after))
        if not is_alone and not _parts(copies.sent, before, copy, after):
            _mark(why, copy, SENT)
    ours = [i for i in run if why[i] == SENT]
    if len(ours) < _ENOUGH:
        return
    depth = min(copies.lines.depths[i] for i in ours if copies.lines.depths[i] or not has_marks)
    # Without quote marks nothing but our own lines tells where the original ends.
    end = ours[-1] if has_marks else run[-1] + 1
    for i in run:
        if why[i] != SENT and copies.lines.depths[i] == depth and ours[0] < i < end:
            why[i] = EDITED
    if not has_marks and found[-1].end not in copies.sent.tails:
        _doubt_end(copies, why, found)
