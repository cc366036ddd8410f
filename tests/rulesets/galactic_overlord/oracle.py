"""The battle procedure of the specification (section 7, step 6) a second time, as plainly as can be, to compare against."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from tests.rulesets.galactic_overlord.harness import CLASSES, SIZE, ships

BEATS = {("L", "F"), ("F", "T"), ("T", "L")}
LETTER = {"laser": "L", "fighter": "F", "torpedo": "T"}


@dataclass
class Ship:
    hull: str
    letter: str
    damage: Fraction

    @property
    def size(self) -> int:
        return SIZE[self.hull]

    @property
    def left(self) -> Fraction:
        return 2 * self.size - self.damage


@dataclass
class Side:
    """A fleet with its OOB and tactics, and the hits it has taken."""

    ships: list[Ship]
    oob: str
    range_: str = ""
    formation: str = ""
    pending: Fraction = Fraction(0)
    total: Fraction = Fraction(0)
    tallies: list[float] = field(default_factory=list)

    def weapons(self, letter: str) -> int:
        return sum(ship.size for ship in self.ships if ship.letter == letter)

    def hit_points(self) -> Fraction:
        return sum((ship.left for ship in self.ships), Fraction(0))

    def hit(self, hits: Fraction) -> None:
        self.pending += hits
        self.total += hits

    def tally(self) -> None:
        hits, self.pending = self.pending, Fraction(0)
        self.tallies.append(float(hits))
        for ship in sorted(self.ships, key=lambda s: (self.oob.index(s.letter), s.size, -s.damage)):
            dealt = min(hits, ship.left)
            ship.damage += dealt
            hits -= dealt
        self.ships = [ship for ship in self.ships if ship.left > 0]

    def navy(self) -> dict[str, int]:
        """Ships per class, written as `harness.navy` writes them."""
        names = {(hull, LETTER[weapon]): name for name, (hull, weapon) in CLASSES.items()}
        counted: dict[str, int] = {}
        for ship in self.ships:
            name = names[ship.hull, ship.letter] + (f"@{float(ship.damage):g}" if ship.damage else "")
            counted[name] = counted.get(name, 0) + 1
        return counted


def side(fleet: str, oob: str, tactics: Iterable[str] = ()) -> Side:
    """A side from a navy as text, six letters and tactics in the words of the orders."""
    crew = [
        Ship(entry["hull"], LETTER[entry["weapon"]], Fraction(entry["damage"]))
        for entry in ships(fleet)
        for _ in range(entry["count"])
    ]
    words = set(tactics)
    return Side(
        crew,
        oob,
        next((word for word in ("close in", "back off") if word in words), ""),
        next((word for word in ("bunch", "spread") if word in words), ""),
    )


_RANGE = {"close in": Fraction(2), "back off": Fraction(1, 2), "": Fraction(1)}
_FORMATION = {
    ("F", "bunch"): Fraction(1, 2),
    ("F", "spread"): Fraction(2),
    ("T", "bunch"): Fraction(2),
    ("T", "spread"): Fraction(1, 2),
}


def battle(attacker: Side, defender: Side, *, to_the_death: bool = False) -> tuple[str, int]:
    """Fight it out. Gives (outcome, rounds); the sides hold the rest."""
    factor = _RANGE[attacker.range_] * _RANGE[defender.range_]
    rounds, run_hits = 0, Fraction(0)
    while True:
        letters = attacker.oob[rounds % 6], defender.oob[rounds % 6]
        rounds += 1
        ours = _strength(attacker, letters[0], letters[1], defender.formation, factor)
        theirs = _strength(defender, letters[1], letters[0], attacker.formation, factor)
        (defender if ours > theirs else attacker).hit(abs(ours - theirs))
        run_hits += abs(ours - theirs)
        broken = attacker.pending > attacker.hit_points() or defender.pending > defender.hit_points()
        if broken or rounds % 3 == 0:
            attacker.tally()
            defender.tally()
            if not attacker.ships or not defender.ships:
                break
            if rounds % 6 == 0:
                if not to_the_death or not run_hits:
                    break
                run_hits = Fraction(0)
    return _outcome(attacker, defender), rounds


def _strength(own: Side, letter: str, against: str, formation: str, factor: Fraction) -> Fraction:
    doubled = 2 if (letter, against) in BEATS else 1
    return own.weapons(letter) * doubled * (factor if letter == "L" else 1) * _FORMATION.get((letter, formation), 1)


def _outcome(attacker: Side, defender: Side) -> str:
    if not attacker.ships and not defender.ships:
        return "both_destroyed"
    if not attacker.ships or not defender.ships:
        return "attacker_won" if attacker.ships else "defender_won"
    if attacker.total == defender.total:
        return "draw"
    return "attacker_won" if attacker.total < defender.total else "defender_won"
