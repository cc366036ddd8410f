"""Little signs at the nodes of a map (see `chart`): how much of what is there. Checked, and with their places.

signs    of the map: name, shape (see `SHAPES`), words (for the legend); of a node: pairs of a name and a count
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pbmd.rendering.labels import FONT_SIZE, Label, Point, text_width
from pbmd.rendering.map_parts import MapError, entries, plain

SHAPES = ("square", "triangle", "bar", "diamond", "star")
MOST_SIGNS = 8
_MOST_COUNT = 999
_EACH = 3
"""Of so many each is drawn; of more one, and their number."""
_WIDE, _GAP, _BETWEEN = 12.0, 2.0, 6.0
"""The room of a sign, between those of a kind, and between kinds."""
_APART = 7.0
"""From the signs to the name."""


@dataclass(frozen=True, slots=True)
class SignKind:
    """See the module."""

    name: str
    shape: str
    words: str


@dataclass(frozen=True, slots=True)
class Sign:
    """So many of a kind."""

    kind: SignKind
    count: int


class PlacedSign(NamedTuple):
    """A sign with its middle, or a number with its left end and that middle's height."""

    shape: str
    number: str
    at: Point


def read_sign_kinds(data: Mapping[str, Any]) -> Mapping[str, SignKind]:
    """The kinds of signs, by name. Raises `MapError`."""
    told = entries(data, "signs", MOST_SIGNS) if "signs" in data else ()
    return {entry["name"]: _kind(entry, f"signs[{place}]") for place, entry in enumerate(told)}


def _kind(entry: Mapping[str, Any], where: str) -> SignKind:
    if entry["shape"] not in SHAPES:
        raise MapError(f"{where}.shape: shapes are {', '.join(SHAPES)}")
    return SignKind(plain(entry["name"]), entry["shape"], plain(entry["words"]))


def read_signs(entry: Mapping[str, Any], where: str, kinds: Mapping[str, SignKind]) -> tuple[Sign, ...]:
    """Those of a node. Raises `MapError`."""
    told = entries(entry, "signs", MOST_SIGNS) if "signs" in entry else ()
    if not all(name in kinds and type(count) is int and 1 <= count <= _MOST_COUNT for name, count in told):
        raise MapError(f"{where}.signs: each is a kind that there is, and a whole number from 1 to {_MOST_COUNT}")
    return tuple(Sign(kinds[name], count) for name, count in told)


def room_of(signs: Sequence[Sign]) -> float:
    """How wide the signs of a node are, with what keeps them from its name; 0 for none."""
    return sum(map(_width, signs)) + _BETWEEN * (len(signs) - 1) + _APART if signs else 0.0


def _width(sign: Sign) -> float:
    if sign.count <= _EACH:
        return sign.count * (_WIDE + _GAP) - _GAP
    return _WIDE + 2 * _GAP + text_width(str(sign.count))


def placed_signs(signs: Sequence[Sign], label: Label) -> tuple[PlacedSign, ...]:
    """The signs in the part of the label that is next to its node."""
    left = label.box.right - room_of(signs) + _APART if label.anchor == "end" else label.box.left
    middle = round((label.box.top + label.box.bottom) / 2, 1)
    found: list[PlacedSign] = []
    for sign in signs:
        places = (left + place * (_WIDE + _GAP) + _WIDE / 2 for place in range(sign.count if sign.count <= _EACH else 1))
        found += (PlacedSign(sign.kind.shape, "", (round(at, 1), middle)) for at in places)
        if sign.count > _EACH:
            found.append(
                PlacedSign("", str(sign.count), (round(left + _WIDE + 2 * _GAP, 1), round(middle + FONT_SIZE * 0.34, 1)))
            )
        left += _width(sign) + _BETWEEN
    return tuple(found)


def words_at(signs: Sequence[Sign], label: Label) -> float:
    """Where the words of a label are anchored that has these signs."""
    room = room_of(signs)
    return round(label.x + {"start": room, "middle": room / 2, "end": -room}[label.anchor], 1)


def signs_in_words(signs: Sequence[Sign]) -> str:
    """ "2 resource, 1 fleet"."""
    return ", ".join(f"{sign.count} {sign.kind.words or sign.kind.name}" for sign in signs)
