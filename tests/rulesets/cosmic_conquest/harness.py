"""Builders that let a test read like a game report: positions in a line, orders as players write them, scripted dice.

Systems are written as ``"Sol 12 Red, Castor 5 Green -3"``: output, owner, perhaps the sabotage in force. All others are
independent with output 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pbmd.rules import PUBLIC, Dice, Document, Receipt, ScriptedDice, Status, Verdict
from rulesets.cosmic_conquest import ruleset
from tests.rulesets import played as shared
from tests.rulesets.played import Letters, mail

_SYSTEM = re.compile(r"([A-Z][A-Za-z ]*?) (\d+)(?: ([A-Z][a-z]+))?(?: -(\d+))?")


def systems(text: str) -> list[dict[str, Any]]:
    """Entries of the systems table from ``"Sol 12 Red, Castor 5 Green -3"``."""
    found = [_SYSTEM.fullmatch(item.strip()) for item in text.split(",") if item.strip()]
    entries = [
        {"name": m[1], "owner": m[3] or "", "output": int(m[2]), "penalty": int(m[4] or 0)} for m in found if m is not None
    ]
    assert len(entries) == len(found), f"not systems: {text}"
    return entries


def faction(colour: str, tech: str = "biomech", traits: str = "", **fields: Any) -> dict[str, Any]:
    """A faction without bonus of its own. `traits` in one string; fields of the admiral are cv, rank, admiral, served."""
    admiral = {
        "name": fields.pop("admiral", f"Admiral of {colour}"),
        "rank": fields.pop("rank", "supreme"),
        "cv": fields.pop("cv", 6),
        "traits": traits.split(),
        "turns_served": fields.pop("served", 0),
    }
    return {"colour": colour, "tech": tech, **fields, "admiral": admiral}


def position(text: str, *factions: Mapping[str, Any], turn: int = 5, **options: Any) -> Document:
    """A position document of these systems and factions; `options` are those of the game."""
    document = {"ruleset": "cosmic_conquest", "turn": turn, "options": dict(options)}
    return {**document, "systems": systems(text), "factions": [dict(entry) for entry in factions]}


def receive(document: Mapping[str, Any], seat: str, text: str) -> Receipt[Any]:
    """The receipt for one letter to that position."""
    return ruleset.receive(ruleset.load(document), mail(seat, text))


def sheet(document: Mapping[str, Any], seat: str, text: str) -> tuple[str, ...]:
    """The canonical lines on file after one letter, which must be accepted."""
    receipt = receive(document, seat, text)
    assert receipt.filed, receipt.verdicts
    return ruleset.sheets(receipt.position)[0].lines


def fault(document: Mapping[str, Any], seat: str, text: str) -> str:
    """What is wrong with the only wrong line of a letter, which must be refused; without the right line that follows."""
    receipt = receive(document, seat, text)
    wrong = [v for v in receipt.verdicts if v.status is Status.ERROR and v.line]
    assert not receipt.filed
    assert len(wrong) == 1, receipt.verdicts
    return wrong[0].message.partition(" Right: ")[0].rstrip(".")


class Played(shared.Played):
    """One turn, resolved."""

    def system(self, name: str) -> tuple[str, int, int]:
        """Owner, output and penalty of a system in the new document."""
        table = next(table for table in self.document["systems"] if table["name"] == name)
        return table["owner"], table["output"], table["penalty"]

    def faction(self, colour: str) -> dict[str, Any]:
        """The faction's table in the new document."""
        return next(table for table in self.document["factions"] if table["colour"] == colour)

    def admiral(self, colour: str) -> dict[str, Any]:
        """The admiral's table in the new document."""
        return self.faction(colour)["admiral"]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The data of the events of that kind."""
        return [dict(event.data) for event in self.events if event.kind == kind]

    def combats(self) -> list[tuple[str, str, int, int, bool]]:
        """(system, attacker, attack number, defense number, won) of each combat."""
        return [(c["system"], c["attacker"], c["attack_number"], c["defense_number"], c["won"]) for c in self.of("combat")]

    def parts(self, kind: str, system: str, attacker: str) -> dict[str, int]:
        """The parts of the attack or the defense ("attack_parts", "defense_parts") in one combat, without zeros."""
        (found,) = (e["parts"] for e in self.of(kind) if e["system"] == system and e["attacker"] == attacker)
        return {part: value for part, value in found.items() if value}

    def view_of_public(self) -> Mapping[str, Any]:
        """What everybody may know."""
        return self.view(PUBLIC)

    def units(self, colour: str) -> int:
        """The units of a faction for the next turn, as published."""
        rows = self.view_of_public()["factions"]
        return next(row["values"]["resource_units"] for row in rows if row["colour"] == colour)


def resolve(document: Document, orders: Letters, dice: Dice, resigns: Iterable[str] = ()) -> Played:
    """One turn: the letters in the order given, everybody else misses the deadline, then the resolution."""
    return Played.step(ruleset, document, orders, dice, resigns)


def play(
    document: Document, orders: Letters, dice: Iterable[int] = (), *, resigns: Iterable[str] = (), **options: Any
) -> Played:
    """One turn with scripted dice, which must be used up exactly; every letter must be accepted. `options` go into the
    document first."""
    script = ScriptedDice(dice)
    played = resolve({**document, "options": {**document["options"], **options}}, orders, script, resigns)
    assert script.unused == (), f"dice left over: {script.unused}"
    for receipt in played.receipts:
        assert receipt.filed or receipt.granted, receipt.verdicts
    return played


def messages(receipt: Receipt[Any]) -> list[str]:
    """The messages of all verdicts."""
    return [verdict.message for verdict in receipt.verdicts]


def lines_of(verdicts: Iterable[Verdict]) -> list[str]:
    """The canonical orders of verdicts."""
    return [verdict.canonical for verdict in verdicts if verdict.canonical]
