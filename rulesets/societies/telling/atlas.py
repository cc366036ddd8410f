"""The map for readers: the picture's data, and rows of letters for those who cannot see pictures (SO-08)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbmd.rules import Event
from pbmd.rules.paints import codes as letters
from pbmd.rules.paints import colour_of
from pbmd.rules.words import counted, listing

from ..tables import WONDERS
from ..world.squares import Square, around, column_label
from ..world.state import City, Position

_WIDEST = 23
"""Columns of three characters each that fit a line of mail."""


def codes(position: Position) -> Mapping[str, str]:
    """One or two letters for each society, all different, the same for the whole game."""
    return _codes(tuple(society.name for society in position.societies))


@lru_cache(maxsize=64)
def _codes(names: tuple[str, ...]) -> Mapping[str, str]:
    return letters(names)


def picture(position: Position, own: str, known: Sequence[Event]) -> dict[str, Any]:
    """The map as pbmd draws it: public, except for which cities are the reader's own, which of them are being rehabilitated,
    and where the reader can settle."""
    turn = next((f"Turn {event.data['turn']}" for event in known if event.kind == "turn_resolved"), "")
    attacks = [event.data for event in known if event.kind == "attack" and event.data["squares"]]
    owners = _owners(position)
    return {
        "title": f"{turn or f'Before turn {position.turn}'}: who holds which city",
        "caption": _caption(owners, attacks),
        "columns": [column_label(column) for column in range(1, position.side + 1)],
        "rows": [str(row) for row in range(1, position.side + 1)],
        "squares": [*_squares(position, own, attacks)],
        "owners": owners,
        "legend": {
            "own": "yours",
            "broken": "yours, pays no tax yet",
            "marked": "wonder",
            "crossed": "nuked",
            "ringed": "just taken",
            "open": "you can settle",
        },
        "notes": _wonders(position),
    }


def _caption(owners: Iterable[Mapping[str, Any]], attacks: Iterable[Mapping[str, Any]]) -> str:
    """Who has how much, and has taken what."""
    have = (f"{owner['name']} {owner['note']}" for owner in owners)
    return "; ".join([*have, *(f"{data['society']} took {listing(data['squares'])}" for data in attacks)])


def _squares(position: Position, own: str, attacks: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Those with cities, those that were nuked, and those where the reader can settle."""
    standing = {wonder.square: _LETTERS[wonder.name] for wonder in position.wonders if wonder.square}
    taken = {square for data in attacks for square in data["squares"]}
    yield from (_city(city, own, standing, taken) for city in position.city_at.values())
    yield from (_empty(square) | {"crossed": True} for square in sorted(position.nuked))
    yield from (_empty(square) | {"open": True} for square in _sites(position, own))


_LETTERS = letters(WONDERS)
"""For wonders."""
_ON_A_LINE = 5
_WIDE = 12
"""The squares of larger maps have no room for letters other than those of owners."""


def _wonders(position: Position) -> list[str]:
    """Which letters stand for which wonders, of those that exist."""
    names = [wonder for wonder in WONDERS if any(one.name == wonder and one.square for one in position.wonders)]
    told = [f"{_LETTERS[name]}: {name}" for name in names] if position.side <= _WIDE else []
    return ["; ".join(told[place : place + _ON_A_LINE]) for place in range(0, len(told), _ON_A_LINE)]


def _owners(position: Position) -> list[dict[str, Any]]:
    """The living societies, in the order of sign-up, which is that of the colours; how many armies they have if everybody may
    know."""
    code, armies = codes(position), "armies" in position.options.public_chart
    return [
        {
            "name": society.name,
            "colour": colour_of(place),
            "code": code[society.name],
            "note": f"level {society.tech}, {counted(len(position.territory[society.name]), 'city', 'cities')}"
            + (f", {counted(society.armies, 'army', 'armies')}" if armies else ""),
        }
        for place, society in enumerate(position.societies)
        if society.living
    ]


def _sites(position: Position, name: str) -> list[Square]:
    """Where a society can found its next city: beside one that it has."""
    if position.over or not position.territory.get(name):
        return []
    near = {near for square in position.territory[name] for near in around(square, position.side)}
    return sorted(near - {*position.city_at} - {*position.nuked})


def rows(position: Position) -> list[str]:
    """The map in letters: codes of owners, ``*`` after a wonder, ``.`` empty, ``x`` nuked; none if too wide for a mail."""
    if position.side > _WIDEST:
        return []
    code = codes(position)
    standing = {wonder.square for wonder in position.wonders if wonder.square}
    lines = ["    " + "".join(f"{column_label(column):3}" for column in range(1, position.side + 1)).rstrip()]
    for row in range(1, position.side + 1):
        cells: list[str] = []
        for column in range(1, position.side + 1):
            square = Square(row, column)
            city = position.city_at.get(square)
            empty = "x" if square in position.nuked else "."
            cells.append(f"{code[city.owner] + ('*' if square in standing else '') if city else empty:3}")
        lines.append(f"{row:>2}  {''.join(cells).rstrip()}")
    return lines


def _empty(square: Square) -> dict[str, Any]:
    return {
        "column": square.column - 1,
        "row": square.row - 1,
        "owner": "",
        "own": False,
        "marked": False,
        "crossed": False,
        "ringed": False,
    }


def _city(city: City, reader: str, standing: Mapping[Square, str], taken: Collection[str]) -> dict[str, Any]:
    """A city with the letter of the wonder that stands there."""
    own, wonder = city.owner == reader, standing.get(city.square, "")
    return _empty(city.square) | {
        "owner": city.owner,
        "own": own,
        "marked": bool(wonder),
        "letter": wonder,
        "ringed": city.square.text in taken,
        "broken": own and city.rehabilitating,
    }
