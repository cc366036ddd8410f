"""How a quote matches the mail that it quotes: which of its lines are the mail's, and which were put in.

As in a comparison of two versions of a text, as many lines as possible that are in both, in the same order, are matched. What
is left over was written into the quote, even if it is worded like a line of the mail.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pbmd.post.lines.copies import Copies, Copy


@dataclass(frozen=True, slots=True)
class Alignment:
    """The lines of a letter that are a mail of ours, in the order of both.

    `moved` are lines that changed places: one or the other was put where it stands now.
    """

    copies: tuple[Copy, ...] = ()
    moved: frozenset[Copy] = frozenset()


def best_alignment(copies: Copies, lines: Sequence[int]) -> Alignment:
    """Compare some lines of a letter with each of the mails that it may answer, and return the mail that has most of them."""
    return likeliest([[align(copies, lines, begin, end) for begin, end in texts] for texts in copies.sent.mails])


_CHANGED = 2
"""So many lines of the mail that is answered may have been made those of an older one."""


def likeliest(mails: Sequence[Sequence[Alignment]]) -> Alignment:
    """Of what was found in the texts of each mail, the newest first, the most; or nearly as much, if it is in a newer mail."""
    of_mails = [max(texts, key=_extent) for texts in mails if texts]
    most = max((_extent(found)[0] for found in of_mails), default=0)
    enough = max(most - _CHANGED, (2 * most + 2) // 3)
    return next((found for found in of_mails if _extent(found)[0] >= enough), Alignment())


def _extent(found: Alignment) -> tuple[int, int]:
    lines = sum(copy.last - copy.first + 1 for copy in found.copies)
    return lines, sum(goes_on(*two) for two in pairwise(found.copies))


def goes_on(before: Copy, copy: Copy) -> bool:
    """Whether two copies are adjacent in a mail."""
    return before.end == copy.place


def align(copies: Copies, lines: Sequence[int], begin: int, end: int) -> Alignment:
    """Compare some lines of a letter with the mail between two places."""
    pairs = _pairs(copies, lines, begin, end)
    chain = _chain(pairs)
    return Alignment(chain, frozenset(_moved(pairs, chain)))


def _pairs(copies: Copies, lines: Sequence[int], begin: int, end: int) -> list[Copy]:
    """Everything in these lines that is in the mail, in the order of the letter."""
    pairs: list[Copy] = []
    expected = {begin}
    for i in lines:
        here = copies.within(i, begin, end, expected)
        pairs += here
        # What two lines further up leads to is not what stands here, unless the mail program broke a line.
        expected = {copy.end for copy in here if copy.end < end} or expected
    return pairs


_LINE = 1_000_000
"""One more line counts for more than any number of adjacent lines."""


class _Front:
    """The best chains so far by where they end in the mail: the further up, the fewer lines."""

    def __init__(self) -> None:
        self._ends: list[int] = []
        self._best: list[tuple[int, Copy]] = []

    def before(self, place: int) -> tuple[int, Copy | None]:
        """The best chain that ends at a place or further up: its score and its last copy."""
        found = bisect_right(self._ends, place)
        return self._best[found - 1] if found else (0, None)

    def add(self, score: int, copy: Copy) -> None:
        if self.before(copy.end)[0] >= score:
            return
        at = bisect_right(self._ends, copy.end)
        if at and self._ends[at - 1] == copy.end:
            at -= 1
        stop = at
        while stop < len(self._best) and self._best[stop][0] <= score:
            stop += 1
        self._ends[at:stop] = [copy.end]
        self._best[at:stop] = [(score, copy)]


def _chain(pairs: Sequence[Copy]) -> tuple[Copy, ...]:
    """The pairs in the order of letter and mail that are most lines, and among those most that go on directly: a longest
    increasing subsequence with weights, in n log n steps."""
    front = _Front()
    ending: dict[int, tuple[int, Copy]] = {}
    scores: dict[Copy, int] = {}
    parents: dict[Copy, Copy | None] = {}
    waiting = sorted(pairs, key=lambda copy: copy.last)
    done = 0
    for copy in pairs:
        while waiting[done].last < copy.first:
            score, ended = scores[waiting[done]], waiting[done]
            front.add(score, ended)
            if score > ending.get(ended.end, (0, ended))[0]:
                ending[ended.end] = score, ended
            done += 1
        best, parent = front.before(copy.place)
        if copy.place in ending and ending[copy.place][0] + 1 > best:
            best, parent = ending[copy.place][0] + 1, ending[copy.place][1]
        scores[copy] = best + _LINE * (copy.last - copy.first + 1)
        parents[copy] = parent
    chain: list[Copy] = []
    at = max(scores, key=scores.__getitem__, default=None)
    while at is not None:
        chain.append(at)
        at = parents[at]
    return tuple(reversed(chain))


_FEW = 8
"""Up to this many lines are taken to have been moved, rather than the one that is out of order."""


def _moved(pairs: Sequence[Copy], chain: Sequence[Copy]) -> set[Copy]:
    """Lines of the mail that are out of order, each with the few lines that it should stand above or below."""
    firsts = [copy.first for copy in chain]
    places = [copy.place for copy in chain]
    taken = set(places)
    explained = {i for copy in chain for i in range(copy.first, copy.last + 1)}
    moved: set[Copy] = set()
    for copy in pairs:
        # If the line is in its own place as well, it was merely repeated.
        if copy.place not in taken and explained.isdisjoint(range(copy.first, copy.last + 1)):
            above, below = sorted((bisect_right(firsts, copy.first), bisect_right(places, copy.place)))
            if below - above <= _FEW:
                moved |= {copy, *chain[above:below]}
    return moved
