"""How orders are put together: the forms in which the words of a line, each with its tag, make orders."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..reading import Verb
from .tagging import Token

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


_U, _O, _G = "(?P<u>K?P)", "(?P<o>K?P)", "[-TM]"
_WAY = f"(?P<w>{_G}*P(?:{_G}+P)*)"
_S = "(?:-?S|-S-)"
_LIST = "(?P<w>P(?:[,o/&]+[-T]*P|P)*|P(?:-P)+)"
_BY = "CP?|C?V(?:F?K?P(?:&K?P)*)?"
_GOING = "-TM"
_UNITS = "(?P<all>K?P(?:[,&/+]+K?P)+)"
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
            f"(?:MT?|T)(?P<w>P)[FW]{_U}",
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
_MORE_TO_HELP = re.compile(rf"[SC][^,.&+]*&P{_G}+P")
"""Another move behind a support or a convoy, which may be helped, too, or be an order: ``F NTH C LON - NWY and YOR - DEN``."""
_ONE_OF_UNITS = re.compile(r"(?:^|[BD])K?P/P|/P-?D$")
"""A stroke before a unit without its kind, to be built or removed: both, or one of them."""


def kinds_first(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The words with the kind of a unit before its place: ``Vienna army to Bohemia``."""
    found = [*tokens]
    is_build = found[0].tag == "B"
    for place in range(1, len(found)):
        is_kind = found[place].tag == "K" and (is_build or len(found[place].text) > 1)
        is_alone = place + 1 == len(found) or found[place + 1].tag != "P"
        if is_kind and is_alone and found[place - 1].tag == "P" and (place < 2 or found[place - 2].tag != "K"):
            found[place - 1 : place + 1] = found[place], found[place - 1]
        elif is_kind and is_alone and [token.tag for token in found[:place]] == ["P", "-"]:
            return (found[place], found[0], *found[place + 1 :])
    return tuple(found)


def orders_of(tokens: tuple[Token, ...]) -> tuple[Loose, ...] | None:
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
            if _may_end(tags, end):
                first = _one_order(tags[start:end], tokens[start:end])
                rest = following(end) if first else None
                if first and rest is not None:
                    return (*first, *rest)
        dead.add(start)
        return following(start + 1) if tags[start] == "+" else None

    found = following(0)
    if not found or (len(found) > 1 and _may_be_otherwise(found, tags)):
        return None
    return _going_on(found, tags)


def _may_end(tags: str, end: int) -> bool:
    """Whether an order may end there: a mark follows, the kind of a unit, or a place behind a "hold"."""
    is_before = end == len(tags) or tags[end] in _ENDS or tags[end] in "KB"
    return is_before or tags[end : end + 2] == "-K" or tags[end - 1 : end + 1] == "HP"


def _may_be_otherwise(orders: Sequence[Loose], tags: str) -> bool:
    """Whether several orders may be meant as something else together."""
    verbs = [order.verb for order in orders]
    is_goal = "away" in verbs and not _ALL_REMOVED.fullmatch(tags)
    is_one = verbs[0] in ("build", "disband", "bare") and _ONE_OF_UNITS.search(tags) is not None
    return is_goal or is_one or (_MORE_TO_HELP.search(tags) is not None and not _is_one_journey(orders))


def _is_one_journey(orders: Sequence[Loose]) -> bool:
    """Whether a convoy and the move behind it are the same journey: ``F NTH C LON - NWY and LON - NWY``."""
    if [order.verb for order in orders] != ["convoy", "move"]:
        return False
    convoy, move = orders
    carried, moved = convoy.other, move.unit
    if carried is None or moved is None or len(convoy.way) != 1 or len(move.way) != 1:
        return False
    places = ((convoy, carried[1] - 1), (convoy, convoy.way[0]), (move, moved[1] - 1), (move, move.way[0]))
    names = [order.tokens[place].meant.named for order, place in places]
    return names[:2] == names[2:] and all(names)


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
    name = tokens[0].text.casefold() if groups.get("r") else tags[0] if verb == "away" else ""
    either = verb == "move" and ("o" in tags or "/" in tags)
    yield Loose(verb, tokens, unit, other, way, bool(groups.get("v")), name, is_carried, either)


_A_UNIT = re.compile("K?P")


def _places_in(found: re.Match[str], tags: str, group: str) -> tuple[int, ...]:
    """Where the names of places are in a part of an order, if it has that part."""
    return tuple(place for place in range(*found.span(group)) if tags[place] == "P") if found.groupdict().get(group) else ()


def _going_on(orders: tuple[Loose, ...], tags: str) -> tuple[Loose, ...]:
    """What comes first applies to units that follow it: ``Disband Serbia and Greece``."""
    first = orders[0]
    if len(orders) > 1 and tags[0] in "DBH" and all(order.verb == "bare" for order in orders[1:]):
        return (first, *(order._replace(verb=first.verb) for order in orders[1:]))
    return orders
