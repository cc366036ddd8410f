"""Which orders can be carried out at all on the present board: one that cannot is not, and the unit holds (DI-22; DATC 4.E.1).

Everybody knows all of this before the orders: so players can be warned when their letter comes.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

from ..world.board import Board
from ..world.commands import Convoy, Hold, Move, MoveOrder, SupportHold, SupportMove
from ..world.units import Unit, province_of

Problem = Literal[
    "",
    "own place",
    "out of reach",
    "which coast",
    "no fleets to convoy",
    "support out of reach",
    "not at sea",
    "no army to convoy",
    "nobody there",
    "itself",
]
"""Why an order cannot be carried out; "" if it can."""


class Legal(NamedTuple):
    """An order as it can be carried out, with the coast where only one is possible; or a `Hold`, and the problem."""

    order: MoveOrder
    problem: Problem = ""


def legal(board: Board, there: Mapping[str, Unit], order: MoveOrder, *, land_fallback: bool = False) -> Legal:
    """The order of `order.unit`, which is in its place, among the units that are `there`, by their provinces."""
    found = possible(board, there, order, land_fallback)
    return Legal(Hold(order.unit), found) if isinstance(found, str) else Legal(found)


def possible(board: Board, there: Mapping[str, Unit], order: MoveOrder, land_fallback: bool) -> MoveOrder | Problem:
    """The order as it can be carried out, or why it cannot be."""
    if isinstance(order, Move):
        return _move(board, there, order, land_fallback)
    if isinstance(order, SupportMove):
        return _support(board, there, order, order.mover.place[:3], order.to[:3])
    if isinstance(order, SupportHold):
        aim = order.target.place[:3]
        return _support(board, there, order, aim, aim)
    return _convoy(board, there, order) if isinstance(order, Convoy) else order


def _support(
    board: Board, there: Mapping[str, Unit], order: SupportHold | SupportMove, helped: str, aim: str
) -> MoveOrder | Problem:
    """Support goes where the unit could itself go by one step, whatever the coast (DI-32)."""
    if aim not in board.reach[order.unit.kind][order.unit.place]:
        return "support out of reach"
    if helped == order.unit.place[:3]:
        return "itself"
    return order if helped in there else "nobody there"


def _convoy(board: Board, there: Mapping[str, Unit], order: Convoy) -> MoveOrder | Problem:
    """Fleets at sea carry armies from coast to coast (DI-40)."""
    if order.unit.place not in board.touching or order.unit.kind != "F":
        return "not at sea"
    army, to = there.get(order.army.province), province_of(order.to)
    if army is None or army.kind != "A":
        return "no army to convoy"
    if not _sails(board, there, army.province, to):
        return "no fleets to convoy"
    return order


def _move(board: Board, there: Mapping[str, Unit], order: Move, land_fallback: bool) -> MoveOrder | Problem:
    kind, place = order.unit
    if not order.via and order.to in (board.army_reach if kind == "A" else board.fleet_reach)[place]:
        return order
    if order.to[:3] == place[:3]:
        return "own place"
    return _army_move(board, there, order, land_fallback) if kind == "A" else _fleet_move(board, order)


def _fleet_move(board: Board, order: Move) -> MoveOrder | Problem:
    """A fleet that can reach two coasts must say which; the only one it can reach need not be named (DI-24, DI-25)."""
    reach = board.fleet_reach[order.unit.place]
    if order.to in reach:
        return replace(order, via=False) if order.via else order
    to = province_of(order.to)
    coasts = [place for place in reach if province_of(place) == to] if order.to == to else []
    if not coasts:
        return "out of reach"
    return replace(order, to=coasts[0], via=False) if len(coasts) == 1 else "which coast"


def _army_move(board: Board, there: Mapping[str, Unit], order: Move, land_fallback: bool) -> MoveOrder | Problem:
    """Coasts do not matter to armies (DI-26). Without fleets at sea that could carry it, an army can only go to adjacent
    provinces."""
    to = province_of(order.to)
    if to != order.to:
        order = replace(order, to=to)
    beside = to in board.army_reach[order.unit.place]
    if beside and not order.via:
        return order
    if _sails(board, there, order.unit.place, to):
        return order
    if beside and land_fallback:
        return replace(order, via=False)
    return "no fleets to convoy" if beside or _both_coastal(board, order.unit.place, to) else "out of reach"


def _both_coastal(board: Board, *provinces: str) -> bool:
    return all(province in board.by_id and board.by_id[province].kind == "coast" for province in provinces)


def _sails(board: Board, there: Mapping[str, Unit], home: str, to: str) -> bool:
    """Whether the fleets at sea, of any power, could form a chain between these coasts."""
    if home == to or not _both_coastal(board, home, to):
        return False
    return board.goes_by_sea(home, to, fleets_at_sea(board, there))


def fleets_at_sea(board: Board, there: Mapping[str, Unit]) -> Collection[str]:
    """The seas in which there is a fleet."""
    return [sea for sea in board.touching if sea in there and there[sea].kind == "F"]
