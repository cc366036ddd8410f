"""Letters that the fonts of the printed book do not have: pictures become their names, letters of other scripts a square."""

import unicodedata
from collections.abc import Iterable

_UNKNOWN = "\N{WHITE SQUARE}"
_SYMBOLS = ("So", "Sk", "Sm", "Sc")
_NATION = "REGIONAL INDICATOR SYMBOL LETTER "
_OF_OTHERS = ("VARIATION SELECTOR", "EMOJI MODIFIER", "COMBINING ENCLOSING KEYCAP", "ZERO WIDTH", "TAG ")
"""What only changes the look of the letter before it."""

_SURE = 0x17F
"""Below it every font has all letters."""
_NEVER = ((0x2E80, 0xA000), (0xAC00, 0xE000), (0xF900, 0xFB00), (0x1F000, 0x110000))
"""Ideographs, syllables and pictures: none of the fonts has any."""
_MOST_TRIED = 1_000


def to_be_tried(letters: Iterable[str]) -> tuple[list[str], list[str]]:
    """Those of the letters that a font may have, and those that none has. Nobody writes in so many scripts that the rest counts
    when there are more than some thousand."""
    doubtful = sorted(letter for letter in letters if ord(letter) >= _SURE)
    never = {letter for letter in doubtful if any(first <= ord(letter) < end for first, end in _NEVER)}
    tried = [letter for letter in doubtful if letter not in never]
    return tried[:_MOST_TRIED], [*sorted(never), *tried[_MOST_TRIED:]]


def spelt(letter: str) -> str:
    """What stands for the letter."""
    name = unicodedata.name(letter, "")
    if name.startswith(_OF_OTHERS):
        return ""
    if name.startswith(_NATION):
        return name.removeprefix(_NATION)
    return f"‹{name.lower()}›" if name and unicodedata.category(letter) in _SYMBOLS else _UNKNOWN


def spelt_out(text: str, letters: str) -> str:
    """The text without any of these letters that is not plain ASCII."""
    return text.translate({ord(letter): spelt(letter) for letter in letters if not letter.isascii()})
