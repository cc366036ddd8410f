"""A movement phase: orders are carried out together, and dislodged units have to retreat (DI-20 to DI-62)."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

from pbmd.rules import Event

from ..world.board import Board
from ..world.commands import MOVE_ORDERS, Hold, Move, MoveOrder
from ..world.state import Dislodged, Position, Power
from ..world.units import Unit
from .adjudication import Adjudication, adjudicate, result_of
from .given import Given
from .pieces import Piece

_place = attrgetter("place")


def in_order(units: Collection[Unit]) -> tuple[Unit, ...]:
    """Units in the order of their places, as positions have them."""
    return tuple(sorted(units, key=_place))


def move_orders(position: Position, given: Given) -> list[tuple[str, MoveOrder]]:
    """What each unit of each power is ordered to do; those without orders hold (DI-20). Of two orders for a unit the later one
    counts."""
    found: list[tuple[str, MoveOrder]] = []
    for power in position.powers:
        named = {order.unit: order for order in given.get(power.name, ()) if isinstance(order, MOVE_ORDERS)}
        for unit in power.units:
            order = named.get(unit) or (_misnamed(unit, named) if named else None) or Hold(unit)
            found.append((power.name, order))
    return found


def _misnamed(unit: Unit, named: Mapping[Unit, MoveOrder]) -> MoveOrder | None:
    """The order for a fleet that is named with another coast than it is on (DATC 4.B.5)."""
    for other, order in named.items():
        if other.kind == unit.kind and other.province == unit.province:
            return replace(order, unit=unit)
    return None


def move(position: Position, given: Given) -> tuple[tuple[Power, ...], list[Event]]:
    """The powers when all moves are made, and the event that describes them: a row for each unit."""
    board = position.board
    found = adjudicate(board, move_orders(position, given), land_fallback=position.options.land_fallback)
    field = found.field
    units: dict[str, list[Unit]] = {power.name: [] for power in position.powers}
    rows: list[dict[str, Any]] = []
    beaten: list[tuple[Piece, Piece, dict[str, Any]]] = []
    for piece in found.pieces:
        if piece.moved:
            units[piece.power].append(unit_after(piece))
            rows.append({"power": piece.power, "order": piece.order.text, "result": "moves", "by": []})
            continue
        result, by = result_of(field, piece)
        row: dict[str, Any] = {"power": piece.power, "order": piece.order.text, "result": result, "by": by}
        rows.append(row)
        if piece.problem:
            row["problem"] = piece.problem
        elif piece.is_paradox:
            row["paradox"] = True
        winner = field.dislodger(piece)
        if winner is None:
            units[piece.power].append(piece.order.unit)
        else:
            beaten.append((piece, winner, row))
    dislodged = _dislodged(board, found, units, beaten) if beaten else {}
    powers = tuple(
        Power(power.name, in_order(units[power.name]), power.centres, tuple(dislodged.get(power.name, ())))
        for power in position.powers
    )
    return powers, [Event("moves", {"orders": rows})]


def _dislodged(
    board: Board,
    found: Adjudication,
    units: Mapping[str, Collection[Unit]],
    beaten: Collection[tuple[Piece, Piece, dict[str, Any]]],
) -> Mapping[str, list[Dislodged]]:
    """The units of each power that can retreat; the rows of the event get by whom each was dislodged, and where it can go."""
    occupied = {unit.place[:3] for own in units.values() for unit in own}
    dislodged: dict[str, list[Dislodged]] = {}
    for piece, winner, row in beaten:
        retreats = open_retreats(board, piece, winner, occupied, found)
        row["dislodged_by"] = winner.home
        row["retreats"] = list(retreats)
        if retreats:
            dislodged.setdefault(piece.power, []).append(Dislodged(piece.order.unit, winner.home, retreats))
    return dislodged


def unit_after(piece: Piece) -> Unit:
    """The unit where it is after the moves, if it was not dislodged."""
    unit = piece.order.unit
    return Unit(unit.kind, piece.legal.to) if piece.moved and isinstance(piece.legal, Move) else unit


def open_retreats(board: Board, piece: Piece, winner: Piece, occupied: Collection[str], found: Adjudication) -> tuple[str, ...]:
    """Where the dislodged unit can go: an adjacent province that is not occupied, not left empty by a bounce, and not the one
    its attacker came from, except over sea (DI-61; DATC 4.A.5)."""
    unit = piece.order.unit
    reach: Mapping[str, tuple[str, ...]] = board.army_reach if unit.kind == "A" else board.fleet_reach
    closed = {*occupied, *found.contested}
    if not winner.convoyed:
        closed.add(winner.home)
    return tuple(place for place in reach[unit.place] if place[:3] not in closed)
