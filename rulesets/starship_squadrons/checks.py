"""What a letter with orders does: its lines are checked from the sender's own view, priced in set-up, and filed (section 6).

Nothing tells whether other orders are there.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbmd.rules import Line, Mail, Receipt, Sheet, Status, Verdict
from pbmd.rules.sheets import filed, refusal
from pbmd.rules.words import counted, listing

from .checking.building import Draft, check_setup, points_of
from .checking.day_sheet import check_lines
from .checking.faults import Answer, Right, Wrong
from .checking.reading import LONGEST_LINE, clean, read
from .orders import ALL, BuildSquadron, Fire, FormFleet, Heading, HoldFire, Order
from .tables import INFO
from .world.state import Position


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Check the lines of a letter and file those that stand as the player's sheet, in place of the one before.

    Raises `LookupError` for an unknown seat.
    """
    player = position.by_player.get(mail.seat)
    if player is None:
        raise LookupError(f'there is no player "{mail.seat}"')
    if position.is_over or not player.active:
        why = "the game is over" if position.is_over else f"{player.name} has left the game"
        return Receipt(position, (Verdict(0, "", Status.ERROR, f"{why}; orders are not taken any more."),), filed=False)
    answers, defaults = _checked(position, mail)
    verdicts = tuple(_verdict(answer) for answer in answers)
    orders = [answer.order for answer in answers if isinstance(answer, Right)]
    # Headings count for the lines below them, but a letter of nothing else is an empty one.
    saying = replace(mail, lines=tuple(line for line in mail.lines if _says_something(line.text)))
    reason = refusal(INFO.sheets, position.sheets, saying, verdicts) or _incomplete(position, orders)
    if reason is not None:
        return Receipt(position, (*verdicts, Verdict(0, "", Status.ERROR, f"{reason}.")), filed=False)
    after = replace(
        position,
        sheets=filed(position.sheets, mail.seat, mail.arrival, [order.text for order in orders]),
        missed=tuple(name for name in position.missed if name != mail.seat),
    )
    return Receipt(after, verdicts, filed=True, defaults=defaults)


def sheet_problem(position: Position, sheet: Sheet) -> tuple[int | None, str] | None:
    """Why a sheet cannot be on file in this position: the place of the line, if it is one, and a sentence."""
    lines = tuple(Line(place, text) for place, text in enumerate(sheet.lines))
    if position.phase == "setup":
        answers, _ = check_setup(position, sheet.seat, lines, on_file=True)
    else:
        answers = check_lines(position, sheet.seat, lines, on_file=True)
    for answer in answers:
        if isinstance(answer, Wrong):
            return answer.line.number, answer.problem
    canonical = tuple(answer.order.text for answer in answers if isinstance(answer, Right))
    return None if canonical == sheet.lines else (None, f"on file these orders are {list(canonical)}")


def _says_something(text: str) -> bool:
    text = clean(text)
    return bool(text) and not (len(text) <= LONGEST_LINE and isinstance(read(text), Heading))


def _checked(position: Position, mail: Mail) -> tuple[list[Answer], tuple[str, ...]]:
    """The answers, and what is said of the letter as a whole."""
    if position.phase == "setup":
        answers, draft = check_setup(position, mail.seat, mail.lines)
        return answers, _what_is_left(draft)
    answers = check_lines(position, mail.seat, mail.lines)
    return answers, _without_fire_orders(position, mail.seat, answers)


def _incomplete(position: Position, orders: Sequence[Order]) -> str | None:
    """A set-up needs a squadron (SQ-R12)."""
    if position.phase != "setup" or any(isinstance(order, BuildSquadron) for order in orders):
        return None
    return "a set-up has at least one squadron, and there is none in this mail"


def _verdict(answer: Answer) -> Verdict:
    line = answer.line
    if isinstance(answer, Wrong):
        sentence = answer.problem if answer.problem.endswith("?") else f"{answer.problem}."
        right = f" Right: {answer.example}" if answer.example else ""
        return Verdict(line.number, line.text, Status.ERROR, f"{sentence}{right}")
    status = Status.WARNING if answer.remark else Status.OK
    message = "; ".join(filter(None, (answer.remark, answer.note)))
    return Verdict(line.number, line.text, status, message, answer.order.text)


def _what_is_left(draft: Draft) -> tuple[str, ...]:
    points = points_of(draft.position, draft.player)
    spent = f"{points - draft.points} of {counted(points, 'point')} are spent"
    if draft.points:
        return (f"{spent}; the {draft.points} left over are lost when the set-up ends.",)
    return (f"{spent}.",)


def _without_fire_orders(position: Position, seat: str, answers: Sequence[Answer]) -> tuple[str, ...]:
    """What armed units do in the impulses for which there is no line about their fire (SQ-R48)."""
    if position.phase not in ("day", "1f", "2f"):
        return ()
    armed = _armed(position, seat)
    orders = [answer.order for answer in answers if isinstance(answer, Right)]
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
