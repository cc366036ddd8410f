"""What a letter with orders does in the middle of a turn: it is checked, priced and filed (sections 6 and 9 of the rules).

Nothing tells whether other orders are there, nor which place these have among them (section 8).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbmd.rules import Line, Mail, Receipt, Refused, fold
from pbmd.rules.advice import as_written, sole_right
from pbmd.rules.checking import MOST_EXAMPLES, Answer, Checked, Fault, Right, Wrong, closed, mended, receive_sheet, unmended
from pbmd.rules.lines import LONGEST_LINE
from pbmd.rules.sheets import withdrawn

from .checking.examples import examples_for, respelt
from .checking.foreseen import outlook, sentences
from .checking.reading import (
    LONGEST_ON_FILE,
    clean,
    has_changing_remark,
    has_number_behind,
    is_phase_without_colon,
    read,
    says_more_than_squares,
)
from .checking.rules import Draft, checked
from .orders import Attack, Launch, Order, Targets, lines_of, written
from .tables import INFO, WONDER_CALLED
from .world.state import Position

_MOST_RESPELT = 30
"""How many refused lines of a letter are searched for misspellings, word by word: that takes the longest of all."""


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Check the lines of a letter and file the accepted ones as the society's sheet, in place of the one before.

    Raises `LookupError` for an unknown seat.
    """
    society = position.by_name.get(mail.seat)
    if society is None:
        raise LookupError(f'there is no society "{mail.seat}"')
    if position.over or not society.living:
        return closed(position, "the game is over" if position.over else f"{society.name} is eliminated")
    taken, wrongs = check_lines(position, mail.seat, mail.lines)
    found = outlook(position, mail.seat, [one.order for one in taken])
    rights = (answer for place, one in enumerate(taken) for answer in _answers(one, found.warnings.get(place, ())))
    answers = sorted((*wrongs, *rights), key=lambda answer: answer.line.number)
    return receive_sheet(position, mail, INFO.sheets, Checked(answers, defaults=sentences(found), filed=_written(taken)))


def withdraw(position: Position, seat: str) -> Position:
    """Take the society's sheet back. Raises `Refused` when there is none."""
    if position.over:
        raise Refused("the game is over")
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))


def checked_on_file(position: Position, seat: str, lines: Iterable[Line]) -> Checked:
    """How the lines of a sheet would be understood in a letter."""
    taken, wrongs = check_lines(position, seat, lines, LONGEST_ON_FILE)
    return Checked(wrongs, filed=_written(taken))


# --- Lines ----------------------------------------------------------------------------------------------------------------


class Taken(NamedTuple):
    """An accepted order with full names; `lines` is the line it is in, perhaps with that of its targets."""

    lines: tuple[Line, ...]
    order: Order


class _Refused(NamedTuple):
    """A rejected line, with what had been accepted when it was looked at: the sheet so far, and how many orders of it."""

    line: Line
    order: Order | None
    fault: Fault
    draft: Draft
    place: int


def _written(taken: Sequence[Taken]) -> tuple[str, ...]:
    return tuple([line for one in taken for line in lines_of(one.order)])


def check_lines(
    position: Position, seat: str, lines: Iterable[Line], longest: int = LONGEST_LINE
) -> tuple[list[Taken], list[Wrong]]:
    """The accepted orders in the order written, and the refused lines; ignored lines are in neither, nor are targets of a
    refused order, which the verdict on the order covers."""
    society = position.by_name[seat]
    draft = Draft(position, society, society.tech)
    taken: list[Taken] = []
    refused: list[_Refused] = []
    for group, order in _grouped(lines, longest):
        try:
            if order is None:
                raise Fault(_no_order(group[0].text), "no_such_order")
            taken.append(Taken(group, checked(draft, order)))
        except Fault as fault:
            refused.append(_Refused(group[0], order, fault, draft.copy(), len(taken)))
    orders = [one.order for one in taken]
    wrongs = [_wrong(one, orders, respell=place < _MOST_RESPELT) for place, one in enumerate(refused[:MOST_EXAMPLES])]
    return taken, wrongs + [unmended(one.line, one.fault) for one in refused[MOST_EXAMPLES:]]


def _no_order(line: str) -> str:
    """What is wrong with a line that is no order."""
    if has_number_behind(clean(line)):
        return 'write the number before the cities: "Build <number> cities at <squares>"'
    said = as_written("this is no order", line, _SHAPES)
    return f'{said}. As a heading it needs a colon: "{clean(line)}:"' if is_phase_without_colon(line) else said


_SHAPES: Mapping[str, str] = {
    **dict.fromkeys(("spy", "spies", "espionage"), "Spy on <society>, target <phase>"),
    "defend": "Spy defend <phase>",
    **dict.fromkeys(("trade", "caravan", "caravans"), "Trade with <society> x<number>"),
    **dict.fromkeys(("research", "technology"), "Research <number>"),
    **dict.fromkeys(("army", "armies", "recruit", "train"), "Buy <number> armies"),
    **dict.fromkeys(("nuke", "nukes", "launch"), "Launch <number> nukes at <society>"),
    **dict.fromkeys(("city", "cities", "found"), "Build city at <square>"),
    **dict.fromkeys(("wonder", "spend", *(fold(name) for name in WONDER_CALLED)), "Build <wonder> for <gold>"),
    **dict.fromkeys(("give", "gift", "send"), "Give <society> <number> armies"),
    "attack": "Attack <society> with <number> armies",
    "revolution": "Revolution to <government>, keep <phase>",
    **dict.fromkeys(("war", "declare"), "Declare war on <society>"),
    "peace": "Declare peace with <society>",
    "spoils": "Spoils of <society> to <society>",
    "concede": "Concede to <society>",
    "kgb": "KGB obsoletes <wonder>",
    **dict.fromkeys(("short", "cut"), "If short, cut <what>"),
}
"""How orders are written, by the words that tell which one is meant."""


def _grouped(lines: Iterable[Line], longest: int) -> list[tuple[tuple[Line, ...], Order | None]]:
    """The lines that are not ignored, with what they say; a line of targets belongs to the attack or launch just above it."""
    groups: list[tuple[tuple[Line, ...], Order | None]] = []
    for line in lines:
        text = clean(line.text)
        if not text:
            continue
        order = read(text) if len(text) <= longest else None
        if longest != LONGEST_ON_FILE and (says_more_than_squares(text, order) or has_changing_remark(line.text)):
            order = None
        above, before = groups[-1] if groups else ((), None)
        if isinstance(order, Targets) and isinstance(before, Attack | Launch) and len(above) == 1:
            squares = tuple(dict.fromkeys((*before.targets, *order.squares)))
            groups[-1] = ((*above, line), replace(before, targets=squares))
        else:
            groups.append(((line,), order))
    return groups


def _wrong(refused: _Refused, orders: Sequence[Order], *, respell: bool) -> Wrong:
    """The refusal, with the line spelt right, or else an example of the same kind that would be accepted in its place."""
    line, order, fault, draft, place = refused
    position, seat = draft.position, draft.society.name

    def remark_on(example: str) -> str | None:
        ((_, meant),) = _grouped((Line(0, example),), LONGEST_LINE)
        try:
            tried = checked(draft.copy(), meant)
        except Fault:
            return None
        found = outlook(position, seat, (*orders[:place], tried, *orders[place:]))
        return "; ".join(found.warnings.get(place, ()))

    text = clean(line.text)
    is_unread = order is None and len(text) <= LONGEST_LINE and read(text) is None  # else it says too much
    likely = respelt(text) if respell and is_unread else ()
    right = sole_right(text, [near.spelt for near in likely if remark_on(near.spelt) is not None])
    if near := next((near for near in likely if near.spelt == right), None):
        fault = Fault(f'there is no {near.kind} "{near.name:.60}"', fault.code, names=(near.near,), asks=True)
        return Wrong(line, fault.problem, fault.code, right)
    own = (fault.example,) if fault.example else ()
    return mended(line, text, (fault,), (*own, *examples_for(position, seat, order, text)), remark_on)


def _answers(one: Taken, remarks: Sequence[str]) -> Iterator[Answer]:
    """The answers to the lines of an order; remarks go with the first one."""
    first, *more = one.lines
    text, *targets = lines_of(one.order)
    # Targets written after an order stay with it; those on a separate line are answered there.
    yield Right(first, text if more else written(one.order), "; ".join(remarks))
    for line in more:
        yield Right(line, targets[0]) if targets else Right(line, "", "no square is named here")
