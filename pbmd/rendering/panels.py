"""Maps of panels (``view.data["map"]`` with ``panels``), checked: for games without places, in which it matters who holds what
of whom, how strong each is, and who has struck whom. `panels_drawing` in `panel_places` puts all in its place.

title    a line above the map
panels   two in a row, each with a heading in the colour of its owner: name, owner (a name of `owners`, or ""), value (a short
         text behind the name), own (the reader's own), tokens, bar (a number, drawn on one scale with all others, or None),
         hatched (so much of the bar is hatched), text (below the bar)
tokens   what belongs to a panel, whoever holds it: owner, label (a few letters below it), count (how many things it stands for;
         of more than one the number is below it), ringed (stressed by a dashed ring)
arrows   into a panel: by (names of `owners`), to (a panel), failed (broken and crossed), words (what came of it)
share    words for a bar below all panels that shows how much each owner holds of all tokens, or ""
owners   as on other maps; those that no panel is of are explained below
legend   what is said behind the name of an own panel, and what token, ringed, bar, hatched, arrow and failed mean
notes    sentences at the bottom

An owner's colour is never alone: its letters stand on each heading, token and arrow.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pbmd.rendering.map_parts import MOST_NOTES, NOTE_CHARS, MapError, Owner, entries, owner_of, plain, read_owners

MOST_PANELS = 40
MOST_TOKENS = 600
"""Of all panels together: the work that a picture can make."""
MOST_ARROWS = 120
LEGEND = ("token", "ringed", "bar", "hatched", "arrow", "failed")
_LABEL_CHARS = 5
_LARGEST = 1e9


@dataclass(frozen=True, slots=True)
class Token:
    """See the module."""

    owner: Owner | None
    label: str
    count: int
    ringed: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """See the module."""

    name: str
    owner: Owner | None
    value: str
    own: bool
    tokens: tuple[Token, ...]
    bar: float | None
    hatched: float
    text: str


@dataclass(frozen=True, slots=True)
class Arrow:
    """See the module; `to` is a place in the panels."""

    by: tuple[Owner, ...]
    to: int
    failed: bool
    words: str


@dataclass(frozen=True, slots=True)
class Panels:
    """See the module."""

    title: str
    panels: tuple[Panel, ...]
    arrows: tuple[Arrow, ...]
    share: str
    owners: tuple[Owner, ...]
    legend: Mapping[str, str]
    notes: tuple[str, ...]

    @property
    def held(self) -> list[tuple[Owner, int]]:
        """How much each owner holds of all tokens, the most first."""
        counts = _counted(token for panel in self.panels for token in panel.tokens if token.owner)
        by_name = {owner.name: owner for owner in self.owners}
        return [(by_name[name], count) for name, count in counts.most_common()]

    def used(self) -> list[tuple[str, str]]:
        """The keys of the legend for what there is, with their words."""
        tokens = [token for panel in self.panels for token in panel.tokens]
        there = {
            "token": bool(tokens),
            "ringed": any(token.ringed for token in tokens),
            "bar": any(panel.bar is not None for panel in self.panels),
            "hatched": any(panel.hatched for panel in self.panels),
            "arrow": any(not arrow.failed for arrow in self.arrows),
            "failed": any(arrow.failed for arrow in self.arrows),
        }
        return [(key, self.legend[key]) for key, is_there in there.items() if is_there and self.legend[key]]

    def in_words(self) -> str:
        """Who holds what, and all arrows."""
        held = "; ".join(f"{panel.name}: {_held_in_words(panel)}" for panel in self.panels if panel.tokens)
        arrows = "; ".join(
            f"{', '.join(owner.name for owner in arrow.by)} to {self.panels[arrow.to].name}: {arrow.words}"
            for arrow in self.arrows
        )
        return " ".join(f"{heading}: {said}." for heading, said in (("Held by", held), ("Arrows", arrows)) if said)


def _held_in_words(panel: Panel) -> str:
    return ", ".join(f"{name} {count}" for name, count in _counted(panel.tokens).most_common())


def _counted(tokens: Iterable[Token]) -> Counter[str]:
    counts = Counter[str]()
    for token in tokens:
        counts[token.owner.name if token.owner else "nobody"] += token.count
    return counts


def read_panels(data: Mapping[str, Any]) -> Panels:
    """The map in a view's data. Raises `MapError`."""
    owners = read_owners(data)
    by_name = {owner.name: owner for owner in owners}
    told = entries(data, "panels", MOST_PANELS)
    if sum(len(panel["tokens"]) for panel in told) > MOST_TOKENS:
        raise MapError(f"panels: they have more than the {MOST_TOKENS} tokens that can be drawn")
    panels = tuple(_panel(entry, f"panels[{place}]", by_name) for place, entry in enumerate(told))
    # By the names as given: what is shown may be shortened.
    places = {entry["name"]: place for place, entry in enumerate(told)}
    if not panels or len(places) != len(panels):
        raise MapError("panels: there is at least one, and no two have the same name")
    arrows = tuple(
        _arrow(entry, f"arrows[{place}]", places, by_name) for place, entry in enumerate(entries(data, "arrows", MOST_ARROWS))
    )
    words = {key: plain(str(data["legend"].get(key, ""))) for key in ("own", *LEGEND)}
    notes = tuple(plain(note, NOTE_CHARS) for note in entries(data, "notes", MOST_NOTES))
    return Panels(plain(data["title"]), panels, arrows, plain(data["share"]), owners, words, notes)


def _panel(entry: Mapping[str, Any], where: str, owners: Mapping[str, Owner]) -> Panel:
    tokens = tuple(_token(token, f"{where}.tokens[{place}]", owners) for place, token in enumerate(entry["tokens"]))
    bar = entry["bar"]
    hatched = entry["hatched"]
    if not all(math.isfinite(number) and 0 <= number <= _LARGEST for number in (bar or 0, hatched)) or hatched > (bar or 0):
        raise MapError(f"{where}.bar: it is a number of 0 or more, and no more of it is hatched than it has")
    name, value, text = plain(entry["name"]), plain(entry["value"]), plain(entry["text"], NOTE_CHARS)
    return Panel(name, owner_of(entry, where, owners), value, bool(entry["own"]), tokens, bar, hatched, text)


def _token(entry: Mapping[str, Any], where: str, owners: Mapping[str, Owner]) -> Token:
    count = entry["count"]
    if type(count) is not int or not 1 <= count <= _LARGEST:
        raise MapError(f"{where}.count: it is a whole number of 1 or more")
    label = f"×{count}" if count > 1 else plain(entry["label"], _LABEL_CHARS)
    return Token(owner_of(entry, where, owners), label, count, bool(entry["ringed"]))


def _arrow(entry: Mapping[str, Any], where: str, places: Mapping[str, int], owners: Mapping[str, Owner]) -> Arrow:
    by = tuple(owners.get(plain(name)) for name in entry["by"])
    known = tuple(owner for owner in by if owner is not None)
    if not by or len(known) != len(by):
        raise MapError(f"{where}.by: an arrow is by at least one of the owners")
    if entry["to"] not in places:
        raise MapError(f"{where}.to: there is no such panel")
    return Arrow(known, places[entry["to"]], bool(entry["failed"]), plain(entry["words"]))
