"""Builders that let a test read like a game report: maps as drawn, societies in a line, orders as players write them.

A map is written row by row, ``"aab. / a#b."``: the first letter of a society's name for its city, a capital for one that
awaits rehabilitation, a dot for a free square, ``#`` for a nuked one. A society is ``"Ann monarchy tech 7 gold 60 armies
16"``; what is not said is the specification's default. Wonders are ``"Mafia Ann A1, KGB Bob C1 obsolete, Jihad Cat D1 by
Ann, Colosseum destroyed by Bob"``, wars ``"Ann Bob 4"`` (since), rights and concessions ``"Ann Bob"``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from pbmd.rules import Document, Receipt, ScriptedDice, Status, Verdict
from rulesets.societies import ruleset
from tests.rulesets import played as shared
from tests.rulesets.played import Letters, mail

GOVERNMENTS = ("despotism", "monarchy", "republic")
_WONDER = re.compile(r"(?P<name>.+?) (?:(?P<owner>[A-Z]\w*) (?P<square>[A-Z]+\d+)|destroyed)(?P<rest>.*)")


def square(row: int, column: int) -> str:
    """The name of a square, row and column counted from 1."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"


def society(text: str) -> dict[str, Any]:
    """The table of ``"Ann monarchy tech 7 gold 60"``; `eliminated 4` is short for `eliminated_turn`."""
    name, *words = text.split()
    table: dict[str, Any] = {"name": name}
    if words and words[0] in GOVERNMENTS:
        table["government"] = words.pop(0)
    short = {"eliminated": "eliminated_turn", "parts": "spaceship_parts"}
    for key, value in zip(words[::2], words[1::2], strict=True):
        table[short.get(key, key)] = int(value)
    return table


def rows_of(text: str) -> list[str]:
    """The rows of a map as drawn."""
    return [row.strip() for row in text.strip().replace("\n", "/").split("/")]


def wonder(text: str) -> dict[str, Any]:
    """The table of ``"Jihad Cat D1 obsolete by Ann"``."""
    found = _WONDER.fullmatch(text.strip())
    assert found is not None, f"not a wonder: {text}"
    table: dict[str, Any] = {"name": found["name"], "owner": found["owner"] or "", "square": found["square"] or ""}
    table |= {"obsolete": "obsolete" in found["rest"], "destroyed": found["owner"] is None}
    if " by " in found["rest"]:
        table["builder"] = found["rest"].partition(" by ")[2]
    return table


def _items(text: str) -> list[list[str]]:
    return [item.split() for item in text.split(",") if item.strip()]


def world(
    text: str, *societies: str, turn: int = 8, wonders: str = "", wars: str = "", rights: str = "", **options: Any
) -> Document:
    """A position document. `concessions` and `gm_concession` may stand among the options of the game."""
    rows = rows_of(text)
    side = max(len(rows), *(len(row) for row in rows), 2)
    tables = [society(entry) for entry in societies]
    initials = {table["name"][0]: table["name"] for table in tables}
    places = [(square(r, c), mark) for r, row in enumerate(rows, 1) for c, mark in enumerate(row, 1)]
    document: Document = {
        "ruleset": "societies",
        "turn": turn,
        "map": {"side": side, "nuked": [place for place, mark in places if mark == "#"]},
        "society": tables,
        "city": [
            {"square": place, "owner": initials[mark.upper()], "rehabilitating": mark.isupper()}
            for place, mark in places
            if mark.isalpha()
        ],
        "wonder": [wonder(entry) for entry in wonders.split(",") if entry.strip()],
        "war": [{"between": [one, other], "since": int(since)} for one, other, since in _items(wars)],
        "counterattack": [
            {"holder": holder, "against": against, "count": int(*count or ("1",))} for holder, against, *count in _items(rights)
        ],
        "concession": [{"by": by, "to": to} for by, to in _items(options.pop("concessions", ""))],
        "gm_concession": options.pop("gm_concession", ""),
    }
    return {**document, "options": options}


def receive(document: Mapping[str, Any], seat: str, text: str) -> Receipt[Any]:
    """The receipt for one letter to that position."""
    return ruleset.receive(ruleset.load(document), mail(seat, text))


def read(document: Mapping[str, Any], seat: str, text: str) -> tuple[str, ...]:
    """The canonical lines on file after one letter in which no line is refused."""
    receipt = receive(document, seat, text)
    assert receipt.filed, receipt.verdicts
    assert not faults(receipt), receipt.verdicts
    return filed(receipt)


def filed(receipt: Receipt[Any]) -> tuple[str, ...]:
    """The canonical lines of the only sheet on file, continuation lines on their own."""
    (sheet,) = ruleset.sheets(receipt.position)
    return tuple(line for entry in sheet.lines for line in entry.splitlines())


def faults(receipt: Receipt[Any]) -> list[tuple[int, str]]:
    """Line number and code of every refused line."""
    return [(verdict.line, verdict.code) for verdict in receipt.verdicts if verdict.status is Status.ERROR and verdict.line]


def fault(document: Mapping[str, Any], seat: str, text: str) -> str:
    """The code of the only refused line of a letter."""
    ((_, code),) = faults(receive(document, seat, text))
    return code


def warnings(document: Mapping[str, Any], seat: str, text: str) -> list[str]:
    """The remarks on a letter in which no line is refused: of lines and of the letter as a whole."""
    receipt = receive(document, seat, text)
    assert not faults(receipt), receipt.verdicts
    return [verdict.message for verdict in receipt.verdicts if verdict.status is Status.WARNING]


def ok(document: Mapping[str, Any], seat: str, text: str) -> bool:
    """Whether a letter is accepted without any remark."""
    return all(verdict.status is Status.OK for verdict in receive(document, seat, text).verdicts)


class Played(shared.Played):
    """One turn, resolved."""

    def society(self, name: str) -> dict[str, Any]:
        """The society's table in the new document."""
        return next(table for table in self.document["society"] if table["name"] == name)

    def each(self, field: str) -> list[Any]:
        """That field of all societies, in position order."""
        return [table[field] for table in self.document["society"]]

    def rows(self) -> str:
        """The map as it is drawn, rows apart by a slash, without free squares at the end of rows and free last rows."""
        side = self.document["map"]["side"]
        marks = dict.fromkeys(self.document["map"].get("nuked", []), "#")
        for city in self.document["city"]:
            letter = city["owner"][0]
            marks[city["square"]] = letter if city.get("rehabilitating", False) else letter.lower()
        rows = ["".join(marks.get(square(r, c), ".") for c in range(1, side + 1)).rstrip(".") for r in range(1, side + 1)]
        return "/".join(rows).rstrip("/")

    def wonder(self, name: str) -> str:
        """``"Ann A1"``, with ``obsolete``; ``"destroyed"``; empty if never built."""
        for table in self.document.get("wonder", ()):
            if table["name"] == name:
                if table.get("destroyed", False):
                    return "destroyed"
                return f"{table['owner']} {table['square']}" + (" obsolete" if table.get("obsolete", False) else "")
        return ""

    def wars(self) -> dict[frozenset[str], int]:
        """Who is at war with whom since when."""
        return {frozenset(table["between"]): table["since"] for table in self.document.get("war", ())}

    def rights(self) -> dict[tuple[str, str], int]:
        """(holder, against) → number of counterattack rights."""
        return {(table["holder"], table["against"]): table["count"] for table in self.document.get("counterattack", ())}

    def of(self, kind: str, audience: str | None = None) -> list[dict[str, Any]]:
        """The data of the events of that kind, of those that this seat is told if one is named."""
        return [
            {**event.data, **event.detail}
            for event in self.events
            if event.kind == kind and (audience is None or event.audience is None or audience in event.audience)
        ]

    def audiences(self, kind: str) -> list[tuple[str, ...] | None]:
        """Who is told the events of that kind."""
        return [event.audience for event in self.events if event.kind == kind]

    def failed(self, seat: str) -> list[str]:
        """The codes of a seat's orders that failed or were cut, in order."""
        mine = [event for event in self.events if event.audience == (seat,)]
        codes = {"order_failed": lambda event: str(event.data["code"]), "order_cut": lambda _event: "cut"}
        return [codes[event.kind](event) for event in mine if event.kind in codes]

    def tax(self, name: str) -> int:
        """What step 6 has to bring a society, worked out from the position after the turn and the government before it."""
        before = next(table for table in self.before["society"] if table["name"] == name)
        government = before.get("government", "despotism")
        table = self.society(name)
        own = [city for city in self.document["city"] if city["owner"] == name]
        productive = sum(not city.get("rehabilitating", False) for city in own)
        cap = {"despotism": 6, "monarchy": 12, "republic": productive}[government]
        gross = min(cap, productive) * table["tech"] * 5
        if self.wonder("Tower of Babel").startswith(name) and "obsolete" not in self.wonder("Tower of Babel"):
            gross += table["tech"] ** 2
        if self.wonder("Mafia").startswith(name) and "obsolete" not in self.wonder("Mafia"):
            gross += len(self.document["city"])
        income = ceil(gross * {"despotism": Fraction(1), "monarchy": Fraction(3, 2), "republic": Fraction(2)}[government])
        association = self.wonder("National Rifle Association")
        shared = government == "monarchy" or (association.startswith(name) and "obsolete" not in association)
        support = -(-table["armies"] // len(own)) if shared else table["armies"]
        return income - (support if government != "despotism" else 0)

    def spent(self, name: str) -> int:
        """The gold that has left the treasury before the tax came in."""
        before = next(table for table in self.before["society"] if table["name"] == name)
        return before.get("gold", 0) + self.tax(name) - self.society(name)["gold"]


def resolve(document: Document, orders: Letters) -> Played:
    """One turn: the letters arrive in the order given, everybody else misses the deadline. There are no dice (SO-R03)."""
    return Played.step(ruleset, document, orders, ScriptedDice(()))


def play(document: Document, *orders: str, **options: Any) -> Played:
    """One turn of letters ``"Ann: Buy 2 armies"`` whose lines are all accepted; `options` go into the document first.

    Further lines of a letter follow the first, indented as the test likes.
    """
    letters = [(name, "\n".join(line.strip() for line in text.splitlines())) for name, text in map(_letter, orders)]
    played = resolve({**document, "options": {**document["options"], **options}}, letters)
    for receipt in played.receipts:
        assert receipt.filed, receipt.verdicts
        assert not faults(receipt), receipt.verdicts
    return played


def _letter(text: str) -> tuple[str, str]:
    name, _, rest = text.partition(":")
    return name, rest.strip()


def messages(receipt: Receipt[Any]) -> list[str]:
    """The messages of all verdicts."""
    return [verdict.message for verdict in receipt.verdicts if verdict.message]


def lines_of(verdicts: Iterable[Verdict]) -> list[str]:
    """The canonical orders of verdicts."""
    return [verdict.canonical for verdict in verdicts if verdict.canonical]
