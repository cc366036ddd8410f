"""What a view may say of pieces on a map of places, and of their moves (see `chart`), checked.

kinds     of nodes and pieces: name, shape (see `SHAPES`), fill ("#rrggbb", or "": a node is an outline then, a piece has the
          colour of its owner), words (for the legend; a kind without words is not explained)
pieces    at (a node), kind, owner (a name of `owners`, or ""), note (a short text below it), displaced (drawn beside its
          place, with a broken outline, and crossed out)
arrows    path (nodes: where it begins, perhaps some that it goes by, where it ends), owner, failed (broken and crossed)
supports  at (a node), of (one node, for a piece that stays, or the two ends of an arrow), failed
clashes   nodes at which moves met and none got through
legend    has words for arrow, failed, support, clash and displaced

Nothing of it is told by its colour alone, and all of it in words, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pbmd.rendering.map_parts import MapError, Owner, entries, entries_if_any, ink_on, owner_of, plain, read_colour

SHAPES = ("box", "hull", "disc", "diamond", "point")
LEGEND = ("arrow", "support", "failed", "clash", "displaced")
MOST_KINDS = 20
MOST_PIECES = 200
MOST_ARROWS = 120
MOST_ON_PATH = 16
_NOTE_CHARS = 3


@dataclass(frozen=True, slots=True)
class Kind:
    """See the module; `ink` is the colour of letters on it."""

    name: str
    shape: str
    fill: str
    words: str
    ink: str


@dataclass(frozen=True, slots=True)
class Piece:
    """See the module; `at` is a place in the nodes."""

    at: int
    kind: Kind
    owner: Owner | None
    note: str
    displaced: bool


@dataclass(frozen=True, slots=True)
class Arrow:
    """See the module; `path` are places in the nodes."""

    path: tuple[int, ...]
    owner: Owner | None
    failed: bool

    @property
    def ends(self) -> tuple[int, int]:
        """Where it begins and ends."""
        return self.path[0], self.path[-1]


@dataclass(frozen=True, slots=True)
class Support:
    """See the module; `at` and `of` are places in the nodes."""

    at: int
    of: tuple[int, ...]
    failed: bool


@dataclass(frozen=True, slots=True)
class Moves:
    """See the module."""

    pieces: tuple[Piece, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    supports: tuple[Support, ...] = ()
    clashes: tuple[int, ...] = ()
    kinds: tuple[Kind, ...] = ()

    def used(self) -> list[str]:
        """The keys of the legend for what there is."""
        there = {
            "arrow": any(not arrow.failed for arrow in self.arrows),
            "support": bool(self.supports),
            "failed": any(stroke.failed for stroke in (*self.arrows, *self.supports)),
            "clash": bool(self.clashes),
            "displaced": any(piece.displaced for piece in self.pieces),
        }
        return [key for key, is_there in there.items() if is_there]


def read_kinds(data: Mapping[str, Any]) -> Mapping[str, Kind]:
    """The kinds of nodes and pieces, by name. Raises `MapError`."""
    told = entries_if_any(data, "kinds", MOST_KINDS)
    return {entry["name"]: _kind(entry, f"kinds[{place}]") for place, entry in enumerate(told)}


def kind_of(entry: Mapping[str, Any], where: str, kinds: Mapping[str, Kind]) -> Kind:
    """The kind that an entry names. Raises `MapError`."""
    if entry["kind"] not in kinds:
        raise MapError(f"{where}.kind: there is no such kind")
    return kinds[entry["kind"]]


def read_moves(
    data: Mapping[str, Any], places: Mapping[str, int], owners: Mapping[str, Owner], kinds: Mapping[str, Kind]
) -> Moves:
    """All that stands and moves on these places. Raises `MapError`."""
    arrows = tuple(
        _arrow(entry, f"arrows[{place}]", places, owners)
        for place, entry in enumerate(entries_if_any(data, "arrows", MOST_ARROWS))
    )
    ends = {arrow.ends for arrow in arrows}
    return Moves(
        tuple(
            Piece(
                _place(entry["at"], f"pieces[{place}].at", places),
                kind_of(entry, f"pieces[{place}]", kinds),
                owner_of(entry, f"pieces[{place}]", owners),
                plain(entry["note"], _NOTE_CHARS),
                bool(entry["displaced"]),
            )
            for place, entry in enumerate(entries_if_any(data, "pieces", MOST_PIECES))
        ),
        arrows,
        tuple(
            _support(entry, f"supports[{place}]", places, ends)
            for place, entry in enumerate(entries_if_any(data, "supports", MOST_ARROWS))
        ),
        tuple(
            _place(name, f"clashes[{place}]", places) for place, name in enumerate(entries_if_any(data, "clashes", len(places)))
        ),
        tuple(kinds.values()),
    )


def _kind(entry: Mapping[str, Any], where: str) -> Kind:
    if entry["shape"] not in SHAPES:
        raise MapError(f"{where}.shape: shapes are {', '.join(SHAPES)}")
    fill = entry["fill"] and read_colour(entry["fill"], f"{where}.fill")
    return Kind(entry["name"], entry["shape"], fill, plain(entry["words"]), ink_on(fill) if fill else "#ffffff")


def _place(name: str, where: str, places: Mapping[str, int]) -> int:
    if name not in places:
        raise MapError(f"{where}: there is no such node")
    return places[name]


def _arrow(entry: Mapping[str, Any], where: str, places: Mapping[str, int], owners: Mapping[str, Owner]) -> Arrow:
    path = tuple(_place(name, f"{where}.path", places) for name in entries(entry, "path", MOST_ON_PATH))
    if len(path) < 2 or any(one == other for one, other in pairwise(path)):
        raise MapError(f"{where}.path: an arrow goes from one node to another")
    return Arrow(path, owner_of(entry, where, owners), bool(entry["failed"]))


def _support(entry: Mapping[str, Any], where: str, places: Mapping[str, int], ends: set[tuple[int, int]]) -> Support:
    at = _place(entry["at"], f"{where}.at", places)
    of = tuple(_place(name, f"{where}.of", places) for name in entries(entry, "of", 2))
    if len(of) == 2 and (of[0], of[1]) not in ends:
        raise MapError(f"{where}.of: there is no such arrow")
    if not of or at == of[0]:
        raise MapError(f"{where}.of: it is one other node, or the ends of an arrow")
    return Support(at, of, bool(entry["failed"]))
