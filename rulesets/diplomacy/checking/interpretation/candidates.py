"""Which provinces may be meant by words that are no exact name: beginnings and parts of names, names in other languages, and
misspelt names (DI-91). Whether exactly one of them makes an order is decided elsewhere."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbmd.rules.lines import line_cache

from ...world.board import Board, board

_SHORT = 3
"""Letters of an abbreviation: in other languages they count for less than the names in this one."""
_LONG = 5
"""Letters of a word that is a whole name with one typing error rather than another cut short."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class Candidates(NamedTuple):
    """The ids of the provinces that words may mean on a map: the one whose name they are, "" for none (it `is_sure` if they are
    its id or its whole name), and those whose names they are part of."""

    named: str = ""
    is_sure: bool = False
    parts: tuple[str, ...] = ()
    map_name: str = ""
    text: str = ""

    @property
    def alike(self) -> tuple[str, ...]:
        """Those whose names are spelt much like the words: only computed on demand, since it takes long."""
        return _alike(self.map_name, self.text)

    @property
    def slips(self) -> tuple[str, ...]:
        """Those whose id or whole name differs by one typing error."""
        return _slips(self.map_name, self.text)

    def likeliest(self) -> tuple[str, ...]:
        """The first non-empty group of these."""
        return (self.named,) if self.named else self.parts or self.alike

    def possible(self) -> tuple[str, ...]:
        """All of them, except those that are only spelt alike as long as there are others."""
        if self.is_sure:
            return (self.named,)
        return tuple(dict.fromkeys((*((self.named,) if self.named else ()), *self.parts))) or self.alike

    def all(self) -> tuple[str, ...]:
        """All of them, except the certain one."""
        return (self.named,) if self.is_sure else self.near()

    def near(self) -> tuple[str, ...]:
        """All of them, including a name that may be a typing error for another."""
        return tuple(dict.fromkeys((*self.possible(), *(self.slips if self.is_sure else self.alike))))


class _Name(NamedTuple):
    """A name of a province, in words, and `squeezed`, without blanks; `is_hyphenated` if it has a hyphen, which is a blank
    here."""

    id: str
    words: tuple[str, ...]
    squeezed: str
    is_hyphenated: bool

    @property
    def is_short(self) -> bool:
        """Whether it is an abbreviation."""
        return len(self.words) == 1 and len(self.words[0]) <= _SHORT


class _Several(NamedTuple):
    """Names, and the places of those with a word that begins with a letter, or with a letter among their first two."""

    names: Sequence[_Name]
    by_initial: Mapping[str, Sequence[int]]
    by_head: Mapping[str, Sequence[int]]

    def with_initial(self, letter: str) -> list[_Name]:
        return [self.names[place] for place in self.by_initial.get(letter, ())]

    def with_head(self, letters: str) -> list[_Name]:
        """Those with any of the letters among their first two."""
        return [self.names[place] for place in sorted({place for each in letters for place in self.by_head.get(each, ())})]


class _Names(NamedTuple):
    """All names of a map: `sure` are ids and whole names, `own` these and the aliases, `abroad` those of other languages."""

    sure: Mapping[str, str]
    named: Mapping[str, str]
    own: _Several
    abroad: _Several


def plain(text: str) -> str:
    """The text in lower case, without accents, dots and hyphens, and with single blanks."""
    split = unicodedata.normalize("NFD", text.casefold())
    return " ".join(
        "".join(char for char in split if not unicodedata.combining(char)).replace(".", " ").replace("-", " ").split()
    )


def _spelt(text: str) -> Iterator[str]:
    """A name without accents, and with letters in place of its umlauts."""
    yield plain(text)
    if (written := text.casefold().translate(_UMLAUTS)) != text.casefold():
        yield plain(written)


@lru_cache(maxsize=8)
def _names(map_name: str) -> _Names:
    found: Board = board(map_name)
    sure: dict[str, str] = {plain(province.id): province.id for province in found.provinces}
    for province in found.provinces:
        sure.setdefault(plain(province.name), province.id)
    named = {**sure}
    own = [_name(province.id, plain(province.id), is_hyphenated=False) for province in found.provinces]
    abroad: list[_Name] = []
    for province in found.provinces:
        for alias in (province.name, *province.aliases):
            words = plain(alias.replace("+", " "))
            named.setdefault(words, province.id)
            own.append(_name(province.id, words, is_hyphenated="-" in alias))
    for province in found.provinces:
        for name in province.abroad:
            for words in _spelt(name):
                if len(words) > _SHORT:
                    named.setdefault(words, province.id)
                abroad.append(_name(province.id, words, is_hyphenated="-" in name))
    return _Names(sure, named, _several(own), _several(abroad))


def _name(province: str, written: str, *, is_hyphenated: bool) -> _Name:
    return _Name(province, tuple(written.split()), written.replace(" ", ""), is_hyphenated)


def _several(names: Sequence[_Name]) -> _Several:
    initials, heads = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for place, name in enumerate(names):
        for letter in dict.fromkeys(word[0] for word in name.words):
            initials[letter].append(place)
        for letter in dict.fromkeys(name.squeezed[:2]):
            heads[letter].append(place)
    return _Several(names, initials, heads)


@line_cache(16384)
def candidates(map_name: str, text: str) -> Candidates:
    """The provinces that the words may mean: plain ones, with a hyphen where one is written."""
    names = _names(map_name)
    words = tuple(text.replace("-", " ").split())
    joined = " ".join(words)
    named = names.named.get(joined, "")
    if "-" in text and not _is_hyphenated(names, words):
        return Candidates()
    parts = _having(names.own, words)
    if not parts and len(joined) > _SHORT + 1:
        parts = _having(names.abroad, words, even_short=False)
    return Candidates(named, joined in names.sure, parts, map_name, joined)


def _is_hyphenated(names: _Names, words: tuple[str, ...]) -> bool:
    return any(name.is_hyphenated and _begin(name.words, words) for each in (names.own, names.abroad) for name in each.names)


def _ids(names: Iterable[_Name], fits: Callable[[_Name], bool]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.id for name in names if fits(name)))


def _having(names: _Several, words: tuple[str, ...], *, even_short: bool = True) -> tuple[str, ...]:
    """The provinces with a name, `even_short`, in which consecutive words begin like this."""
    squeezed = "".join(words)
    if len(squeezed) < 2:
        return ()
    if "'" in squeezed:  # letters are left out: L'pool
        pattern = re.compile("".join(".*" if char == "'" else re.escape(char) for char in squeezed))
        found = _ids(_of(names.names, even_short), lambda name: pattern.fullmatch(name.squeezed) is not None)
        rest = tuple(left for word in words if (left := word.replace("'s", "").replace("'", "")))
        return found or _having(names, rest, even_short=even_short)
    return _ids(
        _of(names.with_initial(squeezed[0]), even_short),
        lambda name: (
            _begin(name.words, words)
            or (len(words[0]) >= _SHORT and any(_begin(name.words[start:], words) for start in range(1, len(name.words))))
            or (len(squeezed) > _SHORT and name.squeezed.startswith(squeezed))
        ),
    )


def _of(names: Iterable[_Name], even_short: bool) -> Iterator[_Name]:
    return (name for name in names if even_short or not name.is_short)


def _begin(name: Sequence[str], words: Sequence[str]) -> bool:
    return len(words) <= len(name) and all(whole.startswith(word) for whole, word in zip(name, words, strict=False))


@line_cache(16384)
def _slips(map_name: str, text: str) -> tuple[str, ...]:
    named = _names(map_name).sure.items() if text else ()
    return tuple(dict.fromkeys(province for name, province in named if differs_once(text, name)))


@line_cache(16384)
def _alike(map_name: str, words: str) -> tuple[str, ...]:
    """The provinces with a name, or the beginning of one, that differs by one typing error, or with letters left out; and those
    with such a short name in other languages."""
    text = words.replace(" ", "")
    if len(text) < _SHORT or "'" in text:
        return ()
    names = _names(map_name)
    # If neither of the first two letters is among a name's first two, more than one letter is wrong.

    def own(name: _Name) -> bool:
        return _is_slip(text, name.squeezed) or _is_contracted(text, name.squeezed)

    def abroad(name: _Name) -> bool:
        return name.squeezed.startswith(text) or _is_slip(text, name.squeezed)

    if len(text) > _LONG and (whole := _ids(names.own.with_head(text[:2]), lambda name: differs_once(text, name.squeezed))):
        return whole
    found = (*_ids(names.own.with_head(text[:2]), own), *_ids(names.abroad.with_head(text[:2]), abroad))
    return tuple(dict.fromkeys(found))


def _is_slip(text: str, name: str) -> bool:
    if text == name or differs_once(text, name):
        return True
    sizes = range(len(text) - 1, len(text) + 2) if len(text) > _SHORT + 1 else ()
    return any(differs_once(text, name[:size]) for size in sizes)


def _is_contracted(text: str, name: str) -> bool:
    """Whether letters were left out: ``Brln``."""
    rest = iter(name)
    return len(name) > len(text) and text[0] == name[0] and all(char in rest for char in text)


def differs_once(one: str, other: str) -> bool:
    """Whether one letter is wrong, missing or superfluous, or two neighbouring letters are swapped."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    a, b = one[start:], other[start:]
    if len(a) == len(b):
        return a[1:] == b[1:] or (len(a) > 1 and a[0] == b[1] and a[1] == b[0] and a[2:] == b[2:])
    return a[1:] == b if len(a) > len(b) else a == b[1:]
