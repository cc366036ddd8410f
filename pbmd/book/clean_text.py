"""All text in a book is cleaned here first: players write what they like."""

import re
import unicodedata

_KEPT = "\n\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}\N{SOFT HYPHEN}"
"""Characters of those kinds that are parts of words."""
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_LONGEST, _PIECE = 40, 12
BREAK = "\N{ZERO WIDTH SPACE}"
"""Where a line may be broken inside a word."""


_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_LEFT_OUT = "(address left out)"


def clean(text: str) -> str:
    """The text without characters that are commands rather than letters: control characters, marks that change the writing
    direction, unpaired surrogates. Tabs become blanks. What is left is valid in XML, too. Mail addresses are left out."""
    lines = text.expandtabs(4).replace("\r\n", "\n").replace("\r", "\n")
    return _ADDRESS.sub(_LEFT_OUT, "".join(map(_cleaned, lines)))


def _cleaned(character: str) -> str:
    if character in _KEPT or character.isprintable():
        return character
    match unicodedata.category(character):
        case "Zs":
            return character if character == "\N{NO-BREAK SPACE}" else " "
        case "Zl" | "Zp":
            return "\n"
        case "Cf":
            return ""
        case _:
            return _UNKNOWN


def breakable(text: str, longest: int = _LONGEST) -> str:
    """The text with places where a line may break in words longer than this many letters: shorter ones have none, so that they
    can be copied unchanged."""
    return "\n".join(" ".join(_broken(word, longest) for word in line.split(" ")) for line in text.split("\n"))


def _broken(word: str, longest: int) -> str:
    if len(word) <= longest:
        return word
    return BREAK.join(word[at : at + _PIECE] for at in range(0, len(word), _PIECE))


def shortened(text: str, most: int) -> str:
    """The text on one line, cut to that length."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
