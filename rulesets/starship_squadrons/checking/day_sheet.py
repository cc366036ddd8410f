"""The static check of a day's order lines on arrival (section 6.3 of the rules): from the sender's own view alone."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice

from pbmd.rules import Line

from ..orders import (
    Disband,
    Fire,
    FormFleet,
    Heading,
    HoldFire,
    Impulse,
    Jump,
    Move,
    NoRepair,
    Order,
    Pass,
    PlaceQuestion,
    Repair,
    Transfer,
    Wait,
)
from ..world.state import Phase, Position
from .day_orders import CHECKS, Draft
from .examples import day_examples
from .faults import Answer, Fault, Right, Wrong
from .lookup import enemies_in_view, own_counters
from .overrides import with_overrides
from .reading import LONGEST_LINE, LONGEST_ON_FILE, Misread, clean, read

_ALWAYS: tuple[type[Order], ...] = (Pass,)
_MOVEMENT: tuple[type[Order], ...] = (FormFleet, Disband, Move)
_FIRE: tuple[type[Order], ...] = (Fire, HoldFire)
_END: tuple[type[Order], ...] = (Transfer, Repair, NoRepair, Jump, PlaceQuestion, FormFleet, Disband)
_ALLOWED: Mapping[Phase, tuple[type[Order], ...]] = {
    "day": (*_ALWAYS, *_MOVEMENT, *_FIRE, *_END, Wait),
    **dict.fromkeys(("1a", "1b", "2a", "2b"), (*_ALWAYS, *_MOVEMENT)),
    **dict.fromkeys(("1f", "2f"), (*_ALWAYS, *_FIRE)),
    "ops": (*_ALWAYS, *_END),
}
"""The orders of each phase (section 7.5)."""


_MOST_TRIED = 30
"""Lines that are tried for an example."""
_MOST_EXAMPLES = 100
"""Refused lines of a mail that get a right example each: who wrote more of them reads no further."""


def check_lines(position: Position, seat: str, lines: Iterable[Line], *, on_file: bool = False) -> list[Answer]:
    """What becomes of each line that is not ignored, in the order written.

    Lines on file can be longer than players may write, and whose "?" is due may have changed since: a player has left.

    Lines about fleets come first, as they do when orders are carried out, so that the others can use what they form.
    """
    player = position.by_player[seat]
    draft = Draft(position, player, own_counters(position, seat), enemies_in_view(position, seat), on_file)
    orders = _orders(position, lines, LONGEST_ON_FILE if on_file else LONGEST_LINE)
    about_fleets = [isinstance(order, FormFleet | Disband) for _, order in orders]
    answers: dict[int, Answer] = {}
    for first in (True, False):
        for number, (line, order) in enumerate(orders):
            if about_fleets[number] is first:
                answers[number] = _answer(draft, line, order)
    return with_overrides([answers[number] for number in sorted(answers)], draft.own, in_phases=position.in_phases)


def _orders(position: Position, lines: Iterable[Line], longest: int) -> list[tuple[Line, Order | Misread | None]]:
    """The lines that are not ignored and what they say; the headings above them are put in."""
    heading: Impulse = 0
    found: list[tuple[Line, Order | Misread | None]] = []
    for line in lines:
        text = clean(line.text)
        if not text:
            continue
        order = read(text) if len(text) <= longest else Misread("this line is too long")
        if isinstance(order, Heading):
            heading = order.impulse
            continue
        if isinstance(order, Move | Fire | HoldFire):
            impulse = 0 if position.in_phases else order.impulse or heading
            order = replace(order, impulse=impulse)
        found.append((line, order))
    return found


def _answer(draft: Draft, line: Line, order: Order | Misread | None) -> Answer:
    answer = _checked(draft, line, order)
    return answer if isinstance(answer, Right) else answer._replace(example=_example(draft, line.text))


def _checked(draft: Draft, line: Line, order: Order | Misread | None) -> Answer:
    """The answer, without an example for a refused line."""
    draft.remark = []
    try:
        if order is None:
            raise Fault("this is no order, or something is missing in it")
        if isinstance(order, Misread):
            raise Fault(order.problem)
        _check_phase(draft, order)
        checked = CHECKS[type(order)](draft, order)
    except Fault as fault:
        return Wrong(line, str(fault))
    return Right(line, checked, "; ".join(draft.remark))


def _example(draft: Draft, text: str) -> str:
    """A right line of the same kind, or one that is always right where there is none now; sooner one that needs no remark."""
    draft.refused += 1
    if draft.refused > _MOST_EXAMPLES:
        return ""
    second = Pass().text
    for example in islice(day_examples(draft.position, draft.player.name, text), _MOST_TRIED):
        remark = _remark_on(draft, example)
        if remark == "":
            return example
        if remark and second == Pass().text:
            second = example
    return second


def _remark_on(draft: Draft, example: str) -> str | None:
    """What would be remarked on the line if it stood here, None if it would be refused."""
    trial = replace(draft, placed_ids={*draft.placed_ids}, remark=[])
    answer = _checked(trial, Line(0, example), read(example))
    return answer.remark if isinstance(answer, Right) else None


def _check_phase(draft: Draft, order: Order) -> None:
    position = draft.position
    if type(order) not in CHECKS:
        raise Fault("this is an order for set-up, which is over")
    if not isinstance(order, _ALLOWED[position.phase]):
        raise Fault(f"this is not an order of phase {position.phase}")
    side = position.mover
    if side is not None and side != draft.player.side and not isinstance(order, Pass):
        raise Fault(f"in phase {position.phase} the other side moves")
