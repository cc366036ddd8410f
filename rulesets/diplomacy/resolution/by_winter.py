"""The units that a power can have by winter, which orders sent ahead can be about (DI-06)."""

from collections.abc import Iterator

from ..world.commands import Move
from ..world.state import Position, Power
from ..world.units import Unit, UnitKind, province_of
from .legal import legal


def by_winter(position: Position, power: Power) -> frozenset[tuple[UnitKind, str]]:
    """The kinds and provinces of all units that the power can have in winter, when it is autumn."""
    found: set[tuple[UnitKind, str]] = {(unit.kind, unit.province) for unit in power.units}
    if position.kind == "moves":
        found |= {(unit.kind, to) for unit in power.units for to in _reached(position, unit)}
    found |= {(each.unit.kind, province_of(to)) for each in power.dislodged for to in each.retreats}
    return frozenset(found)


def _reached(position: Position, unit: Unit) -> Iterator[str]:
    """Where a unit can move, or retreat if it is dislodged: armies also over sea."""
    board = position.board
    yield from sorted(board.reach[unit.kind][unit.place])
    if unit.kind == "A" and board.by_id[unit.place].kind == "coast":
        there = {province: other for province, (_, other) in position.unit_at.items()}
        for province in board.provinces:
            if province.kind == "coast" and not legal(board, there, Move(unit, province.id, via=True)).problem:
                yield province.id
