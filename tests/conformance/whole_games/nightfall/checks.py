"""What a letter does: its lines are checked, and what stands is the seat's sheet."""

from dataclasses import replace

from pbmd.rules import Mail, Receipt, Resolution, match_name
from pbmd.rules.checking import Fault, closed, note_missed, one_by_one, receive_sheet, unknown
from pbmd.rules.codec import codec
from pbmd.rules.sheets import withdrawn
from pbmd.rules.sound import check_on_file

from .form import suggestions, verb_of
from .orders import Order, clean, read
from .position import INFO, Position, awaiting, living, role_of, seats, wolves


def _understood(position: Position, seat: str, text: str, before: tuple[str, ...]) -> str:
    """The canonical form of a clean line, with those that stand before it. Raises `Fault`."""
    order = read(text)
    example = "" if before else suggestions(position, seat)[0]
    if order is None:
        raise Fault("this is no order", example=example)
    if before:
        raise Fault("you can do one thing in a phase")
    if order.verb == "Rest":
        return "Rest"
    if order.verb != verb_of(position, seat):
        raise Fault("you cannot do that now", example=example)
    match = match_name(order.name, living(position))
    if match.found is None:
        raise unknown(match, order.name, INFO.seat_word, example=example)
    if problem := _problem(position, seat, order.verb, match.found):
        raise Fault(problem, example=example)
    return Order(order.verb, match.found).text


def _problem(position: Position, seat: str, verb: str, name: str) -> str:
    if verb == "Kill" and name in wolves(position):
        return "wolves do not kill wolves"
    if verb in ("Look at", "Vote for") and name == seat:
        return "that is you"
    if verb == "Guard" and name == position.guarded:
        return "you have guarded them in the night before"
    return ""


_checked = one_by_one(clean, _understood)
CODEC = codec(Position, INFO, lambda position: check_on_file(position, living(position), _checked))
"""How positions are written and read: nothing can be on file but what a letter could put there."""


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Every line that is not empty gets its verdict; those that are right are filed."""
    if mail.seat not in living(position):
        return closed(position, "the dead give no orders")
    return receive_sheet(position, mail, INFO.sheets, _checked(position, mail.seat, mail.lines))


def withdraw(position: Position, seat: str) -> Position:
    """The seat takes its orders back."""
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The deadline of the seat has passed."""
    return note_missed(position, seat, awaiting(position))


def press(position: Position, seat: str) -> dict[str, tuple[str, ...]]:
    """By day the living write to each other, and the wolves have a room; the dead are silent."""
    if seat not in living(position):
        return {}
    others = tuple(name for name in living(position) if name != seat)
    rooms = {name: (name,) for name in others} | {"all": seats(position)} if position.phase == "day" else {}
    return rooms | ({"wolves": wolves(position)} if role_of(position, seat) == "wolf" else {})
