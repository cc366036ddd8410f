"""Random movement phases with convoys and supports of all kinds, more tangled than people would play them."""

from __future__ import annotations

from random import Random

from rulesets.diplomacy.resolution.adjudication import Order
from rulesets.diplomacy.world.board import Board, Province
from rulesets.diplomacy.world.commands import Convoy, Hold, Move, MoveOrder, SupportHold, SupportMove
from rulesets.diplomacy.world.units import Unit, province_of


def random_phase(chance: Random, board: Board, most: int = 34) -> list[Order]:
    """At most so many units, close together, and an order for each: armies by convoy whose fleets mostly help, supports of what
    others do, and some orders that nobody has asked for, or that cannot be carried out."""
    owners = {unit.province: (chance.choice(list(board.by_power)), unit) for unit in _units(chance, board, most)}
    there = {province: unit for province, (_, unit) in owners.items()}
    orders: dict[str, MoveOrder] = {}
    for province, unit in there.items():
        if unit.kind == "A" and chance.random() < 0.4:
            _convoyed(chance, board, there, province, orders)
    for province, unit in there.items():
        if province not in orders and chance.random() < 0.5:
            reach = board.army_reach[unit.place] if unit.kind == "A" else board.fleet_reach[unit.place]
            if reach:
                orders[province] = Move(unit, chance.choice(reach))
    for province, unit in there.items():
        if province not in orders:
            orders[province] = _helping(chance, board, there, unit, orders)
    return [Order(power, orders[province]) for province, (power, _) in owners.items()]


def _units(chance: Random, board: Board, most: int) -> list[Unit]:
    """Up to so many, around one province."""
    middle = chance.choice(board.provinces).id
    away = board.distances([middle])
    near = sorted(board.provinces, key=lambda province: (away[province.id] + 2 * chance.random(), province.id))
    many = chance.randint(min(5, most), most)
    return [_unit(chance, province) for province in near[: many + chance.randint(0, 20)]][:many]


def _unit(chance: Random, province: Province) -> Unit:
    if province.kind == "inland" or (province.kind == "coast" and chance.random() < 0.65):
        return Unit("A", province.id)
    return Unit("F", f"{province.id}/{chance.choice(province.coasts)}" if province.coasts else province.id)


def _convoyed(chance: Random, board: Board, there: dict[str, Unit], home: str, orders: dict[str, MoveOrder]) -> None:
    """An army goes over sea, and most fleets on its way carry it, if there are any that can."""
    fleets = [sea for sea in board.touching if sea in there]
    coasts = [p.id for p in board.provinces if p.kind == "coast" and p.id != home and board.goes_by_sea(home, p.id, fleets)]
    if not coasts or board.by_id[home].kind != "coast":
        return
    to = (
        chance.choice([coast for coast in coasts if coast in there] or coasts)
        if chance.random() < 0.7
        else chance.choice(coasts)
    )
    orders[home] = Move(there[home], to, via=chance.random() < 0.7)
    for sea in fleets:
        if sea not in orders and chance.random() < 0.75 and _is_between(board, home, to, sea, fleets):
            orders[sea] = Convoy(there[sea], there[home], to)


def _is_between(board: Board, home: str, to: str, sea: str, fleets: list[str]) -> bool:
    """Whether that sea can be on a way from one coast to the other."""
    others = [fleet for fleet in fleets if fleet != sea]
    touched = board.touching[sea]
    starts = home in touched or any(near in touched and board.goes_by_sea(home, near, others) for near in others)
    return starts and (to in touched or any(other in touched for other in others))


def _helping(chance: Random, board: Board, there: dict[str, Unit], unit: Unit, orders: dict[str, MoveOrder]) -> MoveOrder:
    """A hold, or a support: of what somebody does, of whoever is near, or of what nobody does."""
    reach = sorted(board.reach[unit.kind][unit.place] - {unit.province})
    draw = chance.random()
    moves = [
        order for order in orders.values() if isinstance(order, Move) and province_of(order.to) in reach and order.unit != unit
    ]
    if moves and draw < 0.65:
        move = chance.choice(moves)
        return SupportMove(unit, move.unit, move.to if chance.random() < 0.8 else province_of(move.to))
    near = [province for province in reach if province in there]
    if near and draw < 0.85:
        return SupportHold(unit, there[chance.choice(near)])
    if reach and draw < 0.9:
        return SupportMove(unit, chance.choice(list(there.values())), chance.choice(reach))
    return Hold(unit)
