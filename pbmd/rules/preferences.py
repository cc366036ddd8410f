"""The list of seats that a player would like, as hosts of Diplomacy by mail have always written it: ``FGE``, ``F G E``,
``France, Germany``, ``[ART][EFG]I`` with those in brackets liked equally, ``any``.

It is kept in the names of the seats, a line for each rank: ``France``, ``England = Germany``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from pbmd.rules.names import fold, match_name

Ranks = tuple[tuple[str, ...], ...]
"""Names of seats, those liked best first, several where they are liked equally. Seats that are not there come last; empty for a
player who likes all equally."""

ANY = frozenset(
    {"any", "anything", "anyone", "whatever", "whichever", "none", "no preference", "no preferences", "random", "*"}
)
"""What players write who like all seats equally."""
_EQUALLY = " = "
_PIECE = re.compile(r"[\[(](?P<equal>[^\[\]()]*)[\])]|(?P<ranked>[^\[\]()]+)|(?P<stray>.)", re.DOTALL)
_BETWEEN = re.compile(r"[,;>/|]|(?<=\s)(?:and|then|or|else)(?=\s)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?<![^\s,;])\d{1,2}[.):] *")
_ENDS = " .!"


class NotAList(ValueError):
    """What is wrong with a list, without a full stop, for its writer."""


class _NamedTwice(NotAList):
    """All of it can be read, and a seat is named twice."""


def ranks_in(text: str, seats: Mapping[str, str], seat_word: str) -> Ranks:
    """The list in a text. `seats` are the names of all, each with the letter that stands for it, or "". A seat is named by it,
    by its name or by the beginning of that; letters may stand together. Raises `NotAList`."""
    said = _NUMBERED.sub("", " ".join(text.split())).strip(_ENDS)
    if fold(said).removesuffix(f" {fold(seat_word)}") in ANY or not said:
        return ()
    named, spelt = (
        _tried(said, partial(first_of, seats=seats, seat_word=seat_word), list(seats)) for first_of in (_named, _spelt)
    )
    if isinstance(named, NotAList):
        if isinstance(spelt, NotAList):
            raise spelt if isinstance(spelt, _NamedTwice) else named
        return spelt
    if isinstance(spelt, NotAList) or spelt == named:
        return named
    if _most_equal(spelt) > _most_equal(named) == 1:  # "[FR]": nobody puts brackets around one
        return spelt
    both = f"{written(named)}, or, by letters, {written(spelt)}"
    raise NotAList(f"that can be {both}; write more of the names, or blanks between the letters")


def _most_equal(ranks: Ranks) -> int:
    return max(map(len, ranks), default=0)


Reading = Callable[[Sequence[str]], tuple[tuple[str, ...], int]]
"""The seats that the first of some words name, and how many words that took. Raises `NotAList`."""


def _tried(said: str, first_of: Reading, order: Sequence[str]) -> Ranks | NotAList:
    """The list in one way of reading it, or what is wrong with it then."""
    try:
        return _read(said, first_of, order)
    except NotAList as problem:
        return problem


def _read(said: str, first_of: Reading, order: Sequence[str]) -> Ranks:
    ranks: list[tuple[str, ...]] = []
    for piece in _PIECE.finditer(said):
        if piece["stray"]:
            raise NotAList("a bracket has no other that belongs to it")
        if piece["equal"] is not None:
            ranks.append(tuple(sorted(_seats_in(piece["equal"], first_of), key=order.index)))
        else:
            ranks += [(seat,) for seat in _seats_in(piece["ranked"], first_of)]
    named = list(chain.from_iterable(ranks))
    if twice := next((seat for seat in named if named.count(seat) > 1), ""):
        raise _NamedTwice(f"{twice} is in the list twice")
    found = tuple(rank for rank in ranks if rank)
    return () if len(found) == 1 and len(named) == len(order) else found


def _seats_in(text: str, first_of: Reading) -> Iterator[str]:
    """The seats named in a part without brackets; ``any`` at its end says nothing more."""
    parts = [part.split() for part in _BETWEEN.split(text) if part.strip()]
    if parts and fold(parts[-1][-1]) in ANY:
        parts[-1].pop()
    for words in parts:
        place = 0
        while place < len(words):
            found, used = first_of(words[place:])
            yield from found
            place += used


def _named(words: Sequence[str], seats: Mapping[str, str], seat_word: str) -> tuple[tuple[str, ...], int]:
    """As many words as are one name, or the beginning of one; or a letter."""
    longest = max(len(seat.split()) for seat in seats)
    for many in range(min(len(words), longest), 1, -1):
        if found := match_name(" ".join(words[:many]), seats).found:
            return (found,), many
    if letter := _lettered(words[0], seats):
        return (letter,), 1
    name = match_name(words[0], seats)
    if name.found is None:
        raise NotAList(name.problem(words[0][:60], seat_word))
    return (name.found,), 1


def _spelt(words: Sequence[str], seats: Mapping[str, str], seat_word: str) -> tuple[tuple[str, ...], int]:
    """One word with a letter for each seat, or else whole names. "Fr" is no such word, but the beginning of a name."""
    word = words[0]
    each = [_lettered(letter, seats) for letter in word]
    if all(each) and (word.isupper() or word.islower() or len(word) == 1 or not word.isalpha()):
        return tuple(filter(None, each)), 1
    found, used = _named(words, seats, seat_word)
    if fold(" ".join(words[:used])) != fold(found[0]):
        raise NotAList(f'"{word[:60]}" is no name, and not all its letters stand for one')
    return found, used


def _lettered(letter: str, seats: Mapping[str, str]) -> str | None:
    """The seat for which a letter stands, or whose name alone begins with it."""
    own = next((seat for seat, code in seats.items() if code and fold(code) == fold(letter)), None)
    return own or (match_name(letter, seats).found if len(letter) == 1 else None)


def written(ranks: Ranks) -> str:
    """The list as a player can write it: ``France, [England, Germany], Italy``; "" if it is empty."""
    return ", ".join(rank[0] if len(rank) == 1 else f"[{', '.join(rank)}]" for rank in ranks)


def as_lines(ranks: Ranks) -> tuple[str, ...]:
    """The list as it is kept."""
    return tuple(_EQUALLY.join(rank) for rank in ranks)


def from_lines(lines: Iterable[str]) -> Ranks:
    """The list that is kept so."""
    return tuple(tuple(line.split(_EQUALLY)) for line in lines)
