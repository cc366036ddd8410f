"""What single words may be in running text: names of places and powers, and those that announce orders or turn them."""

import re
from collections.abc import Collection
from functools import lru_cache

from ...world.board import board
from ..interpretation.candidates import candidates, plain
from ..names import power_words
from ..words import CODE

FEW = 2
"""Up to this many words before an order are a greeting; more of them may be a condition, in any language."""
_LONG = 5
"""Letters of a word that is like no name by accident alone."""
TURNS = re.compile(
    r"\b(?:but|cannot|can't|don't|except|maybe|neither|never|not|only|perhaps|while|after|before)\b", re.IGNORECASE
)
"""Words that make another thing of an order beside them, in the language of the orders."""
CHOICE = re.compile(r"^or\b|\bor$", re.IGNORECASE)
_WOULD_LIKE = re.compile(r"\bwould like\b", re.IGNORECASE)
_HERE_YOU_GO = re.compile(r"\bhere you (?:go|are)\b", re.IGNORECASE)
_ANNOUNCING_WORDS = (
    "a amended an and april are as august autumn below by d december fall february final finally find first "
    "follow following follows for from go have here hereby i i'd i'll i'm in is january july "
    "june lastly like ll m march me month move movement movements moves my new november october of order ordering "
    "orders our phase planned plans play please revised season send september set so spring submit summer that's the their "
    "then there these they this to turn updated ve want we we'd we'll will winter with year your"
)
ANNOUNCING = frozenset(_ANNOUNCING_WORDS.split())
"""What announcements of orders consist of, beside the names of their power."""
_POSTSCRIPT = re.compile(r"^(?:p\.? ?){1,3}s\b\.?", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def announces(text: str, own: frozenset[str]) -> bool:
    """Whether a text has only words that announce orders, among them the `own` names of a power."""
    words = words_of(_HERE_YOU_GO.sub("here", _WOULD_LIKE.sub("like", text.replace("’", "'"))))
    known = ANNOUNCING | own | {f"{name}'s" for name in own}
    return all(word in known or word.isdigit() or CODE.fullmatch(word) for word in words)


def words_of(text: str) -> list[str]:
    """The words of a text in small letters."""
    return [word.casefold() for word in WORD.findall(_POSTSCRIPT.sub("", text))]


@lru_cache(maxsize=1024)
def is_province(map_name: str, word: str) -> bool:
    """Whether a word is a name of a province, or like one."""
    is_alike = len(word) > _LONG and bool(candidates(map_name, plain(word)).alike)
    return len(word) > FEW and (is_alike or _is_like(word, board(map_name).by_written))


@lru_cache(maxsize=1024)
def is_power(map_name: str, word: str) -> bool:
    """Whether a word is a name of a power, or like one."""
    return len(word) > FEW and _is_like(word, power_words(map_name))


def _is_like(word: str, named: Collection[str]) -> bool:
    return word in named or (len(word) > _LONG and any(_has_most_of(word, name) for name in named))


def _has_most_of(word: str, name: str) -> bool:
    """Whether a word may be a name in another language: they begin alike, and are nearly as long (Italien, italienisch)."""
    return word[:4] == name[:4] and abs(len(word) - len(name)) <= _LONG - 1
