"""What a letter with orders does: each line is checked against the board, and the accepted ones are the seat's sheet."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbmd.rules import Line, Mail, PositionError, Receipt, Refused
from pbmd.rules.checking import Checked, closed, receive_sheet
from pbmd.rules.sheets import sheet_of, withdrawn

from .checking.sheets import checked
from .orders import keys_of, read_canonical
from .resolution.given import AHEAD, orders_in
from .resolution.waiting import leave_waiting
from .tables import INFO
from .world.commands import Build, Disband, Order, Waive
from .world.state import Position

__all__ = ["checked_ahead", "checked_on_file", "order_keys", "receive", "withdraw"]


def checked_on_file(position: Position, seat: str, lines: Iterable[Line]) -> Checked:
    """How lines on file would be understood. They were accepted by the rules of their time: requirements for orders for later
    phases are not checked again."""
    return checked(position, seat, lines, on_file=True)


def checked_ahead(position: Position, able: tuple[str, ...]) -> None:
    """Orders that were sent ahead must be for later phases, by seats that are played. Raises `PositionError`."""
    for i, sheet in enumerate(position.ahead):
        if sheet.seat not in able or sheet.seat in [other.seat for other in position.ahead[:i]]:
            raise PositionError(f"ahead[{i}].player", f'"{sheet.seat:.60}" can have no orders here')
        for j, line in enumerate(sheet.lines):
            order = read_canonical(line)
            if order is None or not isinstance(order, AHEAD["autumn retreats"]):
                raise PositionError(f"ahead[{i}].lines[{j}]", "this is no order for a later phase")


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Check the lines of a letter and file the accepted ones as the power's sheet, in place of the one before. A power that has
    sent only orders for later phases, or a vote, is awaited as before, and has missed the deadline as before (DI-06, DI-85)."""
    if position.is_over:
        return closed(position, "the game is over")
    if mail.seat in position.left:
        return closed(position, f"{mail.seat} was given up")
    if not position.by_power[mail.seat].survives:
        return closed(position, f"{mail.seat} has no units and no centres left")
    receipt = receive_sheet(position, mail, INFO.sheets, checked(position, mail.seat, mail.lines))
    sheet = sheet_of(receipt.position.sheets, mail.seat) if receipt.filed else None
    if sheet is None or not leave_waiting(position, mail.seat, orders_in(sheet.lines)):
        return receipt
    return replace(receipt, position=replace(receipt.position, missed=position.missed), later=True)


def order_keys(position: Position, lines: Sequence[str]) -> tuple[str, ...]:
    """What each line of a sheet is an order for (DI-93): the unit, a retreat and a removal apart from its moves; the vote; and
    all builds together, in winter removals too, since of too many the first would count, and not those sent last."""
    orders = orders_in(lines)
    return tuple(
        ["winter" if _is_for_winter(position, order) else key for order, key in zip(orders, keys_of(orders), strict=True)]
    )


def _is_for_winter(position: Position, order: Order) -> bool:
    return isinstance(order, Build | Waive) or (isinstance(order, Disband) and position.kind == "winter")


def withdraw(position: Position, seat: str) -> Position:
    """Take the power's sheet back. Raises `Refused` when there is none."""
    if position.is_over:
        raise Refused("the game is over")
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))
