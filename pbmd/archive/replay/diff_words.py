"""How differences are put into words: places in documents, values, and the files of a turn."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

_LONGEST = 100
_NAMES = ("name", "seat", "receipt", "player", "number", "line", "id", "key", "kind")
"""Keys that identify the entries of a list, if all have the key and no two the same value."""
_FILES = {
    "game.toml": "the game",
    "position.toml": "the position before",
    "orders.toml": "the orders",
    "sheets.json": "the order sheets",
    "resolution.toml": "the resolution",
    "events.json": "what happened",
    "after.toml": "the position after",
    "numbers.json": "the numbers",
}
_TOLD = re.compile(r"(reports|maps)/(?:\d+-)?(.+)\.(txt|html|svg)")
_KINDS = {"txt": "the report", "html": "the page", "svg": "the map"}


def known_by(first: Sequence[Any], second: Sequence[Any]) -> str:
    """The key that identifies the entries of two lists; empty if they can only be counted."""
    return next((key for key in _NAMES if _is_known_by(first, key) and _is_known_by(second, key)), "")


def file_words(name: str) -> str:
    """A file in the folder of a turn, or of an archive."""
    told = _TOLD.fullmatch(name)
    if told is None:
        return _FILES.get(name, name)
    return f"{_KINDS[told[3]]} of {told[2]}"


def part_of(place: str, key: str) -> str:
    """A place inside another: the words for the keys, one after the other."""
    words = key.replace("_", " ")
    return f"{place}, {words}" if place else words


def changed(place: str, first: Any, second: Any) -> str:
    """A value that differs."""
    return f"{place or 'all of it'}: {value_text(first)} in the first, {value_text(second)} in the second"


def only_in(place: str, which: str, value: Any) -> str:
    """A value that only one of both has."""
    return f"{place}: only in the {which}, {value_text(value)}"


def value_text(value: Any) -> str:
    """A value as people would put it."""
    text = _said(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        table = cast("Mapping[str, object]", value)
        return "; ".join(f"{key.replace('_', ' ')} {_said(each)}" for key, each in table.items()) or "nothing"
    if isinstance(value, list):
        return ", ".join(_in_list(each) for each in cast("list[Any]", value)) or "nothing"
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _in_list(value: Any) -> str:
    return f"({_said(value)})" if isinstance(value, Mapping | list) else _said(value)


def _is_known_by(items: Sequence[Any], key: str) -> bool:
    if not items or not all(isinstance(item, Mapping) and key in item for item in items):
        return not items
    names = [str(item[key]) for item in items]
    return len(set(names)) == len(names)
