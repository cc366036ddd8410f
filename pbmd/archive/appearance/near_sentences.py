"""Sentences that match those of a text except for a number or two: two honest layouts of one report never produce them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from pbmd.archive.appearance.word_diff import differences

_LEAST = 4
_OF = 5
"""One word in this many may differ."""
_MOST_PLACES = 50


def near_misses(lines: Sequence[Sequence[str]], text: Sequence[str]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """For each such line the numbers that the text has, and those that stand in their place."""
    places = defaultdict[tuple[str, str], list[int]](list)
    for place in range(len(text) - 1):
        found = places[text[place], text[place + 1]]
        if len(found) < _MOST_PLACES:
            found.append(place)
    for line in lines:
        if len(line) >= _LEAST and 2 * sum(map(_is_number, line)) <= len(line):
            yield from ((each.one, each.other) for each in differences(_nearest(line, text, places), line))


def _nearest(line: Sequence[str], text: Sequence[str], places: dict[tuple[str, str], list[int]]) -> Sequence[str]:
    """What the text has in its place; the line itself, if the text has nothing like it."""
    begins = Counter(
        place - number
        for number in range(len(line) - 1)
        for place in places.get((line[number], line[number + 1]), ())
        if 0 <= place - number <= len(text) - len(line)
    )
    for begin, _ in begins.most_common(3):
        there = text[begin : begin + len(line)]
        others = [pair for pair in zip(line, there, strict=True) if pair[0] != pair[1]]
        if len(others) <= max(1, len(line) // _OF) and all(_is_number(one) and _is_number(other) for one, other in others):
            return there
    return line


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word))
