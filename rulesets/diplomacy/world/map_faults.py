"""What is wrong with a map that a club brings: each fault says where it is and how to mend it (DI-16)."""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, cast

from pydantic import ValidationError

from pbmd.rules import fold
from pbmd.rules.toml import parse_toml

from .board import Board, Province, map_names, outline_names, outlines, read_board
from .units import Unit

_MOST_FAULTS = 8
"""So many are told at once: the rest may follow from them."""
_MOST_POWERS = 34
_MOST_PROVINCES = 250
_MOST_CHARS = 40
_LAST_YEAR = 5000
_LARGEST = 4000
_NEAREST = 12
_ID = re.compile(r"[A-Z]{3}")
_NAME = re.compile(r"[^\W\d_](?:[ '.-]{0,2}[^\W\d_])*\.?")
_NO_NAME = f"it has letters, blanks, hyphens and apostrophes, at most {_MOST_CHARS}"
_NO_OUTLINES = 'write outlines = "" to have a map of places and borders'
_CODE = re.compile(r"[A-Za-z0-9]{1,2}")
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_COASTS = ("NC", "SC", "EC", "WC")
_WORDS = frozenset(
    (
        "ALL",
        "AND",
        "ANY",
        "BLD",
        "BUT",
        "CTO",
        "CVY",
        "DSB",
        "HLD",
        "ITS",
        "MTO",
        "NEW",
        "NOT",
        "ONE",
        "OTB",
        "OUR",
        "PLS",
        "REM",
        "RET",
        "SEA",
        "SPT",
        "SUP",
        "THE",
        "THX",
        "VIA",
        "WHO",
    )
)
"""Of three letters, and words of orders: of `A EIK VIA` nobody could say what it means."""


@lru_cache(maxsize=32)
def map_faults(text: str) -> tuple[str, ...]:
    """What is wrong with a map as it is written, the first faults if there are many; nothing if a game can be played on it."""
    try:
        table = parse_toml(text)
    except tomllib.TOMLDecodeError as problem:
        return (f"this is not TOML: {problem}",)
    like = table.get("like", "")
    if like and not (isinstance(like, str) and like in map_names()):
        return (f'like = "{like!s:.40}": there is no such map; there are {", ".join(sorted(map_names()))}',)
    try:
        found = read_board(table)
    except ValidationError as problem:
        return _first(_as_written(table, cast("list[dict[str, Any]]", problem.errors())))
    for check in _CHECKS:  # what comes later takes for granted what comes before
        if faults := _first(check(found)):
            return faults
    return ()


def _first(faults: Iterable[str]) -> tuple[str, ...]:
    told = [*dict.fromkeys(faults)]
    rest = len(told) - _MOST_FAULTS
    return (*told[:_MOST_FAULTS], f"and {rest} more") if rest > 0 else tuple(told)


# --- How it is written ----------------------------------------------------------------------------------------------------

_KINDS: Mapping[str, str] = {
    "missing": "is missing",
    "unexpected_keyword_argument": "is no key of a map; take it out, or look whether it is spelt right",
    "string_type": "is a text in quotation marks",
    "bool_type": "is true or false",
    "int_type": "is a whole number",
    "int_parsing": "is a whole number",
    "tuple_type": "is a list in brackets",
    "greater_than": "is at least 1",
    "greater_than_equal": "is at least 1",
}


def _as_written(table: Mapping[str, Any], errors: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """What pydantic has found, in the words of the file."""
    for error in errors:
        place = [each for each in error["loc"][1:] if not (isinstance(each, str) and "[" in each)]
        says = _KINDS.get(str(error["type"])) or str(error["msg"]).removeprefix("Value error, ").replace(
            "Input should", "should"
        )
        yield f"{_place(table, place)} {says}"


def _place(table: Mapping[str, Any], place: list[Any]) -> str:
    """``province STP: army``, or ``title``."""
    if len(place) < 2 or place[0] not in ("power", "province"):
        return " ".join(map(str, place)) or "the file"
    entry: Any = table[place[0]][place[1]] if isinstance(table.get(place[0]), list) else {}
    called = entry.get("id" if place[0] == "province" else "name") if isinstance(entry, dict) else None
    return f"{place[0]} {called or place[1] + 1}: {' '.join(map(str, place[2:3]))}".removesuffix(": ")


# --- What it says ---------------------------------------------------------------------------------------------------------


def _names(board: Board) -> Iterator[str]:
    """Of a size that can be played and drawn, with names that can be written in orders."""
    if not _is_name(board.title):
        yield f"title: {_NO_NAME}"
    if board.year > _LAST_YEAR:
        yield f"year: it is at most {_LAST_YEAR}, not {board.year}"
    if not 2 <= len(board.powers) <= _MOST_POWERS:
        yield f"there are {len(board.powers)} powers; a map has 2 to {_MOST_POWERS}, each below a line [[power]]"
    if not 2 <= len(board.provinces) <= _MOST_PROVINCES:
        yield f"there are {len(board.provinces)} provinces; a map has 2 to {_MOST_PROVINCES}, each below a line [[province]]"
    for power in board.powers:
        for key, name in (("name", power.name), ("adjective", power.adjective)):
            if not _is_name(name):
                yield f'power {power.name:.40}: {key}: "{name:.60}" is no name; {_NO_NAME}'
        if not _CODE.fullmatch(power.code):
            yield f'power {power.name}: code: "{power.code:.20}" is not one or two letters or digits'
        for key, colour in (("colour", power.colour), ("fill", power.fill)):
            if not _COLOUR.fullmatch(colour) and (key == "colour" or colour):
                yield f'power {power.name}: {key}: "{colour:.20}" is no colour; write it like "#1f7d3a", with small letters'
    for province in board.provinces:
        yield from _province_names(province)


def _is_name(text: str) -> bool:
    return len(text) <= _MOST_CHARS and _NAME.fullmatch(text) is not None


def _province_names(province: Province) -> Iterator[str]:
    here = f"province {province.id:.20}"
    if not _ID.fullmatch(province.id):
        yield f'{here}: id: it is three capital letters, like "STP"'
    elif province.id in _WORDS:
        yield f"{here}: id: {province.id} is a word of orders; take another"
    for key, name in (("name", province.name), *(("aliases", each) for each in (*province.aliases, *province.abroad))):
        if not _is_name(name.replace("+", " ")):
            yield f'{here}: {key}: "{name:.60}" is no name; {_NO_NAME}'
    for key, number in (("x", province.x), ("y", province.y)):
        if not 0 <= number <= _LARGEST:
            yield f"{here}: {key}: it is 0 to {_LARGEST}, not {number}"


def _alike(board: Board) -> Iterator[str]:
    """No two powers or provinces can be taken for each other."""
    yield from _twice("power", ((power.name, fold(power.name)) for power in board.powers), "name")
    yield from _twice("power", ((power.name, power.code) for power in board.powers), "code")
    yield from _twice("province", ((province.id, province.id) for province in board.provinces), "id")
    spelt = ((each.id, fold(name)) for each in board.provinces for name in {each.id, each.name, *each.aliases})
    yield from _twice("province", spelt, "name or alias")
    near = [(one, two) for at, one in enumerate(board.provinces) for two in board.provinces[:at] if _on_each_other(one, two)]
    for one, two in near:
        yield f"province {one.id}: x, y: it lies on {two.id} in the picture; move one of them by {_NEAREST} or more"


def _on_each_other(one: Province, two: Province) -> bool:
    return max(abs(one.x - two.x), abs(one.y - two.y)) < _NEAREST


def _twice(kind: str, called: Iterable[tuple[str, str]], what: str) -> Iterator[str]:
    seen: dict[str, str] = {}
    for name, said in called:
        if said in seen and (seen[said] != name or what in ("id", "name")):
            yield f'{kind} {name}: "{said}" is the {what} of {seen[said]}, too; each has its own'
        seen.setdefault(said, name)


def _borders(board: Board) -> Iterator[str]:
    """Each border has two sides, and leads to where such a unit can be."""
    for province in board.provinces:
        here = f"province {province.id}"
        yield from (
            f'{here}: fleet: "{coast:.20}" is no coast; they are NC, SC, EC, WC' for coast in _not_in(province.coasts, _COASTS)
        )
        if province.kind == "sea" and (province.army or province.coasts):
            yield f"{here}: a sea has no armies and no coasts; take army out, or make its kind coast"
        if province.kind == "inland" and province.fleet:
            yield f"{here}: no fleet comes inland; take fleet out, or make its kind coast"
        if province.kind != "inland" and not province.fleet:
            yield f"{here}: fleet is missing: where fleets go from there"
        if province.kind == "inland" and not province.army:
            yield f"{here}: army is missing: where armies go from there"
        if province.convoys and (province.kind != "coast" or province.coasts):
            yield f"{here}: convoys is for a province of the kind coast, with one coast; a sea convoys as it is"
    yield from _sides(board.army_reach, "army", lambda to: board.stands(Unit("A", to)), board)
    yield from _sides(board.fleet_reach, "fleet", lambda to: to in board.fleet_reach, board)


def _not_in(some: Iterable[str], allowed: Collection[str]) -> Iterator[str]:
    return (each for each in some if each not in allowed)


def _sides(reach: Mapping[str, tuple[str, ...]], key: str, can: Callable[[str], bool], board: Board) -> Iterator[str]:
    for place, near in reach.items():
        for to in near:
            if not can(to):
                yield f"province {place}: {key}: {_no_place(board, key, to)}"
            elif to == place or to[:3] == place[:3]:
                yield f"province {place}: {key}: it does not border on itself; take {to} out"
            elif place not in reach[to]:
                yield f"province {place}: {key}: {to} is there, but {to} has no {place}; write it on both sides, or on none"


def _no_place(board: Board, key: str, to: str) -> str:
    province = board.by_id.get(to[:3])
    if province is None:
        return f'there is no province "{to:.20}"'
    if key == "fleet" and province.coasts:
        return f"say on which coast: {' or '.join(f'{province.id}/{coast}' for coast in province.coasts)}"
    return f"no {key} can be in {to:.20}, which is {province.kind}"


def _beginning(board: Board) -> Iterator[str]:
    """Everybody has a home and somewhere to begin, and the game can be won by one alone."""
    centres = len(board.centres)
    if not centres < 2 * board.victory_centres <= 2 * centres:
        yield f"victory_centres: it is more than half of the {centres} centres and at most all, not {board.victory_centres}"
    owner, stands = dict[str, str](), dict[str, str]()
    for power in board.powers:
        here = f"power {power.name}"
        if not power.homes:
            yield f"{here}: homes: it has no home centre; without one it is out before it begins"
        for home in power.homes:
            if home not in board.centres:
                yield f'{here}: homes: "{home:.20}" is no centre; write centre = true below that province, or take it out'
            elif owner.setdefault(home, power.name) != power.name:
                yield f"{here}: homes: {home} is a home of {owner[home]}, too"
        if not power.units and board.begins == "spring":
            yield f'{here}: units: it has none to begin with; with begins = "winter" all begin by building'
        for unit in power.units:
            if not board.stands(unit):
                yield f"{here}: units: there can be no {unit.text}"
            elif (
                stands.setdefault(unit.province, unit.text) != unit.text
                or sum(each.province == unit.province for each in power.units) > 1
            ):
                yield f"{here}: units: there are two units in {unit.province}"


def _whole(board: Board) -> Iterator[str]:
    """All of it can be reached, and has outlines if any has."""
    away = board.distances([board.provinces[0].id])
    apart = [province.id for province in board.provinces if province.id not in away]
    if apart:
        yield f"nobody gets from {board.provinces[0].id} to {', '.join(apart[:10])}: borders are missing"
    if board.outlines:
        yield from _outlines(board)


def _outlines(board: Board) -> Iterator[str]:
    if board.outlines not in outline_names():
        yield f'outlines = "{board.outlines:.40}": there are none of that name; {_NO_OUTLINES}'
        return
    found = outlines(board.outlines)
    bare = [province.id for province in board.provinces if found is None or province.id not in found.areas]
    if bare:
        yield f"outlines: those of {board.outlines} have no {', '.join(bare[:10])}; {_NO_OUTLINES}"


_CHECKS: tuple[Callable[[Board], Iterator[str]], ...] = (_names, _alike, _borders, _beginning, _whole)
