"""The lines of a letter, one after the other: each gets its own answer, and the last order for a unit counts (DI-93)."""

from collections.abc import Iterable, Mapping
from functools import partial

from pbmd.rules import Line
from pbmd.rules.checking import Checked, Fault, Right, Wrong, answers_to
from pbmd.rules.sheets import sheet_of

from ..resolution.given import orders_in
from ..world.commands import VOTES, Order
from ..world.state import Position
from .acceptance import all_stand, is_fault, must_be_possible, taken, told_of_faults
from .all_units import without_ordered
from .draft import Draft
from .examples import example_for
from .left_open import left_open
from .meaning import has_unit
from .names import power_before
from .parts import as_a_whole, leniently, meant_by
from .prose.running_text import in_sentences
from .prose.sentences import UNMEANT, without_idle_question
from .reader import reader_of
from .reading import Heading, Said, Section, Verb
from .sections import MOST_ORDERS, Written, in_sections, may_be_rests


def checked(position: Position, seat: str, lines: Iterable[Line], *, on_file: bool = False) -> Checked:
    """The answers to the lines that say something, the accepted orders, and the units without orders."""
    given = tuple(lines)
    draft = Draft(reader_of(position, seat, len(given), on_file=on_file))

    def mend(line: Line, fault: Fault) -> Wrong:
        """A line with exactly one meaning is accepted anyway: so an example is what is written only if a name in it may be
        another's."""
        is_slip = fault.example in fault.names
        example = "" if isinstance(fault, _NotForNow) else fault.example or example_for(position, seat, line.text)
        return Wrong(line, fault.problem, example=example, other=not is_slip)

    rests = frozenset[int]() if on_file else may_be_rests(given, partial(has_unit, draft.reader))

    def understood(line: Line, written: Written) -> Right:
        if line.number in rests:
            raise _NotForNow("the order in the line above may go on here; write each order in a line of its own")
        return _understood(draft, line, written)

    answers = answers_to(in_sections(position, seat, given), understood, mend)
    orders = draft.orders if on_file else _with_those_on_file(position, seat, draft.orders)
    remarks = (_UNTRIED.format(draft.untried),) if draft.untried else ()
    filed = tuple(order.text for order in orders)
    return Checked(answers, remarks=remarks, filed=filed, defaults=left_open(position, seat, orders))


_UNTRIED = "Too much of this letter is unclear: from line {} on, only what is written exactly was read."


def _with_those_on_file(position: Position, seat: str, orders: list[Order]) -> list[Order]:
    """A vote does not affect orders: if a letter contains nothing else, the orders on file stay (DI-85)."""
    if not orders or not all(isinstance(order, VOTES) for order in orders):
        return orders
    sheet = sheet_of(position.sheets, seat)
    if sheet is None:
        return orders
    return [*(order for order in orders_in(sheet.lines) if not isinstance(order, VOTES)), *orders]


def _understood(draft: Draft, line: Line, written: Written) -> Right:
    """The orders of a line. Raises `Fault` if none of them is accepted."""
    _must_be_for_now(draft, line, written)
    _must_not_be_of_all(written)
    found = [meant_by(draft, part, section) for part, section in written]
    if len(found) > 1:
        found = without_ordered(draft, found, [part.said for part, _ in written])
    if all_stand(found):
        return taken(draft, line, found, [])
    if not any(_is_plain(part.said) for part, _ in written):
        if (draft.reader.effort.is_spent or not draft.reader.asks) and not draft.reader.on_file:
            draft.untried = draft.untried or line.number
        found = as_a_whole(draft, line, written[0][1]) or [
            leniently(draft, part, section, each) for (part, section), each in zip(written, found, strict=True)
        ]
    if not any(map(is_fault, found)):
        return taken(draft, line, found, [])
    must_be_possible(written, found)
    return in_sentences(draft, line, written, found) or taken(
        draft, line, found, told_of_faults(draft, written, found), in_part=True
    )


def _must_not_be_of_all(written: Written) -> None:
    """Raises `Fault` if all units are disbanded in a line with other orders: nobody knows whether these still count."""
    if len(written) > 1 and any(isinstance(part.said, Said) and part.said.verb == "leave" for part, _ in written):
        raise Fault("say which unit is disbanded")


class _NotForNow(Fault):
    """Of a line in which nothing is wrong but where it stands."""


_NOT_FOR_NOW: Mapping[Section, str] = {
    "later": "it stands below a heading for another season or turn",
    "doubtful": "it stands below a heading for another phase that says more, which was not understood",
    "alternative": "it stands below the heading of an alternative or a condition; write what is to be done in any case",
    "foreign": "it stands below the name of another power",
}
"""Why nothing is taken that stands below a heading."""


def _must_be_for_now(draft: Draft, line: Line, written: Written) -> None:
    """Raises `Fault` if a line cannot be meant as orders for this phase or a later one of the same season."""
    map_name = draft.reader.position.options.map
    if not draft.reader.on_file and UNMEANT.search(without_idle_question(line.text)):
        raise Fault("this is marked as not meant, or as a question; write the order alone")
    if not written:
        raise Fault(f"this was not read, as {MOST_ORDERS} orders stand above it; write one order a line")
    if why := _NOT_FOR_NOW.get(written[0][1]):
        raise _NotForNow(why)
    if not draft.reader.on_file and power_before(map_name, line.text) not in ("", draft.reader.seat):
        raise _NotForNow("it stands behind the name of another power")


_PLAIN: tuple[Verb, ...] = ("waive", "draw", "concede", "nothing", "others", "leave")
"""Text without names of provinces."""


def _is_plain(said: Said | Heading | None) -> bool:
    """Whether an order, or a heading, names no province."""
    return isinstance(said, Heading) or (isinstance(said, Said) and said.verb in _PLAIN)
