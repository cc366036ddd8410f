"""Orders of a random player who fights: moves, supports of them, convoys, in the many ways in which people write them."""

from collections.abc import Iterable, Sequence

from pbmd.rules import Dice
from pbmd.rules.randomly import one_in, pick, shuffled

from .checking.examples import moves_of
from .resolution.legal import legal
from .resolution.winter import sites, to_build
from .world.board import Board
from .world.commands import Build, Convoy, Disband, Hold, Move, Order, Retreat, SupportHold, SupportMove, Waive
from .world.state import Position, Power
from .world.units import Unit

_VOTES = 60
"""One in this many letters votes for a draw."""


def random_orders(position: Position, seat: str, dice: Dice) -> str:
    """Valid orders, written as people write them."""
    power = position.by_power[seat]
    match position.kind:
        case "moves":
            orders = _moves(position, power, dice)
        case "retreats":
            orders = [
                Disband(each.unit) if one_in(dice, 6) else Retreat(each.unit, pick(dice, each.retreats))
                for each in power.dislodged
            ]
        case "winter":
            orders = _winter(position, power, dice)
        case "over":
            orders = []
    lines = [_written(position.board, order, dice) for order in orders]
    if position.kind == "moves" and one_in(dice, _VOTES):
        lines.append("DRAW")
    return "\n".join(_joined(lines, dice))


# --- Moves ----------------------------------------------------------------------------------------------------------------


def _moves(position: Position, power: Power, dice: Dice) -> list[Order]:
    """Some units attack, the others help them, or themselves."""
    orders: list[Order] = []
    left = shuffled(dice, power.units)
    while left:
        unit = left.pop()
        crossing = _convoyed(position, unit, left, dice)
        if crossing:
            orders += crossing
            used = {order.unit for order in crossing}
            left = [other for other in left if other not in used]
            continue
        move = _move(position, unit, dice)
        orders.append(move)
        helpers = [other for other in left if _can_help(position, other, move)]
        for helper in helpers[: dice.roll(3) - 1]:
            left.remove(helper)
            orders.append(_support(helper, move))
    return orders


def _move(position: Position, unit: Unit, dice: Dice) -> Hold | Move:
    """Mostly to where there is something to gain."""
    moves = [
        move for move in moves_of(position, unit) if (there := position.unit_at.get(move.to[:3])) is None or there[1] != unit
    ]
    if not moves or one_in(dice, 8):
        return Hold(unit)
    owner = position.unit_at[unit.province][0]
    good = [
        move
        for move in moves
        if position.board.by_id[move.to[:3]].centre
        and position.owner_of.get(move.to[:3]) != owner
        and position.unit_at.get(move.to[:3], ("",))[0] != owner
    ]
    return pick(dice, good if good and not one_in(dice, 4) else moves)


def _support(helper: Unit, move: Hold | Move) -> Order:
    return SupportHold(helper, move.unit) if isinstance(move, Hold) else SupportMove(helper, move.unit, move.to)


def _can_help(position: Position, helper: Unit, move: Hold | Move) -> bool:
    aim = move.unit.province if isinstance(move, Hold) else move.to[:3]
    return helper.province != aim and aim in position.board.reach[helper.kind][helper.place]


def _convoyed(position: Position, army: Unit, others: Sequence[Unit], dice: Dice) -> list[Move | Convoy]:
    """A crossing with the power's own fleets, now and then, if there is one."""
    board = position.board
    if army.kind != "A" or one_in(dice, 2):
        return []
    seas = {unit.place: unit for unit in others if unit.kind == "F" and unit.place in board.touching}
    near = [sea for sea in seas if army.province in board.touching[sea]]
    if not near:
        return []
    chain = _chain(board, pick(dice, near), seas)[: dice.roll(2)]
    to = pick(dice, _coasts(board, chain, army.province))
    move = Move(army, to, via=to in board.army_reach[army.province])
    if legal(board, {unit.province: unit for unit in (army, *seas.values())}, move).problem:
        return []
    return [move, *(Convoy(seas[sea], army, to) for sea in chain)]


def _chain(board: Board, first: str, seas: Iterable[str]) -> list[str]:
    """That sea, and those of the others that are next to it."""
    return [first, *(sea for sea in seas if sea != first and sea in board.touching[first])]


def _coasts(board: Board, chain: Iterable[str], home: str) -> list[str]:
    """Where an army from there could be put ashore."""
    return sorted({to for sea in chain for to in board.touching[sea] if board.by_id[to].kind == "coast"} - {home})


# --- Winter ---------------------------------------------------------------------------------------------------------------


def _winter(position: Position, power: Power, dice: Dice) -> list[Order]:
    many = to_build(position, power)
    if many < 0:
        return [Disband(unit) for unit in shuffled(dice, power.units)[:-many]]
    chosen = shuffled(dice, sites(position, power))[:many]
    return [Waive() if one_in(dice, 12) else Build(_new_unit(position.board, site, dice)) for site in chosen]


def _new_unit(board: Board, site: str, dice: Dice) -> Unit:
    harbours = [place for place in board.fleet_reach if place[:3] == site]
    return Unit("F", pick(dice, harbours)) if harbours and one_in(dice, 2) else Unit("A", site)


# --- How it is written ----------------------------------------------------------------------------------------------------


def _written(board: Board, order: Order, dice: Dice) -> str:
    """The order in one of the ways in which people write."""
    text = order.text
    way = dice.roll(6)
    if way == 1:
        return text.lower()
    if way == 2 and isinstance(order, Hold | Move):
        return _spelt_out(board, order)
    if way == 3 and isinstance(order, Build | Disband):
        return f"Build {order.unit.text}" if isinstance(order, Build) else f"{order.unit.text} disband"
    if way == 4 and isinstance(order, Move) and not order.via:
        return text.replace(" - ", "-").title()
    return text


def _spelt_out(board: Board, order: Hold | Move) -> str:
    kind = "Army" if order.unit.kind == "A" else "Fleet"
    home = f"{kind} {_name(board, order.unit.place)}"
    if isinstance(order, Hold):
        return f"{home} holds"
    return f"{home} to {_name(board, order.to)}{' via convoy' if order.via else ''}"


def _name(board: Board, place: str) -> str:
    coast = {"N": "north", "S": "south", "E": "east", "W": "west"}.get(place[4:5], "")
    return board.by_id[place[:3]].name + (f" ({coast} coast)" if coast else "")


def _joined(lines: list[str], dice: Dice) -> list[str]:
    """One order a line, or several."""
    if len(lines) < 2 or not one_in(dice, 5):
        return lines
    return ["; ".join(lines[:2]), *lines[2:]]
