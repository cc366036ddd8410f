"""Builders that let a test read like a game report: positions in a line, orders as players write them, scripted dice.

Planets are written as ``"Aquila Terrans: Mines, Portal; Bastion Zorg"``, units as ``"F1 Terrans Aquila, A1 Terrans F1"``
(a unit, its owner, the planet or the fleet it is at), relations as ``"Terrans war Zorg, Terrans trade Eridu"``, offers as
``"trade Terrans Zorg 3"`` (kind, from, to, Turn). All other planets are NPC States without units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbmd.rules import Dice, Document, Event, Receipt, ScriptedDice, Status, Verdict
from rulesets.local_cluster import ruleset
from tests.rulesets import played as shared
from tests.rulesets.played import mail

DEADLINE = "the deadline passes"
Item = str | tuple[str, str]


def _items(text: str, sep: str = ",") -> list[str]:
    return [item.strip() for item in text.split(sep) if item.strip()]


def state(name: str, purse: int = 100, home: str = "", traits: str = "", tech: str = "", **fields: Any) -> dict[str, Any]:
    """A State; traits and technologies in one string, with commas."""
    table = {"name": name, "credits": purse, "home_planet": home, "traits": _items(traits), "technologies": _items(tech)}
    return table | fields


def planets(text: str) -> list[dict[str, Any]]:
    """Entries of the planets table from ``"Aquila Terrans: Mines, Portal; Bastion Zorg"``."""
    entries: list[dict[str, Any]] = []
    for item in _items(text, ";"):
        head, _, resources = item.partition(":")
        name, _, owner = head.strip().partition(" ")
        entries.append({"name": name, "resources": _items(resources)} | ({"owner": owner.strip()} if owner else {}))
    return entries


def _unit(item: str) -> tuple[str, dict[str, str]]:
    name, owner, place = item.split()
    if name.startswith("F"):
        return "fleets", {"id": name, "owner": owner, "planet": place}
    return "armies", {"id": name, "owner": owner, "fleet" if place[1:].isdigit() else "planet": place}


def _relation(item: str) -> dict[str, Any]:
    one, *words, other = item.split()
    flags = {"war": {"status": "war"}, "trade": {"trade": True}, "pact": {"pact": True}}
    entry: dict[str, Any] = {"between": [one, other]}
    for word in words:
        entry |= flags[word]
    return entry


def _offer(item: str) -> dict[str, Any]:
    kind, giver, taker, turn = item.split()
    return {"kind": kind, "from": giver, "to": taker, "turn": int(turn)}


def position(*states: Mapping[str, Any], turn: int = 3, options: Mapping[str, Any] | None = None, **tables: Any) -> Document:
    """A position document. The tables planets, units, relations and offers are written as above, the others as they are."""
    units = [_unit(item) for item in _items(tables.pop("units", ""))]
    return {
        "ruleset": "local_cluster",
        "turn": turn,
        "options": dict(options or {}),
        "states": [dict(entry) for entry in states],
        "planets": planets(tables.pop("planets", "")),
        "fleets": [entry for table, entry in units if table == "fleets"],
        "armies": [entry for table, entry in units if table == "armies"],
        "relations": [_relation(item) for item in _items(tables.pop("relations", ""))],
        "offers": [_offer(item) for item in _items(tables.pop("offers", ""))],
        **tables,
    }


def duel(
    terrans: Mapping[str, Any] | None = None,
    zorg: Mapping[str, Any] | None = None,
    others: Sequence[Mapping[str, Any]] = (),
    **tables: Any,
) -> Document:
    """Terrans of Aquila, who are to move, and Zorg of Garnet, 100 credits each. `planets` adds to their home planets, or gives
    these resources."""
    text = tables.pop("planets", "")
    named = {entry["name"] for entry in planets(text)}
    homes = (("Aquila", "Terrans"), ("Garnet", "Zorg"))
    text += "".join(f"; {planet} {owner}" for planet, owner in homes if planet not in named)
    one = state("Terrans", home="Aquila") | dict(terrans or {})
    two = state("Zorg", home="Garnet") | dict(zorg or {})
    return position(one, two, *others, planets=text, **tables)


def receive(document: Mapping[str, Any], seat: str, text: str) -> Receipt[Any]:
    """The receipt for one letter to that position."""
    return ruleset.receive(ruleset.load(document), mail(seat, text))


def errors(receipt: Receipt[Any]) -> list[Verdict]:
    """The verdicts on lines that refuse them."""
    return [verdict for verdict in receipt.verdicts if verdict.line and verdict.status is Status.ERROR]


def fault(document: Mapping[str, Any], seat: str, text: str) -> str:
    """The code of the only thing wrong with a letter, which must be refused and change nothing."""
    before = ruleset.load(document)
    receipt = ruleset.receive(before, mail(seat, text))
    assert not receipt.filed, receipt.verdicts
    assert not receipt.granted, receipt.verdicts
    assert receipt.position == before
    codes = [verdict.code for verdict in receipt.verdicts if verdict.status is Status.ERROR and verdict.code]
    assert len(codes) == 1, receipt.verdicts
    return codes[0]


def canonical(document: Mapping[str, Any], seat: str, text: str) -> list[str]:
    """The lines of one letter as understood; it must be accepted."""
    receipt = receive(document, seat, text)
    assert receipt.filed or receipt.granted, receipt.verdicts
    return [verdict.canonical for verdict in receipt.verdicts if verdict.canonical]


@dataclass(frozen=True)
class Played(shared.Played):
    """Some letters and deadlines, and what became of them. `steps` has the events of each move, skip or end of Turn."""

    steps: tuple[tuple[Event, ...], ...] = ()

    def state(self, name: str) -> dict[str, Any]:
        """The State's table in the new document."""
        return next(table for table in self.document["states"] if table["name"] == name)

    def credits(self, name: str) -> int:
        """The State's credits."""
        return self.state(name)["credits"]

    def planet(self, name: str) -> dict[str, Any]:
        """The planet's table in the new document."""
        return next(table for table in self.document["planets"] if table["name"] == name)

    def owner(self, planet: str) -> str:
        """Who owns a planet."""
        return self.planet(planet)["owner"]

    def resources(self, planet: str) -> list[str]:
        """The resources of a planet, in the order developed."""
        return list(self.planet(planet)["resources"])

    def where(self, unit: str) -> str:
        """The planet a fleet is above or an army is on, the fleet an army is aboard, or nothing if it is gone."""
        table = next((t for t in (*self.document["fleets"], *self.document["armies"]) if t["id"] == unit), {})
        return table.get("fleet") or table.get("planet") or ""

    def units(self, owner: str) -> list[str]:
        """The ids of all units of a State, fleets first."""
        return [t["id"] for t in (*self.document["fleets"], *self.document["armies"]) if t["owner"] == owner]

    def relation(self, one: str, other: str) -> str:
        """ "war", "peace", "trade", "pact" or "trade pact"."""
        for table in self.document["relations"]:
            if set(table["between"]) == {one, other}:
                flags = [flag for flag in ("trade", "pact") if table.get(flag)]
                return " ".join(flags) or table.get("status", "peace")
        return "peace"

    @property
    def offers(self) -> list[str]:
        """The standing offers, as `position` takes them."""
        return [f"{o['kind']} {o['from']} {o['to']} {o['turn']}" for o in self.document["offers"]]

    @property
    def waiting(self) -> list[str]:
        """The players still to move."""
        return list(self.document["waiting"])

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The data of the events of that kind."""
        return [dict(event.data) for event in self.events if event.kind == kind]

    def kinds(self) -> list[str]:
        """The kinds of all events in order."""
        return [event.kind for event in self.events]

    @property
    def failed(self) -> list[tuple[str, str, str]]:
        """(line, unit, reason) of each failure."""
        return [(data["line"], data.get("unit") or "", data["reason"]) for data in self.of("order_failed")]

    @property
    def reasons(self) -> list[str]:
        """The reasons of all failures."""
        return [reason for _, _, reason in self.failed]


def resolve(document: Mapping[str, Any], items: Iterable[Item], dice: Dice, first: int = 1) -> Played:
    """The letters (seat, text) and deadlines one after the other; each is settled completely before the next. `first` is the
    place of the first in the order of arrival."""
    assert ruleset.ready is not None
    at = ruleset.load(document)
    letters: list[tuple[str, str]] = []
    receipts: list[Receipt[Any]] = []
    events: list[Event] = []
    steps: list[tuple[Event, ...]] = []
    for place, item in enumerate(items, start=first):
        if isinstance(item, str):
            for seat in ruleset.awaiting(at):
                at = ruleset.miss(at, seat).position
        else:
            letters.append(item)
            receipts.append(ruleset.receive(at, mail(*item, place)))
            at = receipts[-1].position
            events += receipts[-1].events
        while ruleset.outcome(at) is None and ruleset.ready(at):
            resolution = ruleset.resolve(at, dice)
            at = resolution.position
            events += resolution.events
            steps.append(resolution.events)
    after = ruleset.dump(at)
    return Played(ruleset, dict(document), letters, after, receipts, tuple(events), at, dice.drawn, steps=tuple(steps))


def play(document: Mapping[str, Any], items: Iterable[Item], dice: Iterable[int] = (), **options: Any) -> Played:
    """As `resolve`, with scripted dice, which must be used up exactly; every letter must be accepted. `options` are added to
    those of the document."""
    script = ScriptedDice(dice)
    played = resolve({**document, "options": {**document.get("options", {}), **options}}, items, script)
    assert script.unused == (), f"dice left over: {script.unused}"
    for receipt in played.receipts:
        assert receipt.filed or receipt.granted, receipt.verdicts
    return played


def move(document: Mapping[str, Any], text: str, dice: Iterable[int] = (), **options: Any) -> Played:
    """The move of the active player."""
    seat = ruleset.awaiting(ruleset.load(document))[0]
    return play(document, [(seat, text)], dice, **options)
