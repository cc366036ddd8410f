"""Ties between places on a map (see `chart`): what is between their owners, such as a war or a treaty, and not a way. Checked,
and as strokes with coordinates.

ties    between (two nodes, linked or not), look (see `LOOKS`); legend has words for each look
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from pbmd.rendering.labels import Point
from pbmd.rendering.map_parts import MapError, entries
from pbmd.rendering.strokes import along, cut, path_of, way_around

LOOKS = ("jagged", "double")
MOST_TIES = 200
_APART = 20.0
"""From the middle of a node to the end of a tie."""
_TOOTH, _TEETH = 7.0, 4.5
"""How long a tooth of a jagged line is, and how far it goes from the middle."""
_HALF = 3.0
"""Half the distance of the lines of a double one."""


@dataclass(frozen=True, slots=True)
class Tie:
    """See the module; `between` are places in the nodes, in ascending order."""

    between: tuple[int, int]
    look: str


class PlacedTie(NamedTuple):
    """`way` is what it lies on, and `line` what is drawn, as paths."""

    look: str
    way: str
    line: str


def read_ties(data: Mapping[str, Any], places: Mapping[str, int]) -> tuple[Tie, ...]:
    """All ties, each pair and look once. Raises `MapError`."""
    told = entries(data, "ties", MOST_TIES) if "ties" in data else ()
    return tuple(dict.fromkeys(_tie(entry, f"ties[{place}]", places) for place, entry in enumerate(told)))


def _tie(entry: Mapping[str, Any], where: str, places: Mapping[str, int]) -> Tie:
    pair = entry["between"]
    if len(pair) != 2 or pair[0] == pair[1] or not {*pair} <= {*places}:
        raise MapError(f"{where}.between: a tie is between two nodes")
    if entry["look"] not in LOOKS:
        raise MapError(f"{where}.look: looks are {', '.join(LOOKS)}")
    one, other = sorted(places[name] for name in pair)
    return Tie((one, other), entry["look"])


def placed_ties(ties: Sequence[Tie], centres: Sequence[Point]) -> tuple[PlacedTie, ...]:
    """The ties between nodes at these places: straight, or bent around nodes that lie in the way."""
    return tuple(_placed(tie, centres) for tie in ties)


def _placed(tie: Tie, centres: Sequence[Point]) -> PlacedTie:
    way = cut(way_around(tie.between, centres, range(len(centres))), _APART, _APART)
    return PlacedTie(tie.look, path_of(way), path_of(_jagged(way)) if tie.look == "jagged" else _doubled(way))


def ties_in_words(ties: Sequence[Tie], names: Sequence[str], words: Mapping[str, str]) -> str:
    """Which places are tied, look by look."""
    said: list[str] = []
    for look in LOOKS:
        pairs = [" and ".join(names[place] for place in tie.between) for tie in ties if tie.look == look]
        said += [f"{words[look] or look}: {'; '.join(pairs)}."] if pairs else []
    return " ".join(each[:1].upper() + each[1:] for each in said)


def _jagged(way: Sequence[Point]) -> list[Point]:
    length = sum(math.dist(*leg) for leg in pairwise(way))
    teeth = max(2, round(length / _TOOTH))
    sides = [0.0, *(_TEETH if tooth % 2 else -_TEETH for tooth in range(1, teeth)), 0.0]
    return [_beside(way, length * tooth / teeth, side) for tooth, side in enumerate(sides)]


def _doubled(way: Sequence[Point]) -> str:
    reached, lines = 0.0, ([_beside(way, 0, -_HALF)], [_beside(way, 0, _HALF)])
    for leg in pairwise(way):
        reached += math.dist(*leg)
        for line, side in zip(lines, (-_HALF, _HALF), strict=True):
            line.append(_beside(way, reached, side))
    return "".join(map(path_of, lines))


def _beside(way: Sequence[Point], reached: float, side: float) -> Point:
    """The point so far from the way, after so much of it."""
    here, before, behind = (along(way, reached + step) for step in (0, -1, 1))
    across, down = behind[0] - before[0], behind[1] - before[1]
    length = math.hypot(across, down) or 1.0
    return here[0] - down / length * side, here[1] + across / length * side
