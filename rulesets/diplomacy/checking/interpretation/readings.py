"""Lines that the grammar cannot read, or that make no order as they are: the ways to read their words (DI-97).

A badly written order with only one possible meaning is followed. So the words of the line are combined in all ways in which an
order can be written (`forms`), the provinces that the names may stand for are tried, and the order is accepted if exactly one
results that can be carried out (`trials`).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .brackets import without_brackets
from .forms import Loose, kinds_first, orders_of
from .tagging import tag_of, tagged


class Reading(NamedTuple):
    """The orders in a line; `left_out` is the part in brackets that is no order, `guesses` what misspelt verbs are taken
    for."""

    orders: tuple[Loose, ...]
    left_out: str = ""
    guesses: tuple[str, ...] = ()


def readings(map_name: str, text: str) -> Iterator[Reading]:
    """The ways to read a clean line, most likely first: with and without what is in brackets, and with full stops between
    orders and within names."""
    for line, left_out in without_brackets(map_name, _without_intro(text)):
        tokens = tagged(map_name, line)
        if tokens:
            guesses = tuple(f'"{token.text}" is taken for "{token.guess}"' for token in tokens if token.guess)
            tokens = kinds_first(tokens)
            for kept in (tokens, tuple(token for token in tokens if token.tag != ".")):
                if (orders := orders_of(kept)) is not None:
                    yield Reading(orders, left_out, guesses)
                    break


_INTRO = re.compile(
    r"(?:please )?(?:i|we)(?:'ll|'d like to|'m| will| would like to| want to| wish to| shall| hereby| am| are)? "
    r"(?=(?P<verb>[a-z]+)\b)",
    re.IGNORECASE,
)


_LOSES = re.compile(r"(?:(?:i|we)(?:'ll| will)? )?lose (?=(?:a|f|army|fleet) )", re.IGNORECASE)


def _without_intro(text: str) -> str:
    """The line without words of who orders: ``I would like to build an army in Vienna``; a unit that is lost is removed."""
    text = _LOSES.sub("scrap ", text, count=1)
    found = _INTRO.match(text)
    return text[found.end() :] if found and tag_of(found["verb"]) in tuple("SCHMRDB") else text
