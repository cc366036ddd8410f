"""What the orders of a line can mean on this board: provinces are tried for their names, until exactly one order results that
can be carried out (DI-97)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice, product
from typing import NamedTuple

from pbmd.rules.checking import Fault
from pbmd.rules.words import listing

from ..meaning import PROBLEMS, meant
from ..reader import Meant, Reader
from ..reading import Named, Place, Said, Verb
from .candidates import Candidates
from .forms import Loose

NO_ORDER = "this is no order"
_MOST_TRIED = 400
"""How many ways are tried to choose a province for each name of an order."""


def _of_either(order: Loose) -> Loose:
    """The same with one goal, that can be any of those that are written."""
    goals, first = [order.tokens[place] for place in order.way], order.way[0]
    ids = tuple(dict.fromkeys(each for goal in goals for each in goal.meant.likeliest()))
    both = goals[0]._replace(text="/".join(goal.text for goal in goals), meant=Candidates(parts=ids))
    return order._replace(tokens=(*order.tokens[:first], both, *order.tokens[first + 1 :]), way=(first,))


class _Try(NamedTuple):
    """Which provinces are tried for a name, and whether the kind of the unit that is ordered counts as it is written."""

    provinces: Callable[[Candidates], tuple[str, ...]]
    by_kind: bool
    is_plain: bool = False
    """Nothing is guessed: the result is accepted without a remark."""


_TRIES = (
    _Try(Candidates.likeliest, by_kind=True, is_plain=True),
    _Try(Candidates.possible, by_kind=True),
    _Try(Candidates.likeliest, by_kind=False),
    _Try(Candidates.possible, by_kind=False),
    _Try(Candidates.all, by_kind=True),
)
_BY_KIND = tuple(attempt for attempt in _TRIES if attempt.by_kind)
_SLIPS = _Try(Candidates.near, by_kind=True)


def only_meaning(reader: Reader, order: Loose) -> Meant:
    """The only order that this can be; one that cannot be carried out if it can be no other, with a remark. Raises `Fault` if
    there is none, or more than one."""
    reader = _in_its_phase(reader, order)
    if order.either:
        order = order._replace(verb="retreat") if reader.about == "retreats" else _of_either(order)
    if _is_rather_a_move(reader, order) or _may_be_two(reader, order):
        raise Fault(NO_ORDER)
    first: Fault | Meant | None = None
    done = set[tuple[bool, tuple[tuple[str, ...], ...]]]()
    for attempt in _TRIES if _names_its_unit(order) else _BY_KIND:
        same = (attempt.by_kind, tuple(_provinces(order, attempt)))
        if same in done:
            continue
        done.add(same)
        found, failed = _tried(reader, order, attempt)
        first = first or failed
        if found:
            return _only(reader, order, attempt, found)
    may_be_slip = _is_sure(order) and len(order.way) < 2 and not _is_own_alone(reader, order) and not _goes_nowhere(order)
    return _failed(order, first, _tried(reader, order, _SLIPS)[0] if may_be_slip else [])


def _is_own_alone(reader: Reader, order: Loose) -> bool:
    """Whether nothing but a unit of one's own is written: what is missing is what it does, and not another name."""
    return order.verb == "bare" and any(order.tokens[place].meant.named in reader.own for place in _places(order))


def _goes_nowhere(order: Loose) -> bool:
    """Whether the goal is written as the place of the unit is: it is no slip of the pen."""
    start = order.unit[1] - 1 if order.unit else None
    return start is not None and [order.tokens[place].text for place in order.way] == [order.tokens[start].text]


def _in_its_phase(reader: Reader, order: Loose) -> Reader:
    """The reader for the kind of phase that the order itself says it is for."""
    if order.tokens[0].tag == "M" and reader.section:
        return reader.below("moves")
    leaves = order.verb == "disband" and any(token.tag == "R" for token in order.tokens)
    return reader.below("retreats") if leaves and reader.position.kind == "moves" else reader


_OF_EITHER_PHASE = ("rto", "fall back", "falls back", "off", "drop", "drops", "kill", "kills", "scrap", "scraps")
"""What is also said of units that only move, or that attack, and of orders."""


def _is_rather_a_move(reader: Reader, order: Loose) -> bool:
    """Whether it reads like a retreat that is sent ahead, or a removal, and may be a move with a typing error."""
    if order.verb == "disband" and reader.about == reader.position.kind == "moves":
        return any(token.tag == "-" or token.text.casefold() in _OF_EITHER_PHASE for token in order.tokens)
    if reader.position.kind != "moves" or reader.section or order.verb not in ("retreat", "away"):
        return False
    return not _is_sure(order) or any(token.text.casefold() in _OF_EITHER_PHASE for token in order.tokens)


def _may_be_two(reader: Reader, order: Loose) -> bool:
    """Whether a comma stands between a support and a move of one's own, which may be an order: ``A Gal S, A Vie - Boh``."""
    if order.verb != "support" or order.other is None:
        return False
    tags = [token.tag for token in order.tokens[: order.other[0]]]
    own = not reader.own.keys().isdisjoint(order.tokens[order.other[1] - 1].meant.all())
    return "," in tags[tags.index("S") :] and own if "S" in tags else False


def _only(reader: Reader, order: Loose, attempt: _Try, found: "_Tried") -> Meant:
    if len(found) > 1:
        texts = [each.order.text for each, _ in found][:4]
        raise Fault(f"it could mean {listing(texts, 'or')}; write more of the names", names=texts)
    each, chosen = found[0]
    return each._replace(remark=_remark(reader, order, each, chosen, attempt))


def _failed(order: Loose, first: Fault | Meant | None, slips: "_Tried") -> Meant:
    """An order that cannot be carried out in any meaning: refused if its names may have typing errors, or are no names."""
    if isinstance(first, Meant) and _is_sure(order) and not slips and not order.army:
        return first
    remark = first.remark.removesuffix("; it will hold") if isinstance(first, Meant) else NO_ORDER
    if len(slips) == 1:
        text = slips[0][0].order.text
        why = first.problem if isinstance(first, Fault) else remark
        raise Fault(why, example=text, names=(text,), asks=True)
    raise first if isinstance(first, Fault) else Fault(remark)


_Tried = list[tuple[Meant, tuple[str, ...]]]


def _tried(reader: Reader, order: Loose, attempt: _Try) -> tuple[_Tried, Fault | Meant | None]:
    """The orders that can be carried out, each with the provinces used; and the first that cannot."""
    found: dict[str, tuple[Meant, tuple[str, ...]]] = {}
    failed: Fault | Meant | None = None
    for chosen in _choices(reader, order, attempt):
        reader.effort.meanings -= 1
        try:
            each = meant(reader, _said(order, chosen, by_kind=attempt.by_kind))
        except Fault as fault:
            failed = failed or fault
            continue
        if each.remark and not (order.either and each.remark.startswith(PROBLEMS["which coast"])):
            failed = failed or each
        else:
            found.setdefault(each.order.text, (each, chosen))
    return [*found.values()], failed


def _names_its_unit(order: Loose) -> bool:
    """Whether the order is for an existing unit, whose kind is known (a build has the kind that is written)."""
    if order.verb in ("build", "bare"):
        return False
    return order.unit is not None and bool(order.tokens[order.unit[1] - 1].meant.named)


def _is_sure(order: Loose) -> bool:
    return all(order.tokens[place].meant.named for place in _places(order))


def _places(order: Loose) -> Iterable[int]:
    """Where in the words of the order the names of places that matter are."""
    units = [place for span in (order.unit, order.other) if span for place in range(*span) if order.tokens[place].tag == "P"]
    return dict.fromkeys([*units, *order.way])


def _provinces(order: Loose, attempt: _Try) -> list[tuple[str, ...]]:
    """What is tried for each of the places that matter."""
    return [attempt.provinces(order.tokens[place].meant) for place in _places(order)]


_OF_OWN_UNITS: tuple[Verb, ...] = ("hold", "move", "support", "convoy")


def _choices(reader: Reader, order: Loose, attempt: _Try) -> Iterator[tuple[str, ...]]:
    """A province for each place. Of provinces where the power has no unit to order only the first is tried, with one choice for
    the other places: that there is no unit is the same with all of them."""
    tried = _provinces(order, attempt)
    is_move = order.verb in _OF_OWN_UNITS and reader.about == "moves" and reader.position.kind == "moves"
    if not tried or not is_move or order.unit is None:
        return islice(product(*tried), _MOST_TRIED)
    first, *others = tried
    strange = [tuple(each[0] for each in tried)] if all(tried) and first[0] not in reader.own else []
    own = [province for province in first if province in reader.own]
    return chain(strange, islice(product(own, *others), _MOST_TRIED))


def _said(order: Loose, chosen: tuple[str, ...], *, by_kind: bool) -> Said:
    """What the order says with these provinces."""
    at: Mapping[int, Place] = {
        place: Place(province, order.tokens[place].coast) for place, province in zip(_places(order), chosen, strict=True)
    }

    def named(span: tuple[int, int] | None, *, counts: bool) -> Named | None:
        if span is None:
            return None
        kind = order.tokens[span[0]]
        letter = kind.text[0].upper() if kind.tag == "K" and counts else ""
        return Named("A" if letter == "A" or order.army else "F" if letter == "F" else "", at[span[1] - 1])

    way = tuple(at[place] for place in order.way)
    return Said(order.verb, named(order.unit, counts=by_kind), named(order.other, counts=True), way, order.via, order.name)


def _remark(reader: Reader, order: Loose, found: Meant, chosen: tuple[str, ...], attempt: _Try) -> str:
    """What was guessed: names that could be others, and the kind of a unit."""
    if (
        attempt.is_plain
        and not order.either
        and not any(order.tokens[place].meant.likeliest() == order.tokens[place].meant.alike for place in _places(order))
    ):
        return ""
    names = reader.position.board.by_id
    guessed = [
        f'"{order.tokens[place].text}" is taken for {names[province].name}'
        for place, province in zip(_places(order), chosen, strict=True)
        if order.tokens[place].meant.named != province and order.tokens[place].meant.parts != (province,)
    ]
    if not attempt.by_kind:
        guessed.append(f"your unit is {' '.join(found.order.text.split()[:2])}")
    return "; ".join(dict.fromkeys(guessed))
