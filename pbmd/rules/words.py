"""Counts and lists in plain English."""

import re
from collections.abc import Iterable

_DOUBLED = re.compile(r"([?!…][\"”)]?|(?<=[\w\"”)])\.)\.(?=\s|$)")


def counted(count: int, thing: str, things: str = "") -> str:
    """ "1 fleet", "3 fleets", "2 armies"; `things` is the plural where it is not made with an s."""
    return f"{count} {thing if count == 1 else things or thing + 's'}"


def listing(things: Iterable[str], word: str = "and") -> str:
    """ "A", "A and B", "A, B and C"; "" for none."""
    *others, last = [*things] or [""]
    return f"{', '.join(others)} {word} {last}" if others else last


def capital(words: str) -> str:
    """The words as the beginning of a sentence."""
    return f"{words[:1].upper()}{words[1:]}"


def with_single_marks(text: str) -> str:
    """Sentences without the full stop that was added to one that had ended already: "Did you mean “this”?."."""
    return _DOUBLED.sub(r"\1", text)
