"""What a letter does: its lines are checked, and what stands is the seat's sheet."""

from dataclasses import replace

from pbmd.rules import Mail, Receipt, Resolution, match_name
from pbmd.rules.checking import Fault, note_missed, one_by_one, receive_sheet, unknown
from pbmd.rules.codec import codec
from pbmd.rules.sheets import withdrawn
from pbmd.rules.sound import check_on_file

from .form import suggestions
from .orders import Dig, Steal, clean, read
from .position import INFO, Position, awaiting, seats

PHASES = {Dig: "dig", Steal: "steal"}


def _understood(position: Position, seat: str, text: str, before: tuple[str, ...]) -> str:
    """The canonical form of a clean line, with those that stand before it. Raises `Fault`."""
    order = read(text)
    done = [type(read(line)) for line in before]
    example = next((line for line in suggestions(position, seat) if type(read(line)) not in done), "")
    if order is None:
        raise Fault("this is no order", example=example)
    if position.phase != PHASES[type(order)]:
        raise Fault(f"that is for the phase {PHASES[type(order)]}", example=example)
    if type(order) in done:
        raise Fault("you can do that once a phase", example=example)
    if isinstance(order, Steal):
        others = [name for name in seats(position) if name != seat]
        match = match_name(order.victim, others)
        if match.found is None:
            raise unknown(match, order.victim, INFO.seat_word, example=f"Steal from {others[0]}")
        order = Steal(match.found)
    return order.text


_checked = one_by_one(clean, _understood)
CODEC = codec(Position, INFO, lambda position: check_on_file(position, seats(position), _checked))
"""How positions are written and read: nothing can be on file but what a letter could put there."""


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Every line that is not empty gets its verdict; those that are right are filed."""
    return receive_sheet(position, mail, INFO.sheets, _checked(position, mail.seat, mail.lines))


def withdraw(position: Position, seat: str) -> Position:
    """The seat takes its orders back."""
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The deadline of the seat has passed."""
    return note_missed(position, seat, awaiting(position))
