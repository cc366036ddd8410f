"""The map: planets in number order and the lines between them (section 4, appendix A.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..tables import INFO


class Site(NamedTuple):
    """A planet's place on the map: `x` 0 to 100 rightwards, `y` 0 to 80 downwards."""

    name: str
    x: int
    y: int


@dataclass(frozen=True)
class Galaxy:
    """The planets in number order and the lines as pairs of names."""

    sites: tuple[Site, ...]
    lines: tuple[tuple[str, str], ...]

    @cached_property
    def place(self) -> Mapping[str, int]:
        """Where a planet stands in the list, by its name: its number less one. What ties go by (LC-R46)."""
        return {site.name: place for place, site in enumerate(self.sites)}

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The planets joined to each by a line, in number order (LC-79)."""
        joined: dict[str, set[str]] = {site.name: set() for site in self.sites}
        for one, other in self.lines:
            joined[one].add(other)
            joined[other].add(one)
        return {name: tuple(sorted(others, key=self.place.__getitem__)) for name, others in joined.items()}

    @cached_property
    def _distances(self) -> dict[str, Mapping[str, int]]:
        return {}

    def distances(self, start: str) -> Mapping[str, int]:
        """Lines on the shortest path from `start` to each planet that can be reached; 0 for itself (LC-R63)."""
        known = self._distances.get(start)
        if known is None:
            found = {start: 0}
            row = [start]
            for name in row:  # grows while it is walked
                for other in self.neighbours[name]:
                    if other not in found:
                        found[other] = found[name] + 1
                        row.append(other)
            known = self._distances[start] = found
        return known


@lru_cache(maxsize=64)
def galaxy_of(sites: tuple[Site, ...], lines: tuple[tuple[str, str], ...]) -> Galaxy:
    """The galaxy of these planets and lines."""
    return Galaxy(sites, lines)


LOCAL_CLUSTER: Galaxy = galaxy_of(
    tuple(Site(**site) for site in INFO.tables["map"]["planets"]),
    tuple((one, other) for one, other in INFO.tables["map"]["lines"]),
)
