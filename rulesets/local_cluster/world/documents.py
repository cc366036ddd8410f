"""The parts of a position document that do not depend on who holds what: the map and the tables of data."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbmd.rules import PositionError, fold

from ..checking.reading import SMALL_WORDS
from ..tables import DATA, EFFECTS, Data, Resource, Technology, Trait
from .galaxy import LOCAL_CLUSTER, Galaxy, Site, galaxy_of
from .layout import DataTable, PlanetRow, PositionTable, ResourceRow, TechnologyRow, TraitRow

NAME_LENGTH = 40
UNIT_ID = re.compile(r"[FA][1-9]\d{0,8}")


def name_problem(name: str) -> str:
    """What is improper about the name of a planet, trait, resource or technology, "" if nothing: orders name them."""
    if not name or name != " ".join(name.split()) or not name.isprintable():
        return "a name is one line without blanks at its ends or double ones"
    if len(name) > NAME_LENGTH:
        return f"the name has {len(name)} characters; {NAME_LENGTH} is the most"
    if not re.fullmatch(r"\w(?:[\w' .-]*\w)?", name):
        return (
            "a name has letters, digits, blanks, apostrophes, points and hyphens, and begins and ends with one of the first two"
        )
    if UNIT_ID.fullmatch(name.upper()):
        return "that is the name of a unit"
    if reserved := [word for word in fold(name).split() if word in SMALL_WORDS]:
        return f'the word "{reserved[0]}" is used in orders and cannot be part of a name'
    return ""


def check_names(names: Iterable[str], place: str) -> None:
    """Raise `PositionError` where a name is improper or there twice."""
    met: dict[str, int] = {}
    for i, name in enumerate(names):
        if problem := name_problem(name):
            raise PositionError(f"{place}[{i}].name", f'"{name:.60}": {problem}')
        if (first := met.setdefault(fold(name), i)) != i:
            raise PositionError(f"{place}[{i}].name", f'"{name}" is the name of {place}[{first}] already')


def check_known(names: Sequence[str], known: Mapping[str, object], place: str, what: str, *, once: bool = False) -> None:
    """Raise `PositionError` where a name is not known, or there twice although that cannot be."""
    for i, name in enumerate(names):
        if name not in known:
            raise PositionError(f"{place}[{i}]", f'there is no {what} "{name:.60}"')
        if once and name in names[:i]:
            raise PositionError(f"{place}[{i}]", f"{name} is there twice")


# --- The map ------------------------------------------------------------------------------------------------------------


def load_galaxy(content: PositionTable) -> Galaxy:
    """The built-in map, perhaps with other coordinates, or exactly the planets and lines of the document."""
    return _built_in_galaxy(content) if content.map == "local_cluster" else _own_galaxy(content)


def _built_in_galaxy(content: PositionTable) -> Galaxy:
    if content.lines is not None:
        raise PositionError("lines", 'the lines of the map are given; other ones need map = "custom"')
    rows: dict[str, PlanetRow] = {}
    for i, planet in enumerate(content.planets):
        if planet.name not in LOCAL_CLUSTER.place:
            raise PositionError(f"planets[{i}].name", f'there is no planet "{planet.name:.60}"')
        if planet.name in rows:
            raise PositionError(f"planets[{i}].name", f"{planet.name} is there twice")
        rows[planet.name] = planet
    sites = tuple(_moved(site, rows[site.name]) if site.name in rows else site for site in LOCAL_CLUSTER.sites)
    return LOCAL_CLUSTER if sites == LOCAL_CLUSTER.sites else galaxy_of(sites, LOCAL_CLUSTER.lines)


def _own_galaxy(content: PositionTable) -> Galaxy:
    names = [planet.name for planet in content.planets]
    if not names:
        raise PositionError("planets", "a map of your own needs planets")
    check_names(names, "planets")
    places: list[Site] = []
    for i, planet in enumerate(content.planets):
        if planet.x is None or planet.y is None:
            raise PositionError(f"planets[{i}].{'x' if planet.x is None else 'y'}", "a map of your own needs its coordinates")
        places.append(Site(planet.name, planet.x, planet.y))
    return galaxy_of(tuple(places), _load_lines(content.lines or [], set(names)))


def _moved(site: Site, row: Any) -> Site:
    return Site(site.name, site.x if row.x is None else row.x, site.y if row.y is None else row.y)


def _load_lines(lines: Sequence[Sequence[str]], names: set[str]) -> tuple[tuple[str, str], ...]:
    met: set[frozenset[str]] = set()
    for i, (one, other) in enumerate(lines):
        for k, name in enumerate((one, other)):
            if name not in names:
                raise PositionError(f"lines[{i}][{k}]", f'there is no planet "{name:.60}"')
        if one == other:
            raise PositionError(f"lines[{i}]", f"{one} is joined to itself")
        if frozenset((one, other)) in met:
            raise PositionError(f"lines[{i}]", f"{one} and {other} are joined twice")
        met.add(frozenset((one, other)))
    return tuple((one, other) for one, other in lines)


# --- Traits, resources, technologies --------------------------------------------------------------------------------------


def load_data(tables: DataTable) -> Data:
    """The tables of appendix A with those of the document in their place."""
    for name in ("traits", "resources", "technologies"):
        _check_rows(getattr(tables, name) or [], f"data.{name}")
    if tables.resources is not None and not any(row.weight for row in tables.resources):
        raise PositionError("data.resources", "at least one resource needs a weight")
    if tables.technologies is not None:
        known = {row.name: row for row in tables.technologies}
        for i, row in enumerate(tables.technologies):
            check_known(row.requires, known, f"data.technologies[{i}].requires", "technology", once=True)
    return Data(
        DATA.trait_rows if tables.traits is None else tuple(_trait(row) for row in tables.traits),
        DATA.resource_rows if tables.resources is None else tuple(_resource(row) for row in tables.resources),
        DATA.technology_rows if tables.technologies is None else tuple(_technology(row) for row in tables.technologies),
    )


def _check_rows(rows: Sequence[TraitRow | ResourceRow | TechnologyRow], place: str) -> None:
    check_names((row.name for row in rows), place)
    for i, row in enumerate(rows):
        for name in row.effects:
            if name not in EFFECTS:
                raise PositionError(
                    f"{place}[{i}].effects.{name:.40}", f"there is no such effect; there are {', '.join(EFFECTS)}"
                )


def _trait(row: TraitRow) -> Trait:
    return Trait(row.name, _numbers(row.effects))


def _resource(row: ResourceRow) -> Resource:
    return Resource(row.name, row.cost, row.tax, row.weight, row.unique, _numbers(row.effects))


def _technology(row: TechnologyRow) -> Technology:
    return Technology(row.name, row.cost, tuple(row.requires), _numbers(row.effects))


def _numbers(effects: Mapping[str, int | bool]) -> dict[str, int]:
    return {name: int(value) for name, value in effects.items()}


def dump_data(data: Data) -> dict[str, Any]:
    """Those tables that are not the ones of appendix A."""
    tables = {
        "traits": (data.trait_rows, DATA.trait_rows),
        "resources": (data.resource_rows, DATA.resource_rows),
        "technologies": (data.technology_rows, DATA.technology_rows),
    }
    return {name: [_dumped(row) for row in rows] for name, (rows, built_in) in tables.items() if rows != built_in}


def _dumped(row: Trait | Resource | Technology) -> dict[str, Any]:
    fields = row._asdict()
    fields["effects"] = dict(row.effects)
    return {**fields, "requires": list(row.requires)} if isinstance(row, Technology) else fields
