"""The map for readers: the picture's data, and rows of letters for those who see no pictures (SO-08)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pbmd.rules.paints import codes as letters
from pbmd.rules.paints import colour_of
from pbmd.rules.words import counted

from ..world.squares import Square, column_label
from ..world.state import City, Position

_WIDEST = 23
"""Columns of three characters each that fit a line of mail."""


def codes(position: Position) -> Mapping[str, str]:
    """One or two letters for each society, all different, the same as long as the game lasts."""
    return _codes(tuple(society.name for society in position.societies))


@lru_cache(maxsize=64)
def _codes(names: tuple[str, ...]) -> Mapping[str, str]:
    return letters(names)


def picture(position: Position, own: str) -> dict[str, Any]:
    """The map as pbmd draws it: public, but for which cities are the reader's own and which of them are being rehabilitated."""
    code = codes(position)
    standing = {wonder.square for wonder in position.wonders if wonder.square}
    return {
        "title": f"Before turn {position.turn}: who holds which city",
        "columns": [column_label(column) for column in range(1, position.side + 1)],
        "rows": [str(row) for row in range(1, position.side + 1)],
        "squares": [
            *(_square(square, city, own, square in standing) for square, city in position.city_at.items()),
            *(_square(square, None, own, False) for square in sorted(position.nuked)),
        ],
        "owners": [
            {
                "name": society.name,
                "colour": colour_of(place),
                "code": code[society.name],
                "note": f"level {society.tech}, {counted(len(position.territory[society.name]), 'city', 'cities')}",
            }
            for place, society in enumerate(position.societies)
            if society.living
        ],
        "legend": {"own": "yours", "marked": "wonder", "crossed": "nuked", "ringed": "yours, pays no tax yet"},
        "notes": [],
    }


def rows(position: Position) -> list[str]:
    """The map in letters: codes of owners, ``*`` behind a wonder, ``.`` empty, ``x`` nuked; none if too wide for a mail."""
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


def _square(square: Square, city: City | None, reader: str, marked: bool) -> dict[str, Any]:
    """A city's square, or a nuked one."""
    own = city is not None and city.owner == reader
    return {
        "column": square.column - 1,
        "row": square.row - 1,
        "owner": city.owner if city else "",
        "own": own,
        "marked": marked,
        "crossed": city is None,
        "ringed": city is not None and own and city.rehabilitating,
    }
