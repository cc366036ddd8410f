"""Order lines as they are read, without what mail programs and typists put into a line and nobody means."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from types import MappingProxyType
from typing import ParamSpec, TypeVar, cast

from pbmd.rules.protocol import Line

LONGEST_LINE = 500
"""How many characters a player's line may have, unless a ruleset has a reason for another number."""

USUAL_LINE = 200
"""A line of up to this many characters is worth remembering: it comes again, in the same step and in others."""

P = ParamSpec("P")
T = TypeVar("T")

BULLET = r"(?:[-*•]|\d{1,3}(?:[.)]|(?:st|nd|rd|th)[.):,]))\s+"
COMMENT = "#.*"
_MOST_MARKS = 30
_ARROWS = (
    *range(0x2190, 0x2200),
    *range(0x2794, 0x27C0),
    *range(0x27F0, 0x2980),
    *range(0x2B00, 0x2C00),
    *range(0x1F800, 0x1F900),
)
"""Where Unicode has arrows."""
_NO_ARROW = re.compile("STROKE|LEFT|UP|DOWN|CROSS|HARPOON|TAIL|BENT|CURV|HOOK|LOOP|WAVE")
"""What some arrows have in their names that may mean something else, as "does not lead to"."""


def _leads_right(char: str) -> bool:
    name = unicodedata.name(char, "")
    return "RIGHTWARDS" in name and "ARROW" in name and _NO_ARROW.search(name) is None


_TYPOGRAPHY = {
    **dict.fromkeys(filter(_leads_right, map(chr, _ARROWS)), "->"),
    "’": "'",
    "‘": "'",
    "–": "-",
    "‐": "-",
    "‑": "-",
    "−": "-",
    "\u00ad": "",
    "\u00a0": " ",
    "\ufe0f": "",
}
_DOUBLE_ARROW = re.compile(r"(?<![<>=!~-])={1,3}>(?![=>])")
_NO_SIGNS: Mapping[str, str] = MappingProxyType({})


def _composed(text: str) -> str:
    """NFC, in time that grows no faster than the text: of letters with more than 30 marks, which no language has (UAX #15,
    stream-safe text), the others are composed apart, since runs of marks take quadratic time to sort."""
    starts, marks = [0], 0
    for place, char in enumerate(text if len(text) > _MOST_MARKS else ""):
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks > _MOST_MARKS:
            starts.append(place)
            marks = 1
    ends = [*starts[1:], len(text)]
    return "".join([unicodedata.normalize("NFC", text[start:end]) for start, end in zip(starts, ends, strict=True)])


class _UnusualLine(Exception):
    """A text is too long to be remembered."""


def line_cache(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """`functools.lru_cache` for up to `most` calls of a function that reads what players write.

    No call is remembered that has a text of more than USUAL_LINE characters among its positional arguments: anybody can write
    mail, and it must not fill the memory.
    """

    def keeping(read: Callable[P, T]) -> Callable[P, T]:
        @wraps(read)
        def read_if_usual(*args: P.args, **kwargs: P.kwargs) -> T:
            for each in args:
                if isinstance(each, str) and len(each) > USUAL_LINE:
                    raise _UnusualLine
            return read(*args, **kwargs)

        # Asked behind the cache, which keeps no exceptions: most lines are known, and need not be measured.
        known = cast("Callable[P, T]", lru_cache(maxsize=most)(read_if_usual))

        @wraps(read)
        def known_or_read(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return known(*args, **kwargs)
            except _UnusualLine:
                pass
            return read(*args, **kwargs)

        return known_or_read

    return keeping


def cleaner(
    *, bullet: str = BULLET, ends: str = " .,;!", remark: str = "", ignored: str = COMMENT, signs: Mapping[str, str] = _NO_SIGNS
) -> Callable[[str], str]:
    """A function that gives a line as it is read: with single blanks, composed letters, and plain quotes, hyphens and
    arrows; "" for one that says nothing to the rules.

    All patterns ignore case. A `bullet` is taken from the beginning if something follows it, marks in `ends` from the end; what
    comes after a `remark` is not read, and what is wholly `ignored` neither. `signs` are other characters to be replaced.
    """
    table = str.maketrans({**_TYPOGRAPHY, **signs})
    first, last = re.compile(rf"(?:{bullet})(?=\S)", re.IGNORECASE), re.compile(remark or r"\Z", re.IGNORECASE)
    nothing = re.compile(ignored, re.IGNORECASE)

    def clean(text: str) -> str:
        if not text.isascii():
            text = _composed(text).translate(table)
        if "=>" in text:
            text = _DOUBLE_ARROW.sub("->", text)
        if remark and (found := last.search(text)):
            text = text[: found.start()]
        text = " ".join(text.split())
        if bullet and (found := first.match(text)):
            text = text[found.end() :]
        if ends:
            text = text.rstrip(ends)
        return "" if nothing.fullmatch(text) else text

    return clean


def order_lines(text: str) -> tuple[Line, ...]:
    """The lines of a command text that say something, numbered with blank lines counted: those of a `Mail`."""
    return tuple(Line(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip())
