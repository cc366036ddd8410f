"""The map: star systems with their places, and which of them are neighbours (section 5.3 of the rules)."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from pbmd.rules.codec import row

from ..tables import INFO


@row
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
        """How many of these systems are connected through each other (CC-R64)."""
        largest, left = 0, set(names)
        while left:
            group = [left.pop()]
            for name in group:  # grows during the loop
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


def _stars(rows: Iterable[Mapping[str, Any]]) -> tuple[Star, ...]:
    return tuple(Star(r["number"], r["name"], r["x"], r["y"], tuple(r["neighbours"])) for r in rows)


MAPS: Mapping[str, Galaxy] = {name: galaxy_of(_stars(table["stars"])) for name, table in INFO.tables["maps"].items()}
"""The built-in maps by name."""

HOMES: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    name: {int(count): tuple(homes) for count, homes in table["homes"].items()} for name, table in INFO.tables["maps"].items()
}
"""For each built-in map and number of players the homes, in the order in which they are drawn."""
