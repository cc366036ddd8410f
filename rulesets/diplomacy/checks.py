"""What a letter with orders does: each line is checked as the board stands, and what stands is the seat's sheet."""

from dataclasses import replace

from pbmd.rules import Mail, PositionError, Receipt, Refused
from pbmd.rules.checking import closed, receive_sheet
from pbmd.rules.sheets import withdrawn

from .checking.sheets import checked
from .orders import read_canonical
from .resolution.given import AHEAD
from .tables import INFO
from .world.state import Position

__all__ = ["checked", "checked_ahead", "receive", "withdraw"]


def checked_ahead(position: Position, able: tuple[str, ...]) -> None:
    """Orders that were sent ahead are some for later phases, of seats that are played. Raises `PositionError`."""
    for i, sheet in enumerate(position.ahead):
        if sheet.seat not in able or sheet.seat in [other.seat for other in position.ahead[:i]]:
            raise PositionError(f"ahead[{i}].player", f'"{sheet.seat:.60}" can have no orders here')
        for j, line in enumerate(sheet.lines):
            order = read_canonical(line)
            if order is None or not isinstance(order, AHEAD["autumn retreats"]):
                raise PositionError(f"ahead[{i}].lines[{j}]", "this is no order for a later phase")


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Check the lines of a letter and file those that stand as the power's sheet, in place of the one before."""
    if position.is_over:
        return closed(position, "the game is over")
    if mail.seat in position.left:
        return closed(position, f"{mail.seat} was given up")
    if not position.by_power[mail.seat].survives:
        return closed(position, f"{mail.seat} has no units and no centres left")
    return receive_sheet(position, mail, INFO.sheets, checked(position, mail.seat, mail.lines))


def withdraw(position: Position, seat: str) -> Position:
    """Take the power's sheet back. Raises `Refused` when there is none."""
    if position.is_over:
        raise Refused("the game is over")
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))
