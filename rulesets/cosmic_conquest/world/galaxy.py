"""The map: star systems with their places, and which of them are neighbours (section 5.3 of the rules)."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from pbmd.rules import fold

from ..tables import INFO

NAME_LENGTH = 40
_SEPARATORS = frozenset(("and", "with", "under", "led", "on"))
"""Words that orders are taken apart at: no system's name may have one as a word of its own (section 4.1)."""


class Star(NamedTuple):
    """A system's place on the map: `x` to the right and `y` down, 0 to 100; `neighbours` as the map lists them."""

    number: int
    name: str
    x: int | float
    y: int | float
    neighbours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Galaxy:
    """The stars in map order (CC-65): ascending numbers. `place` finds a star by its name."""

    stars: tuple[Star, ...]
    place: Mapping[str, int]

    def neighbours(self, name: str) -> tuple[str, ...]:
        """The names of the systems adjacent to this one."""
        return self.stars[self.place[name]].neighbours

    def in_order(self, names: Iterable[str]) -> list[str]:
        """The names in map order."""
        return sorted(names, key=self.place.__getitem__)

    def largest_group(self, names: Set[str]) -> int:
        """How many of these systems hang together through each other (CC-R64)."""
        largest, left = 0, set(names)
        while left:
            group = [left.pop()]
            for name in group:  # grows while it is walked
                found = [other for other in self.neighbours(name) if other in left]
                left.difference_update(found)
                group += found
            largest = max(largest, len(group))
        return largest


@lru_cache(maxsize=64)
def galaxy_of(stars: tuple[Star, ...]) -> Galaxy:
    """The galaxy of these stars."""
    ordered = tuple(sorted(stars))
    return Galaxy(ordered, {star.name: place for place, star in enumerate(ordered)})


def map_problem(stars: Sequence[Star]) -> tuple[int, str, str] | None:
    """What is wrong with a map: the place in `stars`, the field, and a sentence; None if nothing is."""
    by_name: dict[str, Star] = {}
    numbers: dict[int, int] = {}
    names: dict[str, int] = {}
    for place, star in enumerate(stars):
        if problem := system_name_problem(star.name):
            return place, "name", f'"{star.name:.60}": {problem}'
        if (first := names.setdefault(fold(star.name), place)) != place:
            return place, "name", f'"{star.name}" is the name of map_systems[{first}] already'
        if (first := numbers.setdefault(star.number, place)) != place:
            return place, "number", f"{star.number} is the number of map_systems[{first}] already"
        if not (0 <= star.x <= 100 and 0 <= star.y <= 100):
            return place, "x" if not 0 <= star.x <= 100 else "y", "coordinates go from 0 to 100"
        by_name[star.name] = star
    for place, star in enumerate(stars):
        if problem := _neighbours_problem(star, by_name):
            return place, "neighbours", problem
    return None


def _neighbours_problem(star: Star, by_name: Mapping[str, Star]) -> str:
    for position, name in enumerate(star.neighbours):
        if name not in by_name:
            return f'there is no system "{name:.60}"'
        if name == star.name:
            return f"{name} is its own neighbour"
        if name in star.neighbours[:position]:
            return f"{name} is there twice"
        if star.name not in by_name[name].neighbours:
            return f"{name} is a neighbour of {star.name}, but {star.name} is none of {name}"
    return ""


def system_name_problem(name: str) -> str:
    """What is improper about the name of a system, "" if nothing."""
    if not name or name != " ".join(name.split()) or not name.isprintable():
        return "a name is one line without blanks at its ends or double ones"
    if len(name) > NAME_LENGTH:
        return f"the name has {len(name)} characters; {NAME_LENGTH} is the most"
    if "," in name:
        return "a name has no comma"
    if name[-1] in ".;:!" or not re.match(r"\w", name):
        return "a name begins with a letter or digit and has no mark at its end"
    if reserved := [word for word in fold(name).split() if word in _SEPARATORS]:
        return f'the word "{reserved[0]}" is used in orders and cannot be part of a name'
    return ""


def _stars(rows: Iterable[Mapping[str, Any]]) -> tuple[Star, ...]:
    return tuple(Star(r["number"], r["name"], r["x"], r["y"], tuple(r["neighbours"])) for r in rows)


MAPS: Mapping[str, Galaxy] = {name: galaxy_of(_stars(table["stars"])) for name, table in INFO.tables["maps"].items()}
"""The built-in maps by name."""

HOMES: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    name: {int(count): tuple(homes) for count, homes in table["homes"].items()} for name, table in INFO.tables["maps"].items()
}
"""For each built-in map and number of players the homes, in the order in which they are drawn."""
