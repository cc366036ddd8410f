"""The advice for a refused line: the same line with its words corrected, or an example about the same thing."""

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from pbmd.rules.lines import line_cache
from pbmd.rules.names import fold
from pbmd.rules.remarks import changes_order, in_brackets
from pbmd.rules.unsure import UNSURE

RIGHT, EXAMPLE = "Right:", "For example:"
"""What is put before the corrected line, and before another one about the same thing."""
_LIKENESS = 0.6
"""How similar (up to 1, by difflib) what is written and what is meant must be."""
_LIKENESS_OF_WORDS = 0.7
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]{3,30}")
_MOST_UNKNOWN, _MOST_NEAR, _MOST_RESPELT = 3, 3, 12
_LONGEST_COMPARED = 80
"""Characters: the time of a comparison grows with the square."""


_TURNING = frozenset(
    (
        *("no", "not", "never", "none", "neither", "nor", "or", "either", "if", "unless", "except", "without", "don", "dont"),
        *("cannot", "half", "dozen", "next", "later", "tomorrow", "after", "until", "when", "max", "maximum", "min", "minimum"),
        *("most", "many", "few", "some", "any", "both", "pair", "couple", "rest", "remaining"),
        *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "hundred"),
    )
)
"""Words that make another thing of a line, and so are no slip of the pen for others."""


def is_set_right(written: str, advice: str) -> bool:
    """Whether the advice is the written line with words spelt differently, split or joined: none is new, none is missing, and
    all numbers are the same."""
    before, after = _words(written), _words(advice)
    if not _TURNING.intersection(before).issubset(after):
        return False
    changes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return all(kind == "equal" or _respelt(before[a:b], after[c:d]) for kind, a, b, c, d in changes)


def _respelt(before: Sequence[str], after: Sequence[str]) -> bool:
    if len(before) == len(after):
        return all(map(_alike, before, after))
    return _alike("".join(before), "".join(after))


def is_about_the_same(written: str, example: str, strange: Collection[str] = ()) -> bool:
    """Whether the example is about what the line names: each word of more than a letter, and each number, is in it, spelt
    similarly or abbreviated, except for those in `strange`, which are unknown. It names nothing else in their place."""
    unknown = {word for text in strange for word in _words(text)}
    named = [word for word in _words(written) if word not in unknown and (len(word) > 1 or word.isdigit())]
    there = _words(example)
    if not named or (unknown and _names_more(written, there)):
        return False
    return all(any(_may_be(word, each) for each in there) for word in named)


def _names_more(written: str, there: Collection[str]) -> bool:
    """Whether one of the words of an example matches nothing in the line."""
    return any(len(each) > 2 and not any(_may_be(word, each) for word in _words(written)) for each in there)


def shares_a_word(written: str, example: str) -> bool:
    """Whether the line has a word of more than a letter that is in the example, spelt similarly or abbreviated."""
    words, there = [word for word in _words(written) if len(word) > 1], _words(example)
    return any(_may_be(word, each) for word in words for each in there)


def as_written(problem: str, text: str, shapes: Mapping[str, str]) -> str:
    """The problem of a line that is no order, with how one is written that has the line's first telling word: `shapes` has that
    by each word. What stands in <> is to be filled in, so that nobody sends it as it is."""
    said = _words(text)
    shape = next((shapes[word] for word in said if word in shapes), "")
    why = why_unclear(text) or ("this word alone does not say enough" if len(said) == 1 else problem)
    return f'{why}; write it as "{shape}"' if shape else problem


_UNCLEAR = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), why)
    for words, why in (
        (
            r"if|unless|when|while|until|otherwise|provided|providing|assuming|supposing|in case",
            "an order cannot depend on anything",
        ),
        (r"next (?:turn|round|day|year|season|move|time)|tomorrow|later", "an order is for now"),
        (r"don'?t|do not|never|not|no|without|except|but|instead", "write only what is to be done"),
        (r"or|either|\d+ ?- ?\d+", "an order leaves no choice"),
        (UNSURE, "an order leaves nothing open"),
        (r"(?:and )?then", "write one order a line"),
        (
            (
                r"up to|at (?:least|most)|as (?:many|much)(?: \w+)? as possible|max(?:imum)?|min(?:imum)?|about|half|"
                r"(?:the )?rest|remaining|a couple|some|several|a few|all|everything"
            ),
            "write a number",
        ),
    )
)
"""Words with which a line leaves open what it orders, and why it may not."""


def why_unclear(text: str) -> str:
    """Why a line, or what should be a name, is none, if it is for words that leave an order open; "" if it has none of them."""
    for said in in_brackets(text):
        if changes_order(said):
            return f'"({said.strip():.40})" may change the order, so write it alone'
    found = ((words.search(text), why) for words, why in _UNCLEAR)
    return next((f'{why} ("{word[0]}")' for word, why in found if word), "")


def sole_right(written: str, standing: Iterable[str]) -> str:
    """Of some lines that would all be accepted, the one that is the written line corrected, if no other is as near, or nearly;
    "" if there is none, or if several may be meant."""
    able = {" ".join(_words(line)): line for line in standing if is_set_right(written, line)}
    near = sorted((distance(fold(written), fold(line)), place, line) for place, line in enumerate(able.values()))
    if not near or (len(near) > 1 and near[1][0] <= near[0][0] + 1):
        return ""
    return near[0][2]


def respellings(text: str, known: Collection[str]) -> Iterator[str]:
    """The line with unknown words replaced by known ones that are spelt similarly, the fewest and most similar first; few
    enough to try each."""
    low = {word.casefold(): word for word in known}
    strange = [found for found in _LETTERS.finditer(text) if found[0].casefold() not in low]
    if not strange or len(strange) > 2 * _MOST_UNKNOWN:
        return
    near = {found: _nearest(found[0].casefold(), low) for found in strange}
    fixable = [found for found in strange if near[found]][:_MOST_UNKNOWN]
    lines: dict[str, int] = {}
    for several in range(1, len(fixable) + 1):
        for chosen in combinations(fixable, several):
            for words in product(*(near[found] for found in chosen)):
                line = text
                for found, word in reversed([*zip(chosen, words, strict=True)]):
                    line = f"{line[: found.start()]}{word}{line[found.end() :]}"
                lines.setdefault(line, distance(fold(text), fold(line)))
    yield from sorted(lines, key=lines.__getitem__)[:_MOST_RESPELT]


def _nearest(word: str, known: dict[str, str]) -> list[str]:
    likely = [each for each in known if abs(len(each) - len(word)) <= 2]
    return [known[each] for each in difflib.get_close_matches(word, likely, n=_MOST_NEAR, cutoff=_LIKENESS_OF_WORDS)]


def distance(one: str, other: str) -> int:
    """How many letters must be inserted, removed, changed, or swapped with the next (optimal string alignment); only the
    beginning of long texts counts."""
    one, other = one[:_LONGEST_COMPARED], other[:_LONGEST_COMPARED]
    last: list[int] = []
    row = [*range(len(other) + 1)]
    for i, letter in enumerate(one, start=1):
        last, before, row = row, last, [i]
        for j, wanted in enumerate(other, start=1):
            least = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                least = min(least, before[j - 2] + 1)
            row.append(least)
    return row[-1]


@line_cache(4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fold(text)))


def _alike(one: str, other: str) -> bool:
    if [*filter(str.isdigit, one)] != [*filter(str.isdigit, other)]:
        return False
    return (bool(one) and other.startswith(one)) or _are_similar(one, other, _LIKENESS)


def _are_similar(one: str, other: str, least: float) -> bool:
    """Whether difflib finds two words so similar. It takes long, and is not asked where the signs that both have would be too
    few, whatever their order."""
    in_both = [sign for sign in one if sign in other]
    if one and 2.0 * min(len(in_both), len(other)) / (len(one) + len(other)) < least:
        return False
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() >= least


def _may_be(written: str, word: str) -> bool:
    """Whether a word of a line is this one, spelt similarly or abbreviated, or spelt out where this one is abbreviated."""
    if written == word:
        return True
    if any(map(str.isdigit, written + word)):
        return False
    short, long = sorted((written, word), key=len)
    return (len(short) > 2 and long.startswith(short)) or (len(short) > 3 and _are_similar(written, word, _LIKENESS_OF_WORDS))
