"""Reading order lines: pure, without any position. `read` gives an order with names as written, or None."""

import importlib.resources
import re
import unicodedata
from dataclasses import replace
from functools import lru_cache
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args

from .orders import (
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

LONGEST_LINE = 500

SMALL_WORDS = frozenset(("to", "onto", "into", "from", "by", "via", "through", "with", "on", "at", "in", "and"))
"""Words that part an order: no name of a planet, resource or technology may have one as a word of its own."""

_HEADINGS = (
    *("diplomacy", "movement", "movements", "battles", "war", "research", "building", "development", "actions", "orders"),
    *("economy", "fleets", "armies", "ships", "resources"),
)
_HEADING = re.compile(rf"({'|'.join(_HEADINGS)})\s*:", re.IGNORECASE)
_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "–": "-", "‐": "-", "‑": "-", "−": "-", "\u00ad": "", "\u00a0": " "})
_BULLETS = re.compile(r"(?:(?:[-*•]|\d{1,3}[.)])\s*)+(?=\S)")


def clean(text: str) -> str:
    """A line as it is read (section 6.1): single blanks, no bullet before it and no punctuation behind it.

    Empty if it is to be skipped: a blank line, a comment, a heading.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)
    text = " ".join(text.split())
    bullets = _BULLETS.match(text)
    text = text[bullets.end() if bullets else 0 :].rstrip(" .,;!")
    return "" if text.startswith("#") or _HEADING.fullmatch(text) else text


def read(line: str) -> Order | None:
    """The order in one line, which is `clean`; None if it is not an order."""
    return _parsed(line) if len(line) <= LONGEST_LINE else None


@lru_cache(maxsize=8192)
def _parsed(line: str) -> Order | None:
    try:
        found: Any = _PARSER.parse(line)
    except UnexpectedInput:
        return None
    return EndMove() if isinstance(found, Token) else found


def _units(text: str) -> tuple[str, ...]:
    """ "fleets F1, 2 and army 5" → ("F1", "F2", "A5"): a bare number is of the kind before it."""
    ids: list[str] = []
    kind = ""
    for word in re.split(r"\s*(?:,|&|\band\b)\s*", text, flags=re.IGNORECASE):
        if word:
            kind = word[0].upper() if word[0].isalpha() else kind
            ids.append(kind + str(int("".join(filter(str.isdigit, word)))))
    return tuple(ids)


def _number(text: str) -> int:
    """ "4 credits to" → 4; without a number ("a fleet", "armies") 1."""
    digits = re.search(r"\d+", text)
    return int(digits[0]) if digits else 1


def _chosen(token: Token) -> Chosen:
    if token.type in ("FLEETS", "ARMIES"):
        return _units(token)
    return Count(0 if token.casefold().startswith("all") else _number(token))


def _treaty(token: Token) -> Treaty:
    names: dict[str, Treaty] = {"PEACE": "peace", "TRADE": "trade", "PACT": "pact"}
    return names[token.type]


def _journey(parts: tuple[Token, ...]) -> tuple[Chosen, str, str, bool]:
    """Units, `to`, `from` or "", and whether it is by portal."""
    chosen, *names = parts
    portal = names[-1].type == "PORTAL"
    *origin, to = (str(name) for name in names if name.type == "NAME")
    return _chosen(chosen), to, "".join(origin), portal


@v_args(inline=True)
class _ToOrder(Transformer[Token, Any]):
    """Makes the order while the parser runs; each method has a rule's name and gets its tokens."""

    def disband(self, units: Token) -> Disband:
        return Disband(_units(units))

    def war(self, state: Token) -> DeclareWar:
        return DeclareWar(str(state))

    def cancel(self, treaty: Token, state: Token) -> Cancel:
        return Cancel("trade" if treaty.type == "TRADE" else "pact", str(state))

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
        # Only without `from` the armies may be aboard and land; all other trips are by portal.
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

    def research(self, technology: Token) -> Research:
        return Research(str(technology))

    def build(self, built: Token, *planets: Token) -> Build:
        kind: UnitKind = "fleet" if "fleet" in built.casefold() else "army"
        return Build(kind, tuple(str(planet) for planet in planets), _number(built))

    def develop(self, resource: Token, planet: Token) -> Develop:
        return Develop(str(resource), str(planet))

    def redevelop(self, old: Token, new: Token, planet: Token) -> Redevelop:
        return Redevelop(str(old), str(new), str(planet))

    def redevelop_there(self, old: Token, planet: Token, new: Token) -> Redevelop:
        return Redevelop(str(old), str(new), str(planet))

    def capital(self, planet: Token) -> MoveCapital:
        return MoveCapital(str(planet))

    def offer(self, treaty: Token, state: Token) -> Offer:
        return Offer(_treaty(treaty), str(state))

    def accept(self, treaty: Token, state: Token) -> Accept:
        return Accept(_treaty(treaty), str(state))

    def decline(self, treaty: Token, state: Token) -> Decline:
        return Decline(_treaty(treaty), str(state))

    def withdraw(self, treaty: Token, state: Token) -> Withdraw:
        return Withdraw(_treaty(treaty), str(state))

    def proclaim(self, state: Token) -> Proclaim:
        # The words after the name stay with it: only who knows the names can tell where it ends.
        return Proclaim("" if state.casefold() == "nobody" else str(state))


_PARSER = Lark(
    (importlib.resources.files(__package__ or __name__) / "orders.lark").read_text(encoding="utf-8"),
    parser="lalr",
    transformer=_ToOrder(),
    maybe_placeholders=False,
)
