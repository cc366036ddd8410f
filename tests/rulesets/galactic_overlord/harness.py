"""Builders that let a test read like a game report: positions in a line, orders as players write them, results as names.

Ships are written as the reports print them: ``"3 Laserfrigate, 1 Torpedocruiser@1"`` is three undamaged laser frigates
and a torpedo cruiser with damage 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbmd.rules import Dice, Document, Event, Receipt, ScriptedDice, Verdict
from rulesets.galactic_overlord import ruleset
from tests.rulesets import played as shared
from tests.rulesets.played import Letters, mail

HULLS = ("frigate", "cruiser", "battleship", "dreadnaught", "titan")
SIZE = {hull: size for size, hull in enumerate(HULLS, start=1)}
WEAPONS = {"laser": "Laser", "fighter": "Carrier", "torpedo": "Torpedo"}
CLASSES = {f"{prefix}{hull}": (hull, weapon) for weapon, prefix in WEAPONS.items() for hull in HULLS}
_SHIPS = re.compile(r"(\d+) (\w+?)(?:@([\d.]+))?")


def ships(text: str) -> list[dict[str, Any]]:
    """Entries of a navy from ``"3 Laserfrigate, 1 Torpedocruiser@1"``, in the canonical order of the position document."""
    found = [_SHIPS.fullmatch(item.strip()) for item in text.split(",") if item.strip()]
    entries = [
        {
            "hull": CLASSES[match[2]][0],
            "weapon": CLASSES[match[2]][1],
            "count": int(match[1]),
            "damage": float(match[3] or 0),
        }
        for match in found
        if match
    ]
    assert len(entries) == len(found), f"not a navy: {text}"
    order = list(WEAPONS)
    return sorted(entries, key=lambda e: (order.index(e["weapon"]), SIZE[e["hull"]], e["damage"]))


def navy(text: str) -> dict[str, int]:
    """What `Played.navy` gives for that navy."""
    return _counted(ships(text))


def _counted(entries: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for entry in entries:
        name = f"{WEAPONS[entry['weapon']]}{entry['hull']}"
        if entry["damage"]:
            name += f"@{entry['damage']:g}"
        assert name not in counted, f"{name} has two entries"
        counted[name] = entry["count"]
    return counted


def player(name: str, fleet: str = "", *, bases: int = 3, **fields: Any) -> dict[str, Any]:
    """A player with `bases` self-built bases; `fields` are those of the position document (``bp``, ``spies`` …)."""
    table = {
        "name": name,
        "alive": True,
        "bp": 0,
        "generators": 0,
        "spies": 0,
        "counter_espionage": 2,
        "original_ships": 0,
        "ships": ships(fleet),
    }
    assert set(fields) <= set(table), f"no such field: {fields}"
    return {**table, **fields, "_bases": bases}


def base(name: str, owner: str, builder: str = "", acquired: int = 0) -> dict[str, Any]:
    """A base beyond the automatic ones; `acquired` 0 means the next number."""
    return {"name": name, "owner": owner, "builder": builder or owner, "acquired": acquired}


def position(*players: Mapping[str, Any], bases: Sequence[Mapping[str, Any]] = (), turn: int = 4, **options: Any) -> Document:
    """A position document. Each player's own bases are `<name> Base <n>`, acquired in the order of the players."""
    own = [base(f"{p['name']} Base {n}", p["name"]) for p in players for n in range(1, p["_bases"] + 1)]
    everything = [dict(entry) for entry in (*own, *bases)]
    used = {entry["acquired"] for entry in everything}
    fresh = (number for number in range(1, 10_000) if number not in used)
    for entry in everything:
        entry["acquired"] = entry["acquired"] or next(fresh)
    return {
        "ruleset": "galactic_overlord",
        "turn": turn,
        "status": "running",
        "winner": "",
        "options": dict(options),
        "players": [{key: value for key, value in p.items() if key != "_bases"} for p in players],
        "bases": everything,
    }


def receive(document: Mapping[str, Any], seat: str, text: str) -> Receipt[Any]:
    """The receipt for one letter to that position."""
    return ruleset.receive(ruleset.load(document), mail(seat, text))


def verdicts(document: Mapping[str, Any], seat: str, text: str) -> tuple[Verdict, ...]:
    """The verdicts on the lines of one letter, without those on the letter as a whole."""
    return tuple(verdict for verdict in receive(document, seat, text).verdicts if verdict.line)


def one_verdict(document: Mapping[str, Any], seat: str, line: str) -> Verdict:
    """The verdict on a letter of one line."""
    (verdict,) = verdicts(document, seat, line)
    return verdict


class Played(shared.Played):
    """One turn, resolved."""

    @property
    def verdicts(self) -> Mapping[str, tuple[Verdict, ...]]:
        """The verdicts on each seat's letter."""
        return {seat: receipt.verdicts for (seat, _), receipt in zip(self.letters, self.receipts, strict=True)}

    def player(self, name: str) -> dict[str, Any]:
        """The player's table in the new document."""
        return next(table for table in self.document["players"] if table["name"] == name)

    def stocks(self, name: str) -> tuple[int, int, int]:
        """Generators, spies, counter-espionage."""
        table = self.player(name)
        return table["generators"], table["spies"], table["counter_espionage"]

    def navy(self, name: str) -> dict[str, int]:
        """Ships per class; damage follows an @."""
        return _counted(self.player(name)["ships"])

    def base(self, name: str) -> dict[str, Any]:
        """The base's table in the new document."""
        return next(table for table in self.document["bases"] if table["name"] == name)

    def bases(self, owner: str) -> list[str]:
        """The names of a player's bases in the order acquired."""
        held = [table for table in self.document["bases"] if table["owner"] == owner]
        return [table["name"] for table in sorted(held, key=lambda table: table["acquired"])]

    def of(self, kind: str) -> list[Event]:
        """The events of that kind."""
        return [event for event in self.events if event.kind == kind]

    @property
    def battles(self) -> list[Event]:
        """The battles in the order fought."""
        return self.of("battle")

    @property
    def battle(self) -> Event:
        """The only battle."""
        (event,) = self.battles
        return event

    @property
    def outcome(self) -> str:
        """The outcome of the only battle."""
        return self.battle.data["outcome"]

    @property
    def rounds(self) -> int:
        """The number of rounds of the only battle."""
        return self.battle.detail["rounds"]

    @property
    def tallies(self) -> list[tuple[float, float]]:
        """Hits on (attackers, defender) at each tally of the only battle."""
        return tallies(self.battle)

    def line(self, seat: str, number: int) -> Verdict:
        """The verdict on that line of that seat's letter."""
        return next(verdict for verdict in self.verdicts[seat] if verdict.line == number)


def tallies(battle: Event) -> list[tuple[float, float]]:
    """Hits on (attackers, defender) at each tally."""
    return [(tally["attackers"], tally["defender"]) for tally in battle.detail["tallies"]]


def lost(event: Event) -> dict[tuple[str, str], int]:
    """Ships lost in a battle or at a shield: (player, class) → count."""
    return {(entry["player"], entry["class"]): entry["count"] for entry in event.data["lost"]}


def resolve(document: Document, orders: Letters, dice: Dice) -> Played:
    """One turn: the letters in the order given, everybody else misses the deadline, then the resolution."""
    return Played.step(ruleset, document, orders, dice)


def play(document: Document, orders: Letters, dice: Iterable[int] = (), **options: Any) -> Played:
    """One turn with scripted dice, which must be used up exactly. `options` go into the document first."""
    script = ScriptedDice(dice)
    played = resolve({**document, "options": {**document["options"], **options}}, orders, script)
    assert script.unused == (), f"dice left over: {script.unused}"
    return played


def fight(
    attackers: str,
    defenders: str,
    attack: str = "LFTLFT",
    defence: str = "LFTLFT",
    *,
    line: str = "",
    dice: Iterable[int] = (),
    **options: Any,
) -> Played:
    """Altair attacks Cygnus with all he has; `line` is added to the Attack line. An empty OOB is not sent."""
    document = position(player("Altair", attackers), player("Borealis"), player("Cygnus", defenders))
    altair = f"Attack Cygnus with all {line}" + (f"\nAttack: {attack}" if attack else "")
    cygnus = f"Defence: {defence}" if defence else "Stockpile"
    return play(document, [("Altair", altair), ("Cygnus", cygnus)], dice, **options)
