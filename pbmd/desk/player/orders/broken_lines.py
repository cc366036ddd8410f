"""Orders that are written over several lines, as programs wrap them, or people do: the rules read line by line.

A line that the rules refuse may be the rest of the one above it. It is read as that if the two together are an order with which
nothing is wrong, and one that says more than the line above alone; unless any other words would do as well: then it may be what
somebody signs with, which would be read as a name that the order gives.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbmd.desk.language.marks import changing_words, says_nothing
from pbmd.desk.letter.answer import WORDS_NOT_READ, Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.unread_orders import READ_CHARS, READ_LINES
from pbmd.rules.protocol import Line, Mail, Status, Verdict
from pbmd.rules.troubles import BrokenGame

_MOST_REFUSED = 30
"""With more lines that are no orders it is a letter around orders, or nonsense: the rules are not asked about it again."""
_ROUNDS = 4
"""Over so many lines an order goes at most, or nearly: each costs the rules a few looks."""
_GLUES = (" ", "", ", ")
"""What a break may stand for; nothing only behind a hyphen."""
_LETTERS = re.compile(r"[^\W\d_]+")
_SQUARE = re.compile(r"\b[^\W\d_]{1,2}\d{1,3}\b")
_SQUARES = re.compile(rf"(?:(?:at|in|on|and|squares?|targets?)\b[\s:]*|{_SQUARE.pattern}[\s,;.+]*)+", re.IGNORECASE)
"""Squares of a map and nothing else: beside them words are often read over."""
_GOES_ON = re.compile(r"(?:[-:,>→+]|\b(?:and|at|by|from|in|into|of|on|to|with|via|the|a|an|my))\s*$", re.IGNORECASE)
"""How a line ends behind which an order goes on."""
_OF_BOLD = re.compile(r"\[/?b\]", re.IGNORECASE)
_SEEN = Mapping[int, Sequence[Verdict]]


class _Pair(NamedTuple):
    """A line, and the one right below it."""

    above: Line
    below: Line


def with_whole_lines(sender: Sender, arrived: Arrived, lines: Sequence[Line], answer: Answer) -> tuple[Line, ...]:
    """The order lines, those that are pieces of one order as one line, by the number of the first; the answer tells which."""
    many = len(lines)
    if not 1 < many <= READ_LINES or any(len(line.text) > READ_CHARS or _OF_BOLD.search(line.text) for line in lines):
        return tuple(lines)
    try:
        return _Reading(sender, arrived, lines).whole(answer)
    except BrokenGame:
        return tuple(lines)


class _Reading:
    """The lines of a letter as far as they have been put together, with the numbers of the last line of each."""

    def __init__(self, sender: Sender, arrived: Arrived, lines: Sequence[Line]) -> None:
        self._sender, self._arrived = sender, arrived
        self._lines = list(lines)
        self._ends = {line.number: line.number for line in lines}
        self._failed: set[_Pair] = set()
        self._may_belong: dict[int, str] = {}

    def whole(self, answer: Answer) -> tuple[Line, ...]:
        seen = self._seen(self._lines)
        if not 0 < sum(map(_is_refused, seen.values())) <= _MOST_REFUSED:
            return tuple(self._lines)
        for _ in range(_ROUNDS):
            pairs = self._pairs(seen)
            for glue in _GLUES:
                pairs = self._join(pairs, glue, seen)
            self._failed.update(pairs)
            seen = self._seen(self._lines)
        for text in self._may_belong.values():
            answer.remark(f'"{text}" may belong to the line above it, but was not read with it.')
            answer.unread = answer.unread or ("" if answer.also else WORDS_NOT_READ)
        for first, last in self._ends.items():
            if first != last:
                answer.remark(
                    f"Lines {first} {'and' if last == first + 1 else 'to'} {last} of your mail were read as one order."
                )
        return tuple(self._lines)

    def _seen(self, lines: Sequence[Line]) -> _SEEN:
        """What the rules say of each line."""
        table = self._sender.table
        mail = Mail(self._sender.seat.name, tuple(lines), self._arrived.arrival)
        found: dict[int, list[Verdict]] = {}
        for verdict in table.ruleset.receive(table.position, mail).verdicts:
            found.setdefault(verdict.line, []).append(verdict)
        return found

    def _pairs(self, seen: _SEEN) -> list[_Pair]:
        """Lines of which the second may be the rest of the first, each line once."""
        pairs: list[_Pair] = []
        for above, below in zip(self._lines, self._lines[1:], strict=False):
            pair = _Pair(above, below)
            is_below = self._ends[above.number] + 1 == below.number and above.number in seen
            is_free = not pairs or pairs[-1].below != above
            is_text = not says_nothing(above.text) and not says_nothing(below.text)
            is_new = pair not in self._failed
            if is_below and is_free and is_text and is_new and _is_refused(seen.get(below.number, ())):
                pairs.append(pair)
        return pairs

    def _join(self, pairs: Sequence[_Pair], glue: str, seen: _SEEN) -> list[_Pair]:
        """Puts the pairs together with that between their lines; gives those that are no orders so."""
        tried = {pair: text for pair in pairs if (text := _joined(pair, glue))}
        if not tried:
            return list(pairs)
        texts = {pair.above.number: text for pair, text in tried.items()}
        rests = {pair.below.number for pair in tried}
        together = [Line(line.number, texts.get(line.number, line.text)) for line in self._lines if line.number not in rests]
        now = self._seen(together)
        right = [pair for pair in tried if self._is_right(pair, tried[pair], now.get(pair.above.number, ()), seen)]
        for pair in right:
            self._lines[self._lines.index(pair.above)] = Line(pair.above.number, tried[pair])
            self._lines.remove(pair.below)
            self._ends[pair.above.number] = self._ends.pop(pair.below.number)
        return [pair for pair in pairs if pair not in right]

    def _is_right(self, pair: _Pair, text: str, verdicts: Sequence[Verdict], seen: _SEEN) -> bool:
        """Whether nothing is wrong with what two lines are together, and it says more than the first alone."""
        before = seen[pair.above.number]
        says_more = [verdict.canonical for verdict in verdicts] != [verdict.canonical for verdict in before]
        if not _is_plain_order(verdicts):  # with a remark about what was read over it may be another order, or the same
            if says_more and not _is_refused(verdicts) and not _is_refused(before):
                self._may_belong[pair.below.number] = pair.below.text
            return False
        said = " ".join(verdict.canonical for verdict in verdicts).casefold()
        if not all(word in said for word in changing_words(pair.below.text)):  # it was read over
            return False
        if _is_refused(before) and not self._is_broken(pair, verdicts):
            return False
        if _SQUARE.search(pair.below.text):
            return says_more and _SQUARES.fullmatch(pair.below.text.strip()) is not None
        return says_more and not self._takes_any_words(pair, text)

    def _is_order(self, line: Line) -> bool:
        """Whether a line is an order by itself, that is refused for the line above it only: nobody knows whether it is the rest
        of that, or an order of its own. A single word that is one in a letter of its own is the rest: "Hold"."""
        return " " in line.text.strip() and _is_plain_order(self._seen([line]).get(line.number, ()))

    def _is_broken(self, pair: _Pair, verdicts: Sequence[Verdict]) -> bool:
        """Whether two lines look like one that was broken, and not like two entries of a list: "Vienna" and "Budapest" may be
        another order the other way round, and "Vienna" and "Tyrolia" are one word each."""
        above, below = pair.above.text.strip(), pair.below.text.strip()
        if self._is_order(pair.below):
            return False
        if _GOES_ON.search(above) or not below[0].isalpha():
            return True
        turned = Line(pair.above.number, f"{below} {above}")
        found = self._seen([turned]).get(turned.number, ())
        if _is_plain_order(found):
            return [each.canonical for each in found] == [each.canonical for each in verdicts]
        return " " in above + below

    def _takes_any_words(self, pair: _Pair, text: str) -> bool:
        """Whether the rest could as well be any other words, as a name that the order gives: "Build 1 base named Rigel" and
        "Tom" below it."""
        others = _LETTERS.sub("Xqzvj", pair.below.text)
        line = Line(pair.above.number, text.removesuffix(pair.below.text.strip()) + others)
        return _is_plain_order(self._seen([line]).get(line.number, ()))


def _is_plain_order(verdicts: Sequence[Verdict]) -> bool:
    """Whether the rules have a line as an order, and no remark about it."""
    return bool(verdicts) and all(verdict.status is Status.OK and verdict.canonical for verdict in verdicts)


def _is_refused(verdicts: Sequence[Verdict]) -> bool:
    return bool(verdicts) and all(verdict.status is Status.ERROR for verdict in verdicts)


def _joined(pair: _Pair, glue: str) -> str:
    """Two lines as one; "" where they cannot be broken so."""
    above, below = pair.above.text.rstrip(), pair.below.text.strip()
    if glue == "":
        return above[:-1] + below if above.endswith("-") and above[-2:-1].isalpha() else ""
    if glue == ", " and not above[-1:].isalnum():
        return ""
    return above.removesuffix(":") + glue + below
