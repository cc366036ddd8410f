"""Reading order lines: pure, without any position."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lark import Token, Transformer, v_args

from pbmd.rules.grammar import order_reader
from pbmd.rules.lines import COMMENT, cleaner

from ..orders import (
    Accept,
    Bombard,
    Build,
    Cancel,
    Chosen,
    Count,
    DeclareWar,
    Decline,
    Develop,
    Disband,
    EndMove,
    Gift,
    Land,
    Load,
    Move,
    MoveCapital,
    Offer,
    Order,
    Proclaim,
    Redevelop,
    Research,
    Treaty,
    Trip,
    UnitKind,
    Withdraw,
)

SMALL_WORDS = frozenset(("to", "onto", "into", "from", "by", "via", "through", "with", "on", "at", "in", "and"))
"""Words at which orders are split: no name of a planet, resource or technology may have one as a word of its own."""

_HEADINGS = (
    *("diplomacy", "movement", "movements", "battles", "war", "research", "building", "development", "actions", "orders"),
    *("economy", "fleets", "armies", "ships", "resources"),
)

_VERBS = (
    *("declare", "war", "cancel", "null", "gift", "give", "offer", "propose", "accept", "decline", "withdraw", "proclaim"),
    *("disband", "load", "move", "land", "bombard", "research", "build", "develop", "redevelop"),
)
_BEFORE = rf"(?:{'|'.join(_HEADINGS)})\s*:\s*(?=(?:{'|'.join(_VERBS)})\b)"
"""A heading in the line of its order: "Movement: Move F3 to Bastion"."""

clean = cleaner(
    bullet=rf"(?:(?:[-*•]|\d{{1,3}}[.)])\s*)+(?:{_BEFORE})?|{_BEFORE}", ignored=rf"{COMMENT}|(?:{'|'.join(_HEADINGS)})\s*:"
)
"""A line in the form in which it is read (section 6.1), "" if it is to be skipped."""


def _units(text: str) -> tuple[str, ...]:
    """ "fleets F1, 2 and army 5" → ("F1", "F2", "A5"): a bare number is of the kind before it."""
    ids: list[str] = []
    kind = ""
    for word in re.split(r"\s*(?:,|&|\+|/|\band\b)\s*", text, flags=re.IGNORECASE):
        if word:
            kind = word[0].upper() if word[0].isalpha() else kind
            ids.append(kind + str(int("".join(filter(str.isdigit, word)))))
    return tuple(ids)


def _number(text: str) -> int:
    """ "4 credits to" → 4; without a number ("a fleet", "armies") 1."""
    digits = re.search(r"\d+", text)
    return int(digits[0]) if digits else 2 if text.casefold().startswith("both") else 1


def _chosen(token: Token) -> Chosen:
    if token.type in ("FLEETS", "ARMIES"):
        return _units(token)
    return Count(0 if token.casefold().startswith(("all", "everything")) else _number(token))


def _journey(parts: tuple[Token, ...]) -> tuple[Chosen, str, str, bool]:
    """Units, `to`, `from` or "", and whether it is by portal."""
    chosen, *names = parts
    portal = names[-1].type == "PORTAL"
    *origin, to = (str(name) for name in names if name.type == "NAME")
    return _chosen(chosen), to, "".join(origin), portal


def _named(kind: Callable[..., Any]) -> Callable[..., Any]:
    """An order that consists of names alone."""

    def made(_self: object, *names: Token) -> Any:
        return kind(*map(str, names))

    return made


def _treating(kind: Callable[[Any, str], Any]) -> Callable[..., Any]:
    """An order about a treaty with a State."""

    def made(_self: object, treaty: Token, state: Token) -> Any:
        return kind(treaty.type.lower(), str(state))

    return made


_TREATIES: Mapping[str, Treaty] = {"peace": "peace", "trade": "trade", "pact": "pact"}


@v_args(inline=True)
class _ToOrder(Transformer[Token, Any]):
    """Makes the order while the parser runs; each method has a rule's name and gets its tokens."""

    war, research, capital = _named(DeclareWar), _named(Research), _named(MoveCapital)
    develop, redevelop = _named(Develop), _named(Redevelop)
    offer, accept, decline = _treating(Offer), _treating(Accept), _treating(Decline)
    withdraw, cancel = _treating(Withdraw), _treating(Cancel)

    def offer_state(self, words: Token) -> Offer:
        found = re.fullmatch(r"(.+?)\s+(?:an?\s+)?(peace|trade|(?:military\s+)?pact)(?:\s+treaty)?", words, re.IGNORECASE)
        assert found is not None
        return Offer(_TREATIES[found[2].casefold().split()[-1]], found[1].strip())

    def redevelop_there(self, old: Token, planet: Token, new: Token) -> Redevelop:
        return Redevelop(str(old), str(new), str(planet))

    def disband(self, units: Token) -> Disband:
        return Disband(_units(units))

    def gift(self, first: Token, state: Token | None = None) -> Gift:
        if state is not None:
            return Gift(_number(first), str(state))
        found = re.fullmatch(r"(.+?)\s(\d+)(?:\s*(?:credits?|cr))?", first, re.IGNORECASE)
        assert found is not None
        return Gift(int(found[2]), found[1].strip())

    def load(self, armies: Token, fleet: Token) -> Load:
        return Load(_chosen(armies), fleet=_units(fleet)[0])

    def load_number(self, armies: Token, planet: Token) -> Load:
        return Load(_chosen(armies), planet=str(planet))

    def move(self, *parts: Token) -> Move:
        return Move(*_journey(parts))

    def trip(self, *parts: Token) -> Trip:
        # Only without `from` may the armies be aboard and land; all other trips are by portal.
        trip = Trip(*_journey(parts))
        return replace(trip, portal=True) if trip.origin else trip

    def teleport(self, *parts: Token) -> Trip:
        return replace(Trip(*_journey(parts)), portal=True)

    def land(self, armies: Token, planet: Token) -> Land:
        return Land(_chosen(armies), str(planet))

    def land_from(self, armies: Token, fleet: Token, planet: Token) -> Land:
        return Land(_chosen(armies), str(planet), f"F{_number(fleet)}")

    def bombard(self, planet: Token, fleets: Token | None = None) -> Bombard:
        return Bombard(str(planet), _chosen(fleets)) if fleets else Bombard(str(planet))

    def bombard_by(self, fleets: Token, planet: Token) -> Bombard:
        return Bombard(str(planet), _chosen(fleets))

    def build(self, built: Token, *planets: Token) -> Build:
        kind: UnitKind = "fleet" if "fleet" in built.casefold() else "army"
        return Build(kind, tuple(str(planet) for planet in planets), _number(built))

    def proclaim(self, state: Token) -> Proclaim:
        # The words after the name stay with it: only code that knows the names can tell where it ends.
        return Proclaim("" if state.casefold() == "nobody" else str(state))


_order_in: Callable[[str], Order | None] = order_reader(
    __name__.removesuffix(".checking.reading"), _ToOrder(), bare={"END": EndMove()}
)
_PLACE_FIRST = re.compile(
    r"(?P<planet>[^\W\d_][^:,]{0,40}?)(?::| -) (?P<order>(?:build|create|buy|develop)\b(?!.*(?:\b(?:at|on|in)\b|@)).+)",
    re.IGNORECASE,
)


_TIMES_BEHIND = re.compile(
    r"(?P<build>build|create|buy)\s+(?:an?\s+|one\s+)?(?P<what>army|fleet)\s+(?P<at>(?:(?!\band\b)[^,&:])+?)\s+x\s?(?P<many>\d{1,9})",
    re.IGNORECASE,
)
_PRICE = re.compile(
    r"(?P<order>(?:build|create|buy|develop|redevelop|research)\b[^()]*?)\s*\((?:for\s+|costs?:?\s+)?\d{1,9}\s*(?:credits?|cr)\)",
    re.IGNORECASE,
)
"""What an order costs, in brackets: a remark, since prices are what the rules say."""
_OFFER_OF = re.compile(
    r"(?P<verb>accept|decline|refuse|reject)\s+(?P<state>\S.*?)'s\s+(?P<treaty>peace|trade(?:\s+treaty)?|(?:military\s+)?pact)(?:\s+offer)?",
    re.IGNORECASE,
)


def read(line: str) -> Order | None:
    """The order in one line, which is `clean`, with names as written; None if it is not an order. The planet where something
    is built may stand first ("Aquila: build 2 armies"), how many last ("Build army at Aquila x2")."""
    if priced := _PRICE.fullmatch(line):
        line = priced["order"]
    found = _PLACE_FIRST.fullmatch(line) if ":" in line or " - " in line else None
    if found:
        line = f"{found['order']} at {found['planet']}"
    elif times := _TIMES_BEHIND.fullmatch(line):
        line = f"{times['build']} {times['many']} x {times['what']} {times['at']}"
    elif offer := _OFFER_OF.fullmatch(line):
        line = f"{offer['verb']} {offer['treaty']} from {offer['state']}"
    return _order_in(line)
