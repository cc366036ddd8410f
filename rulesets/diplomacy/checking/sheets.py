"""The lines of a letter, one after the other: each gets its own answer, and the last order for a unit counts (DI-93)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pbmd.rules import Line, fold
from pbmd.rules.checking import MOST_EXAMPLES, Checked, Fault, Right, Wrong, answers_to
from pbmd.rules.lines import LONGEST_LINE, line_cache
from pbmd.rules.sheets import sheet_of
from pbmd.rules.words import counted, listing

from ..orders import key_of
from ..resolution.given import orders_given, orders_in, orders_now
from ..resolution.phases import can_act
from ..resolution.waiting import leave_waiting
from ..resolution.winter import sites, to_build
from ..world.board import board
from ..world.commands import MOVE_ORDERS, VOTES, Build, Disband, Hold, Order, Retreat, Waive
from ..world.state import Kind, Position
from .examples import example_for
from .lenient import NO_ORDER, only_meaning, readings
from .meaning import meant
from .names import power_words, without_hyphens, without_powers
from .reader import Meant, Reader, must_be_moves, reader_of
from .reading import Heading, Said, Section, Verb, clean, parts_of, read, spelt


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
    by_key: dict[str, Order] = field(default_factory=dict[str, Order])
    wrong: int = 0
    """The number of rejected orders."""

    @property
    def orders(self) -> list[Order]:
        """In the order written."""
        return [*self.by_key.values()]

    def copy(self) -> "_Draft":
        """The same, to try a line with."""
        return _Draft(self.reader, {**self.by_key})

    def add(self, order: Order) -> str:
        """Accept the order, in place of one for the same unit; but of two builds in one place the first counts (DI-72, DI-93).
        Returns a remark, if there is something to say."""
        waived = sum(isinstance(other, Waive) for other in self.by_key.values()) if isinstance(order, Waive) else 0
        key = key_of(order, waived)
        before = self.by_key.get(key)
        if before == order:
            return ""
        if before and isinstance(order, Build):
            return f"not used: {before.text} stands, and of two builds in one place the first counts"
        self.by_key.pop(key, None)
        self.by_key[key] = order
        return f"in place of {before.text}" if before else self._too_many(order)

    def count_wrong(self, many: int) -> None:
        """This many more orders were rejected: after very many, the rest of a letter is not read."""
        self.wrong += many
        if self.wrong >= MOST_EXAMPLES:
            self.reader = self.reader._replace(asks=False)

    def _too_many(self, order: Order) -> str:
        """Builds and removals beyond the possible number; the first count (DI-72)."""
        if self.reader.about != "winter" or not isinstance(order, Build | Waive | Disband):
            return ""
        many = abs(to_build(self.reader.position, self.reader.power))
        winter = [other for other in self.orders if isinstance(other, Build | Waive | Disband)]
        if len(winter) <= many:
            return ""
        kind = "removal" if isinstance(order, Disband) else "build"
        return f"there can be {counted(many, kind)} only, and the first count"


def checked(position: Position, seat: str, lines: Iterable[Line], *, on_file: bool = False) -> Checked:
    """The answers to the lines that say something, the accepted orders, and the units without orders."""
    draft = _Draft(reader_of(position, seat, on_file=on_file))

    def mend(line: Line, fault: Fault) -> Wrong:
        """A line with exactly one meaning is accepted anyway: so an example is what is written only if a name in it may be
        another's."""
        is_slip = fault.example in fault.names
        example = fault.example or example_for(position, seat, line.text)
        return Wrong(line, fault.problem, example=example, other=not is_slip)

    answers = answers_to(_in_sections(position, lines), lambda line, written: _understood(draft, line, written), mend)
    orders = draft.orders if on_file else _with_those_on_file(position, seat, draft.orders)
    return Checked(answers, filed=tuple(order.text for order in orders), defaults=_left_open(position, seat, orders))


def _with_those_on_file(position: Position, seat: str, orders: list[Order]) -> list[Order]:
    """A vote does not affect orders: if a letter contains nothing else, the orders on file stay (DI-85)."""
    if not orders or not all(isinstance(order, VOTES) for order in orders):
        return orders
    sheet = sheet_of(position.sheets, seat)
    if sheet is None:
        return orders
    return [*(order for order in orders_in(sheet.lines) if not isinstance(order, VOTES)), *orders]


def _in_sections(position: Position, lines: Iterable[Line]) -> list[tuple[Line, _Written]]:
    """The lines with orders; headings are applied to them (DI-96)."""
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
    """The section named by a word with more after it in the same line: ``Retreat A Vie - Tyr, F Tri - Alb``; "" if there is
    none."""
    section, verb = _GO_ON.get(first.text.partition(" ")[0].lower(), ("", "hold"))
    return section if isinstance(part.said, Said) and part.said.verb == verb and kind != "retreats" else ""


def _parts(position: Position, text: str) -> Sequence[_Part]:
    """The orders in a line. The lines of a step are read several times, and those of a game are much alike."""
    return _read(position.options.map, text)


@line_cache(8192)
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


def _understood(draft: _Draft, line: Line, written: _Written) -> Right:
    """The orders of a line. Raises `Fault` if none of them is accepted."""
    found = [_meant_by(draft, part, section) for part, section in written]
    if _all_stand(found):
        return _taken(draft, line, found, [])
    if all(part.said is None or (isinstance(part.said, Said) and part.said.verb not in _PLAIN) for part, _ in written):
        found = _as_a_whole(draft, line, written[0][1]) or [
            _anyhow(draft, part, section, each) for (part, section), each in zip(written, found, strict=True)
        ]
    return _taken(draft, line, found, _told_of_faults(draft, written, found))


def _all_stand(found: "list[_Found]") -> bool:
    """Whether nothing in a line is rejected or remarked on, as in nearly all lines."""
    return not [each for each in found if isinstance(each, Fault) or (each and each[0].remark)]


def _taken(draft: _Draft, line: Line, found: "list[_Found]", remarks: list[str]) -> Right:
    """The orders that were found, accepted, with these remarks and those on them."""
    stand: list[str] = []
    notes: list[str] = []
    for each in found:
        if isinstance(each, Fault):
            continue
        for order, remark, note in each:
            about = f"{order.text}: " if len(found) > 1 or len(each) > 1 else ""
            if remark:
                remarks.append(about + remark)
            if added := draft.add(order):
                remarks.append(about + added)
            if note:
                notes.append(about + note)
            stand.append(order.text)
    return Right(line, "; ".join(stand), "; ".join(dict.fromkeys(remarks)), "; ".join(dict.fromkeys(notes)))


def _told_of_faults(draft: _Draft, written: _Written, found: "list[_Found]") -> list[str]:
    """Remarks on the rejected parts of a line with accepted orders. Raises `Fault` if nothing is accepted, or if they may be
    meant differently."""
    faults = [(written[place][0].text, each) for place, each in enumerate(found) if isinstance(each, Fault)]
    draft.count_wrong(len(faults))
    if len(faults) == len(found):
        raise faults[0][1]
    _must_not_depend(found, faults)
    return [f'not taken is "{text:.60}": {fault.problem}' for text, fault in faults]


_CONDITION = re.compile(r"\b(?:if|unless|when(?:ever)?|otherwise|else|until|instead|in case|provided)\b", re.IGNORECASE)
_POLITE = 2
"""Up to this many words before an order are a greeting; more of them may be a condition, in any language."""


def _must_not_depend(found: "list[_Found]", faults: Sequence[tuple[str, Fault]]) -> None:
    """Raises `Fault` if the text around orders in their line may be a condition: nobody can tell which of them is meant."""
    before = faults[0] if faults and found[0] is faults[0][1] else None
    is_sentence = before is not None and before[1].problem == NO_ORDER and len(before[0].split()) > _POLITE
    condition = next(filter(None, (_CONDITION.search(text) for text, _ in faults)), None)
    if condition or is_sentence:
        words = condition[0] if condition else before[0] if before else ""
        raise Fault(
            f'an order cannot depend on anything ("{words:.60}"); write what is to be done in any case, one order a line'
        )


_PLAIN: tuple[Verb, ...] = ("waive", "draw", "concede", "nothing", "others")
"""Text without names of provinces."""
_Found = list[Meant] | Fault


def _meant_by(draft: _Draft, part: _Part, section: Section) -> _Found:
    """The orders of a part of a line, as the grammar reads it."""
    said = part.said
    if not isinstance(said, Said):
        return Fault(NO_ORDER)
    reader = draft.reader.below(section)
    try:
        if said.verb in ("nothing", "others"):
            return _of_all_others(reader, draft, said)
        return [meant(reader, said)] * (_left_to_waive(reader, draft) if said.verb == "waive" and not said.many else said.many)
    except Fault as fault:
        return fault


def _as_a_whole(draft: _Draft, line: Line, section: Section) -> list[_Found] | None:
    """The orders of the line if the whole of it has only one possible meaning, however it is written; None if not."""
    if not draft.reader.asks or draft.reader.on_file or len(line.text) > LONGEST_LINE:
        return None
    reader = draft.reader.below(section)
    for reading in readings(reader.position.options.map, _body(reader.position, line.text)):
        try:
            found = [only_meaning(reader, order) for order in reading.orders]
        except Fault:
            continue
        if reading.left_out and any(each.remark for each in found):
            continue  # what is in brackets may be what is missing
        if reading.left_out:
            found[-1] = _also(found[-1], f'not read: "({reading.left_out:.60})"')
        for guess in reading.guesses:
            found[0] = _also(found[0], guess)
        return [[each] for each in found]
    return None


def _also(each: Meant, remark: str) -> Meant:
    return each._replace(remark=f"{each.remark}; {remark}" if each.remark else remark)


def _anyhow(draft: _Draft, part: _Part, section: Section, found: _Found) -> _Found:
    """The same part, read leniently if the grammar makes no order of it that can be carried out."""
    if not isinstance(found, Fault) and not found[0].remark:
        return found
    reader = draft.reader.below(section)
    if not reader.asks or reader.on_file or len(part.text) > LONGEST_LINE:
        return found
    for reading in readings(reader.position.options.map, part.text):
        try:
            return [only_meaning(reader, order) for order in reading.orders]
        except Fault as fault:
            if fault.names or not isinstance(found, Fault) or found.problem == NO_ORDER:
                found = fault
    return found


def _body(position: Position, text: str) -> str:
    """The line without what comes before its orders: a heading, or the name of the power."""
    written = spelt(text)
    label, colon, rest = written.partition(":")
    is_label = fold(label) in power_words(position.options.map) or isinstance(read(label.strip()), Heading)
    return _body(position, rest) if colon and rest.strip() and is_label else written


def _of_all_others(reader: Reader, draft: _Draft, said: Said) -> list[Meant]:
    """Applies to all units that have no order yet; if nothing is done in winter, the builds that are left are waived (DI-20,
    DI-73). Raises `Fault` if doing nothing has a word of its own."""
    if reader.about == "moves" and reader.position.kind == "moves":
        units = sorted(reader.power.units, key=lambda unit: unit.text)
        found = [Meant(Hold(unit)) for unit in units if key_of(Hold(unit)) not in draft.by_key]
        if not found:
            raise Fault("all your units have orders already" if reader.power.units else "you have no units")
        return found
    if said.verb == "others":
        must_be_moves(reader)
    if reader.about == "retreats":
        leaving = [Disband(each.unit).text for each in reader.power.dislodged]
        says = f"a unit that does not retreat is disbanded; to say so, write {listing(leaving, 'or')}"
        raise Fault(says if leaving else "you have nothing to do in this phase")
    many = to_build(reader.position, reader.power)
    if many < 0:
        raise Fault(f"you must remove {counted(-many, 'unit')}; write which, as in {Disband(reader.power.units[0]).text}")
    return [meant(reader, Said("waive"))] * _left_to_waive(reader, draft)


def _left_to_waive(reader: Reader, draft: _Draft) -> int:
    """How many builds are still available: in winter those that are not ordered yet, before it the maximum."""
    if reader.position.kind != "winter":
        return min(len(reader.position.board.sites[reader.seat]), len(reader.power.centres) + len(reader.power.units))
    return max(1, to_build(reader.position, reader.power) - sum(isinstance(order, Build | Waive) for order in draft.orders))


# --- What is left open ----------------------------------------------------------------------------------------------------


_LATER_ALONE = "These are orders for later phases only; your orders for this one are still awaited."
_VOTE_ALONE = "Your vote is noted. It orders nothing, so your orders for these moves are still awaited."


def _left_open(position: Position, seat: str, orders: Sequence[Order]) -> tuple[str, ...]:
    """What happens where there is no order."""
    power = position.by_power[seat]
    if leave_waiting(position, seat, orders) and seat in can_act(position):
        is_vote = any(isinstance(order, VOTES) for order in orders)
        waits = _VOTE_ALONE if is_vote else _LATER_ALONE
        return (waits, *_left_open(position, seat, ()))
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
    """The units that are disbanded. If these orders have none for this phase, those sent ahead count (DI-06)."""
    sent = orders_now(position, seat, orders) or orders_given(replace(position, sheets=())).get(seat, ())
    ordered = {order.unit.province for order in sent if isinstance(order, Retreat | Disband)}
    idle = [each.unit.text for each in position.by_power[seat].dislodged if each.unit.province not in ordered]
    return (f"Without orders: {listing(idle)}, to be disbanded.",) if idle else ()


def _unused(position: Position, seat: str, orders: Sequence[Order]) -> tuple[str, ...]:
    many = to_build(position, position.by_power[seat])
    given = sum(isinstance(order, Build | Waive | Disband) for order in orders)
    if many > given:
        free = listing(sites(position, position.by_power[seat]), "or")
        return (f"You leave {counted(many - given, 'build')} unused, which could be in {free}.",)
    if -many > given:
        return (f"{counted(-many - given, 'more removal')} not ordered: the farthest units go first.",)
    return ()
