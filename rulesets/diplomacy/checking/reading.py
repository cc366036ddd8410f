"""Lines as players write them, and what they say; whether such provinces exist does not matter here (DI-90 to DI-96)."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from lark import Token, Transformer

from pbmd.rules import fold
from pbmd.rules.grammar import order_reader
from pbmd.rules.lines import cleaner, line_cache

from .phrases import phrase

Verb = Literal[
    "hold",
    "move",
    "support",
    "convoy",
    "retreat",
    "away",
    "disband",
    "build",
    "bare",
    "waive",
    "draw",
    "concede",
    "nothing",
    "others",
    "leave",
]
Section = Literal["", "moves", "retreats", "builds", "removals", "winter", "later", "doubtful", "foreign", "alternative"]
"""What orders below a heading are for; "later": for moves of another season; "doubtful": who knows whether they are meant;
"foreign": of another power; "alternative": instead of others, or depending on something."""


class Place(NamedTuple):
    """A province as it is written, and the coast: "NC", or ""."""

    name: str
    coast: str = ""


class Named(NamedTuple):
    """A unit as it is written; `kind` is "" if it is left out."""

    kind: Literal["", "A", "F"]
    place: Place


class Said(NamedTuple):
    """What an order says. `way` are the places to which it goes one after the other; of a support or convoy, those of `other`;
    of a retreat, those that are wanted, in order of preference.

    `name` is the power to which a player concedes, the kind of the units of which something is said together, or the word, or
    the tag of the mark, that stands before what goes "away", which is a unit or its goal. `many` are the builds that are
    waived, or the units that leave, 0 for all.
    """

    verb: Verb
    unit: Named | None = None
    other: Named | None = None
    way: tuple[Place, ...] = ()
    via: bool = False
    name: str = ""
    many: int = 1


class Heading(NamedTuple):
    """A line that says which phase the lines below it are for, in these words."""

    section: Section
    words: str = ""


_SMILEY = r"\s[:;]-?[)D]\s*$"
_SPELT = cleaner(ends=" .,;!:", remark=_SMILEY, signs={"»": "->", "—": "-", "―": "-"})
_BRACKETS = re.compile(r"\(([^(),;]*)\)")
_COAST = re.compile(r" ?[nsew](?:c|(?:orth|outh|ast|est)(?: coast)?) ?", re.IGNORECASE)
CONVOYED = (
    r"(?:(?:via|by) )?convoy|(?:is |to be )?conv(?:oyed|\.)?(?: (?:by|via|with) [^,;()]+)?|by sea"
    r"|f(?:leet)? [^,;()]+ convoy(?:s|ing)"
)
"""What says in brackets that an army goes by convoy."""
_CONVOY = re.compile(rf" ?(?:{CONVOYED}) ?", re.IGNORECASE)
_STOPS = re.compile(r"[.:]")
_PARTS = re.compile(r"[,;]")


_SHORT_SEASON = re.compile(
    r"(?<!\w)(?P<season>s|spr?|f|fal?|aut|w|win)(?:[.\-/'’]\s?|\s['’]?)(?P<year>\d{4})(?P<kind>[mra]?)\b"
    r"|(?<!\w)(?P<code>[sfw])(?:[\-/'’]|\s(?=0))(?P<of_code>\d\d)(?P<kind_of_code>[mra]?)\b"
    r"|(?<!\w)(?P<long>spr(?:ing)?|fall?|aut(?:umn)?|win(?:ter)?)(?:[.\-/'’]\s?['’]?|\s['’]|\s(?=0))(?P<of_long>\d\d)\b(?!/)",
    re.IGNORECASE,
)
"""A season or a year cut short, as "F 1901", "S-01", "Spr. 1901" and "Fall '01"; no unit and no province has a number."""


def with_codes(text: str) -> str:
    """The text with such seasons and years as codes: "F1901", "S01"."""
    return _SHORT_SEASON.sub(_as_code, text) if any(map(str.isdigit, text)) else text


def _as_code(found: re.Match[str]) -> str:
    season = (found["season"] or found["code"] or found["long"])[0].upper().replace("A", "F")
    year = found["year"] or found["of_code"] or found["of_long"]
    return f"{season}{year}{found['kind'] or found['kind_of_code'] or ''}"


def spelt(text: str) -> str:
    """A line with its brackets, in plain characters; "" for one that says nothing."""
    return _SPELT(with_codes(text))


@line_cache(8192)
def clean(text: str) -> str:
    """A line in the form in which it is read; "" for one that says nothing."""
    return _BRACKETS.sub(_without_brackets, spelt(text))


def _without_brackets(found: re.Match[str]) -> str:
    """The line with the brackets removed but not their content, unless that is a coast."""
    if _COAST.fullmatch(found[1]):
        return found[0]
    return " via convoy " if _CONVOY.fullmatch(found[1]) else f" {found[1]} "


def parts_of(text: str) -> list[str]:
    """The orders in a clean line, which can have several, separated by commas or semicolons."""
    return [part for each in _PARTS.split(text) if (part := " ".join(_STOPS.sub(" ", each).split()))]


_HEADINGS: Mapping[str, Section] = {
    "retreat": "retreats",
    "dislodg": "retreats",
    "build": "builds",
    "remov": "removals",
    "disband": "removals",
    "adjust": "winter",
    "winter": "winter",
}


_OTHER_HEADING = re.compile(
    r"(?:(?:the|my|our|all|possible|conditional|contingent|contingency|optional|preferred|planned"
    r"|spring|summer|autumn|fall|winter) )*"
    r"(?:(?P<many>retreats|builds|removals|adjustments|disbands|disbandments|dislodged units)"
    r"|(?P<one>retreat|build|removal|adjustment|disband|winter)"
    r"(?P<list> (?:orders?|preferences?|options?|instructions?|plans?|list|priority|priorities))?)"
    r"(?: in order(?: of (?:preference|priority))?)?"
    r"(?: (?:are|is))?(?: if (?:needed|necessary|required|dislodged|possible|any))?"
    r"|in (?:case|the event) of (?:an? )?(?P<case>retreats?|dislodge?ments?)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\b(?:\d{1,2}|one|two|three|four|five|six|1st|2nd|3rd|first|second|third|fourth)\b|[(),]", re.IGNORECASE)


def _other_heading(text: str) -> Heading | None:
    """A heading in more words than the grammar has: ``Conditional retreats``, ``Build preferences``."""
    found = _OTHER_HEADING.fullmatch(text)
    if found is None or (found["one"] and not found["list"]):
        return None
    words = fold(text)
    return Heading(next(section for sign, section in _HEADINGS.items() if sign in words), words)


def label_of(text: str) -> Heading | None:
    """The heading that stands before a colon, with or without a number: ``2 builds``, ``First build``, ``Removal``."""
    found = read(text)
    if isinstance(found, Heading):
        return found
    words = " ".join(_COUNTED.sub(" ", text).split())
    is_counted = words != text
    if is_counted and words.casefold() == "remove":
        words = "removal"
    is_one = words.casefold() in ("removal", "adjustment") or (is_counted and words.casefold() in _HEADINGS)
    return _other_heading(f"{words}s" if is_one else words)


class _Via(NamedTuple):
    """By convoy, and by which places, if they are written."""

    by: tuple[Place, ...]


class _ToSaid(Transformer[Token, Any]):
    """Methods have the names of the grammar's rules."""

    def name(self, parts: list[Token]) -> str:
        return " ".join(parts)

    def place(self, parts: list[Any]) -> Place:
        coast = next((part for part in parts if isinstance(part, Token)), None)
        return Place(parts[0], re.sub(r"[^a-z]", "", coast.lower())[0].upper() + "C" if coast else "")

    def unit(self, parts: list[Any]) -> Named:
        kind = parts[0][0].upper() if isinstance(parts[0], Token) else ""
        return Named("A" if kind == "A" else "F" if kind else "", parts[-1])

    def via(self, parts: list[Any]) -> "_Via":
        return _Via(tuple(Place(part) for part in parts))

    def hold(self, parts: list[Any]) -> Said:
        return Said("hold", parts[0])

    def move(self, parts: list[Any]) -> Said:
        via = next((part for part in parts if isinstance(part, _Via)), None)
        *way, goal = _places(parts)
        return Said("move", parts[0], None, (*way, *(via.by if via else ()), goal), via is not None)

    def support(self, parts: list[Any]) -> Said:
        return Said("support", parts[0], parts[1], _places(parts))

    def convoy(self, parts: list[Any]) -> Said:
        return Said("convoy", parts[0], parts[1], _places(parts))

    def retreat(self, parts: list[Any]) -> Said:
        return Said("retreat", _unit(parts), None, _places(parts))

    def away(self, parts: list[Any]) -> Said:
        return Said("away", _unit(parts), name=parts[0].lower())

    def disband(self, parts: list[Any]) -> Said:
        return Said("disband", parts[0])

    def build(self, parts: list[Any]) -> Said:
        return Said("build", parts[0])

    def bare(self, parts: list[Any]) -> Said:
        return Said("bare", parts[0])

    def concede(self, parts: list[Any]) -> Said:
        return Said("concede", name=parts[-1])

    def heading(self, parts: list[Token]) -> Heading:
        words = parts[0].lower()
        for sign, section in _HEADINGS.items():
            if sign in words:
                return Heading(section, words)
        return Heading("moves", words)


def _unit(parts: list[Any]) -> Named:
    return next(part for part in parts if isinstance(part, Named))


def _places(parts: list[Any]) -> tuple[Place, ...]:
    return tuple(part for part in parts if isinstance(part, Place))


_from_grammar: Callable[[str], Said | Heading | None] = order_reader(
    __name__.removesuffix(".checking.reading"), _ToSaid(), bare={"WAIVE": Said("waive"), "DRAW": Said("draw")}
)
_PLACE = r"([A-Z]{3})(?:/([NESW]C))?"
_JUDGES = re.compile(rf"([AF]) {_PLACE} (?:(H)|([SC]) ([AF]) {_PLACE}(?: - {_PLACE})?|- {_PLACE}( VIA)?)")
_RETREAT = re.compile(rf"([AF]) {_PLACE} R ((?:[A-Z]{{3}}(?:/[NESW]C)? ?)+)")
_HELPS: Mapping[str, Verb] = {"S": "support", "C": "convoy"}


def read(text: str) -> Said | Heading | None:
    """What one order says, which is one of `parts_of` a clean line; None if it is none."""
    return from_judges(text) or _retreat_from_judges(text) or _of_no_unit(text) or _other_heading(text) or _from_grammar(text)


def _of_no_unit(text: str) -> Said | None:
    found = phrase(text)
    return Said(found.verb, name=found.kind, many=found.many) if found else None


def _retreat_from_judges(text: str) -> Said | None:
    """A retreat in the judges' notation, of which there can be several goals."""
    found = _RETREAT.fullmatch(text)
    if found is None:
        return None
    goals = tuple(Place(word[:3], word[4:]) for word in found[4].split())
    return Said("retreat", Named("A" if found[1] == "A" else "F", Place(found[2], found[3] or "")), way=goals)


@line_cache(8192)
def from_judges(text: str) -> Said | None:
    """What an order of movement in the judges' notation says, which is the most common: the grammar takes twenty times as long
    for it. None for any other."""
    found = _JUDGES.fullmatch(text)
    if found is None:
        return None
    kind, name, coast, hold, help_, other, its, its_coast, goal, goal_coast, to, to_coast, via = found.groups("")
    unit = Named("A" if kind == "A" else "F", Place(name, coast))
    if hold:
        return Said("hold", unit)
    if to:
        return Said("move", unit, None, (Place(to, to_coast),), bool(via))
    if help_ == "C" and not goal:
        return None
    helped = Named("A" if other == "A" else "F", Place(its, its_coast))
    return Said(_HELPS[help_], unit, helped, (Place(goal, goal_coast),) if goal else ())
