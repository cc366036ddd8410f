"""What a view may say of a map (``view.data["map"]``), checked: it decides how much work a picture can make.

title    a line above the map
nodes    name, x and y (y goes down), owner (a name of `owners`, or ""), value (a short text behind the name),
         own (the reader's own), ringed (stressed by a dashed ring), perhaps kind (a name of `kinds`), barred (between two
         bars), halo (rays around it) and signs (see `signs`)
links    pairs of node names
owners   name, colour ("#rrggbb"), code (one or two letters: the colour for those who cannot see it), note
legend   what own, ringed, barred, halo and free nodes (those without an owner or a kind) are called; a kind without words is
         not explained
notes    sentences at the bottom
width    of the sheet, `WIDTH` to `WIDEST`, if it is not `WIDTH`
kinds, pieces, arrows, supports, clashes    see `moves`; ties: see `ties`; signs: see `signs`; each may be left out
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbmd.rendering.labels import WIDTH
from pbmd.rendering.map_parts import MOST_NOTES, NOTE_CHARS, MapError, Owner, entries, owner_of, plain, read_owners
from pbmd.rendering.moves import LEGEND, Kind, Moves, kind_of, read_kinds, read_moves
from pbmd.rendering.signs import Sign, SignKind, read_sign_kinds, read_signs
from pbmd.rendering.ties import LOOKS, Tie, read_ties

MOST_NODES = 120
MOST_LINKS = 500
WIDEST = 1280
"""A telephone shows letters of such a sheet half as large as those of an ordinary one; they can be read when it is enlarged."""
_VALUE_CHARS = 20
LOOKS_OF_NODES = ("free", "own", "ringed", "barred", "halo")
"""In the order of the legend."""


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
    kind: Kind | None = None
    barred: bool = False
    halo: bool = False
    signs: tuple[Sign, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """See the module. `links` are places in `nodes`, each pair once and in ascending order."""

    title: str
    nodes: tuple[Node, ...]
    links: tuple[tuple[int, int], ...]
    owners: tuple[Owner, ...]
    legend: Mapping[str, str]
    notes: tuple[str, ...]
    width: int
    moves: Moves
    ties: tuple[Tie, ...] = ()
    signs: tuple[SignKind, ...] = ()


def read_chart(data: Mapping[str, Any]) -> Chart:
    """The map in a view's data. Raises `MapError`."""
    owners = read_owners(data)
    by_name = {owner.name: owner for owner in owners}
    kinds, signs = read_kinds(data), read_sign_kinds(data)
    told = entries(data, "nodes", MOST_NODES)
    nodes = tuple(_node(entry, f"nodes[{place}]", by_name, kinds, signs) for place, entry in enumerate(told))
    # By the names as given: what is shown may be shortened.
    places = {entry["name"]: place for place, entry in enumerate(told)}
    if not nodes:
        raise MapError("nodes: a map has at least one")
    if len(places) != len(nodes):
        raise MapError("nodes: two have the same name")
    links = {_link(pair, f"links[{place}]", places) for place, pair in enumerate(entries(data, "links", MOST_LINKS))}
    legend = {key: plain(str(data["legend"].get(key, ""))) for key in (*LOOKS_OF_NODES, *LOOKS, *LEGEND)}
    notes = tuple(plain(note, NOTE_CHARS) for note in entries(data, "notes", MOST_NOTES))
    moves, ties = read_moves(data, places, by_name, kinds), read_ties(data, places)
    title, drawn = plain(data["title"]), tuple(sorted(links))
    return Chart(title, nodes, drawn, owners, legend, notes, _width(data), moves, ties, tuple(signs.values()))


def _node(
    entry: Mapping[str, Any],
    where: str,
    owners: Mapping[str, Owner],
    kinds: Mapping[str, Kind],
    signs: Mapping[str, SignKind],
) -> Node:
    held_by = owner_of(entry, where, owners)
    for key in ("x", "y"):
        if not math.isfinite(entry[key]) or abs(entry[key]) > 1e9:
            raise MapError(f"{where}.{key}: a coordinate is a number of ordinary size")
    name, value = plain(entry["name"]), plain(entry["value"], _VALUE_CHARS)
    kind = kind_of(entry, where, kinds) if "kind" in entry else None
    own, ringed = bool(entry["own"]), bool(entry["ringed"])
    barred, halo = (bool(entry.get(key)) for key in ("barred", "halo"))
    there = read_signs(entry, where, signs)
    return Node(name, entry["x"], entry["y"], held_by, value, own, ringed, kind, barred, halo, there)


def _link(pair: Sequence[str], where: str, places: Mapping[str, int]) -> tuple[int, int]:
    if len(pair) != 2 or pair[0] not in places or pair[1] not in places:
        raise MapError(f"{where}: a link joins two nodes by their names")
    one, other = sorted((places[pair[0]], places[pair[1]]))
    return one, other


def _width(data: Mapping[str, Any]) -> int:
    width = data.get("width", WIDTH)
    if type(width) is not int or not WIDTH <= width <= WIDEST:
        raise MapError(f"width: a sheet is {WIDTH} to {WIDEST} wide")
    return width
