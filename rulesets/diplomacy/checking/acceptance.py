"""The orders of a line as they are accepted, with the remarks on them; or why none of them is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbmd.rules import Line
from pbmd.rules.checking import Fault, Right

from ..orders import key_of
from ..world.commands import Disband, Order, Retreat
from .draft import Draft
from .interpretation.trials import NO_ORDER
from .notations import begins_a_count
from .phrases import UNCHANGED
from .prose.sentences import FEW, Role
from .reader import Meant
from .sections import Written
from .words import CHANGE, CONDITION, SLIP, UNSURE

Found = list[Meant] | Fault


def is_fault(found: Found) -> bool:
    """Whether a part of a line makes no order."""
    return isinstance(found, Fault)


_IN_ANY_CASE = "write what is to be done in any case, one order a line"
_WHY: Mapping[Role, tuple[str, str]] = {
    "condition": ("an order cannot depend on anything", _IN_ANY_CASE),
    "unit": ("a unit stands before a colon and other orders", "write what each unit does, one order a line"),
    "choice": ("an order cannot depend on a choice", _IN_ANY_CASE),
    "later": ("these seem to be orders for another time", "write those for this phase, one order a line"),
    "change": ("an order of this line may be taken back in it", "write only what is to be done, one order a line"),
}


def uncertain(role: Role, words: str) -> Fault:
    """Why no order of a line is certain that has words with that role."""
    if role == "condition" and not CONDITION.search(words):
        return Fault(f'an order cannot depend on anything, and "{words:.60}" may be a condition; write the order alone')
    why, advice = _WHY[role]
    return Fault(f'{why} ("{words:.60}"); {advice}')


def all_stand(found: "list[Found]") -> bool:
    """Whether nothing in a line is rejected or remarked on, as in nearly all lines."""
    return not [each for each in found if isinstance(each, Fault) or (each and each[0].remark)]


def taken(draft: Draft, line: Line, found: "list[Found]", remarks: list[str], *, in_part: bool = False) -> Right:
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
            order = _of_list(draft, line, order, remarks)
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


def is_unread(fault: Fault) -> bool:
    """Whether the words are no order, or no province, rather than an order that cannot be given."""
    return fault.problem == NO_ORDER or fault.problem.startswith("there is no province")


_IMPOSSIBLE = ("you have nothing to build", "you have no unit to remove")


def _retreat_of(order: Order, taken: Sequence[Order]) -> int | None:
    """Where in the line a retreat of the same unit stands, which is preferred; None if there is none."""
    same = (place for place, each in enumerate(taken) if isinstance(each, Retreat) and key_of(each) == key_of(order))
    return next(same, None)


_NEXT_OF_LIST = re.compile(r"\W*(?:(?:[2-9]|1\d)(?:[.):]|st|nd|rd|th)|(?:my )?(?:second|third|fourth)\b)", re.IGNORECASE)


def _of_list(draft: Draft, line: Line, order: Order, remarks: list[str]) -> Order:
    """The order; for a retreat, or a disbandment, right below a retreat of the same unit in a numbered list, which is one of
    goals, that one."""
    is_next = _NEXT_OF_LIST.match(line.text) and isinstance(order, Retreat | Disband) and draft.latest == key_of(order)
    first = draft.by_key.get(draft.latest) if is_next and not CHANGE.search(line.text) else None
    if not isinstance(first, Retreat):
        return order
    remarks.append(f"{first.text} stands, and of several goals the first that is open counts")
    return _with_other(draft, first, order)


def _with_other(draft: Draft, first: Order, other: Order) -> Order:
    """A retreat, with another goal if it is sent ahead; in the phase of retreats it is open, so no other is needed."""
    if draft.reader.position.kind != "moves" or not isinstance(first, Retreat) or not isinstance(other, Retreat):
        return first
    longer = replace(first, otherwise=(*first.otherwise, other.to))
    draft.add(longer)
    return longer


def told_of_faults(draft: Draft, written: Written, found: "list[Found]") -> list[str]:
    """Remarks on the rejected parts of a line with accepted orders. Raises `Fault` if nothing is accepted, or if they may be
    meant differently."""
    faults = [(written[place][0].text, each) for place, each in enumerate(found) if isinstance(each, Fault)]
    draft.count_wrong(len(faults))
    if len(faults) == len(found):
        text, fault = faults[0]
        raise _put_better(text, fault)
    _must_not_depend(found, faults)
    return [f'not taken is "{text:.60}": {fault.problem}' for text, fault in faults]


def must_be_possible(written: Written, found: "list[Found]") -> None:
    """Raises `Fault` if all of a line is read, and is what nobody could order now; or if its first name stands behind a number
    of units, and makes no order: nobody can tell which of the others are meant."""
    impossible = [each for each in found if isinstance(each, Fault) and each.problem in _IMPOSSIBLE]
    if impossible and len(impossible) == len(found):
        raise impossible[0]
    if found and isinstance(found[0], Fault) and begins_a_count(written[0][0].text):
        raise Fault("the number and the names do not go together; write one order a line")


_HELPED = re.compile(
    r"\b(?:(?:supported|sup|backed|helped|assisted|covered)(?: up)? (?:by|from)|s by"
    r"|w(?:ith|/) (?:the )?(?:support|help) (?:of|from))\b",
    re.IGNORECASE,
)
_HELPS = re.compile(r"\b(?:s|supports?|c|convoys?)\b", re.IGNORECASE)
_MORE = re.compile(r"[ -](?:and|&) ", re.IGNORECASE)
_GOES = re.compile(r"-| to ", re.IGNORECASE)
_CHOICE = re.compile(r"\bor\b", re.IGNORECASE)


def _put_better(text: str, fault: Fault) -> Fault:
    """The fault of words that are no order, if it can be said what they may be."""
    if not is_unread(fault):
        return fault
    if UNCHANGED.fullmatch(text):
        return Fault('this changes nothing, so what you had sent stands; to let all others hold, write "others hold"')
    if CONDITION.search(text):
        return uncertain("condition", text)
    if UNSURE.fullmatch(last := text.split()[-1]):
        return uncertain("change", last)
    if _HELPED.search(text):
        return Fault("a support is the order of the unit that gives it; write it in a line of its own", example=fault.example)
    if _CHOICE.search(text):
        return uncertain("choice", text)
    if _helps_more(text):
        why = 'what stands behind the "and" may be an order of its own, or be helped as well; write one order a line'
        return Fault(why, example=fault.example)
    return fault


def _helps_more(text: str) -> bool:
    """Whether behind a support or a convoy stands an "and", with no comma before it, and a move. Each is looked for once: the
    time grows no faster than the text."""
    place = 0
    for clause in re.split("(?<=[,;])", text):
        helps = _HELPS.search(clause)
        more = _MORE.search(clause, helps.end()) if helps else None
        if more:
            return _GOES.search(text, place + more.end()) is not None
        place += len(clause)
    return False


def _must_not_depend(found: "list[Found]", faults: Sequence[tuple[str, Fault]]) -> None:
    """Raises `Fault` if the text around orders in their line may be a condition: nobody can tell which of them is meant."""
    before = faults[0] if faults and found[0] is faults[0][1] else None
    is_sentence = before is not None and before[1].problem == NO_ORDER and len(before[0].split()) > FEW
    for text, _ in faults:
        if CONDITION.search(text):
            raise uncertain("condition", text)
        if CHANGE.search(text) or SLIP.search(text) or UNSURE.fullmatch(text):
            raise uncertain("change", text)
    if before and is_sentence:
        raise uncertain("condition", before[0])
