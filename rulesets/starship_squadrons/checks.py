"""What a letter with orders does: its lines are checked using only what the sender sees, priced in set-up, and filed (section
6).

Nothing reveals whether other orders are there.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbmd.rules import Line, Mail, Receipt, Refused
from pbmd.rules.checking import Answer, Checked, Right, closed, receive_sheet
from pbmd.rules.sheets import withdrawn
from pbmd.rules.words import counted, listing

from .checking.building import Draft, check_setup, points_of
from .checking.day_sheet import check_lines
from .orders import ALL, Fire, FormFleet, HoldFire, Order
from .tables import INFO
from .world.state import Position

_NO_SQUADRON = (
    "a set-up has at least one squadron, and there is none in this mail; it is a line like SQUADRON Scout: J4 M6 S5 A2 R4 D3"
)


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Check the lines of a letter and file the accepted ones as the player's sheet, in place of the one before.

    Raises `LookupError` for an unknown seat.
    """
    player = position.by_player.get(mail.seat)
    if player is None:
        raise LookupError(f'there is no player "{mail.seat}"')
    if position.is_over or not player.active:
        return closed(position, "the game is over" if position.is_over else f"{player.name} has left the game")
    # Headings count for the lines below them, but a letter of nothing else is an empty one.
    return receive_sheet(position, mail, INFO.sheets, _checked(position, mail))


def withdraw(position: Position, seat: str) -> Position:
    """Take the player's sheet back. Raises `Refused` when there is none."""
    if position.is_over:
        raise Refused("the game is over")
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))


def answers_to(position: Position, seat: str, lines: Iterable[Line], *, on_file: bool = False) -> list[Answer]:
    """The answer to each line that is not ignored. Lines on file can be longer than players may write."""
    if position.phase == "setup":
        return check_setup(position, seat, lines, on_file=on_file)[0]
    return check_lines(position, seat, lines, on_file=on_file)


def checked_on_file(position: Position, seat: str, lines: Iterable[Line]) -> Checked:
    """How the lines of a sheet would be understood in a letter."""
    return Checked(answers_to(position, seat, lines, on_file=True))


def _checked(position: Position, mail: Mail) -> Checked:
    if position.phase != "setup":
        answers = check_lines(position, mail.seat, mail.lines)
        orders = [answer.order for answer in answers if isinstance(answer, Right)]
        return Checked(answers, defaults=_without_fire_orders(position, mail.seat, orders))
    answers, draft = check_setup(position, mail.seat, mail.lines)
    complete = any(unit.is_squadron for unit in draft.units.values())  # SQ-R12
    why_not = "" if complete else _NO_SQUADRON
    return Checked(answers, why_not, defaults=_what_is_left(draft))


def _what_is_left(draft: Draft) -> tuple[str, ...]:
    points = points_of(draft.position, draft.player)
    spent = f"{points - draft.points} of {counted(points, 'point')} are spent"
    if draft.points:
        return (f"{spent}; the {draft.points} left over are lost when the set-up ends.",)
    return (f"{spent}.",)


def _without_fire_orders(position: Position, seat: str, orders: Sequence[Order]) -> tuple[str, ...]:
    """What armed units do in the impulses without a line about their fire (SQ-R48)."""
    if position.phase not in ("day", "1f", "2f"):
        return ()
    armed = _armed(position, seat)
    groups = {**_fleets(position, seat, orders), ALL: armed}
    found: list[str] = []
    for impulse in (1, 2) if position.phase == "day" else (0,):
        told = {member for name in _told(orders, impulse) for member in groups.get(name, (name,))}
        if silent := [name for name in armed if name not in told]:
            when = f" in impulse {impulse}" if impulse else ""
            found.append(f"No fire orders{when}: {listing(silent)}.")
    return (*found, _FIRE_BY_DEFAULT[position.options.default_fire]) if found else ()


_FIRE_BY_DEFAULT = {
    "nearest": "Without them an uncovered unit fires at the nearest enemy in range, a covered one holds its fire.",
    "hold": "Without them a unit holds its fire.",
}


def _armed(position: Position, seat: str) -> tuple[str, ...]:
    """The player's units that can fire, as built and with their Admirals."""
    own = (unit for unit in position.units if unit.player == seat and unit.place)
    return tuple(unit.name for unit in own if unit.printed.attack + unit.admirals)


def _fleets(position: Position, seat: str, orders: Iterable[Order]) -> dict[str, tuple[str, ...]]:
    """The members of the player's fleets, as these orders form them."""
    fleets = {fleet.name: fleet.members for fleet in position.fleets if fleet.player == seat}
    return fleets | {order.name: order.members for order in orders if isinstance(order, FormFleet)}


def _told(orders: Iterable[Order], impulse: int) -> Iterator[str]:
    """What the orders about fire in that impulse name: units, fleets, `ALL`."""
    for order in orders:
        if isinstance(order, Fire | HoldFire) and order.impulse in (0, impulse):
            yield from order.units
