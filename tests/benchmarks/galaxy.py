"""Six players in the middle of a game of Galactic Overlord, and eight order lines for each, other ones for each draw."""

from random import Random
from typing import Any

from pbmd.rules.protocol import Document, Line

SEATS = ("Altair", "Borealis", "Cygnus", "Deneb", "Elnath", "Fomalhaut")
LINES = 8
_WEAPONS = {"Laser": "laser", "Carrier": "fighter", "Torpedo": "torpedo"}
_HULLS = ("frigate", "cruiser", "battleship")
_TACTICS = ("close in, bunch", "back off, spread", "close in, default", "default, bunch", "back off, default")


def middle_game() -> Document:
    """Turn 5: each of the six has four bases of their own, three ships of each weapon and hull, and 60 BP."""
    players: list[dict[str, Any]] = []
    bases: list[dict[str, Any]] = []
    for name in SEATS:
        ships = [{"hull": hull, "weapon": weapon, "count": 3, "damage": 0.0} for weapon in _WEAPONS.values() for hull in _HULLS]
        players.append(
            {
                "name": name,
                "alive": True,
                "bp": 60,
                "generators": 1,
                "spies": 1,
                "counter_espionage": 2,
                "original_ships": 0,
                "ships": ships,
            }
        )
        for number in range(1, 5):
            base = {"name": f"{name} Base {number}", "owner": name, "builder": name, "acquired": len(bases) + 1}
            bases.append(base)
    return {
        "ruleset": "galactic_overlord",
        "turn": 5,
        "status": "running",
        "winner": "",
        "options": {},
        "players": players,
        "bases": bases,
    }


def order_lines(seat: str, chance: Random) -> list[str]:
    """Eight legal order lines, for the position above and for the first turn alike."""
    others = [name for name in SEATS if name != seat]
    target, feared = chance.sample(others, 2)
    kind = f"{chance.choice(list(_WEAPONS))}frigate"
    count = chance.randint(2, 6)
    return [
        f"Build {count} {kind}s, 1 {chance.choice(list(_WEAPONS))}cruiser",
        f"Build 1 base named {seat} {chance.choice('ABCDEFGHIJKLMNOP')}{chance.randint(1, 999)}",
        "Use counter-espionage",
        f"Attack {target} with {chance.randint(1, count)} {kind}s",
        f"OOB attack: {_sequence(chance)} {chance.choice(_TACTICS)}",
        f"OOB defence: {_sequence(chance)} {chance.choice(_TACTICS)}",
        f"OOB defence vs {feared}: {_sequence(chance)} {chance.choice(_TACTICS)}",
        f"OOB default: {_sequence(chance)}",
    ]


def numbered(lines: list[str]) -> tuple[Line, ...]:
    """The lines as a letter brings them."""
    return tuple(Line(number, text) for number, text in enumerate(lines, start=1))


def _sequence(chance: Random) -> str:
    letters = list("LLFFTT")
    chance.shuffle(letters)
    return "".join(letters)
