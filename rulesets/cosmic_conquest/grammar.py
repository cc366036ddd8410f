"""Reading order lines: pure, without any position. `read` gives an order with names as written, or None."""

import importlib.resources
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args

from .orders import (
    DRAW,
    PASS,
    PUBLISH,
    Act,
    AskInsight,
    Assault,
    Bare,
    Empire,
    Force,
    Invest,
    Kind,
    Lead,
    Order,
    Raise,
    Sabotage,
    Stasis,
    TimeSkip,
)

LONGEST_LINE = 500

_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "–": "-", "‐": "-", "‑": "-", "−": "-", "\u00ad": "", "\u00a0": " "})
_BULLET = re.compile(r"(?:[-*•]|\d{1,3}[.)])\s+(?=\S)")


def clean(text: str) -> str:
    """A line as it is read (section 6.2): single blanks, no bullet before it and no punctuation behind it."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)
    text = " ".join(text.split())
    bullet = _BULLET.match(text)
    return text[bullet.end() if bullet else 0 :].rstrip(" .,;:!")


def read(line: str) -> Order | None:
    """The order in one line, which is `clean`; None if it is not an order."""
    return _parsed(line) if len(line) <= LONGEST_LINE else None


@lru_cache(maxsize=8192)
def _parsed(line: str) -> Order | None:
    """The same for a line that is not too long to be remembered: a turn's lines are read several times."""
    try:
        found: Any = _PARSER.parse(line)
    except UnexpectedInput:
        return None
    return _BARE[found.type] if isinstance(found, Token) else found


_BARE: dict[str, Bare] = {"DRAW": DRAW, "PUBLISH": PUBLISH, "PASS": PASS}


def _number(token: Token) -> int:
    return int(token)


def _act(kind: Kind, parts: Sequence[Any]) -> Act:
    force = next(part for part in parts if isinstance(part, Force))
    tokens = {part.type: str(part) for part in parts if isinstance(part, Token)}
    return Act(kind, tokens["NAME"], force.units, force.drones, "LED" in tokens)


@v_args(inline=True)
class _ToOrder(Transformer[Token, Any]):
    """Makes the order while the parser runs; each method has a rule's name and gets its tokens."""

    def force(self, units: Token, drones: Token | None = None) -> Force:
        return Force(_number(units), _number(drones) if drones else 0)

    def only_drones(self, drones: Token) -> Force:
        return Force(0, _number(drones))

    def defend(self, *parts: Any) -> Act:
        return _act("defend", parts)

    def conquer(self, *parts: Any) -> Act:
        return _act("conquer", parts)

    def invest(self, units: Token, name: Token) -> Invest:
        return Invest(str(name), _number(units))

    def raise_drones(self, *parts: Token) -> Raise:
        counts = [1 if part.type == "A" else _number(part) for part in parts if part.type != "NAME"]
        return Raise(tuple(str(part) for part in parts if part.type == "NAME"), counts[0] if counts else 0)

    def lead(self, kind: Token, name: Token) -> Lead:
        return Lead("conquer" if kind.type == "ATTACK_ON" else "defend", str(name))

    def skip(self, name: Token) -> TimeSkip:
        return TimeSkip(str(name))

    def stasis(self, name: Token) -> Stasis:
        return Stasis(str(name))

    def sabotage(self, name: Token) -> Sabotage:
        return Sabotage(str(name))

    def assault_defense(self, name: Token) -> Assault:
        return Assault(str(name))

    def assault(self, player: Token, name: Token) -> Assault:
        # "Red on" or "Red's attack on".
        words = re.sub(r"('s\s+attack)?\s+on$" if player.type == "PLAYERS_ATTACK" else r"\s+on$", "", player, flags=re.I)
        return Assault(str(name), words.strip())

    def empire(self, text: Token | None = None) -> Empire:
        return Empire(text.strip(" ,:;-") if text else "")

    def insight(self, player: Token) -> AskInsight:
        return AskInsight(player.strip())


_PARSER = Lark(
    (importlib.resources.files(__package__ or __name__) / "orders.lark").read_text(encoding="utf-8"),
    parser="lalr",
    transformer=_ToOrder(),
    maybe_placeholders=False,
)
