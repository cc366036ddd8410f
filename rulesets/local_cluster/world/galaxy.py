"""The map: planets in number order and the lines between them (section 4, appendix A.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..tables import INFO

Line = tuple[str, str]
"""Two planets that are joined."""


@dataclass(frozen=True)
class Galaxy:
    """The names of the planets in number order, and the lines."""

    names: tuple[str, ...]
    lines: tuple[Line, ...]

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The place of a planet in the list, by its name: its number less one. It decides ties (LC-R46)."""
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The planets joined to each by a line, in number order (LC-79)."""
        joined: dict[str, set[str]] = {name: set() for name in self.names}
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
            for name in row:  # grows during the loop
                for other in self.neighbours[name]:
                    if other not in found:
                        found[other] = found[name] + 1
                        row.append(other)
            known = self._distances[start] = found
        return known


@lru_cache(maxsize=64)
def galaxy_of(names: tuple[str, ...], lines: tuple[Line, ...]) -> Galaxy:
    """The galaxy of these planets and lines."""
    return Galaxy(names, lines)


LOCAL_CLUSTER: Galaxy = galaxy_of(
    tuple(planet["name"] for planet in INFO.tables["map"]["planets"]),
    tuple((one, other) for one, other in INFO.tables["map"]["lines"]),
)
