"""Builders that let a test read like a game report: squadrons in a line, orders as players write them.

A unit is ``"Duke J4 M6 S4 A20 R7 D6 U2 @0607 damage 8 fuel 3 supplies 2 admirals 1 by carl"``: what is not said is the
specification's default, ``@0607`` is a hex of the board Field, ``@Near:0303`` one of another board and ``@T1`` a transit group;
a Planet counter begins with ``planet``. A "?" is ``"anna Q1 @0607"`` or ``"ben Q1 reserve"``, a body
``"Port planet 0606 limit 1 owner 1 starport stock 4"``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pbmd.rendering.picture import map_svg
from pbmd.rendering.render import report_text
from pbmd.rules import PUBLIC, Dice, Document, Receipt, ScriptedDice, Status, canonical_json, seat_reader
from rulesets.starship_squadrons import ruleset
from tests.rulesets import played as shared
from tests.rulesets.played import Letters, mail

FACTORS = {
    "J": "jump", "M": "maneuver", "S": "sensor_range", "A": "attack", "R": "attack_range", "D": "defense", "U": "supply",
}  # fmt: skip
SIDES = {"anna": 1, "ben": 2, "carl": 1, "dora": 2, "dan": 1}
_FACTOR = re.compile(r"([JMSARDU])(\d+)")
_EXTRA = {"damage": "damage", "fuel": "fuel_counters", "supplies": "supply_counters", "admirals": "admiral_counters"}


def place(text: str) -> dict[str, str]:
    """The fields of ``"@0607"``, ``"@Near:0303"``, ``"@T1"`` or ``"reserve"``."""
    if text == "reserve":
        return {"where": "reserve"}
    where = text.removeprefix("@")
    if where.startswith("T"):
        return {"where": "transit", "transit": where}
    system, _, hexagon = where.rpartition(":")
    return {"system": system.replace("_", " ") or "Field", "hex": hexagon}


def unit(text: str, side: int) -> dict[str, Any]:
    """The table of a unit."""
    words = text.split()
    table: dict[str, Any] = {"side": side}
    if words[0] == "planet":
        table["kind"] = words.pop(0)
    name: list[str] = []
    while not _FACTOR.fullmatch(words[0]) and not words[0].startswith("@"):
        name.append(words.pop(0))
    table["name"] = " ".join(name)
    while words:
        word = words.pop(0)
        if factor := _FACTOR.fullmatch(word):
            table[FACTORS[factor[1]]] = int(factor[2])
        elif word.startswith("@"):
            table |= place(word)
        elif word == "by":
            table["player"] = words.pop(0)
        elif word == "hits":
            table["hits"] = {FACTORS[key]: int(count) for key, count in _FACTOR.findall(words.pop(0))}
        elif word == "moved":
            table["moved"] = True
        else:
            table[_EXTRA[word]] = int(words.pop(0))
    return table


def body(text: str) -> dict[str, Any]:
    """The table of a body."""
    words = text.split()
    kind = next(word for word in words if word in ("star", "planet", "gas_giant"))
    at = words.index(kind)
    table: dict[str, Any] = {"name": " ".join(words[:at]), "kind": kind, "hex": words[at + 1], "limit": 0}
    rest = words[at + 2 :]
    while rest:
        word = rest.pop(0)
        table[word] = True if word in ("starport", "capital") else int(rest.pop(0))
    return table


def question(text: str) -> dict[str, Any]:
    """The table of a "?"."""
    player, name, where = text.split()
    return {"id": name, "side": SIDES[player], "player": player, **place(where)}


def transit(text: str) -> dict[str, Any]:
    """The table of ``"T1 anna day 3 Near:0303 distance 1"``; the origin is the board Field."""
    name, player, _, day, target, *rest = text.split()
    system, _, hexagon = target.partition(":")
    distance = int(rest[1]) if rest else 1
    return {
        "id": name, "side": SIDES[player], "player": player, "day": int(day), "origin": "Field",
        "to_system": system, "to_hex": hexagon, "distance": distance,
    }  # fmt: skip


ANCHORS = (unit("Guard M1 @Home_One:0101", 1), unit("Guard M1 @Home_Two:0101", 2))


def world(
    one: Iterable[str] = (),
    two: Iterable[str] = (),
    questions: Iterable[str] = (),
    bodies: Iterable[str] = (),
    transits: Iterable[str] = (),
    players: str = "anna ben",
    anchors: bool = True,
    day: int = 5,
    **options: Any,
) -> Document:
    """A position document on the board Field (0504) and its neighbour Near (0503, star 1008 with limit 2).

    Each side has an unarmed Guard at home, out of the way, so that no side is ever without a squadron, and what has no orders
    holds its fire, unless the options say otherwise. `phase` and `fleets` may stand among the options.
    """
    phase = options.pop("phase", "1a" if options.get("turn_mode") == "phases" else "day")
    fleets = options.pop("fleets", [])
    waits = options.pop("waits", {})
    groups = [transit(text) for text in transits]
    units = [*(unit(text, 1) for text in one), *(unit(text, 2) for text in two)]
    if anchors:
        units = [
            *units[: sum(u["side"] == 1 for u in units)],
            dict(ANCHORS[0]),
            *(u for u in units if u["side"] == 2),
            dict(ANCHORS[1]),
        ]
    return {
        "ruleset": "starship_squadrons",
        "version": 1,
        "day": day,
        "phase": phase,
        "next_transit": 1 + max((int(group["id"][1:]) for group in groups), default=0),
        "options": {"map": "custom", "day_limit": 28, "default_fire": "hold"} | options,
        "jump_map": {"columns": 9, "rows": 7},
        "sides": [
            {"id": 1, "name": "Concord", "tech": options.get("tech_1", 15), "points": 300},
            {"id": 2, "name": "League", "tech": options.get("tech_2", 15), "points": 300},
        ],
        "players": [
            {"name": name, "side": SIDES[name]} | ({"wait": waits[name]} if name in waits else {}) for name in players.split()
        ],
        "systems": [
            {"name": "Home One", "hex": "0101"},
            {"name": "Field", "hex": "0504", "bodies": [body(text) for text in bodies]},
            {"name": "Near", "hex": "0503", "bodies": [body("Near Star star 1008 limit 2")]},
            {"name": "Home Two", "hex": "0901"},
        ],
        "units": units,
        "questions": [question(text) for text in questions],
        "transits": groups,
        "fleets": fleets,
    }


def receive(document: Mapping[str, Any], seat: str, text: str) -> Receipt[Any]:
    """The receipt for one letter to that position."""
    return ruleset.receive(ruleset.load(document), mail(seat, text))


def faults(receipt: Receipt[Any]) -> list[int]:
    """The numbers of the refused lines."""
    return [verdict.line for verdict in receipt.verdicts if verdict.status is Status.ERROR]


def fault(document: Mapping[str, Any], seat: str, text: str) -> str:
    """What is said about the only refused line of a letter."""
    (message,) = (v.message for v in receive(document, seat, text).verdicts if v.status is Status.ERROR and v.line)
    return message


def remarks(document: Mapping[str, Any], seat: str, text: str) -> list[str]:
    """The remarks on the lines of a letter in which nothing is refused."""
    receipt = receive(document, seat, text)
    assert not faults(receipt), receipt.verdicts
    return [verdict.message for verdict in receipt.verdicts if verdict.status is Status.WARNING]


def canonical(document: Mapping[str, Any], seat: str, text: str) -> tuple[str, ...]:
    """The canonical lines on file after one letter in which no line is refused."""
    receipt = receive(document, seat, text)
    assert receipt.filed, receipt.verdicts
    assert not faults(receipt), receipt.verdicts
    (sheet,) = ruleset.sheets(receipt.position)
    return sheet.lines


_UNIT_DEFAULTS: dict[str, Any] = {
    "kind": "squadron", "damage": 0, "supply_counters": 0, "admiral_counters": 0, "where": "board", "moved": False,
    **dict.fromkeys(FACTORS.values(), 0),
}  # fmt: skip


def where(table: Mapping[str, Any]) -> str:
    """``"Field 0607"``, ``"T1"`` or ``"reserve"``."""
    kind = table.get("where") or ("board" if table.get("hex") else "reserve")
    if kind == "board":
        return f"{table['system']} {table['hex']}"
    return table["transit"] if kind == "transit" else kind


class Played(shared.Played):
    """One step, resolved."""

    def alive(self, name: str, side: int = 1) -> bool:
        """Whether the unit is still there."""
        return any(table["name"] == name and table["side"] == side for table in self.document["units"])

    def unit(self, name: str, side: int = 1) -> dict[str, Any]:
        """The unit's table in the new document, with the defaults."""
        table = next(table for table in self.document["units"] if table["name"] == name and table["side"] == side)
        return _UNIT_DEFAULTS | {"fuel_counters": table.get("jump", 0)} | table

    def at(self, name: str, side: int = 1) -> str:
        """Where the unit is."""
        return where(self.unit(name, side))

    def damage(self, name: str, side: int = 1) -> int:
        """The unit's damage."""
        return self.unit(name, side)["damage"]

    def questions(self, player: str) -> dict[str, str]:
        """Where the player's "?" are, by id."""
        return {table["id"]: where(table) for table in self.document.get("questions", ()) if table["player"] == player}

    def body(self, name: str) -> dict[str, Any]:
        """The body's table."""
        found = next(b for s in self.document["systems"] for b in s.get("bodies", ()) if b["name"] == name)
        return {"owner": 0, "stock": 0, **found}

    def player(self, name: str) -> dict[str, Any]:
        """The player's table."""
        found = next(table for table in self.document["players"] if table["name"] == name)
        return {"status": "active", "missed": 0, "wait": 0, **found}

    def fleets(self, player: str) -> dict[str, list[str]]:
        """The player's fleets."""
        return {f["name"]: f["members"] for f in self.document.get("fleets", ()) if f["player"] == player}

    def told(self, seat: str = "") -> str:
        """The report of that seat, or of the public, in text, lines joined so that words are not broken."""
        reader = seat_reader(seat) if seat else PUBLIC
        return " ".join(report_text(ruleset, ruleset.view(self.position, self.events, reader)).split())

    def seen(self, seat: str = "") -> bytes:
        """Everything that a seat, or the public, gets from this step: values, text and picture."""
        reader = seat_reader(seat) if seat else PUBLIC
        view = ruleset.view(self.position, self.events, reader)
        form = ruleset.order_form(self.position, seat) if seat and ruleset.outcome(self.position) is None else ""
        return canonical_json([view.data, report_text(ruleset, view), map_svg(view), form])


def resolve(document: Document, letters: Letters, dice: Dice) -> Played:
    """One step: the letters arrive in the order given, everybody else who is awaited misses the deadline."""
    played = Played.step(ruleset, document, letters, dice)
    return replace(played, events=(*played.missed, *played.events))


def play(document: Document, rolls: Iterable[int] = (), **letters: str) -> Played:
    """One step of letters ``anna="MOVE ..."`` in order of arrival whose lines are all accepted, with exactly these rolls."""
    dice = ScriptedDice(rolls)
    played = resolve(document, list(letters.items()), dice)
    for receipt in played.receipts:
        assert not faults(receipt), receipt.verdicts
        assert receipt.filed, receipt.verdicts
    assert dice.unused == ()
    return played


def days(document: Document, count: int, **letters: str) -> Played:
    """Some days: the letters for the first, PASS from everybody awaited on the others."""
    played = play(document, **letters)
    for _ in range(count - 1):
        passes = dict.fromkeys(ruleset.awaiting(played.position), "PASS")
        played = play(played.document, **passes)
    return played
