"""The built-in maps and the random one (sections 5.3 and 5.4 of the rules)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbmd.rules import Dice

from ..tables import INFO
from .hexes import JUMP_SIZE, Hex, Size, distance, hex_at, hex_named
from .systems import BOARD_SIZE, Body, Deploy, System

_TRIES = 50
"""Rejected throws for a pair of systems, after which it is placed without any."""


def built_in(name: str) -> tuple[System, ...]:
    """The systems of a map of that name that needs no dice, in map order."""
    return tuple(_system(row) for row in INFO.tables["maps"][name]["systems"])


def random_map(systems: int, dice: Dice) -> tuple[System, ...]:
    """A symmetric map of so many systems. Dice: column and row of each pair, until the hex will do."""
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
    owner = row.get("owner", 0)
    bodies = (
        tuple(_body(body, f"{row['name']} {body['name']}", owner) for body in INFO.tables["boards"][row["board"]])
        if "board" in row
        else tuple(_body(body, body["name"], body.get("owner", 0)) for body in row["bodies"])
    )
    deploy = tuple(Deploy(zone["side"], zone["min_col"], zone["max_col"]) for zone in row.get("deploy", ()))
    if not deploy:
        deploy = tuple(Deploy(side, 1, BOARD_SIZE.columns) for side in _owners(bodies))
    return System(row["name"], _hex(row["hex"]), BOARD_SIZE, deploy, bodies)


def _owners(bodies: Iterable[Body]) -> list[Any]:
    return sorted({body.owner for body in bodies if body.owner})


def _body(row: Mapping[str, Any], name: str, owner: Any) -> Body:
    """A body of a table; what is no planet has no owner."""
    values: dict[str, Any] = {**row, "name": name, "hex": _hex(row["hex"]), "owner": owner if row["kind"] == "planet" else 0}
    return Body(**values)


def _hex(text: str) -> Hex:
    found = hex_named(text)
    assert found is not None, text
    return found
