"""Provinces and coasts as players name them (DI-91, DI-92)."""

import difflib
import re
from collections.abc import Mapping
from functools import lru_cache

from pbmd.rules import Match, fold
from pbmd.rules.checking import Fault, unknown
from pbmd.rules.lines import line_cache

from ..world.board import Board, Province, board
from .reading import Place

_COASTS: Mapping[str, str] = {
    **{f"{word}{rest}": f"{word[0].upper()}C" for word in ("north", "south", "east", "west") for rest in (" coast", "")},
    **{f"{letter}c": f"{letter.upper()}C" for letter in "nsew"},
}


_SHORT = 3
"""Letters of a power's name that are enough where only a power can be meant."""


def province_named(board: Board, text: str, *, asks: bool = True) -> Province:
    """The province with that id, name or alias, or else the only one with an id, name or alias that begins like this (DI-91).

    Raises `Fault` if there is none, or several; if it `asks`, with those that may be meant.
    """
    wanted, names = fold(text), board.by_written
    if wanted in names:
        return names[wanted]
    begins = {province.id: province for name, province in names.items() if wanted and name.startswith(wanted)}
    if len(begins) == 1:
        return next(iter(begins.values()))
    raise unknown(_unclear(begins, wanted, names) if asks or begins else Match(None), text, "province")


@line_cache(4096)
def place_named(map_name: str, written: Place, *, asks: bool = True) -> str:
    """The id of a place on that map, with the coast as it is written. Raises `Fault` as `province_named` does."""
    place = split_coast(written)
    province = province_named(board(map_name), place.name, asks=asks)
    return f"{province.id}/{place.coast}" if place.coast else province.id


def without_hyphens(board: Board, text: str) -> str:
    """The text, in which the hyphens of names are blanks, since a hyphen is a move."""
    if "-" in text:
        for province in board.provinces:
            if "-" in province.name:
                beginning = re.escape(province.name[: province.name.index("-") + 3])
                text = re.sub(rf"(?<!\w){beginning}", lambda found: found[0].replace("-", " "), text, flags=re.IGNORECASE)
    return text


_COAST_AFTER_COMMA = re.compile(
    r"(?<!\w)(?P<name>\w{3,}) ?[,;] ?(?:the )?(?P<side>[nsew])(?:c|(?:orth|outh|ast|est)(?:ern)? coast)(?=$|[.,;])",
    re.IGNORECASE,
)


def with_coasts(map_name: str, text: str) -> str:
    """The text, in which a coast that a comma parts from a province with coasts stands with it: ``Spain, south coast``."""

    def joined(found: re.Match[str]) -> str:
        try:
            has_coasts = province_named(board(map_name), found["name"], asks=False).coasts
        except Fault:
            return found[0]
        return f"{found['name']}/{found['side']}c" if has_coasts else found[0]

    return _COAST_AFTER_COMMA.sub(joined, text)


@lru_cache(maxsize=8)
def _of_powers(map_name: str) -> re.Pattern[str]:
    """Whose unit it is, which is optional: ``French F Mao``, ``England's A Lon``."""
    words = "|".join(re.escape(word) for power in board(map_name).powers for word in (power.adjective, power.name))
    return re.compile(rf"(?<!\w)(?:{words})(?:'s)? (?=(?:a|f|army|fleet) )", re.IGNORECASE)


def without_powers(map_name: str, text: str) -> str:
    """The text without the powers that stand before units."""
    return _of_powers(map_name).sub("", text)


@lru_cache(maxsize=8)
def power_words(map_name: str) -> frozenset[str]:
    """The names of powers, folded."""
    return frozenset(fold(word) for power in board(map_name).powers for word in (power.adjective, power.name))


@lru_cache(maxsize=8)
def _short_powers(map_name: str) -> frozenset[str]:
    return frozenset(fold(power.name[:_SHORT]) for power in board(map_name).powers)


_KIND_FIRST = re.compile(r"(?:a|f|army|fleet)\b", re.IGNORECASE)


def is_power_label(map_name: str, label: str, rest: str) -> bool:
    """Whether what stands before a colon is a power: its name, or the beginning of it, unless that is a province, too, whose
    order may follow (``Eng: Bel``)."""
    name = fold(label)
    if name in power_words(map_name):
        return True
    is_free = name not in board(map_name).by_written or _KIND_FIRST.match(rest.lstrip()) is not None
    return is_free and name in _short_powers(map_name)


@lru_cache(maxsize=8)
def _powers_by_word(map_name: str) -> Mapping[str, str]:
    """The names of powers by what they are called, in small letters."""
    powers = board(map_name).powers
    short = {power.name[:_SHORT].casefold(): power.name for power in powers}
    return short | {word.casefold(): power.name for power in powers for word in (power.adjective, power.name)}


_UNIT_FIRST = re.compile(r"(?:a|f|army|armies|amy|fleets?|flt)\b", re.IGNORECASE)
_OF_POWER = r"(?P<word>[^\W\d_]+)(?:['’]s)?(?: (?:orders?|moves?|units?|suggestions?|proposals?))?"
_BEFORE_ORDERS = re.compile(rf"\W*(?:[^\W\d]*\d\w*\W+){{0,3}}{_OF_POWER}[)\]]?\s*(?P<mark>:|[-=]*>?)\s*")


def power_before(map_name: str, text: str) -> str:
    """The power whose name stands before the orders of a line, and says whose these are: ``Rus: A War - Gal``, ``Russian A
    War``; "" if there is none."""
    found = None if text[1:2] == " " else _BEFORE_ORDERS.match(text)  # most lines begin with the kind of a unit
    power = _powers_by_word(map_name).get(found["word"].casefold(), "") if found else ""
    if found is None or not power:
        return ""
    is_before_unit = _UNIT_FIRST.match(text, found.end()) is not None
    is_label = found["mark"] == ":" and fold(found["word"]) not in board(map_name).by_written
    return power if is_before_unit or is_label else ""


_LONGEST_HEADING = 80
_POWER_HEADING = re.compile(rf"\W*(?:(?:(?:the )?(?:orders?|moves?) )?(?:to|for|from|of) )?{_OF_POWER}\s*:?\W*", re.IGNORECASE)
_ORDERS = (" orders", " moves")
_LONGEST_WORD = 7
_TIME = re.compile(
    r"\s*,?\s*(?:for )?\b(?:(?:spring|fall|autumn)(?:\W{0,2}(?:1[89])?\d\d)?|[sf]\W{0,2}(?:1[89])?\d\dm?)\b", re.IGNORECASE
)


def power_heading(map_name: str, text: str) -> str:
    """The power whose orders stand below a line with its name and a colon, or with a word for orders, and perhaps a time:
    "Italy's orders for spring 1901"; "" for any other line."""
    if len(text) > _LONGEST_HEADING or not (":" in text or any(word in text.casefold() for word in _ORDERS)):
        return ""
    undated = _TIME.sub("", text)
    end = undated.rstrip(" *_=-")[-_LONGEST_WORD:].casefold()
    found = _POWER_HEADING.fullmatch(undated) if end.endswith((":", *_ORDERS)) else None
    if found is None or (fold(found["word"]) in board(map_name).by_written and not end.endswith(_ORDERS)):
        return ""
    return _powers_by_word(map_name).get(found["word"].casefold(), "")


@lru_cache(maxsize=32)
def own_words(map_name: str, seat: str) -> frozenset[str]:
    """The names of one power, in small letters."""
    return frozenset(
        word.casefold()
        for power in board(map_name).powers
        if power.name == seat
        for word in (power.adjective, power.name, power.name[:_SHORT])
    )


def split_coast(place: Place) -> Place:
    """The place, with a coast that follows its name without any mark: ``Spain nc`` (DI-92)."""
    words = fold(place.name).split()
    for count in (2, 1):
        coast = _COASTS.get(" ".join(words[-count:]), "")
        if coast and not place.coast and len(words) > count:
            return Place(" ".join(words[:-count]), coast)
    return place


def _unclear(begins: Mapping[str, Province], wanted: str, names: Mapping[str, Province]) -> Match[Province]:
    """What it could be, or is spelt like, in full names."""
    if begins:
        return Match(None, ambiguous=tuple(province.name for province in begins.values()))
    near = difflib.get_close_matches(wanted, names, n=2, cutoff=0.7)
    return Match(None, near=tuple(dict.fromkeys(names[name].name for name in near)))
