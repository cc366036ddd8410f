"""The words and numbers of a text, and where two texts differ in them.

What programs change on the way is ignored: blanks, line breaks, quote marks and list marks, capitals. What changes the meaning
for a person is not: signs before numbers, and invisible characters inside words.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

_ANCHOR = 3
"""If this many words stand together once in each of two texts, the two places match."""
_UNSEEN = frozenset({"Cf", "Cc", "Co", "Cn", "Cs", "Mn", "Me"})


def common_words(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two texts have in common from their beginning on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (here, there) in pairs if here != there), min(len(one), len(other)))


class Difference(NamedTuple):
    """What one text has where the other has something else; and at which word of each it begins."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    at: int
    there: int


class _Map(dict[int, str | int]):
    """What each character becomes; filled in on demand, and no larger than Unicode."""

    def __missing__(self, number: int) -> str | int:
        kind = unicodedata.category(chr(number))
        stays = kind[0] in "LN" or (kind in _UNSEEN and chr(number) not in "\t\n\r\f\v")
        return number if stays else " "


_SIGNS = str.maketrans({"−": "-", "\N{NON-BREAKING HYPHEN}": "-"})


@cache
def _map() -> _Map:
    return _Map()


def words_in(text: str) -> list[str]:
    """The words and numbers of a text; a number includes its sign."""
    return [word for piece in text.translate(_SIGNS).casefold().split() for word in _words_of(piece)]


def _words_of(piece: str) -> list[str]:
    """The words and numbers between two blanks."""
    if piece.isalnum():
        return [piece]
    words = piece.translate(_map()).split()
    bare = piece.lstrip("([{\"'")
    return [bare[0] + words[0], *words[1:]] if words and bare[:1] in "+-" and bare[1:2].isdigit() else words


def unseen_in(text: str) -> set[str]:
    """The characters of a text that are invisible, or only change how those before them look."""
    return {each for each in set(text) if not each.isascii() and unicodedata.category(each) in _UNSEEN}


def readable_words(words: Sequence[str], most: int = 12) -> str:
    """Words for a person to read, with their invisible characters named."""
    told = " ".join("".join(_named(each) for each in word) for word in words[:most])
    return told + (" …" if len(words) > most else "")


def _named(character: str) -> str:
    is_seen = character.isascii() or unicodedata.category(character) not in _UNSEEN
    return character if is_seen else f"<U+{ord(character):04X}>"


def named(character: str) -> str:
    """``U+202E RIGHT-TO-LEFT OVERRIDE``."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()


class Runs:
    """All runs of words in a text, to be searched for many: each search takes as long as the run has words."""

    def __init__(self, words: Sequence[str]) -> None:
        # A suffix automaton: for each run a way from state to state, with at most two states a word.
        self._ways: list[dict[str, int]] = [{}]
        self._shorter, self._length, last = [-1], [0], 0
        for word in words:
            last = self._goes_on(word, last)

    def __contains__(self, words: Sequence[str]) -> bool:
        state = 0
        for word in words:
            found = self._ways[state].get(word)
            if found is None:
                return False
            state = found
        return True

    def _goes_on(self, word: str, last: int) -> int:
        state = self._state({}, self._length[last] + 1)
        while last >= 0 and word not in self._ways[last]:
            self._ways[last][word] = state
            last = self._shorter[last]
        self._shorter[state] = self._apart(word, last) if last >= 0 else 0
        return state

    def _apart(self, word: str, last: int) -> int:
        """The state of the longest run with which both this place and an earlier one end."""
        same = self._ways[last][word]
        if self._length[last] + 1 == self._length[same]:
            return same
        shared = self._state(dict(self._ways[same]), self._length[last] + 1)
        self._shorter[shared], self._shorter[same] = self._shorter[same], shared
        while last >= 0 and self._ways[last].get(word) == same:
            self._ways[last][word] = shared
            last = self._shorter[last]
        return shared

    def _state(self, ways: dict[str, int], length: int) -> int:
        self._ways.append(ways)
        self._shorter.append(-1)
        self._length.append(length)
        return len(self._ways) - 1


class MailText(NamedTuple):
    """What a mail says, read once: the words of its text in order, and all runs of them and of its subject."""

    words: list[str]
    text: Runs
    subject: Runs


def said_by(subject: str, text: str) -> MailText:
    """What a mail with this subject and text says."""
    words = words_in(text)
    return MailText(words, Runs(words), Runs(words_in(subject)))


def differences(one: Sequence[str], other: Sequence[str]) -> Iterator[Difference]:
    """Where two texts differ, in order, in time that grows with their length: between runs of words that occur once in each.
    Repeated passages may be reported as different as a whole."""
    at = there = 0
    for begin, beside in (*_anchors(one, other), (len(one), len(other))):
        if begin < at or beside < there:
            continue
        yield from _between(one, other, (at, begin), (there, beside))
        at, there = begin, beside
        while at < len(one) and there < len(other) and one[at] == other[there]:
            at, there = at + 1, there + 1


def _between(
    one: Sequence[str], other: Sequence[str], of_one: tuple[int, int], of_other: tuple[int, int]
) -> Iterator[Difference]:
    """The differences between two matching places."""
    (at, end), (there, last) = of_one, of_other
    while at < end and there < last and one[at] == other[there]:
        at, there = at + 1, there + 1
    while at < end and there < last and one[end - 1] == other[last - 1]:
        end, last = end - 1, last - 1
    if end - at == last - there:
        yield from _word_by_word(one, other, (at, there), end - at)
    elif at < end or there < last:
        yield Difference(tuple(one[at:end]), tuple(other[there:last]), at, there)


def _word_by_word(one: Sequence[str], other: Sequence[str], places: tuple[int, int], count: int) -> Iterator[Difference]:
    """The same where both have equally many words: each run of words that differ."""
    at, there = places
    begin = 0
    for place in range(count + 1):
        if place == count or one[at + place] == other[there + place]:
            if begin < place:
                run = slice(at + begin, at + place), slice(there + begin, there + place)
                yield Difference(tuple(one[run[0]]), tuple(other[run[1]]), at + begin, there + begin)
            begin = place + 1


def _anchors(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Where runs of words stand that occur once in each text, as many as come in the same order in both."""
    here, there = _once(one), _once(other)
    pairs = [(place, there[run]) for run, place in here.items() if run in there]
    # The longest increasing sequence: the last place of the best of each length, and what came before each.
    ends: list[int] = []
    best: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        best[length : length + 1] = [number]
        before.append(best[length - 1] if length else -1)
    found: list[tuple[int, int]] = []
    number = best[-1] if best else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _once(words: Sequence[str]) -> dict[tuple[str, ...], int]:
    """The runs of words that occur once, and where."""
    found: dict[tuple[str, ...], int] = {}
    again: set[tuple[str, ...]] = set()
    for place in range(len(words) - _ANCHOR + 1):
        run = tuple(words[place : place + _ANCHOR])
        if run in found:
            again.add(run)
        found.setdefault(run, place)
    return {run: place for run, place in found.items() if run not in again}
