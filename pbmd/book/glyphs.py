"""Letters that the fonts of the printed book lack: emoji become their names, letters of other scripts a square."""

import unicodedata
from collections.abc import Iterable, Iterator

from pbmd.book.clean_text import BREAK

UNKNOWN = "\N{WHITE SQUARE}"
"""Replaces a letter that cannot be set."""
_SYMBOLS = ("So", "Sk", "Sm", "Sc")
_NATION = "REGIONAL INDICATOR SYMBOL LETTER "
_OF_OTHERS = ("VARIATION SELECTOR", "EMOJI MODIFIER", "COMBINING ENCLOSING KEYCAP", "ZERO WIDTH", "TAG ")
"""Characters that only change the look of the letter before them."""

_SURE = 0x17F
"""Below this every font has all letters."""
_PERHAPS = (
    (0x17F, 0x530),  # Latin, accents, Greek, Cyrillic
    (0x591, 0x700),  # Hebrew, Arabic
    (0x1E00, 0x2000),  # Latin and Greek with accents
    (0x2000, 0x27C0),  # marks, currencies, arrows, mathematics, frames, symbols
    (0xFB00, 0xFB50),  # ligatures
    (0xFFFD, 0xFFFE),
)
"""The ranges in which one of the fonts has letters. Typst must not get any others: it cannot set them, and some make it
crash."""


def to_be_tried(letters: Iterable[str]) -> tuple[list[str], list[str]]:
    """Those of the letters that a font may have, and those that none has."""
    doubtful = sorted(letter for letter in letters if ord(letter) >= _SURE)
    tried = [letter for letter in doubtful if any(first <= ord(letter) < end for first, end in _PERHAPS)]
    return tried, sorted({*doubtful} - {*tried})


def goes_together(letter: str) -> bool:
    """Whether it may be tried together with others: Typst crashes at several adjacent marks, or Hebrew or Arabic letters, that
    no font has."""
    return unicodedata.category(letter)[0] != "M" and not 0x591 <= ord(letter) < 0x700


def spelt(letter: str) -> str:
    """The replacement for the letter."""
    name = unicodedata.name(letter, "")
    if name.startswith(_OF_OTHERS):
        return ""
    if name.startswith(_NATION):
        return name.removeprefix(_NATION)
    plain = unicodedata.normalize("NFKC", letter)  # for styled letters, such as those of mathematics
    if unicodedata.category(letter)[0] in "LN" and all(ord(each) < _SURE for each in plain):
        return plain
    return f"‹{name.lower()}›" if name and unicodedata.category(letter) in _SYMBOLS else UNKNOWN


def spelt_out(text: str, letters: str) -> str:
    """The text without those of these letters that are not plain ASCII."""
    return text.translate({ord(letter): spelt(letter) for letter in letters if not letter.isascii()})


def plainer(text: str) -> Iterator[str]:
    """The text without accents and the like that stand alone, and then without any letter that is not in every font: for
    letters that a font has, but that cannot be set side by side."""
    doubtful = {letter for letter in text if ord(letter) >= _SURE}
    yield text.translate({ord(letter): "" for letter in doubtful if unicodedata.category(letter)[0] == "M"})
    yield text.translate({ord(letter): spelt(letter) for letter in doubtful - {UNKNOWN, BREAK}})
