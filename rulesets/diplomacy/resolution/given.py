"""The orders on file, as the phase needs them: from the sheet, or if it has none for the phase, those sent ahead (DI-06)."""

from collections.abc import Iterable, Mapping

from pbmd.rules import Sheet

from ..orders import read_canonical
from ..world.commands import MOVE_ORDERS, RETREAT_ORDERS, VOTES, WINTER_ORDERS, Disband, Order
from ..world.state import Kind, Phase, Position

OF_KIND: Mapping[Kind, tuple[type[Order], ...]] = {
    "moves": (*MOVE_ORDERS, *VOTES),
    "retreats": RETREAT_ORDERS,
    "winter": WINTER_ORDERS,
    "over": (),
}
"""The orders that each kind of phase takes."""
AHEAD: Mapping[Phase, tuple[type[Order], ...]] = {
    "spring retreats": RETREAT_ORDERS,
    "autumn retreats": (*RETREAT_ORDERS, *WINTER_ORDERS),
    "winter": WINTER_ORDERS,
}
"""What can have been sent ahead for a phase, and for those between it and the next moves."""

Given = Mapping[str, list[Order]]
"""The orders of powers, in the order written. Powers that nobody plays have none."""


def orders_in(lines: Iterable[str]) -> list[Order]:
    """The orders of lines on file. Raises `ValueError` for lines that no game has on file."""
    found: list[Order] = []
    for line in lines:
        order = read_canonical(line)
        if order is None:
            raise ValueError("there is a line on file that is no order")
        found.append(order)
    return found


def orders_given(position: Position) -> Given:
    """The orders for this phase of all powers that have some."""
    found: dict[str, list[Order]] = {}
    for sheet in (*position.ahead, *position.sheets):
        if sheet.seat in position.active:
            orders = orders_now(position, sheet.seat, orders_in(sheet.lines))
            if orders or sheet.seat not in found:
                found[sheet.seat] = orders
    return found


def orders_now(position: Position, seat: str, orders: Iterable[Order]) -> list[Order]:
    """Those for this phase. Units that were dislodged are disbanded now, and others are removed in winter."""
    kinds = OF_KIND[position.kind]
    gone = {each.unit.province for each in position.by_power[seat].dislodged}
    removals = position.kind == "retreats"
    return [
        order
        for order in orders
        if isinstance(order, kinds) and not (removals and isinstance(order, Disband) and order.unit.province not in gone)
    ]


def sent_ahead(position: Position, given: Given, following: Phase) -> tuple[Sheet, ...]:
    """What is left of the sheets when these orders have been used, for the following phase and later ones. Units that were
    dislodged are disbanded now, and others are removed in winter."""
    kinds = AHEAD.get(following, ())
    lines = sum(len(sheet.lines) for sheet in position.sheets)
    if not kinds or (position.kind == "moves" and lines == sum(map(len, given.values()))):
        return ()
    found: dict[str, Sheet] = {}
    for sheet in (*position.ahead, *position.sheets):
        gone = {each.unit.province for each in position.by_power[sheet.seat].dislodged}
        orders = (order for order in orders_in(sheet.lines) if isinstance(order, kinds))
        lines_left = tuple(order.text for order in orders if not (isinstance(order, Disband) and order.unit.province in gone))
        if lines_left:
            found[sheet.seat] = Sheet(sheet.seat, sheet.arrival, lines_left)
    return tuple(sorted(found.values(), key=lambda sheet: sheet.arrival))
