"""The built-in maps and the random one (sections 5.3 and 5.4 of the rules)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from pbmd.rules import Dice

from ..tables import INFO
from .hexes import JUMP_SIZE, Hex, Size, distance, hex_at
from .systems import SIDES, Deploy, System

_SYSTEMS = TypeAdapter(System)
_TRIES = 50
"""The number of rejected rolls for a pair of systems, after which it is placed without rolling."""


def built_in(name: str) -> tuple[System, ...]:
    """The systems of the map with that name that needs no dice, in map order."""
    return tuple(_system(row) for row in INFO.tables["maps"][name]["systems"])


def random_map(systems: int, dice: Dice) -> tuple[System, ...]:
    """A symmetric map with this many systems. Dice: column and row of each pair, until the hex is acceptable."""
    table = INFO.tables["maps"]["random"]
    found = [_system(table["middle"])]
    for number, pair in enumerate(table["pairs"][: (systems - 1) // 2], start=1):
        where = _free_hex(2 if number == 1 else 4, [system.hex for system in found], dice)
        mirrored = hex_at(JUMP_SIZE.columns + 1 - where.column, where.row)
        for name, owner, place in zip(pair["names"], pair["owners"], (where, mirrored), strict=True):
            found.append(_system({"name": name, "hex": place.text, "board": pair["board"], "owner": owner}))
    return tuple(found)


def _free_hex(columns: int, taken: Sequence[Hex], dice: Dice) -> Hex:
    def will_do(where: Hex) -> bool:
        return all(distance(where, other) >= 2 for other in taken)

    for _ in range(_TRIES):
        column = dice.roll(columns)
        where = hex_at(column, dice.roll(JUMP_SIZE.rows))
        if will_do(where):
            return where
    return next(where for where in Size(columns, JUMP_SIZE.rows).hexes if will_do(where))


def _system(row: Mapping[str, Any]) -> System:
    """A system from a table, whose bodies are written as in a position document, or are those of a board."""
    system = _SYSTEMS.validate_python(
        {"name": row["name"], "hex": row["hex"], "deploy": row.get("deploy", ()), "bodies": row.get("bodies") or _of_board(row)}
    )
    owners = {body.owner for body in system.bodies}
    everywhere = tuple(Deploy(side, 1, system.size.columns) for side in SIDES if side in owners)
    return system if system.deploy else replace(system, deploy=everywhere)


def _of_board(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Bodies that have the name of the system; its planets have its owner."""
    owner = row.get("owner", 0)
    return [
        {**body, "name": f"{row['name']} {body['name']}", "owner": owner if body["kind"] == "planet" else 0}
        for body in INFO.tables["boards"][row["board"]]
    ]
