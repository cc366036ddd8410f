"""Whether a text shows who wrote it, for games in which nobody is to know.

Only what pbmd knows of the writer is looked for, and only where it can hardly be anything else: the address, the whole name if
it has several words, and any part of the name as a signature, alone on the last line or after a word or two ("Best wishes,
Anna"). Words of seats are no sign of anybody.
"""

import re
from collections.abc import Container, Iterable, Sequence

from pbmd.post.lines.text import normal

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_SIGNED_WITH = 3
"""A last line of so many words can be a signature."""
_INITIAL = 1


def shown_of_writer(text: str, name: str, addresses: Iterable[str], seats: Iterable[str]) -> str:
    """What a text shows of its writer, as said to them: "your address" or "your name"; empty if nothing."""
    if any(address.casefold() in text.casefold() for address in addresses if address):
        return "your address"
    lines = [words for line in text.splitlines() if (words := _words(line))]
    own, of_seats = _words(name), frozenset(word for seat in seats for word in _words(seat))
    return "your name" if _is_named(lines, own, of_seats) else ""


def is_signed(text: str, names: Iterable[str]) -> bool:
    """Whether a line can be a signature: it has few words, the last of which is part of one of these names."""
    own = [word for name in names for word in _words(name)]
    line = _words(text)
    return bool(line) and _is_signed(line, own)


def _is_named(lines: Sequence[Sequence[str]], own: Sequence[str], of_seats: Container[str]) -> bool:
    telling = [word for word in own if word not in of_seats]
    if not telling or not lines:
        return False
    is_whole = len(own) > 1 and _is_within(own, [word for line in lines for word in line])
    return is_whole or _is_signed(lines[-1], telling)


def _words(text: str) -> list[str]:
    return [word.removesuffix("'s") for word in _WORD.findall(normal(text).casefold())]


def _is_within(own: Sequence[str], words: Sequence[str]) -> bool:
    return any([*words[place : place + len(own)]] == own for place in range(len(words) - len(own) + 1))


def _is_signed(line: Sequence[str], own: Sequence[str]) -> bool:
    return len(line) <= _SIGNED_WITH and line[-1] in own and len(line[-1]) > _INITIAL
