"""The static check of a day's order lines on arrival (section 6.3 of the rules): only from what the sender sees."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pbmd.rules import Line
from pbmd.rules.advice import as_written
from pbmd.rules.checking import Answer, Fault

from ..orders import Disband, Fire, FormFleet, Heading, HoldFire, Impulse, Move, Order, Pass
from ..world.state import Position
from .answers import answers
from .day_orders import CHECKS, Draft
from .examples import harmless_examples
from .lookup import enemies_in_view, own_counters
from .overrides import with_overrides
from .reading import read_lines


def check_lines(position: Position, seat: str, lines: Iterable[Line], *, on_file: bool = False) -> list[Answer]:
    """The answer to each line that is not ignored, in the order written.

    Who gets the next "?" may have changed since a line was filed: a player has left. Lines about fleets come first, as they do
    when orders are carried out, so that the others can use what they form.
    """
    draft = Draft(position, position.by_player[seat], own_counters(position, seat), enemies_in_view(position, seat), on_file)
    said = _with_impulses(position, lines, on_file)
    found = answers(draft, said, _fit, _examples, lambda order: not isinstance(order, FormFleet | Disband))
    return with_overrides(found, draft.own, in_phases=position.in_phases)


def _with_impulses(position: Position, lines: Iterable[Line], on_file: bool) -> list[tuple[Line, Order | Fault | None]]:
    """The lines that are not ignored and what they say; the headings above them are applied."""
    heading: Impulse = 0
    is_unclear = False
    said: list[tuple[Line, Order | Fault | None]] = []
    for line, order in read_lines(lines, on_file=on_file):
        if isinstance(order, Heading):
            heading, is_unclear = order.impulse, False
        elif isinstance(order, Move | Fire | HoldFire):
            below = Fault(_UNCLEAR) if is_unclear and not order.impulse else None
            said.append((line, below or replace(order, impulse=0 if position.in_phases else order.impulse or heading)))
        else:
            is_unclear = is_unclear or (order is None and not position.in_phases and _LIKE_HEADING.match(line.text) is not None)
            said.append((line, order or Fault(as_written(_NO_ORDER, line.text, _SHAPES))))
    return said


_LIKE_HEADING = re.compile(
    r"\W*(?:(?:in|on|for|during|the|not|only|if|after|before|maybe)\s+){0,3}(?:\d?[a-z]+\s+)?impulse\b(?:\W+(?!move|fire|hold)\w{1,12}){0,4}\W*$",
    re.IGNORECASE,
)
_UNCLEAR = "it stands below a line about an impulse that was not understood; write IMPULSE 1 or IMPULSE 2 there"
_NO_ORDER = "this is no order, or something is missing in it"
_SHAPES: Mapping[str, str] = {
    **dict.fromkeys(("move", "moves", "movement"), "MOVE <counters> TO <hex>"),
    **dict.fromkeys(("fire", "fires", "shoot", "attack"), "FIRE <units> AT <targets>"),
    **dict.fromkeys(("hold", "holds"), "HOLD FIRE <units>"),
    **dict.fromkeys(("transfer", "load", "give"), "TRANSFER <number> SUPPLY FROM <unit> TO <unit>"),
    **dict.fromkeys(("repair", "repairs"), "REPAIR <unit> FROM <unit>"),
    **dict.fromkeys(("jump", "jumps"), "JUMP <squadrons> TO <system> <hex>"),
    "place": "PLACE ? AT <system> <hex>",
    "fleet": "FLEET <name>: <counters>",
    "wait": "WAIT <number> DAYS",
    "impulse": "IMPULSE <1 or 2>",
}
"""How orders are written, by the words that tell which one is meant."""


def _fit(draft: Draft, order: Order | None) -> Order:
    """Make sure that it is an order for this phase, then check it."""
    if order is None:
        raise Fault(_NO_ORDER)
    position, kind = draft.position, type(order)
    if kind not in CHECKS:
        raise Fault("this is an order for set-up, which is over")
    phases, fit = CHECKS[kind]
    if position.phase not in phases:
        raise Fault(f"this is not an order of phase {position.phase}")
    if position.mover not in (None, draft.player.side) and kind is not Pass:
        raise Fault(f"in phase {position.phase} the other side moves")
    return fit(draft, order)


def _examples(draft: Draft, text: str) -> Iterable[str]:
    return harmless_examples(draft.position, draft.player.name, text)
