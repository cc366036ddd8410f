"""Lines that the grammar cannot read, or that make no order as they are: what they can mean on this board (DI-97).

A badly written order with only one possible meaning is followed. So the words of the line are combined in all ways in which an
order can be written, the provinces that the names may stand for are tried, and the order is accepted if exactly one results
that can be carried out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice, product
from typing import NamedTuple

from pbmd.rules import fold
from pbmd.rules.checking import Fault
from pbmd.rules.words import listing

from ..world.board import board
from .candidates import Candidates
from .meaning import meant
from .reader import Meant, Reader
from .reading import CONVOYED, Named, Place, Said, Verb
from .tagging import Token, tag_of, tagged
from .words import CHANGE

NO_ORDER = "this is no order"
_MOST_TRIED = 400
"""How many ways are tried to choose a province for each name of an order."""
_LONGEST_ORDER = 24


class Loose(NamedTuple):
    """An order of a line in its words: what it says, by which of the words stand for units, goals and a kind of travel."""

    verb: Verb
    tokens: tuple[Token, ...]
    unit: tuple[int, int] | None = None
    other: tuple[int, int] | None = None
    way: tuple[int, ...] = ()
    via: bool = False
    name: str = ""
    army: bool = False
    either: bool = False


class Reading(NamedTuple):
    """The orders in a line; `left_out` is the part in brackets that is no order, `guesses` what misspelt verbs are taken
    for."""

    orders: tuple[Loose, ...]
    left_out: str = ""
    guesses: tuple[str, ...] = ()


# --- How orders are put together -------------------------------------------------------------------------------------------

_U, _O, _G = "(?P<u>K?P)", "(?P<o>K?P)", "[-TM]"
_WAY = f"(?P<w>(?:{_G}*P)+)"
_S = "(?:-?S|-S-)"
_LIST = "(?P<w>P(?:[,o/&]+[-T]*P|P)*|P(?:-P)+)"
_BY = "CP?|C?V(?:F?K?P(?:&K?P)*)?"
_GOING = "-TM"
_UNITS = "(?P<all>K?P(?:[,&/]+K?P)+)"
_SEVERAL = "(?P<all>K?P(?:[,/]K?P)*&K?P)"
_WRITTEN: Sequence[tuple[Verb, Sequence[str]]] = (
    ("hold", (f"{_U}[-T]*H", f"H{_U}", f"{_UNITS}[-T]*H")),
    (
        "support",
        (
            f"{_U}{_S}T?{_O}T?H?",
            f"{_U}-?S-?HT?{_O}",
            f"{_U}SK?M?F{_O}[-TM]+(?P<w>P)",
            f"{_U}SM?[-T]+(?P<w>P)F{_O}",
            f"{_U}{_S},?M?{_O}{_WAY}V?",
            f"{_SEVERAL}S{_O}(?:H?|{_WAY})",
            f"S{_O}(?:H?|{_WAY})W{_U}",
        ),
    ),
    (
        "convoy",
        (
            f"{_U}C[-T]+(?P<w>P)F{_O}",
            f"{_U}CF{_O}[-TM]+(?P<w>P)",
            f"{_U}C{_O}{_WAY}V?",
            f"{_SEVERAL}C{_O}{_WAY}",
            f"C{_O}{_WAY}W{_U}",
            f"{_U}C{_O}C(?P<w>P)",
        ),
    ),
    (
        "move",
        (
            f"{_U}{_WAY}(?P<v>{_BY})?",
            f"MF?{_U}{_WAY}(?P<v>{_BY})?",
            f"{_U}(?P<v>{_BY})[-TM]+(?P<w>P)",
            f"{_U}{_G}*(?P<w>P(?:[o/][-T]*P)+)",
            "(?P<u>KP)(?P<v>C)[-T]*(?P<w>P)(?:VK?P)?",
        ),
    ),
    ("retreat", (f"{_U}T?R[-T]*{_LIST}", f"{_U}HR[-T]*{_LIST}", f"RF?{_U}{_G}+{_LIST}", f"RF?{_U}{_G}*(?P<w>P)")),
    ("away", (f"(?P<r>R)[-T]*{_U}", f"[-T]+{_U}")),
    ("disband", (f"{_U}(?:[-TR]*O|[-TR]?D)", f"D{_U}", "DK?F(?P<u>P)", f"{_UNITS}[-TR]*[DO]", "[DO]")),
    ("build", (f"[B+]{_U}", f"{_U}B")),
    ("bare", (_U,)),
)
_FORMS: Sequence[tuple[Verb, re.Pattern[str]]] = [(verb, re.compile(form)) for verb, forms in _WRITTEN for form in forms]
"""The forms of orders, in tags; the first that fits counts."""
_ENDS = ",.&+/"
_ALL_REMOVED = re.compile(r"(?:-KP[,&]*){2,}")
"""Several units behind a minus each: ``-A SER -F ALB``."""
_MORE_TO_CONVOY = re.compile(rf"C[^,.&+]*&P{_G}+P")
"""Another journey behind a convoy, which may be for the fleet, too, or a move: ``F NTH C LON - NWY and YOR - DEN``."""


def readings(map_name: str, text: str) -> Iterator[Reading]:
    """The ways to read a clean line, most likely first: with and without what is in brackets, and with full stops between
    orders and within names."""
    for line, left_out in _without_brackets(map_name, _without_intro(text)):
        tokens = tagged(map_name, line)
        if tokens:
            guesses = tuple(f'"{token.text}" is taken for "{token.guess}"' for token in tokens if token.guess)
            tokens = _kinds_first(tokens)
            for kept in (tokens, tuple(token for token in tokens if token.tag != ".")):
                if (orders := _orders(kept)) is not None:
                    yield Reading(orders, left_out, guesses)
                    break


_INTRO = re.compile(
    r"(?:please )?(?:i|we)(?:'ll|'d like to|'m| will| would like to| want to| wish to| shall| hereby| am| are)? "
    r"(?=(?P<verb>[a-z]+)\b)",
    re.IGNORECASE,
)


def _without_intro(text: str) -> str:
    """The line without words of who orders: ``I would like to build an army in Vienna``."""
    found = _INTRO.match(text)
    return text[found.end() :] if found and tag_of(found["verb"]) in tuple("SCHMRDB") else text


def _kinds_first(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The words with the kind of a unit before its place: ``Vienna army to Bohemia``."""
    found = [*tokens]
    for place in range(1, len(found)):
        is_kind = found[place].tag == "K" and len(found[place].text) > 1
        is_alone = place + 1 == len(found) or found[place + 1].tag != "P"
        if is_kind and is_alone and found[place - 1].tag == "P" and (place < 2 or found[place - 2].tag != "K"):
            found[place - 1 : place + 1] = found[place], found[place - 1]
    return tuple(found)


def _orders(tokens: tuple[Token, ...]) -> tuple[Loose, ...] | None:
    """The orders that use up all of these words, one after the other; None if they do not."""
    tags = "".join(token.tag for token in tokens)
    dead: set[int] = set()

    def following(start: int) -> tuple[Loose, ...] | None:
        while start < len(tags) and tags[start] in ",.&/":
            start += 1
        if start == len(tags):
            return ()
        if start in dead:
            return None
        for end in range(min(len(tags), start + _LONGEST_ORDER), start, -1):
            if end == len(tags) or tags[end] in _ENDS or tags[end] in "KB" or tags[end : end + 2] == "-K":
                first = _one_order(tags[start:end], tokens[start:end])
                rest = following(end) if first else None
                if first and rest is not None:
                    return (*first, *rest)
        dead.add(start)
        return following(start + 1) if tags[start] == "+" else None

    found = following(0)
    if not found or (len(found) > 1 and _may_be_otherwise([order.verb for order in found], tags)):
        return None
    return _going_on(found, tags)


def _may_be_otherwise(verbs: Sequence[Verb], tags: str) -> bool:
    """Whether several orders may be meant as something else together."""
    is_goal = "away" in verbs and not _ALL_REMOVED.fullmatch(tags)
    return is_goal or ("convoy" in verbs and _MORE_TO_CONVOY.search(tags) is not None)


def _one_order(tags: str, tokens: tuple[Token, ...]) -> tuple[Loose, ...] | None:
    for verb, form in _FORMS:
        found = form.fullmatch(tags)
        if found and not _says_too_little(verb, tags, tokens):
            return tuple(_loose(verb, found, tags, tokens))
    return None


def _says_too_little(verb: Verb, tags: str, tokens: tuple[Token, ...]) -> bool:
    """Whether a letter, or a "by" that says nothing, makes the order, which may as well be something else: ``F ENG C BEL`` is
    no move, and ``A KIE - D`` no disbandment."""
    if verb == "move" and tags[:3] == "KPC":
        is_carried = tags == "KPCP" and tokens[0].text[0] in "Aa" and tokens[1].meant.named and tokens[2].text in "cC"
        return len(tokens[2].text) == 1 and not is_carried
    if verb == "move" and "V" in tags[:-1]:
        by = tags.index("V")
        return tags[by + 1] in _GOING and len(tokens[by].text.split()) == 1
    if verb == "support" and "-SP" in tags:
        return len(tokens[tags.index("-SP") + 1].text) == 1
    return verb == "disband" and tags[-2:] in ("-D", "TD") and len(tokens[-1].text) == 1


def _loose(verb: Verb, found: re.Match[str], tags: str, tokens: tuple[Token, ...]) -> Iterator[Loose]:
    groups = found.groupdict()
    other = found.span("o") if groups.get("o") else None
    way = (*_places_in(found, tags, "v"), *_places_in(found, tags, "w"))
    if groups.get("all"):
        yield from (Loose(verb, tokens, each.span(), other, way) for each in _A_UNIT.finditer(tags, *found.span("all")))
        return
    unit = found.span("u") if groups.get("u") else None
    if verb == "retreat" and "H" in tags:
        yield Loose("hold", tokens, unit)
    is_carried = verb == "move" and tags[:3] == "KPC"
    name = tokens[0].text.casefold() if groups.get("r") else ""
    either = verb == "move" and ("o" in tags or "/" in tags)
    yield Loose(verb, tokens, unit, other, way, bool(groups.get("v")), name, is_carried, either)


_A_UNIT = re.compile("K?P")


def _places_in(found: re.Match[str], tags: str, group: str) -> tuple[int, ...]:
    """Where the names of places are in a part of an order, if it has that part."""
    return tuple(place for place in range(*found.span(group)) if tags[place] == "P") if found.groupdict().get(group) else ()


def _of_either(order: Loose) -> Loose:
    """The same with one goal, that can be any of those that are written."""
    goals, first = [order.tokens[place] for place in order.way], order.way[0]
    ids = tuple(dict.fromkeys(each for goal in goals for each in goal.meant.likeliest()))
    both = goals[0]._replace(text="/".join(goal.text for goal in goals), meant=Candidates(parts=ids))
    return order._replace(tokens=(*order.tokens[:first], both, *order.tokens[first + 1 :]), way=(first,))


def _going_on(orders: tuple[Loose, ...], tags: str) -> tuple[Loose, ...]:
    """What comes first applies to units that follow it: ``Disband Serbia and Greece``."""
    first = orders[0]
    if len(orders) > 1 and tags[0] in "DBH" and all(order.verb == "bare" for order in orders[1:]):
        return (first, *(order._replace(verb=first.verb) for order in orders[1:]))
    return orders


# --- Brackets -------------------------------------------------------------------------------------------------------------

_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_COAST = re.compile(r" ?([nsew])\.? ?(?:c\.?|(?:orth|outh|ast|est)(?: ?coast)?)? ?", re.IGNORECASE)
_KIND = re.compile(r" ?(?:a|f|army|fleet) ?", re.IGNORECASE)
_CONVOY = re.compile(rf" ?(?:c|{CONVOYED}) ?", re.IGNORECASE)
_OTHERWISE = re.compile(r"\b(?:not|no|if|unless|or|else|instead|otherwise|cancel|only|coast)\b", re.IGNORECASE)
_DOTTED_COAST = re.compile(r"(?<![^\W\d_])([nsew])\. ?c\b\.?", re.IGNORECASE)


@lru_cache(maxsize=8)
def _of_powers(map_name: str) -> tuple[re.Pattern[str], frozenset[str]]:
    """Whose unit it is, in front of it and in brackets: ``Italian``, ``(I)``."""
    powers = board(map_name).powers
    words = "|".join(re.escape(word) for power in powers for word in (power.adjective, power.name))
    known = {fold(word) for power in powers for word in (power.code, power.adjective, power.name)}
    begins = {re.escape(power.name[:3]) for power in powers}
    short = begins | {re.escape(word) for power in powers for word in (power.code, power.adjective[:3])}
    helps = r"(?<=\bs )|(?<=\bsup )|(?<=\bsupport )|(?<=\bsupports )|(?<=\bc )|(?<=\bconvoy )|(?<=\bconvoys )"
    whose = (
        rf"(?<!\w)(?:{words})(?:'s)? (?=\S)(?!(?:to|into) |[-=>])"
        rf"|(?:^(?:{'|'.join(sorted(begins))})|(?:{helps})(?:{'|'.join(sorted(short))})[.:]?) (?=(?:a|f|army|fleet) )"
    )
    return re.compile(whose, re.IGNORECASE), frozenset(known)


def _without_brackets(map_name: str, text: str) -> Iterator[tuple[str, str]]:
    """The line first with the brackets removed but not their content, then without what is no part of an order; with that
    part."""
    before, known = _of_powers(map_name)
    comments: list[str] = []

    def mark(found: re.Match[str]) -> str:
        inside = found[1].strip()
        if coast := _COAST.fullmatch(inside):
            return f"/{coast[1]}c "
        if _KIND.fullmatch(inside) and found.start() == 0:
            return f" {inside} "
        if fold(inside) in known:
            return " "
        if _CONVOY.fullmatch(inside):
            return " via convoy "
        comments.append(inside)
        return f" {inside} "

    whole = _DOTTED_COAST.sub(r"\1c", text)
    yield before.sub("", " ".join(_BRACKETS.sub(mark, whole).split())), ""
    said = "; ".join(comments)
    if comments and not _OTHERWISE.search(said) and not CHANGE.search(said):
        for comment in comments:
            whole = re.sub(rf"[(\[]\s*{re.escape(comment)}\s*[)\]]", " ", whole)
        yield before.sub("", " ".join(_BRACKETS.sub(mark, whole).split())), said


# --- What they can mean ---------------------------------------------------------------------------------------------------


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
    may_be_slip = _is_sure(order) and len(order.way) < 2 and not _is_own_alone(reader, order)
    return _failed(order, first, _tried(reader, order, _SLIPS)[0] if may_be_slip else [])


def _is_own_alone(reader: Reader, order: Loose) -> bool:
    """Whether nothing but a unit of one's own is written: what is missing is what it does, and not another name."""
    return order.verb == "bare" and any(order.tokens[place].meant.named in reader.own for place in _places(order))


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
        if each.remark:
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
    if attempt.is_plain and not any(
        order.tokens[place].meant.likeliest() == order.tokens[place].meant.alike for place in _places(order)
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
