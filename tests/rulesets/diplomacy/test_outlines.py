"""The outlines of the standard map, held against its borders: who can go where can be read off the drawing."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise, takewhile
from math import dist
from typing import NamedTuple

import pytest

from pbmd.rendering.areas import rings_of
from rulesets.diplomacy.world.board import board, outlines

STANDARD = board("standard")
SHORTEST = 16
"""Units that two neighbours have in common at least: six pixels of the 640 of a sheet. A shorter border cannot be seen."""

Cell = tuple[int, int]
Edge = tuple[Cell, Cell]


class Side(NamedTuple):
    """A line of an outline, from one of its points to the next, and the area on the other side of it; "" at the edge of the
    sheet."""

    line: Edge
    beyond: str

    @property
    def length(self) -> float:
        (x, y), (to_x, to_y) = self.line
        return ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5


@cache
def sides() -> Mapping[str, Sequence[Sequence[Side]]]:
    """The rings of each area, with who is beyond each line."""
    found = outlines("standard")
    assert found is not None
    rings = {name: [[*pairwise([*ring, ring[0]])] for ring in rings_of(area.outline)] for name, area in found.areas.items()}
    areas_of = defaultdict[frozenset[Cell], set[str]](set)
    for name, lines in _lines(rings):
        areas_of[lines].add(name)
    assert max(map(len, areas_of.values())) == 2, "no line parts more than two"
    return {
        name: [[Side(line, "".join(areas_of[frozenset(line)] - {name})) for line in ring] for ring in all_of]
        for name, all_of in rings.items()
    }


def _lines(rings: Mapping[str, Sequence[Sequence[Edge]]]) -> Iterable[tuple[str, frozenset[Cell]]]:
    return ((name, frozenset(line)) for name, all_of in rings.items() for ring in all_of for line in ring)


def borders() -> Mapping[tuple[str, str], float]:
    """How much of their outlines two provinces have in common."""
    found = defaultdict[tuple[str, str], float](float)
    for name, rings in sides().items():
        for side in (side for ring in rings for side in ring):
            if name < side.beyond and {name, side.beyond} <= {*STANDARD.by_id}:
                found[name, side.beyond] += side.length
    return found


def wanted() -> set[tuple[str, str]]:
    """The provinces between which an army or a fleet can go."""
    pairs = (
        (place[:3], to[:3])
        for reach in (STANDARD.army_reach, STANDARD.fleet_reach)
        for place, near in reach.items()
        for to in near
    )
    return {(min(pair), max(pair)) for pair in pairs}


def shores(province: str) -> list[set[str]]:
    """Where a fleet can go along each shore of a province: the seas that it lies at, and the neighbours at its ends. Islands,
    and shores between two edges of the sheet, have no neighbours, and are left out."""
    every = (found for ring in sides()[province] for found in _shores([side.beyond for side in ring]))
    return [shore for shore in every if not all(map(is_sea, shore))]


def _shores(beyond: Sequence[str]) -> Iterable[set[str]]:
    turns = [place for place in range(len(beyond)) if is_sea(beyond[place]) and not is_sea(beyond[place - 1])]
    for start in turns:
        ahead = [*beyond[start:], *beyond[:start]]
        shore = [*takewhile(is_sea, ahead)]
        yield {*shore, ahead[-1], ahead[len(shore)]} & {*STANDARD.by_id}


def is_sea(name: str) -> bool:
    return name in STANDARD.by_id and STANDARD.by_id[name].kind == "sea"


@pytest.mark.rule("DI-102", "DI-10")
def test_exactly_the_provinces_that_border_on_each_other_touch() -> None:
    assert len(wanted()) == 206
    assert {*borders()} == wanted()


@pytest.mark.rule("DI-102", "DI-10")
def test_every_border_is_long_enough_to_be_seen() -> None:
    assert {pair: length for pair, length in borders().items() if length < SHORTEST} == {}


@pytest.mark.rule("DI-102", "DI-10")
def test_an_army_can_go_wherever_its_province_touches_land() -> None:
    touching = defaultdict[str, set[str]](set)
    for one, other in borders():
        if not is_sea(one) and not is_sea(other):
            touching[one].add(other)
            touching[other].add(one)
    assert touching == {place: {*near} for place, near in STANDARD.army_reach.items() if near}


@pytest.mark.rule("DI-102", "DI-10")
def test_a_fleet_can_go_along_the_shores_that_are_drawn() -> None:
    for province in STANDARD.provinces:
        if province.kind == "coast" and not province.coasts:
            assert set().union(*shores(province.id)) == {to[:3] for to in STANDARD.fleet_reach[province.id]}, province.id


@pytest.mark.rule("DI-102", "DI-10")
@pytest.mark.parametrize("name", ["BUL", "SPA", "STP"])
def test_each_coast_of_a_province_with_several_is_a_shore_of_its_own(name: str) -> None:
    coasts = [{to[:3] for to in STANDARD.fleet_reach[f"{name}/{coast}"]} for coast in STANDARD.by_id[name].coasts]
    assert sorted(map(sorted, shores(name))) == sorted(map(sorted, coasts))


@pytest.mark.rule("DI-102", "DI-10")
def test_a_fleet_on_a_coast_is_drawn_at_it() -> None:
    found = outlines("standard")
    assert found is not None
    assert {*found.spots} == {place for place in STANDARD.fleet_reach if "/" in place}
    for place, at in found.spots.items():
        seas = {to for to in STANDARD.fleet_reach[place] if is_sea(to)}
        lines = [side for ring in sides()[place[:3]] for side in ring if is_sea(side.beyond)]
        nearest = min(lines, key=lambda side: dist(side.line[0], at))
        assert nearest.beyond in seas, place
        assert dist(nearest.line[0], at) < 60, place


def test_the_areas_cover_the_sheet_and_each_other_nowhere() -> None:
    """What the outlines go around, is the sheet, and inside of it each line parts two."""
    found = outlines("standard")
    assert found is not None
    width, height = found.sheet
    inner = [side for rings in sides().values() for ring in rings for side in ring if not side.beyond]
    assert all(one[axis] == other[axis] in (0, found.sheet[axis]) for (one, other), _ in inner for axis in _along(one, other))
    assert sum(side.length for side in inner) == 2 * (width + height)
    assert sum(abs(sum(map(_area, rings_of(area.outline)))) for area in found.areas.values()) == width * height


def _along(one: Cell, other: Cell) -> Sequence[int]:
    """The axis in which a line along the edge of the sheet does not go on."""
    return [axis for axis in (0, 1) if one[axis] == other[axis]]


def _area(ring: Sequence[Cell]) -> float:
    """What a ring goes around; of one that goes around the other way, as holes do, with a minus."""
    return sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairwise([*ring, ring[0]])) / 2


def test_pieces_stand_on_the_sheet_apart_from_each_other() -> None:
    found = outlines("standard")
    assert found is not None
    places = {name: found.areas[name].at for name in STANDARD.by_id} | found.spots
    near = [
        (one, other)
        for one, other in combinations(sorted(places), 2)
        if dist(places[one], places[other]) < 60 and one[:3] != other[:3]
    ]
    assert near == []
