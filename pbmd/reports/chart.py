"""What a view may say of a map (``view.data["map"]``), checked: it decides how much work a picture can make.

title    a line above the map
nodes    name, x and y (y goes down), owner (a name of `owners`, or ""), value (a short text behind the name),
         own (the reader's own), ringed (stressed by a dashed ring)
links    pairs of node names
owners   name, colour ("#rrggbb"), code (one or two letters: the colour for those who cannot see it), note
legend   what own, ringed and free nodes (those without an owner) are called; a kind without words is not explained
notes    sentences at the bottom
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_NODES = 120
MOST_LINKS = 500
MOST_OWNERS = 40
MOST_NOTES = 3
_TEXT_CHARS = 60
NOTE_CHARS = 200
_CODE_CHARS = 2
_VALUE_CHARS = 20
COLOUR = re.compile(r"#[0-9a-f]{6}")


class MapError(ValueError):
    """A map that cannot be drawn; the message names the place in it and says why, in words of pbmd's own."""


@dataclass(frozen=True, slots=True)
class Owner:
    """See the module; `ink` is the colour in which letters can be read on `colour`."""

    name: str
    colour: str
    code: str
    note: str
    ink: str


@dataclass(frozen=True, slots=True)
class Node:
    """See the module."""

    name: str
    x: float
    y: float
    owner: Owner | None
    value: str
    own: bool
    ringed: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """See the module. `links` are places in `nodes`, each pair once and in ascending order."""

    title: str
    nodes: tuple[Node, ...]
    links: tuple[tuple[int, int], ...]
    owners: tuple[Owner, ...]
    legend: Mapping[str, str]
    notes: tuple[str, ...]


def read_chart(data: Mapping[str, Any]) -> Chart:
    """The map in a view's data. Raises `MapError`."""
    owners = tuple(read_owner(entry, place) for place, entry in enumerate(entries(data, "owners", MOST_OWNERS)))
    by_name = {owner.name: owner for owner in owners}
    told = entries(data, "nodes", MOST_NODES)
    nodes = tuple(_node(entry, f"nodes[{place}]", by_name) for place, entry in enumerate(told))
    # By the names as given: what is shown may be shortened.
    places = {entry["name"]: place for place, entry in enumerate(told)}
    if not nodes:
        raise MapError("nodes: a map has at least one")
    if len(places) != len(nodes):
        raise MapError("nodes: two have the same name")
    links = {_link(pair, f"links[{place}]", places) for place, pair in enumerate(entries(data, "links", MOST_LINKS))}
    legend = {key: plain(str(data["legend"].get(key, "")), _TEXT_CHARS) for key in ("own", "ringed", "free")}
    notes = tuple(plain(note, NOTE_CHARS) for note in entries(data, "notes", MOST_NOTES))
    return Chart(plain(data["title"], _TEXT_CHARS), nodes, tuple(sorted(links)), owners, legend, notes)


def plain(text: str, most: int = _TEXT_CHARS) -> str:
    """One line of what can be shown and written in XML, shortened."""
    shown = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def entries(data: Mapping[str, Any], key: str, most: int) -> Sequence[Any]:
    """A list in the data. Raises `MapError` when it is too long."""
    told = data[key]
    if len(told) > most:
        raise MapError(f"{key}: {len(told)} are more than the {most} that can be drawn")
    return told


def read_owner(entry: Mapping[str, Any], place: int) -> Owner:
    """One of the owners. Raises `MapError`."""
    colour = entry["colour"]
    if not COLOUR.fullmatch(colour):
        raise MapError(f'owners[{place}].colour: a colour is written as "#rrggbb", with small letters')
    code, note = plain(entry["code"], _CODE_CHARS), plain(entry["note"])
    return Owner(plain(entry["name"]), colour, code, note, ink_on(colour))


def ink_on(colour: str) -> str:
    """The colour, black or white, in which letters can be read on this one."""
    return "#000000" if _luminance(colour) > _MIDDLE else "#ffffff"


_MIDDLE = 0.18
"""Of this luminance black and white letters have the same contrast (WCAG 2)."""


def _luminance(colour: str) -> float:
    """The relative luminance of WCAG 2, 0 to 1."""
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _node(entry: Mapping[str, Any], where: str, owners: Mapping[str, Owner]) -> Node:
    owner = entry["owner"]
    if owner and plain(owner) not in owners:
        raise MapError(f"{where}.owner: there is no such owner")
    for key in ("x", "y"):
        if not math.isfinite(entry[key]) or abs(entry[key]) > 1e9:
            raise MapError(f"{where}.{key}: a coordinate is a number of ordinary size")
    held_by = owners[plain(owner)] if owner else None
    name, value = plain(entry["name"]), plain(entry["value"], _VALUE_CHARS)
    return Node(name, entry["x"], entry["y"], held_by, value, bool(entry["own"]), bool(entry["ringed"]))


def _link(pair: Sequence[str], where: str, places: Mapping[str, int]) -> tuple[int, int]:
    if len(pair) != 2 or pair[0] not in places or pair[1] not in places:
        raise MapError(f"{where}: a link joins two nodes by their names")
    one, other = sorted((places[pair[0]], places[pair[1]]))
    return one, other
