"""The lines of a letter, one after the other: each is answered for itself, and the last order for a unit counts (DI-93)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from pbmd.rules import Line, fold
from pbmd.rules.checking import MOST_EXAMPLES, Checked, Fault, Right, Wrong, answers_to, mended
from pbmd.rules.lines import LONGEST_LINE
from pbmd.rules.words import counted, listing

from ..resolution.given import orders_given, orders_now
from ..resolution.winter import sites, to_build
from ..world.board import board
from ..world.commands import MOVE_ORDERS, Build, Concede, Disband, Draw, Order, Retreat, Waive
from ..world.state import Kind, Position
from .examples import examples
from .meaning import Meant, Reader, meant, reader_of
from .names import power_words, without_hyphens, without_powers
from .reading import Heading, Said, Section, Verb, clean, parts_of, read


class _Part(NamedTuple):
    """An order as it is written, and what it says; None for what is no order."""

    text: str
    said: Said | Heading | None


_Written = list[tuple[_Part, Section]]
"""The orders of a line, each with the section in which it stands."""


@dataclass(slots=True)
class _Draft:
    """What has been ordered so far, by what it is about."""

    reader: Reader
    by_about: dict[tuple[str, str | int], Order] = field(default_factory=dict[tuple[str, str | int], Order])
    wrong: int = 0
    """Orders that did not stand."""

    @property
    def orders(self) -> list[Order]:
        """In the order written."""
        return [*self.by_about.values()]

    def copy(self) -> "_Draft":
        """The same, to try a line with."""
        return _Draft(self.reader, {**self.by_about})

    def add(self, order: Order) -> str:
        """Take the order, in place of one for the same unit; a remark, if there is something to say."""
        about = self._about(order)
        before = self.by_about.get(about)
        if before == order:
            return ""
        self.by_about.pop(about, None)
        self.by_about[about] = order
        return f"in place of {before.text}" if before else self._too_many(order)

    def _about(self, order: Order) -> tuple[str, str | int]:
        """What an order is about, of which there can be one only. There can be any number of builds that are waived."""
        kind = _ABOUT[type(order)]
        if isinstance(order, Waive):
            return kind, len(self.by_about)
        return kind, "" if isinstance(order, Draw | Concede) else order.unit.place[:3]

    def _too_many(self, order: Order) -> str:
        """Builds and removals that are more than there can be; the first count (DI-72)."""
        if self.reader.about != "winter" or not isinstance(order, Build | Waive | Disband):
            return ""
        many = abs(to_build(self.reader.position, self.reader.power))
        winter = [other for other in self.orders if isinstance(other, Build | Waive | Disband)]
        if len(winter) <= many:
            return ""
        kind = "removal" if isinstance(order, Disband) else "build"
        return f"there can be {counted(many, kind)} only, and the first count"


_ABOUT: Mapping[type[Order], str] = {
    **dict.fromkeys(MOVE_ORDERS, "moves"),
    Retreat: "leaves",
    Disband: "leaves",
    Build: "builds",
    Waive: "waived",
    Draw: "votes",
    Concede: "votes",
}


def checked(position: Position, seat: str, lines: Iterable[Line]) -> Checked:
    """The answers to the lines that say something, the orders that stand, and what units do without."""
    draft = _Draft(reader_of(position, seat))
    said = _in_sections(position, lines)

    def remark_on(example: str) -> str | None:
        try:
            return _understood(draft.copy(), Line(0, example), [(part, "") for part in _parts(position, example)]).remark
        except Fault:
            return None

    def mend(line: Line, fault: Fault) -> Wrong:
        candidates = (
            (fault.example, *examples(position, seat, line.text)) if fault.example else examples(position, seat, line.text)
        )
        return mended(line, clean(line.text), (fault,), candidates, remark_on)

    answers = answers_to(said, lambda line, written: _understood(draft, line, written), mend)
    filed = tuple(order.text for order in draft.orders)
    return Checked(answers, filed=filed, defaults=_left_open(position, seat, draft.orders))


def _in_sections(position: Position, lines: Iterable[Line]) -> list[tuple[Line, _Written]]:
    """The lines with orders; those that are headings are put in (DI-96)."""
    section: Section = ""
    found: list[tuple[Line, _Written]] = []
    for line in lines:
        written: _Written = []
        here = section
        for part in _parts(position, line.text):
            if isinstance(part.said, Heading):
                here = part.said.section
                continue
            goes_on = _goes_on(written[0][0], part, position.kind) if written else ""
            written.append((part, goes_on or here))
        if written:
            found.append((line, written))
        else:
            section = here
    return found


_GO_ON: Mapping[str, tuple[Section, Verb]] = {
    "retreat": ("retreats", "move"),
    "build": ("builds", "bare"),
    "remove": ("removals", "bare"),
    "disband": ("removals", "bare"),
}


def _goes_on(first: _Part, part: _Part, kind: Kind) -> Section:
    """The section of what follows a word for it in the same line: ``Retreat A Vie - Tyr, F Tri - Alb``; "" if none does."""
    section, verb = _GO_ON.get(first.text.partition(" ")[0].lower(), ("", "hold"))
    return section if isinstance(part.said, Said) and part.said.verb == verb and kind != "retreats" else ""


def _parts(position: Position, text: str) -> Sequence[_Part]:
    """The orders in a line. Lines of a step are read several times, and those of a game are much alike."""
    return (_remembered if len(text) <= LONGEST_LINE else _read)(position.options.map, text)


def _read(map_name: str, text: str) -> Sequence[_Part]:
    written = without_powers(map_name, without_hyphens(board(map_name), clean(text)))
    label, _, rest = (part.strip() for part in written.partition(":"))
    if fold(label) in power_words(map_name):
        written = rest
        label, _, rest = (part.strip() for part in written.partition(":"))
    heading = read(label) if rest else None
    if isinstance(heading, Heading):
        return (_Part(label, heading), *(_Part(part, read(part)) for part in parts_of(rest)))
    return tuple(_Part(part, read(part)) for part in parts_of(written))


_remembered = lru_cache(maxsize=8192)(_read)


def _understood(draft: _Draft, line: Line, written: _Written) -> Right:
    """The orders of a line. Raises `Fault` if none of them stands."""
    stand: list[Order] = []
    remarks: list[str] = []
    faults: list[Fault] = []
    for part, section in written:
        try:
            found = _one(draft.reader.below(section), part.said)
            replaced = draft.add(found.order)
        except Fault as fault:
            faults.append(fault)
            draft.wrong += 1
            if draft.wrong == MOST_EXAMPLES:  # who wrote so many reads no further
                draft.reader = draft.reader._replace(asks=False)
            remarks.append(f'not taken is "{part.text:.60}": {fault.problem}')
            continue
        stand.append(found.order)
        remarks += [
            f"{found.order.text}: {remark}" if len(written) > 1 else remark for remark in (found.remark, replaced) if remark
        ]
    if not stand:
        raise faults[0]
    return Right(line, "; ".join(order.text for order in stand), "; ".join(remarks))


def _one(reader: Reader, said: Said | Heading | None) -> Meant:
    if not isinstance(said, Said):
        raise Fault("this is no order")
    return meant(reader, said)


# --- What is left open ----------------------------------------------------------------------------------------------------


def _left_open(position: Position, seat: str, orders: Sequence[Order]) -> tuple[str, ...]:
    """What happens where there is no order."""
    power = position.by_power[seat]
    match position.kind:
        case "moves":
            ordered = {order.unit.province for order in orders if isinstance(order, MOVE_ORDERS)}
            idle = [unit.text for unit in power.units if unit.province not in ordered]
            return (f"Without orders: {listing(idle)}, to hold.",) if idle else ()
        case "retreats":
            return _without_retreat(position, seat, orders)
        case "winter":
            return _unused(position, seat, orders)
        case "over":
            return ()


def _without_retreat(position: Position, seat: str, orders: Sequence[Order]) -> tuple[str, ...]:
    """The units that are disbanded. Where these orders have none for this phase, those sent ahead count (DI-06)."""
    sent = orders_now(position, seat, orders) or orders_given(replace(position, sheets=())).get(seat, ())
    ordered = {order.unit.province for order in sent if isinstance(order, Retreat | Disband)}
    idle = [each.unit.text for each in position.by_power[seat].dislodged if each.unit.province not in ordered]
    return (f"Without orders: {listing(idle)}, to be disbanded.",) if idle else ()


def _unused(position: Position, seat: str, orders: Sequence[Order]) -> tuple[str, ...]:
    many = to_build(position, position.by_power[seat])
    given = sum(isinstance(order, Build | Waive | Disband) for order in orders)
    if many > given:
        free = listing(sites(position, position.by_power[seat]), "or")
        return (f"{counted(many - given, 'build')} not used, which could be in {free}.",)
    if -many > given:
        return (f"{counted(-many - given, 'more removal')} not ordered: the farthest units go first.",)
    return ()
