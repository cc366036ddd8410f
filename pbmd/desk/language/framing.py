"""Lines that frame the orders of a letter and say nothing of them: that these are all, the head of a table, a sum."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pbmd.rules.protocol import Line

_LONGEST = 120
_TOKEN = re.compile(r"[^\W_]+")
CONCLUSION = re.compile(
    r"(?:(?:^|[.,;:!?…])\W{0,4}(?:(?:and|so|well|ok|okay|then|there)\b\W{1,4}){0,3}|\b(?:and|so)\s+)"
    r"(?:(?:that|this)(?:['’]?s| is| will be)|these are|those are|that (?:concludes|completes))\s+(?:all (?:of )?)?"
    r"(?:my|our)\s+(?:final )?(?:moves?|orders?|turn|set-?up|instructions)"
    r"(?: (?:for )?(?:(?:this|the) (?:turn|day|phase|season|round|move)|today|tonight))?(?!\W{0,4}\?)\W*(?=$|[.,;!…]\W)",
    re.IGNORECASE,
)
"""A sentence that calls what stands beside it the move of who writes, and says no more: not "my move for now", and no
question."""
_COLUMNS = (
    "unit units order orders action actions type class number nr qty quantity amount count cost costs price total location "
    "place province position system planet hex square from to origin source destination dest target goal where what who phase "
    "impulse item name ship ships remark remarks comment comments note notes details"
)
_TITLES = frozenset(_COLUMNS.split())
"""What columns are called in the language of the orders."""
_LEAST_TITLES = 2
_SEPARATOR = re.compile(r"\|?(?:\s*:?-{2,}:?\s*\|)*\s*:?-{2,}:?\s*\|?")
"""The line below the head of a table, as Markdown has it."""
_SUM = re.compile(
    r"\W*(?:grand )?(?:total|sum)(?: (?:cost|costs|of|spent|used|is))*\W{1,3}(?P<number>\d{1,9})(?:\s*/\s*\d{1,9})?"
    r"(?: (?P<unit>[^\W\d_]{1,12}))?(?:\W+(?:spent|used|left|over|in all))?\W*",
    re.IGNORECASE,
)


def without_conclusion(text: str) -> str:
    """A line without a sentence that calls what stands beside it the move of who writes: "That's my move."."""
    if len(text) > _LONGEST or not (" my " in text or " our " in text):
        return text
    return CONCLUSION.sub("", text).strip().lstrip(".,;!… ")


def is_sum(text: str, beside: Iterable[str]) -> bool:
    """Whether a line is a sum, and not another one than that of the numbers of the same unit in the lines beside it."""
    found = _SUM.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        return False
    counted = re.compile(rf"\b(\d{{1,9}}) {re.escape(found['unit'] or '')}", re.IGNORECASE) if found["unit"] else None
    numbers = [int(number) for line in beside if line != text for number in counted.findall(line)] if counted else []
    return not numbers or sum(numbers) == int(found["number"])


def heads_of_tables(lines: Sequence[Line]) -> frozenset[Line]:
    """The lines that only name the columns of a table: by their words, or by the line below them, in a word for each column."""
    above = (line for line, below in pairwise(lines) if _is_separator(line, below) and _may_be_titles(line.text))
    return frozenset((*above, *(line for line in lines if _has_titles(line.text))))


def _is_separator(line: Line, below: Line) -> bool:
    return below.number == line.number + 1 and "|" in below.text and _SEPARATOR.fullmatch(below.text.strip()) is not None


def _may_be_titles(text: str) -> bool:
    """Whether what stands between the bars may be called titles, in any language: "Old orders" is more than one."""
    cells = text.strip().strip("|").split("|") if "|" in text else []
    tokens = _TOKEN.findall(text.casefold())
    in_words = len(cells) >= _LEAST_TITLES and all(len(cell.split()) <= 1 for cell in cells)
    return in_words or bool(cells and tokens and _TITLES.issuperset(tokens))


def _has_titles(text: str) -> bool:
    tokens = _TOKEN.findall(text.casefold()) if len(text) <= _LONGEST else []
    return len(tokens) >= _LEAST_TITLES and _TITLES.issuperset(tokens) and text.rstrip()[-1] not in ".!?,;:"
