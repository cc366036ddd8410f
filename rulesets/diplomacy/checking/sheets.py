"""The lines of a letter, one after the other: each gets its own answer, and the last order for a unit counts (DI-93)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from pbmd.rules import Line
from pbmd.rules.checking import Checked, Fault, Right, Wrong, answers_to
from pbmd.rules.lines import LONGEST_LINE
from pbmd.rules.sheets import sheet_of
from pbmd.rules.words import counted, listing

from ..orders import key_of
from ..resolution.given import orders_in
from ..resolution.winter import to_build
from ..world.commands import VOTES, Build, Disband, Hold, Order, Retreat, Waive
from ..world.state import Position
from .draft import Draft
from .examples import example_for
from .left_open import left_open
from .lenient import NO_ORDER, Reading, only_meaning, readings
from .meaning import has_unit, meant
from .names import is_power_label, own_words, with_coasts
from .reader import Meant, Reader, must_be_moves, reader_of
from .reading import Heading, Said, Section, Verb, clean, label_of, read, spelt
from .sections import MOST_ORDERS, Part, Written, in_sections, may_be_rests, times_of, unlabelled, with_colon, with_commas
from .sentences import FEW, UNMEANT, Around, Piece, Role, endings_of, is_attempt, pieces_of, role_of, without_ok
from .tagging import count_words, tag_of
from .words import CHANGE, CONDITION, SLIP


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
    found = [_meant_by(draft, part, section) for part, section in written]
    if len(found) > 1:
        found = _without_ordered(draft, found, [part.said for part, _ in written])
    if _all_stand(found):
        return _taken(draft, line, found, [])
    if not any(_is_plain(part.said) for part, _ in written):
        if (draft.reader.effort.is_spent or not draft.reader.asks) and not draft.reader.on_file:
            draft.untried = draft.untried or line.number
        found = _as_a_whole(draft, line, written[0][1]) or [
            _anyhow(draft, part, section, each) for (part, section), each in zip(written, found, strict=True)
        ]
    if not any(map(_is_fault, found)):
        return _taken(draft, line, found, [])
    return _in_sentences(draft, line, written, found) or _taken(
        draft, line, found, _told_of_faults(draft, written, found), in_part=True
    )


def _must_not_be_of_all(written: Written) -> None:
    """Raises `Fault` if all units are disbanded in a line with other orders: nobody knows whether these still count."""
    if len(written) > 1 and any(isinstance(part.said, Said) and part.said.verb == "leave" for part, _ in written):
        raise Fault("say which unit is disbanded")


class _NotForNow(Fault):
    """Of a line in which nothing is wrong but where it stands."""


def _must_be_for_now(draft: Draft, line: Line, written: Written) -> None:
    """Raises `Fault` if a line cannot be meant as orders for this phase or a later one of the same season."""
    if not draft.reader.on_file and UNMEANT.search(without_ok(line.text)):
        raise Fault("this is marked as not meant, or as a question; write the order alone")
    if not written:
        raise Fault(f"this was not read, as {MOST_ORDERS} orders stand above it; write one order a line")
    if written[0][1] == "later":
        raise _NotForNow("it stands below a heading for another season or turn")
    if written[0][1] == "doubtful":
        raise _NotForNow("it stands below a heading for another phase that says more, which was not understood")


_Found = list[Meant] | Fault


class _Sentence(NamedTuple):
    """A part of a line: the text `before` its order, which is all of it if there is none, and the mark that ends it."""

    before: str
    found: _Found
    end: str
    said: Said | Heading | None = None


def _in_sentences(draft: Draft, line: Line, written: Written, found: "list[_Found]") -> Right | None:
    """The orders of a line in which people tell what their units do, with what was not read. None if that makes fewer orders of
    it than were `found` otherwise. Raises `Fault` if they may depend on what stands before them."""
    if not _may_be_sentences(draft, line, written):
        return None
    body = clean(_body(draft.reader, line.text))
    sentences = [_sentence(draft, piece, written[0][1]) for piece in pieces_of(body)]
    orders = [each for each in sentences if not _is_fault(each.found)]
    kept = _without_ordered(draft, [each.found for each in orders], [each.said for each in orders])
    if not orders or _many(kept) < _many(found):
        return None
    told = [_about_words(draft, each, around) for each, around in _with_places(sentences) if around.text]
    wrong = sum(not remark.startswith(_NOT_READ) for remark in told)
    draft.count_wrong(wrong)
    return _taken(draft, line, kept, told, in_part=wrong > 0)


def _may_be_sentences(draft: Draft, line: Line, written: Written) -> bool:
    """Whether a line is read in sentences: each of their words may be like a name, so this is done only as long as not too much
    was tried."""
    is_one = len({section for _, section in written}) == 1
    may_be = is_one and draft.reader.asks and not draft.reader.on_file and len(line.text) <= LONGEST_LINE
    if may_be and draft.reader.effort.is_spent:
        draft.untried = draft.untried or line.number
        return False
    return may_be


def _is_fault(found: _Found) -> bool:
    return isinstance(found, Fault)


def _many(found: "Sequence[_Found]") -> int:
    """How many orders these are."""
    return sum(len(each) for each in found if not isinstance(each, Fault))


def _sentence(draft: Draft, piece: Piece, section: Section) -> _Sentence:
    """A part of a line, with the order that it is, or that it ends with."""
    found = _order_in(draft, piece.text, section)
    if isinstance(found, Fault):
        for before, rest in endings_of(piece.text):
            is_order = not is_attempt(draft.reader.position.options.map, before)
            if is_order and not isinstance(order := _order_in(draft, rest, section), Fault):
                return _Sentence(before, order, piece.end, read(rest))
    return _Sentence(piece.text if isinstance(found, Fault) else "", found, piece.end, read(piece.text))


def _order_in(draft: Draft, text: str, section: Section) -> _Found:
    part = Part(text, read(text))
    return _anyhow(draft, part, section, _meant_by(draft, part, section))


def _without_ordered(draft: Draft, found: "Sequence[_Found]", said: Sequence[Said | Heading | None]) -> "list[_Found]":
    """The orders of the parts of a line; "the rest holds" is not about units that have an order in the same line, and "waive
    the rest" not about builds of the same line."""
    if len(found) > 1 and any(isinstance(each, Said) and each.verb == "waive" and not each.many for each in said):
        found = _without_built(draft, found, said)
    general = [isinstance(each, Said) and each.verb in ("nothing", "others") for each in said]
    if len(found) == 1 or not any(general):
        return [*found]
    own = {key for each, is_general in zip(found, general, strict=True) if not is_general for key in _keys(each)}
    return [_except(each, own) if is_general else each for each, is_general in zip(found, general, strict=True)]


def _without_built(draft: Draft, found: "Sequence[_Found]", said: Sequence[Said | Heading | None]) -> "list[_Found]":
    """The same, in which all builds that are left are waived as often as builds are left by the others."""
    rest = [isinstance(each, Said) and each.verb == "waive" and not each.many for each in said]
    used = sum(0 if is_rest or isinstance(each, Fault) else _builds(each) for each, is_rest in zip(found, rest, strict=True))
    left = max(1, _left_to_waive(draft.reader, draft) - used)
    return [each[:left] if is_rest and not isinstance(each, Fault) else each for each, is_rest in zip(found, rest, strict=True)]


def _builds(found: list[Meant]) -> int:
    return sum(isinstance(each.order, Build | Waive) for each in found)


def _keys(found: _Found) -> list[str]:
    return [] if isinstance(found, Fault) else [key_of(each.order) for each in found]


def _except(found: _Found, keys: set[str]) -> _Found:
    return found if isinstance(found, Fault) else [each for each in found if key_of(each.order) not in keys]


_NOT_READ = "not read: "


def _with_places(sentences: "Sequence[_Sentence]") -> "Iterator[tuple[_Sentence, Around]]":
    """The parts of a line, with the words in each that are no order and where these stand."""
    ordering = [place for place, each in enumerate(sentences) if not _is_fault(each.found)]
    for place, each in enumerate(sentences):
        is_faulty = _is_fault(each.found)
        around = Around(
            each.before,
            each.end if is_faulty else "",
            leads=not is_faulty or place + 1 in ordering,
            begins=place == 0 or sentences[place - 1].end in (".", "!"),
            first=place <= ordering[0],
            last=place > ordering[-1],
            is_faulty=is_faulty,
        )
        yield each, around


def _about_words(draft: Draft, said: _Sentence, around: Around) -> str:
    """A remark on words that are no order. Raises `Fault` if because of them no order of the line is certain."""
    map_name = draft.reader.position.options.map
    role = role_of(map_name, around, times_of(draft.reader.position), own_words(map_name, draft.reader.seat))
    if role == "nothing":
        return f'{_NOT_READ}"{said.before:.60}"'
    if tag_of(said.before) in ("S", "C"):
        raise Fault("say which unit supports" if tag_of(said.before) == "S" else "say which fleet convoys")
    if role == "refused":
        problem = said.found.problem if isinstance(said.found, Fault) else NO_ORDER
        return f'not taken is "{said.before:.60}": {problem}'
    raise _uncertain(role, said.before)


_IN_ANY_CASE = "write what is to be done in any case, one order a line"
_WHY: Mapping[Role, tuple[str, str]] = {
    "condition": ("an order cannot depend on anything", _IN_ANY_CASE),
    "unit": ("a unit stands before a colon and other orders", "write what each unit does, one order a line"),
    "choice": ("an order cannot depend on a choice", _IN_ANY_CASE),
    "later": ("these seem to be orders for another time", "write those for this phase, one order a line"),
    "change": ("an order of this line may be taken back in it", "write only what is to be done, one order a line"),
}


def _uncertain(role: Role, words: str) -> Fault:
    if role == "condition" and not CONDITION.search(words):
        return Fault(f'an order cannot depend on anything, and "{words:.60}" may be a condition; write the order alone')
    why, advice = _WHY[role]
    return Fault(f'{why} ("{words:.60}"); {advice}')


def _all_stand(found: "list[_Found]") -> bool:
    """Whether nothing in a line is rejected or remarked on, as in nearly all lines."""
    return not [each for each in found if isinstance(each, Fault) or (each and each[0].remark)]


def _taken(draft: Draft, line: Line, found: "list[_Found]", remarks: list[str], *, in_part: bool = False) -> Right:
    """The orders that were found, accepted, with these remarks and those on them; `in_part`: there were others."""
    taken: list[Order] = []
    notes: list[str] = []
    for each in found:
        if isinstance(each, Fault):
            continue
        for order, remark, note, is_goal in each:
            if isinstance(order, Disband) and (place := _retreat_of(order, taken)) is not None:
                remarks.append(f"{taken[place].text} can be done, so it counts, and not the disbandment behind it")
                continue
            if is_goal and (place := _retreat_of(order, taken)) is not None:
                taken[place] = _with_other(draft, taken[place], order)
                continue
            about = f"{order.text}: " if len(found) > 1 or len(each) > 1 else ""
            if remark:
                remarks.append(about + remark)
            if added := draft.add(order):
                remarks.append(about + added)
            if note:
                notes.append(about + note)
            taken.append(order)
    if not taken:
        raise Fault("this orders nothing")
    stand = [order.text for order in taken]
    return Right(line, "; ".join(stand), "; ".join(dict.fromkeys(remarks)), "; ".join(dict.fromkeys(notes)), in_part=in_part)


def _is_unread(fault: Fault) -> bool:
    """Whether the words are no order, or no province, rather than an order that cannot be given."""
    return fault.problem == NO_ORDER or fault.problem.startswith("there is no province")


def _retreat_of(order: Order, taken: Sequence[Order]) -> int | None:
    """Where in the line a retreat of the same unit stands, which is preferred; None if there is none."""
    same = (place for place, each in enumerate(taken) if isinstance(each, Retreat) and key_of(each) == key_of(order))
    return next(same, None)


def _with_other(draft: Draft, first: Order, other: Order) -> Order:
    """A retreat, with another goal if it is sent ahead; in the phase of retreats it is open, so no other is needed."""
    if draft.reader.position.kind != "moves" or not isinstance(first, Retreat) or not isinstance(other, Retreat):
        return first
    longer = replace(first, otherwise=(*first.otherwise, other.to))
    draft.add(longer)
    return longer


def _told_of_faults(draft: Draft, written: Written, found: "list[_Found]") -> list[str]:
    """Remarks on the rejected parts of a line with accepted orders. Raises `Fault` if nothing is accepted, or if they may be
    meant differently."""
    faults = [(written[place][0].text, each) for place, each in enumerate(found) if isinstance(each, Fault)]
    draft.count_wrong(len(faults))
    if len(faults) == len(found):
        text, fault = faults[0]
        raise _uncertain("condition", text) if _is_unread(fault) and CONDITION.search(text) else fault
    _must_not_depend(found, faults)
    return [f'not taken is "{text:.60}": {fault.problem}' for text, fault in faults]


def _must_not_depend(found: "list[_Found]", faults: Sequence[tuple[str, Fault]]) -> None:
    """Raises `Fault` if the text around orders in their line may be a condition: nobody can tell which of them is meant."""
    before = faults[0] if faults and found[0] is faults[0][1] else None
    is_sentence = before is not None and before[1].problem == NO_ORDER and len(before[0].split()) > FEW
    for text, _ in faults:
        if CONDITION.search(text):
            raise _uncertain("condition", text)
        if CHANGE.search(text) or SLIP.search(text):
            raise _uncertain("change", text)
    if before and is_sentence:
        raise _uncertain("condition", before[0])


_PLAIN: tuple[Verb, ...] = ("waive", "draw", "concede", "nothing", "others", "leave")
"""Text without names of provinces."""


def _is_plain(said: Said | Heading | None) -> bool:
    """Whether an order, or a heading, names no province."""
    return isinstance(said, Heading) or (isinstance(said, Said) and said.verb in _PLAIN)


def _meant_by(draft: Draft, part: Part, section: Section) -> _Found:
    """The orders of a part of a line, as the grammar reads it."""
    said = part.said
    if not isinstance(said, Said):
        return Fault(NO_ORDER)
    reader = draft.reader.below(section)
    try:
        if said.verb in ("nothing", "others"):
            return _of_all_others(reader, draft, said)
        if said.verb == "leave":
            return _all_disbanded(reader, draft, said)
        return [meant(reader, said)] * (_left_to_waive(reader, draft) if said.verb == "waive" and not said.many else said.many)
    except Fault as fault:
        return fault


def _as_a_whole(draft: Draft, line: Line, section: Section) -> list[_Found] | None:
    """The orders of the line if the whole of it has only one possible meaning, however it is written; None if not."""
    if not draft.reader.asks or draft.reader.on_file or len(line.text) > LONGEST_LINE:
        return None
    reader = draft.reader.below(section)
    for reading in _readings(reader, _body(reader, line.text)):
        try:
            found = [only_meaning(reader, order) for order in reading.orders]
        except Fault:
            continue
        if reading.left_out and any(each.remark for each in found):
            continue  # what is in brackets may be what is missing
        if times_of(reader.position).is_other(reading.left_out):
            raise _uncertain("later", reading.left_out)
        if reading.left_out:
            found[-1] = _also(found[-1], f'not read: "({reading.left_out:.60})"')
        for guess in reading.guesses:
            found[0] = _also(found[0], guess)
        return [[each] for each in found]
    return None


def _readings(reader: Reader, text: str) -> Iterator[Reading]:
    """The ways to read a clean line, as long as not too much was tried."""
    if not reader.effort.is_spent:
        reader.effort.words -= count_words(text)
        yield from readings(reader.position.options.map, text)


def _also(each: Meant, remark: str) -> Meant:
    return each._replace(remark=f"{each.remark}; {remark}" if each.remark else remark)


def _anyhow(draft: Draft, part: Part, section: Section, found: _Found) -> _Found:
    """The same part, read leniently if the grammar makes no order of it that can be carried out."""
    if not isinstance(found, Fault) and not (found and found[0].remark):
        return found
    reader = draft.reader.below(section)
    if not reader.asks or reader.on_file or len(part.text) > LONGEST_LINE:
        return found
    for reading in _readings(reader, part.text):
        try:
            return [only_meaning(reader, order) for order in reading.orders]
        except Fault as fault:
            if fault.names or not isinstance(found, Fault) or found.problem == NO_ORDER or _is_of_builds(reading, fault):
                found = fault
    return found


def _is_of_builds(reading: Reading, fault: Fault) -> bool:
    """Whether something is missing in one of several builds: "Build Vie and Tri" has no unknown name."""
    return len(reading.orders) > 1 and reading.orders[0].verb == "build" and not _is_unread(fault)


def _body(reader: Reader, text: str) -> str:
    """The line without what comes before its orders: a heading, a time, or the name of the power."""
    map_name = reader.position.options.map
    _, text = unlabelled(text, own_words(map_name, reader.seat), times_of(reader.position))
    written = with_coasts(map_name, with_colon(map_name, spelt(with_commas(without_ok(text)))))
    label, colon, rest = written.partition(":")
    is_label = is_power_label(map_name, label, rest) or label_of(label.strip()) is not None
    return _body(reader, rest) if colon and rest.strip() and is_label else written


def _of_all_others(reader: Reader, draft: Draft, said: Said) -> list[Meant]:
    """Applies to all units that have no order yet; if nothing is done in winter, the builds that are left are waived (DI-20,
    DI-73). Raises `Fault` if doing nothing has a word of its own."""
    if reader.position.kind == "moves" and not said.many:
        return []
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
    if many < 0 and reader.position.kind == "winter":
        raise Fault(f"you must remove {counted(-many, 'unit')}; write which, as in {Disband(reader.power.units[0]).text}")
    return [meant(reader, Said("waive"))] * _left_to_waive(reader, draft)


def _all_disbanded(reader: Reader, draft: Draft, said: Said) -> list[Meant]:
    """All units that have to retreat are disbanded. Raises `Fault` where others may be meant: one has another order already,
    they are not so many, or it is another phase."""
    leaving = [Disband(each.unit) for each in reader.power.dislodged]
    is_sure = reader.position.kind == reader.about == "retreats" and said.many in (0, len(leaving))
    if not leaving or not is_sure or any(key_of(each) in draft.by_key for each in leaving):
        raise Fault("say which unit is disbanded")
    return [Meant(each) for each in leaving]


def _left_to_waive(reader: Reader, draft: Draft) -> int:
    """How many builds are still available: in winter those that are not ordered yet, before it the maximum."""
    if reader.position.kind != "winter":
        return min(len(reader.position.board.sites[reader.seat]), len(reader.power.centres) + len(reader.power.units))
    return max(1, to_build(reader.position, reader.power) - sum(isinstance(order, Build | Waive) for order in draft.orders))
