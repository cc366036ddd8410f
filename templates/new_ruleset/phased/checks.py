"""What a letter does: its lines are checked, and what stands is the seat's sheet."""

from dataclasses import replace

from pbmd.rules import Mail, Receipt, Resolution, match_name
from pbmd.rules.checking import Fault, check_lines, note_missed, take_sheet
from pbmd.rules.sheets import withdrawn

from .form import suggestions
from .orders import Dig, Steal, clean, read
from .position import INFO, Position, awaiting, seats

PHASES = {Dig: "dig", Steal: "steal"}


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Every line that is not empty gets its verdict; those that are right are filed."""
    lines = tuple(line for line in mail.lines if clean(line.text))
    checked = check_lines(lines, lambda line, before: _as_understood(position, mail.seat, line.text, before))
    return take_sheet(position, replace(mail, lines=lines), INFO.sheets, checked)


def _as_understood(position: Position, seat: str, text: str, before: tuple[str, ...]) -> str:
    """The canonical form of a line, after those before it. Raises `Fault`."""
    order = read(clean(text))
    if order is None:
        raise Fault("this is no order", example=suggestions(position, seat)[0])
    if position.phase != PHASES[type(order)]:
        raise Fault(f"that is for the phase {PHASES[type(order)]}", example=suggestions(position, seat)[0])
    if isinstance(order, Steal):
        others = [name for name in seats(position) if name != seat]
        match = match_name(order.victim, others)
        if match.found is None:
            raise Fault(match.problem(order.victim, INFO.seat_word), example=f"Steal from {others[0]}")
        order = Steal(match.found)
    if any(type(read(line)) is type(order) for line in before):
        raise Fault("you can do that once a phase")
    return order.text


def withdraw(position: Position, seat: str) -> Position:
    """The seat takes its orders back."""
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The deadline of the seat has passed."""
    return note_missed(position, seat, awaiting(position))
