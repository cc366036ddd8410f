"""Lines of a letter that are whole lines of a mail of ours that it may answer.

A line is ours only if it is a whole line of ours, or if it is the beginning of one and the lines below it are the rest: that is
what mail programs do to lines that are too long for them. So a line from which something was removed, such as the "#" of a
comment, is the player's. All loops go over the lines once, and joining pieces is tried a limited number of times.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from pbmd.post.lines.form_line import form_mark
from pbmd.post.lines.letterhead import NO_LETTERHEAD, Letterhead
from pbmd.post.lines.quotes import Lines
from pbmd.post.lines.text import APART, key, normal, without_bullet


@dataclass(frozen=True, slots=True)
class Sent:
    """The mails that a letter may answer: all of their lines as keys, one after the other."""

    text: str = ""
    starts: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """Where each line begins."""
    lines: tuple[str, ...] = ()
    """The same lines in alphabetical order."""
    breaks: frozenset[int] = frozenset()
    """Where lines begin and end."""
    heads: frozenset[int] = frozenset()
    """Where mails begin."""
    tails: frozenset[int] = frozenset()
    """Where they end."""
    mails: tuple[tuple[tuple[int, int], ...], ...] = ()
    """Where the texts of each mail begin and end, the newest mail first: it is the one that a letter answers most likely."""
    form: frozenset[str] = frozenset()
    """The lines of the seat's order forms that are not comments: they are there to be filled in."""
    below: frozenset[str] = frozenset()
    """The lines that stand below these forms and nowhere else."""
    head: Letterhead = NO_LETTERHEAD
    """What their headers say."""

    def has_line(self, line: str) -> bool:
        """Whether a line is theirs, and none that their order forms offer."""
        piece = key(line)
        return piece in self.starts and piece not in self.form and f"#{piece}" not in self.starts


NOTHING_SENT = Sent()
_SENT_CHARS = 200_000


def sent_mails(mails: Sequence[Sequence[Sequence[str]]], own: Callable[[str], bool], head: Letterhead = NO_LETTERHEAD) -> Sent:
    """Make mails, the newest first, ready for being found again: of each its texts, of each text its lines. `own` tells the tag
    of the seat's forms: others may have written "#orders" into what was passed on. `head` is what their headers say."""
    laid = _Laid(own)
    spans = tuple(tuple(span for lines in texts if (span := laid.add(lines))) for texts in mails)
    return Sent(
        "".join(laid.pieces),
        laid.starts,
        tuple(sorted(laid.starts)),
        frozenset(laid.breaks),
        frozenset(begin for texts in spans for begin, _ in texts),
        frozenset(end for texts in spans for _, end in texts),
        spans,
        frozenset(laid.form),
        frozenset(laid.below - laid.above - laid.form),
        head,
    )


class _Laid:
    """Lines laid one behind the other, and which of them stand above the seat's order forms, in them, and below them."""

    def __init__(self, own: Callable[[str], bool]) -> None:
        self.pieces: list[str] = []
        self.starts: dict[str, list[int]] = {}
        self.breaks = {0}
        self.above, self.form, self.below = set[str](), set[str](), set[str]()
        self._own = own
        self._place = 0

    def add(self, lines: Sequence[str]) -> tuple[int, int] | None:
        """Lay a text behind the others: where it begins and ends, None if nothing of it is there."""
        begin, where = self._place, self.above
        for line in lines:
            mark = form_mark(line)
            if mark.word == "orders" and self._own(mark.tag):
                where = self.form
            elif mark.word == "end" and where is self.form:
                where = self.below
            piece = key(line)
            if piece and self._place + len(piece) <= _SENT_CHARS:
                self._sort(piece, where)
                self._lay(piece)
        return (begin, self._place) if self._place > begin else None

    def _sort(self, piece: str, where: set[str]) -> None:
        if where is self.form and piece.startswith("#"):
            self.above |= {piece, piece.lstrip("#")}
        else:
            where.add(piece)

    def _lay(self, piece: str) -> None:
        self.starts.setdefault(piece, []).append(self._place)
        self.pieces.append(piece)
        self._place += len(piece)
        self.breaks.add(self._place)


class Copy(NamedTuple):
    """Lines of a letter, from `first` to `last`, that are together the text of our mails from `place` to `end`."""

    first: int
    last: int
    place: int
    end: int


_PIECES = 40
"""Into how many pieces a mail program breaks a line: paragraphs of HTML are long."""
_ALIKE = 8
"""How many of our lines with the same beginning are tried."""
_STEPS = 50_000
"""How many pieces and places are examined for a letter."""


class Copies:
    """Finds lines of a letter in the mails that it may answer."""

    def __init__(self, lines: Lines, sent: Sent) -> None:
        self.lines = lines
        self.sent = sent
        self.keys = [key(body) if body else "" for body in lines.bodies]
        self._steps = _STEPS
        self._spelt: dict[int, tuple[str, ...]] = {}

    def at(self, i: int, after: int = 0) -> Copy | None:
        """What begins at line `i` of the letter and is whole lines of ours, those at or behind a place of the mails if there
        are any, else those before it."""
        for piece in self._spellings(i):
            if (copy := self._copy(i, piece, after)) is not None:
                return copy
        return None

    def offered(self, i: int) -> Copy | None:
        """The lines from `i` on that together are a comment of ours without its "#"."""
        copies = (self._copy(i, f"#{piece}", 0) for piece in self._spellings(i))
        return next((copy for copy in copies if copy is not None), None)

    def within(self, i: int, begin: int, stop: int, expected: Iterable[int]) -> list[Copy]:
        """All that begins at line `i` of the letter and is whole lines of the mail from place `begin` to `stop`. `expected` are
        places where lines begin of which several may have been made one."""
        found: dict[int, Copy] = {}
        self._steps -= 1
        for piece in self._spellings(i) if self._steps > 0 else ():
            joined = (place for place in expected if piece and self.sent.text.startswith(piece, place))
            lines = (_between(line, begin, stop) for line in self._beginning(piece))
            for place in chain(joined, *(_near(places, expected) for places in lines)):
                self._steps -= 1
                copy = None if place in found else self._whole(i, piece, place)
                if copy is not None and copy.end <= stop:
                    found[place] = copy
        return list(found.values())

    @property
    def exhausted(self) -> bool:
        """Whether a letter took so long that not all of it was examined."""
        return self._steps <= 0

    def _spellings(self, i: int) -> tuple[str, ...]:
        """The key of a line, and if it has a bullet the one without."""
        if i not in self._spelt:
            plain = normal(self.lines.bodies[i])
            bare = without_bullet(plain)
            self._spelt[i] = (self.keys[i],) if bare == plain else (self.keys[i], key(bare))
        return self._spelt[i]

    def _copy(self, i: int, piece: str, after: int) -> Copy | None:
        for place in self._places(piece, after):
            if (copy := self._whole(i, piece, place)) is not None:
                return copy
        return None

    def _places(self, piece: str, after: int) -> Iterator[int]:
        """Where lines of ours begin that begin with a piece, or with which it begins."""
        if piece and after in self.sent.breaks and self.sent.text.startswith(piece, after):
            yield after
        for places in self._beginning(piece):
            found = bisect_left(places, after)
            yield places[found] if found < len(places) else places[0]

    def _beginning(self, piece: str) -> Iterator[Sequence[int]]:
        """For each line of ours that begins with a piece the places where it stands."""
        sent = self.sent
        if not piece:
            return
        if piece in sent.starts:
            yield sent.starts[piece]
        first = bisect_left(sent.lines, piece)
        for line in sent.lines[first : first + _ALIKE]:
            if not line.startswith(piece):
                return
            if line != piece:
                yield sent.starts[line]

    def _whole(self, i: int, piece: str, place: int) -> Copy | None:
        """Line `i`, of which this is the key, with the lines directly below it that are its rest, and may have lost their quote
        marks. None if it is neither whole nor made whole by them."""
        text, breaks, depths, keys = self.sent.text, self.sent.breaks, self.lines.depths, self.keys
        end, last = place + len(piece), i
        while end not in breaks:
            following = last + 1
            end += text.startswith(APART, end)
            self._steps -= 1
            if (
                self._steps < 0
                or following - i >= _PIECES
                or following >= len(keys)
                or not keys[following]
                or depths[following] not in (depths[i], 0)
                # No program breaks a line after its "#": whoever does that wants the rest to be read.
                or not keys[last].strip("#")
                or not text.startswith(keys[following], end)
            ):
                return None
            end, last = end + len(keys[following]), following
        return Copy(i, last, place, end)


_MANY = 16
"""Of a line that a mail has more often, the places near to where it is expected are looked at."""


def _near(places: Sequence[int], expected: Iterable[int]) -> Sequence[int]:
    if len(places) <= _MANY:
        return places
    found = {at for place in expected for at in range(bisect_left(places, place), len(places))[:2]}
    return [places[at] for at in sorted(found | {0, 1})]


def _between(places: Sequence[int], begin: int, stop: int) -> Sequence[int]:
    return places[bisect_left(places, begin) : bisect_left(places, stop)]
