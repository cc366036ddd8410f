"""Orders in notations of their own, rewritten in the usual one: those of DAIDE, several units behind one word for their kind,
and moves in short that only blanks part from each other."""

import re
from collections.abc import Mapping
from functools import lru_cache

from pbmd.rules import fold

from ..world.board import board
from .reading import Said, label_of, read

_DAIDE: Mapping[str, str] = {
    "AMY": "A", "FLT": "F", "HLD": "H", "MTO": "-", "CTO": "-", "SUP": "S", "CVY": "C", "RTO": "R", "DSB": "D", "REM": "D",
    "BLD": "B", "WVE": "waive",
}  # fmt: skip
_DAIDE_LINE = re.compile(r"[A-Z() ]+")
_DAIDE_COAST = re.compile(r" ([NESW]C)S\b")
_DAIDE_ROUTE = re.compile(r"CTO (\w+) VIA (\w+(?: \w+)*)")


@lru_cache(maxsize=8)
def _daide_order(map_name: str) -> re.Pattern[str]:
    """An order of DAIDE without its brackets, and whose it is: ``AUS AMY VIE MTO BOH``."""
    power = "|".join(re.escape(each.name[:3].upper()) for each in board(map_name).powers)
    place = r"[A-Z]{3}(?: [NESW]CS)?"
    unit, other = rf"(?:AMY|FLT) {place}", rf"(?:{power}) (?:AMY|FLT) {place}"
    route = rf"CTO [A-Z]{{3}} VIA(?: (?!(?:{power}) (?:AMY|FLT|WVE))[A-Z]{{3}})+"
    does = rf"HLD|DSB|REM|BLD|{route}|(?:MTO|RTO) {place}|SUP {other}(?: MTO {place})?|CVY {other} CTO [A-Z]{{3}}"
    return re.compile(rf"(?P<power>{power}) (?P<order>WVE|{unit} (?:{does}))(?: |$)")


def without_daide(map_name: str, text: str) -> str:
    """A line of DAIDE's orders in the usual notation, with the power before them: ``( AUS AMY VIE ) MTO BOH``. Any other line
    as it is."""
    if not any(sign in text for sign in ("AMY", "FLT", "WVE")) or not _DAIDE_LINE.fullmatch(text):  # nearly always so
        return text
    line = " ".join(text.replace("(", " ").replace(")", " ").split()).removeprefix("SUB ")
    form, start = _daide_order(map_name), 0
    orders: list[str] = []
    powers: set[str] = set()
    while start < len(line):
        found = form.match(line, start)
        if found is None:
            return text
        powers.add(found["power"])
        orders.append(_usual(found["order"]))
        start = found.end()
    if len(powers) != 1:
        return text
    adjective = next(each.adjective for each in board(map_name).powers if each.name[:3].upper() in powers)
    return f"{adjective}: {', '.join(orders)}"


def _usual(order: str) -> str:
    routed = _DAIDE_ROUTE.sub(lambda found: f"- {found[2].replace(' ', ' - ')} - {found[1]}", order)
    words = _DAIDE_COAST.sub(r"/\1", routed).split()
    is_power = [word in ("AMY", "FLT") for word in [*words[1:], ""]]
    return " ".join(_DAIDE.get(word, word) for word, is_of in zip(words, is_power, strict=True) if not is_of)


_NUMBERS = ("one", "two", "three", "four", "five")
_OF_KIND = re.compile(
    rf"(?P<does>(?:(?:i|we) )?(?:build|disband|remove)s? )?(?:(?P<many>\d|{'|'.join(_NUMBERS)}) )?(?P<kind>armies|fleets)"
    r"(?P<colon>:| in| at)? ?(?P<names>[^:]+)",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*(?:,|;|&|\band\b)\s*(?:(?:in|at)\s+)?", re.IGNORECASE)


def _with_kinds(text: str) -> str:
    """A line with the kind before each of the units that it is said of: ``2 armies: Vie, Bud``, ``Build fleets in Lon and
    Edi``; not if more are named than it says."""
    found = _OF_KIND.fullmatch(text)
    if found is None or not (found["does"] or found["many"] or found["colon"] == ":"):
        return text
    names = [name for name in _AND.split(found["names"].strip(" .!")) if name]
    if len(names) < 2 or not all(is_name(name) for name in names):
        return text
    many = (found["many"] or "9").lower()
    if len(names) > (int(many) if many.isdigit() else _NUMBERS.index(many) + 1):
        return text
    does, kind = found["does"] or "", found["kind"][0]
    return ", ".join(f"{does}{kind} {name}" for name in names)


def is_name(text: str) -> bool:
    """Whether a text is a unit without its kind, and nothing else."""
    said = read(text)
    return isinstance(said, Said) and said.verb == "bare" and said.unit is not None and not said.unit.kind


_GOALS = re.compile(r"retreats?(?: ?:| to)(?P<names>[^:]+)", re.IGNORECASE)


def _with_goals_apart(text: str) -> str:
    """A line with a comma for the "and" between goals that stand alone: ``Retreat to Gre and Boh``."""
    found = _GOALS.fullmatch(text)
    names = _AND.split(found["names"].strip(" .!")) if found else []
    return f"Retreats: {', '.join(names)}" if len(names) > 1 and all(map(is_name, names)) else text


_NAME = r"\b(?!holds?\b)[^\W\d_]{3,}"
_SHORT = rf"{_NAME}(?:/[nsew]c)?(?:-{_NAME}(?:/[nsew]c)?|[- ]h(?:olds?)?)"
_SHORT_ORDERS = re.compile(rf"{_SHORT}(?: {_SHORT})+", re.IGNORECASE)
_SHORT_ORDER = re.compile(_SHORT, re.IGNORECASE)
_NAMES = re.compile(_NAME, re.IGNORECASE)


def _with_short_orders_apart(map_name: str, text: str) -> str:
    """A line with commas between orders in short, without kinds and with hyphens: ``ENG-BRE NTH-NWY LON-H``. Each is for
    another unit, and each word a name of a province: ``NTH-SUP LON-NWY`` is one order."""
    label, colon, orders = text.rpartition(": ")
    if not _SHORT_ORDERS.fullmatch(orders) or (label and label_of(label) is None):
        return text
    found = _SHORT_ORDER.findall(orders)
    named = [[fold(name) for name in _NAMES.findall(each)] for each in found]
    all_known = board(map_name).by_written.keys() >= {name for names in named for name in names}
    is_one_each = len({names[0] for names in named}) == len(found)
    return f"{label}{colon}{', '.join(found)}" if all_known and is_one_each else text


_CONVOY = re.compile(
    rf"(?P<fleet>(?:f(?:leet)? )?(?P<sea>{_NAME}))(?: ?- ?| )con[.:]? (?P<army>(?:a(?:rmy)? )?(?P<from>{_NAME})) ?(?:-+>?|to) ?"
    rf"(?P<to>{_NAME})",
    re.IGNORECASE,
)


def _with_convoy(map_name: str, text: str) -> str:
    """A line in which "con" is a convoy, and not Constantinople: a sea stands before it, and a move that goes by sea behind
    it, as in ``Nth-con Lon-Nwy``."""
    found = _CONVOY.fullmatch(text)
    if found is None:
        return text
    names = board(map_name).by_written
    sea, home, to = (names.get(fold(found[group])) for group in ("sea", "from", "to"))
    if sea is None or home is None or to is None or sea.kind != "sea" or to.id in board(map_name).army_reach.get(home.id, ()):
        return text
    return f"{found['fleet']} C {found['army']} - {found['to']}"


_CORRECTION = re.compile(r"^\W*(?:(?:my )?correct(?:ion|ed orders?)) ?: ?(?=\S)", re.IGNORECASE)


def with_orders_apart(map_name: str, text: str) -> str:
    """A clean line with commas between orders that are parted by something else, and without a word that only says that they
    replace others."""
    plain = _with_goals_apart(_with_kinds(_CORRECTION.sub("", text, count=1)))
    return _with_short_orders_apart(map_name, _with_convoy(map_name, plain))


_COUNTED = re.compile(
    rf"(?:(?:i|we) )?(?:(?:build|disband|remove)s? )?(?:\d\d?|{'|'.join(_NUMBERS)}) ?x? ?"
    r"(?:armies|fleets|army|fleet|a|f|units?)\b",
    re.IGNORECASE,
)


def begins_a_count(text: str) -> bool:
    """Whether the first of several names stands behind a number of units: ``Build 2 armies Vie``."""
    return _COUNTED.match(text) is not None
