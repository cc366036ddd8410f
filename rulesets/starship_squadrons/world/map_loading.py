"""Reading the map of a position document: systems, their bodies, and places on their boards."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pbmd.rules import PositionError

from .hexes import Hex, Size, hex_named
from .names import map_names, name_problem
from .schema import BodyTable, DeployTable, DocumentTable, PlayerTable
from .state import Body, Deploy, Place, Position, System


def _hex(text: str, place: str, size: Size, board: str) -> Hex:
    where = hex_named(text)
    if where is None:
        raise PositionError(place, f'"{text:.60}" is no hex; hexes are written like 0506')
    if not size.holds(where):
        raise PositionError(place, f"hex {where.text} is not on {board} ({size.text})")
    return where


def load_systems(content: DocumentTable, jump_size: Size) -> tuple[System, ...]:
    """The systems with their bodies, in map order. Raises `PositionError` with the place of what is wrong."""
    found: list[System] = []
    for i, table in enumerate(content.systems):
        place = f"systems[{i}]"
        if problem := name_problem(table.name, map_names(found)):
            raise PositionError(f"{place}.name", f'"{table.name:.60}": {problem}')
        where = _hex(table.hex, f"{place}.hex", jump_size, "the jump map")
        if any(other.hex == where for other in found):
            raise PositionError(f"{place}.hex", f"there is a system at {where.text} already")
        size = Size(table.columns, table.rows)
        deploy = tuple(_load_zone(zone, f"{place}.deploy[{k}]", size) for k, zone in enumerate(table.deploy))
        system = System(table.name, where, size, deploy, ())
        found.append(system)
        for k, body in enumerate(table.bodies):
            loaded = _load_body(body, f"{place}.bodies[{k}]", system, map_names(found), content.players)
            system = replace(system, bodies=(*system.bodies, loaded))
            found[-1] = system
    return tuple(found)


def _load_zone(table: DeployTable, place: str, size: Size) -> Deploy:
    if not table.min_col <= table.max_col <= size.columns:
        raise PositionError(f"{place}.max_col", f"a column from {table.min_col} to {size.columns} is wanted here")
    return Deploy(table.side, table.min_col, table.max_col)


def _load_body(table: BodyTable, place: str, system: System, taken: frozenset[str], players: Iterable[PlayerTable]) -> Body:
    if problem := name_problem(table.name, taken):
        raise PositionError(f"{place}.name", f'"{table.name:.60}": {problem}')
    if table.kind != "planet" and (table.owner or table.capital):
        raise PositionError(f"{place}.{'owner' if table.owner else 'capital'}", "only planets have an owner or a capital")
    if table.kind == "star" and table.starport:
        raise PositionError(f"{place}.starport", "stars have no starport")
    if table.stock and not table.starport:
        raise PositionError(f"{place}.stock", "only starports have a stock")
    if table.commander and all(table.commander != player.name for player in players):
        raise PositionError(f"{place}.commander", f'there is no player "{table.commander:.60}"')
    where = _hex(table.hex, f"{place}.hex", system.size, f"the {system.name} board")
    values: dict[str, Any] = {**table.model_dump(), "hex": where}
    return Body(**values)


def place_on(system: str, where: str, place: str, position: Position) -> Place:
    """A hex of a system's board; `place` is what stands before the names of its two fields. Raises `PositionError`."""
    found = position.by_system.get(system)
    if found is None:
        raise PositionError(f"{place}system", f'there is no system "{system:.60}"' if system else "this field is missing")
    return Place(system, _hex(where, f"{place}hex", found.size, f"the {system} board"))
