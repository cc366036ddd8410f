"""Letters that the fonts of the printed book do not have: pictures become their names, letters of other scripts a square."""

import unicodedata

_UNKNOWN = "\N{WHITE SQUARE}"
_SYMBOLS = ("So", "Sk", "Sm", "Sc")
_NATION = "REGIONAL INDICATOR SYMBOL LETTER "
_OF_OTHERS = ("VARIATION SELECTOR", "EMOJI MODIFIER", "COMBINING ENCLOSING KEYCAP", "ZERO WIDTH", "TAG ")
"""What only changes the look of the letter before it."""


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
