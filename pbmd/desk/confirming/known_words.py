"""A letter that nobody has confirmed is shown only in words that its orders are known to consist of."""

import re
from functools import lru_cache

_SPACED = re.compile(r"\S+")
_EDGES = ".,;:!?()[]\"'*#`|_-"
_PARTS = re.compile(r"[-/+=:,;()]+")
_NUMBER = re.compile(r"[-+]?\d{1,5}%?", re.ASCII)


def words_of(text: str) -> frozenset[str]:
    """The words of a text in lower case, whole and, those with a hyphen or the like, in parts."""
    whole = {word.strip(_EDGES).casefold() for word in text.split()}
    return frozenset(whole | {part for word in whole for part in _PARTS.split(word)})


words_of_handbook = lru_cache(maxsize=32)(words_of)
"""The same for a text of our own, which is long and always the same."""


def in_known_words(text: str, known: frozenset[str]) -> str:
    """The text with "…" for each unknown word."""
    return _SPACED.sub(lambda found: _as_known(found[0], known), text)


def _as_known(token: str, known: frozenset[str]) -> str:
    """The token, or "…" if a word in it is unknown."""
    word = token.strip(_EDGES).casefold()
    parts = [part for part in _PARTS.split(word) if part]
    fine = word in known or all(part in known or _NUMBER.fullmatch(part) for part in parts)
    return token if fine else "…"
