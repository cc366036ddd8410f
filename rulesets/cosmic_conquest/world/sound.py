"""What must be true of a position beyond the types of its fields: of its map, its systems and its factions (section 4)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbmd.rules import PositionError, fold
from pbmd.rules.sound import must_differ

from ..tables import COLOURS, NEGATIVE, OPPOSITE, POSITIVE
from .galaxy import MAPS, Star
from .names import colour_named, name_problem
from .state import Faction, Position, System

_SEPARATORS = frozenset(("and", "with", "under", "led", "on"))
"""Words at which orders are split: no system's name may have one as a word of its own (section 4.1)."""
_EMPIRE_LENGTH = 80


def completed(read: Position) -> Position:
    """The position with what its document left out. Raises `PositionError` with the place of the mistake."""
    position = replace(read, factions=tuple(_with_names(faction) for faction in read.factions))
    _check_map(position)
    _check_systems(position)
    _check_factions(position)
    listed = {system.name: system for system in position.systems}
    return replace(position, systems=tuple(listed.get(star.name) or System(star.name) for star in position.galaxy.stars))


def _with_names(faction: Faction) -> Faction:
    admiral = replace(faction.admiral, name=faction.admiral.name or f"Admiral of {faction.colour}")
    return replace(faction, name=faction.name or faction.colour, admiral=admiral)


# --- The map -------------------------------------------------------------------------------------------------------------


def _check_map(position: Position) -> None:
    if not position.map_systems and position.map not in MAPS:
        raise PositionError("map", f'there is no map "{position.map:.60}"; there are {", ".join(MAPS)}')
    _check_stars(position.map_systems)
    for count, names in position.homes.items():
        place = f"homes.{count:.20}"
        if not count.isdecimal() or len(names) != int(count[:9]):
            raise PositionError(place, "a list of homes has the number of its players as its name and as many entries")
        for i, name in enumerate(names):
            _must_be_system(position, name, f"{place}[{i}]")
        must_differ(place, "", names)
    for i, name in enumerate(position.admiral_names):
        _must_be_proper(name, f"admiral_names[{i}]")
    must_differ("admiral_names", "", position.admiral_names)


def _check_stars(stars: Sequence[Star]) -> None:
    for i, star in enumerate(stars):
        place = f"map_systems[{i}]"
        if problem := _system_name_problem(star.name):
            raise PositionError(f"{place}.name", f'"{star.name:.60}": {problem}')
        for axis, value in (("x", star.x), ("y", star.y)):
            if not 0 <= value <= 100:
                raise PositionError(f"{place}.{axis}", "coordinates go from 0 to 100")
    must_differ("map_systems", "name", (star.name for star in stars))
    must_differ("map_systems", "number", (star.number for star in stars))
    by_name = {star.name: star for star in stars}
    for i, star in enumerate(stars):
        if problem := _neighbours_problem(star, by_name):
            raise PositionError(f"map_systems[{i}].neighbours", problem)


def _neighbours_problem(star: Star, by_name: Mapping[str, Star]) -> str:
    for place, name in enumerate(star.neighbours):
        if name not in by_name:
            return f'there is no system "{name:.60}"'
        if name == star.name:
            return f"{name} is its own neighbour"
        if name in star.neighbours[:place]:
            return f"{name} is there twice"
        if star.name not in by_name[name].neighbours:
            return f"{name} is a neighbour of {star.name}, but {star.name} is none of {name}"
    return ""


def _system_name_problem(name: str) -> str:
    """What is improper about the name of a system, "" if nothing."""
    if problem := name_problem(name):
        return problem
    if name[-1] in ".;:!" or not re.match(r"\w", name):
        return "a name begins with a letter or digit and has no mark at its end"
    if reserved := [word for word in fold(name).split() if word in _SEPARATORS]:
        return f'the word "{reserved[0]}" is used in orders and cannot be part of a name'
    return ""


# --- Systems and factions ------------------------------------------------------------------------------------------------


def _check_systems(position: Position) -> None:
    for i, system in enumerate(position.systems):
        _must_be_system(position, system.name, f"systems[{i}].name")
        if system.owner and system.owner not in position.colours:
            raise PositionError(f"systems[{i}].owner", f'there is no faction "{system.owner:.60}"')
        if system.owner and not position.colours[system.owner].active:
            raise PositionError(
                f"systems[{i}].owner", f"{system.owner} is {position.colours[system.owner].status} and holds nothing"
            )
    must_differ("systems", "name", (system.name for system in position.systems))


def _check_factions(position: Position) -> None:
    owners = {system.owner for system in position.systems}
    for i, faction in enumerate(position.factions):
        place = f"factions[{i}]"
        _check_faction(faction, place)
        if faction.name != faction.colour and colour_named(faction.name, COLOURS):
            raise PositionError(f"{place}.name", f'"{faction.name}" is a colour')
        if faction.active and faction.colour not in owners:
            raise PositionError(f"{place}.status", f"{faction.colour} is active, but holds no system")
    must_differ("factions", "name", (faction.name for faction in position.factions))
    must_differ("factions", "colour", (faction.colour for faction in position.factions))


def _check_faction(faction: Faction, place: str) -> None:
    if faction.colour not in COLOURS:
        raise PositionError(f"{place}.colour", f'there is no colour "{faction.colour:.60}"; there are {", ".join(COLOURS)}')
    if faction.lost_drones and faction.tech != "biomech":
        raise PositionError(f"{place}.lost_drones", "only drones of a BioMech faction regenerate")
    if not faction.active and (faction.drones or faction.lost_drones):
        raise PositionError(f"{place}.drones", f"{faction.colour} is {faction.status} and has no drones")
    _check_traits(faction.admiral.traits, f"{place}.admiral.traits")
    _must_be_proper(faction.name, f"{place}.name")
    _must_be_proper(faction.admiral.name, f"{place}.admiral.name")
    for i, name in enumerate(faction.fallen):
        _must_be_proper(name, f"{place}.fallen[{i}]")
    if faction.empire_name and (problem := name_problem(faction.empire_name, _EMPIRE_LENGTH, commas=True)):
        raise PositionError(f"{place}.empire_name", f'"{faction.empire_name:.60}": {problem}')


def _check_traits(traits: Sequence[str], place: str) -> None:
    for i, trait in enumerate(traits):
        if trait not in (*POSITIVE, *NEGATIVE):
            raise PositionError(f"{place}[{i}]", f'there is no trait "{trait:.60}"')
        if OPPOSITE.get(trait) in traits[:i]:
            raise PositionError(f"{place}[{i}]", f"{trait} and {OPPOSITE[trait]} exclude each other")
    must_differ(place, "", traits)


def _must_be_system(position: Position, name: str, place: str) -> None:
    if name not in position.galaxy.place:
        raise PositionError(place, f'there is no system "{name:.60}"')


def _must_be_proper(name: str, place: str) -> None:
    if problem := name_problem(name):
        raise PositionError(place, f'"{name:.60}": {problem}')
