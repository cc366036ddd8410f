"""What happens where a seat has no order."""

from collections.abc import Sequence
from dataclasses import replace

from pbmd.rules.words import counted, listing

from ..resolution.given import orders_given, orders_now
from ..resolution.phases import can_act
from ..resolution.waiting import leave_waiting
from ..resolution.winter import sites, to_build
from ..world.commands import MOVE_ORDERS, VOTES, Build, Disband, Order, Retreat, Waive
from ..world.state import Position

_LATER_ALONE = "These are orders for later phases only; your orders for this one are still awaited."
_VOTE_ALONE = "Your vote is noted. It orders nothing, so your orders for these moves are still awaited."


def left_open(position: Position, seat: str, orders: Sequence[Order]) -> tuple[str, ...]:
    """What happens where there is no order."""
    power = position.by_power[seat]
    if leave_waiting(position, seat, orders) and seat in can_act(position):
        is_vote = any(isinstance(order, VOTES) for order in orders)
        waits = _VOTE_ALONE if is_vote else _LATER_ALONE
        return (waits, *left_open(position, seat, ()))
    match position.kind:
        case "moves":
            ordered = {order.unit.province for order in orders if isinstance(order, MOVE_ORDERS)}
            idle = [unit.text for unit in power.units if unit.province not in ordered]
            return (f"Without orders: {listing(idle)}, to hold.",) if idle else ()
        case "retreats":
            return _without_retreat(position, seat, orders)
        case "winter":
            return _unused(position, seat, orders)
        case "over":
            return ()


def _without_retreat(position: Position, seat: str, orders: Sequence[Order]) -> tuple[str, ...]:
    """The units that are disbanded. If these orders have none for this phase, those sent ahead count (DI-06)."""
    sent = orders_now(position, seat, orders) or orders_given(replace(position, sheets=())).get(seat, ())
    ordered = {order.unit.province for order in sent if isinstance(order, Retreat | Disband)}
    idle = [each.unit.text for each in position.by_power[seat].dislodged if each.unit.province not in ordered]
    return (f"Without orders: {listing(idle)}, to be disbanded.",) if idle else ()


def _unused(position: Position, seat: str, orders: Sequence[Order]) -> tuple[str, ...]:
    many = to_build(position, position.by_power[seat])
    given = sum(isinstance(order, Build | Waive | Disband) for order in orders)
    if many > given:
        free = listing(sites(position, position.by_power[seat]), "or")
        return (f"You leave {counted(many - given, 'build')} unused, which could be in {free}.",)
    if -many > given:
        return (f"{counted(-many - given, 'more removal')} not ordered: the farthest units go first.",)
    return ()
