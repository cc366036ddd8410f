"""How two archives, two turns or two positions differ, in words."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO, cast

from pbmd.archive.format.findings import GAME, JOURNAL
from pbmd.archive.format.limits import LARGEST_TEXT
from pbmd.archive.format.seals import NotReadable, files_of

_TURNS = "data/turns/"
_COMPARED = ("position.toml", "orders.toml", "sheets.json", "resolution.toml", "events.json", "after.toml", "numbers.json")
_MOST_COMPARED = 2000
"""Up to this many lines a text is searched for added and deleted lines, which takes as long as the square of their number."""
_TOLD = ("reports", "maps")
_PAGE = ".html"
_MOST_LINES = 20
"""For one file; to see them all, compare the two turns alone."""


def differences(first: Path, second: Path) -> Iterator[str]:
    """A sentence for each difference; none if there are none. Raises `NotReadable` and `OSError`."""
    kinds = [_kind(path) for path in (first, second)]
    if kinds[0] != kinds[1]:
        raise NotReadable(f"{first} is {kinds[0]} and {second} is {kinds[1]}: there is nothing to compare")
    if kinds[0] == "a file":
        return between(_document(first), _document(second))
    return (_of_archives if kinds[0] == "an archive" else _of_turns)(first, second)


def _kind(path: Path) -> str:
    if path.is_file():
        return "a file"
    if (path / GAME).is_file():
        return "an archive"
    if (path / "after.toml").is_file():
        return "a turn of an archive"
    raise NotReadable(f"{path} is no archive, no turn of one and no position")


def _of_archives(first: Path, second: Path) -> Iterator[str]:
    files = files_of(first), files_of(second)
    for words in between(_document(first / GAME), _document(second / GAME)):
        yield f"{_file_words('game.toml')}: {words}"
    yield from _of_journals(first / JOURNAL, second / JOURNAL)
    pages = 0
    turns = [{path[len(_TURNS) :].partition("/")[0] for path in each if path.startswith(_TURNS)} for each in files]
    for turn in sorted(turns[0] | turns[1]):
        if turn == "rolled-back":
            continue
        if turn not in turns[1] or turn not in turns[0]:
            yield f"turn {turn} is only in the {'first' if turn in turns[0] else 'second'}"
            continue
        both = first / _TURNS / turn, second / _TURNS / turn
        for words in _but_for_pages(*both):
            yield f"turn {turn}: {words}"
        pages += len(_other_pages(*both))
    if pages:
        # The desk's words in them differ wherever a seat was taken over, and would hide everything else.
        yield f"{pages} page{'s' if pages > 1 else ''} of reports: not the same (compare folders below {_TURNS} to see which)"


def _of_journals(first: Path, second: Path) -> Iterator[str]:
    if not first.is_file() or not second.is_file():
        return
    same = 0
    with first.open("rb") as one, second.open("rb") as other:
        for left, right in zip_longest(_lines(one), _lines(other)):
            if left is None or right is None or _hash(left) != _hash(right):
                break
            same += 1
        else:
            return
    yield f"journal: the first {same} entries are the same; from entry {same + 1} on they are two games"


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a journal; one that is too long for an entry comes in pieces."""
    return iter(partial(file.readline, LARGEST_TEXT), b"")


def _hash(line: bytes) -> Any:
    """What identifies an entry: views show more or less of the same one."""
    try:
        return json.loads(line)["hash"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return line


def _of_turns(first: Path, second: Path) -> Iterator[str]:
    yield from _but_for_pages(first, second)
    for name in _other_pages(first, second):
        yield f"{_file_words(name)} is another"


def _told(first: Path, second: Path) -> list[str]:
    """The files of reports and maps of either turn."""
    turns = (first, second)
    return sorted({path.relative_to(turn).as_posix() for turn in turns for kind in _TOLD for path in (turn / kind).glob("*.*")})


def _other_pages(first: Path, second: Path) -> list[str]:
    """The pages of reports that both turns have and that differ."""
    pages = [name for name in _told(first, second) if name.endswith(_PAGE)]
    there = [name for name in pages if (first / name).is_file() and (second / name).is_file()]
    return [name for name in there if _content(first / name) != _content(second / name)]


def _but_for_pages(first: Path, second: Path) -> Iterator[str]:
    """All differences between two turns, except in pages that both have."""
    told = _told(first, second)
    for name in (*_COMPARED, *told):
        paths = first / name, second / name
        there = [path.is_file() for path in paths]
        if there[0] != there[1]:
            yield f"{_file_words(name)} is only in the {'first' if there[0] else 'second'}"
        if not all(there) or name.endswith(_PAGE) or _content(paths[0]) == _content(paths[1]):
            continue
        if name.endswith(".svg"):
            yield f"{_file_words(name)} is another"
            continue
        for count, words in enumerate(_of_texts(*paths) if name in told else between(_document(paths[0]), _document(paths[1]))):
            if count == _MOST_LINES:
                yield f"{_file_words(name)}: and more"
                break
            yield f"{_file_words(name)}: {words}"


def _of_texts(first: Path, second: Path) -> Iterator[str]:
    """Which lines of a report differ, and which were added."""
    lines = [_content(path).decode("utf-8", "replace").splitlines() for path in (first, second)]
    if max(map(len, lines)) > _MOST_COMPARED:
        yield "it has other lines"
        return
    for what, begin, end, start, stop in SequenceMatcher(None, *lines, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        for number, (one, other) in enumerate(zip_longest(lines[0][begin:end], lines[1][start:stop]), 1):
            if one is None or other is None:
                which, line, place = ("second", other, start) if one is None else ("first", one, begin)
                yield f'line {place + number} is only in the {which}: "{_value_text(line)}"'
            else:
                yield f'line {begin + number}: "{_value_text(one)}" in the first, "{_value_text(other)}" in the second'


def _document(path: Path) -> Any:
    """A TOML or JSON file. Raises `NotReadable`."""
    try:
        text = _content(path).decode("utf-8")
        return json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except NotReadable:
        raise
    except (ValueError, RecursionError) as problem:
        raise NotReadable(f"{path} is no {'JSON' if path.suffix == '.json' else 'TOML'}: {problem}") from None


def _content(path: Path) -> bytes:
    if path.is_symlink() or path.stat().st_size > LARGEST_TEXT:
        raise NotReadable(f"{path} is a link, or too large")
    return path.read_bytes()


def between(first: Any, second: Any, place: str = "") -> Iterator[str]:
    """The differences between two documents. Entries of lists are matched by their names, where they have some."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        yield from _tables(cast("Mapping[str, object]", first), cast("Mapping[str, object]", second), place)
    elif isinstance(first, list) and isinstance(second, list):
        yield from _lists(cast("list[Any]", first), cast("list[Any]", second), place)
    elif first != second or type(first) is not type(second):
        told = f"{_value_text(first)} in the first, {_value_text(second)} in the second"
        yield f"{place or 'all of it'}: {told}"


def _tables(first: Mapping[str, object], second: Mapping[str, object], place: str) -> Iterator[str]:
    for key in {**first, **second}:
        yield from _both_have(first.get(key, _NONE), second.get(key, _NONE), _part_of(place, str(key)))


def _lists(first: list[Any], second: list[Any], place: str) -> Iterator[str]:
    key = _known_by(first, second)
    if not key:
        pairs = enumerate(zip_longest(first, second, fillvalue=_NONE), 1)
        for number, (one, other) in pairs:
            yield from _both_have(one, other, _part_of(place, f"no. {number}"))
        return
    named = [{str(item[key]): item for item in items} for items in (first, second)]
    for name in {**named[0], **named[1]}:
        # A name is spelled as it is written.
        one, other = (items.get(name, _NONE) for items in named)
        yield from _both_have(one, other, f"{place}, {name}" if place else name)
    both = [name for name in named[0] if name in named[1]]
    if both != [name for name in named[1] if name in named[0]]:
        yield f"{place or 'the list'} is in another order"


_NONE = object()
"""Stands for what is missing."""


def _both_have(first: Any, second: Any, place: str) -> Iterator[str]:
    if first is _NONE or second is _NONE:
        which, value = ("second", second) if first is _NONE else ("first", first)
        yield f"{place}: only in the {which}, {_value_text(value)}"
    else:
        yield from between(first, second, place)


# How differences are put into words

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
_OF_READERS = re.compile(r"(reports|maps)/(?:\d+-)?(.+)\.(txt|html|svg)")
_KINDS = {"txt": "the report", "html": "the page", "svg": "the map"}


def _known_by(first: Sequence[Any], second: Sequence[Any]) -> str:
    """The key that identifies the entries of two lists; empty if they can only be counted."""
    return next((key for key in _NAMES if _is_known_by(first, key) and _is_known_by(second, key)), "")


def _file_words(name: str) -> str:
    """A file in the folder of a turn, or of an archive."""
    told = _OF_READERS.fullmatch(name)
    if told is None:
        return _FILES.get(name, name)
    return f"{_KINDS[told[3]]} of {told[2]}"


def _part_of(place: str, key: str) -> str:
    """A place inside another: the words for the keys, one after the other."""
    words = key.replace("_", " ")
    return f"{place}, {words}" if place else words


def _value_text(value: Any) -> str:
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
