"""Colours and letters for the seats of a game on its map, for rulesets that give them none of their own.

Each can be told from white paper and from every other one, even by the colour-blind, and the first eight in print without
colours; ``tests/rules/test_paints.py`` measures it. There are always letters beside them: nobody has to see a colour.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, groupby, takewhile

COLOURS = (
    *("#1d3fa0", "#c2410c", "#12968a", "#111827", "#c040cb", "#493900", "#3c96f6", "#a50367"),
    *("#4e7f13", "#902322", "#5450cf", "#576a7f", "#8800ff", "#bb8866", "#330055", "#9988bb"),
    *("#441111", "#995555", "#110088", "#dd7744", "#775599", "#004444", "#8855ff", "#5511cc"),
)
"""In the order of the seats: blue, vermilion, teal, ink; the farther, the less they differ."""

_CHARS = 2
"""Of a code, at most."""


def colour_of(place: int) -> str:
    """The colour of the seat at that place, from 0; after the last they start again."""
    return COLOURS[place % len(COLOURS)]


def codes(names: Sequence[str]) -> dict[str, str]:
    """One or two letters or digits for each name, none twice: the first letter, with another where names begin alike; and what
    differs where they begin with the same words ("People 1", "People 2": 1 and 2)."""
    told = {name: rest for _, group in groupby(sorted(names), _initial) for name, rest in _told_apart([*group])}
    found: dict[str, str] = {}
    for place, name in enumerate(names, start=1):
        taken = {*found.values()}
        found[name] = next(code for code in _wishes(told[name], place) if code not in taken)
    return found


def paints(names: Sequence[str]) -> dict[str, Mapping[str, str]]:
    """For each name ``colour`` and ``code``, as owners on a map have them."""
    letters = codes(names)
    return {name: {"colour": colour_of(place), "code": letters[name]} for place, name in enumerate(names)}


def _initial(name: str) -> str:
    return name[:1].upper()


def _told_apart(group: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names that begin alike, and what is left of each without the words that all of them begin with."""
    columns = zip(*(name.split(" ") for name in group), strict=False)
    shared = len([*takewhile(lambda column: len({*column}) == 1, columns)]) if len(group) > 1 else 0
    return ((name, " ".join(name.split(" ")[shared:]) or name) for name in group)


def _wishes(name: str, place: int) -> Iterator[str]:
    letters = "".join(char for char in name if char.isalnum()) or "?"
    if letters.isdecimal():
        yield letters[:_CHARS]
    first = letters[0].upper()
    if len(first) <= _CHARS:  # some letters are three as capitals
        yield first
    yield from (first + char.lower() for char in letters[1:] if len(first + char.lower()) == _CHARS)
    # For those whose letters are all taken.
    yield from map(str, count(place))
