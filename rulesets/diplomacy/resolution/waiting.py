"""Whose orders a phase waits for (DI-03, DI-06, DI-85)."""

from collections.abc import Sequence

from ..world.commands import MOVE_ORDERS, VOTES, Build, Disband, Order, Retreat, Waive
from ..world.state import Position, Power
from .given import orders_given, orders_in, orders_now
from .phases import can_act
from .retreats import first_open
from .winter import sites, to_build


def is_called(position: Position) -> tuple[str, ...]:
    """The seats that can act, and have not decided everything by orders sent ahead."""
    able = can_act(position)
    if not position.ahead or position.kind == "moves":
        return able
    given = orders_given(position)
    return tuple(name for name in able if not _is_settled(position, position.by_power[name], given.get(name, ())))


def leave_waiting(position: Position, seat: str, orders: Sequence[Order]) -> bool:
    """Whether there are orders, and none of them says what a unit does in the phase that runs: they are for later ones (DI-06),
    or a vote (DI-85)."""
    if orders and position.kind == "moves" and isinstance(orders[0], MOVE_ORDERS):
        return False  # as nearly all sheets
    return bool(orders) and all(isinstance(order, VOTES) for order in orders_now(position, seat, orders))


def waiting_for(position: Position) -> tuple[str, ...]:
    """The seats that have orders on file, but none for their units in the phase that runs: they are awaited anyway."""
    return tuple(sheet.seat for sheet in position.sheets if leave_waiting(position, sheet.seat, orders_in(sheet.lines)))


def _is_settled(position: Position, power: Power, orders: Sequence[Order]) -> bool:
    """Whether these orders leave nothing open in this phase."""
    if position.kind == "retreats":
        return _all_retreat(power, orders)
    many = to_build(position, power)
    return _builds(position, power, orders) >= many if many > 0 else _removals(power, orders) >= -many


def _all_retreat(power: Power, orders: Sequence[Order]) -> bool:
    named = {order.unit.province: order for order in orders if isinstance(order, Retreat | Disband)}
    for each in power.dislodged:
        order = named.get(each.unit.province)
        if order is None or (isinstance(order, Retreat) and not first_open(each, order)):
            return False
    return True


def _builds(position: Position, power: Power, orders: Sequence[Order]) -> int:
    """How many builds are made or waived."""
    built = {order.unit.province for order in orders if isinstance(order, Build) and position.board.stands(order.unit)}
    return len(built & {*sites(position, power)}) + sum(isinstance(order, Waive) for order in orders)


def _removals(power: Power, orders: Sequence[Order]) -> int:
    own = {(unit.kind, unit.province) for unit in power.units}
    return len(own & {(order.unit.kind, order.unit.province) for order in orders if isinstance(order, Disband)})
