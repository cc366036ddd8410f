"""Random positions and letters for the property tests."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from pbmd.rules import Document
from tests.rulesets.starship_squadrons.harness import world

OPTIONS: dict[str, list[Any]] = {
    "fog": ["sensors"],
    "turn_mode": ["phases"],
    "default_fire": ["nearest"],
    "fire_removes": ["one"],
    "ambush_half": [True],
    "half_rounding": ["down"],
    "damage_model": ["labelled"],
    "destruction": ["never"],
    "fuel_loss": ["per_attack", "none"],
    "refuel": ["one"],
    "supply_per_factor": [0, 3],
    "supply_hits": ["keep"],
    "starport_repair": [False],
    "auto_repair": [False],
    "jump_days": [1, 2],
    "transit_start": ["next_day"],
    "jump_out_limit": [True],
    "micro_jump": [True],
    "dummy_jump": [False],
    "dummy_maneuver": [0, 2],
    "questions_per_turn": [0, 2],
    "max_missed": [1],
    "day_limit": [6],
    "allow_wait": [False],
    "players_per_side": [2],
    "share_side": [False],
}
BODIES = (
    "Port planet 0606 limit 1 owner 1 starport stock 3 value 5 capital",
    "Rock planet 1108 limit 1 owner 2 starport stock 1 value 7 capital",
    "Moon planet 0808 limit 0 value 2",
    "Big gas_giant 0909 limit 2",
    "Sun star 1212 limit 3",
)
PLAYERS = {1: ("anna", "carl"), 2: ("ben", "dora")}


def _hex(chance: random.Random) -> str:
    """Near the middle, so that the sides meet."""
    return f"{chance.randint(5, 12):02}{chance.randint(5, 11):02}"


def random_world(seed: int, many: int = 6) -> Document:
    """A legal position with up to `many` squadrons a side, some in transit, with fleets, wounds and all kinds of options."""
    chance = random.Random(seed)
    options = {key: chance.choice(values) for key, values in OPTIONS.items() if chance.random() < 0.15}
    labelled = options.get("damage_model") == "labelled"
    units: dict[int, list[str]] = {1: [], 2: []}
    groups, marks = list[str](), list[str]()
    allies = options.get("players_per_side") == 2
    for side in (1, 2):
        players = PLAYERS[side][: 2 if allies else 1]
        for number in range(chance.randint(1, 2)):
            name = f"T{2 * side + number - 1}"
            groups.append(f"{name} {chance.choice(players)} day {chance.randint(0, 5)} Near:0303 distance 1")
        for number in range(chance.randint(1, many)):
            levels = {key: chance.choice((0, 1, 3, 5, 9)) for key in "JMSARDU"}
            levels["J"] = max(1, levels["J"])
            room = levels["U"] * options.get("supply_per_factor", 1)
            where = f"@T{2 * side - 1}" if chance.random() < 0.15 else f"@{_hex(chance)}"
            text = " ".join(f"{key}{level}" for key, level in levels.items())
            hurt = 0 if labelled else chance.choice((0, 0, levels["D"]))
            carried = (
                f"fuel {chance.randint(0, levels['J'])} supplies {chance.randint(0, room)} admirals {chance.choice((0, 0, 2))}"
            )
            units[side].append(f"Ship {number} {text} damage {hurt} {carried} by {chance.choice(players)} {where}")
        if chance.random() < 0.5:
            units[side].append(f"planet {'Port' if side == 1 else 'Rock'} S3 A4 R3 D5 U2 @{'0606' if side == 1 else '1108'}")
        for player in players:
            for number in range(chance.randint(0, 4)):
                where = chance.choice(["reserve", f"@T{2 * side - 1}", f"@{_hex(chance)}", f"@{_hex(chance)}"])
                if number == 0 and units[side]:
                    where = chance.choice(units[side]).split()[-1]
                marks.append(f"{player} Q{number + 1} {where}")
    names = "anna ben carl dora" if allies else "anna ben"
    return world(units[1], units[2], questions=marks, bodies=BODIES, transits=groups, players=names, **options)


def documents() -> st.SearchStrategy[Document]:
    """Such positions."""
    return st.integers(0, 10**9).map(random_world)


def noise(chance: random.Random) -> str:
    """A line of an order that may or may not make sense."""
    own = chance.choice(["Ship 0", "Ship 1", "Ship 2", "Q1", "Q2", "ALL", "Alpha", "Port", "Guard", "Ship 0, Ship 1, Q1"])
    unit = chance.choice(["Ship 0", "Ship 1", "Guard", "Port", "Rock"])
    target = chance.choice(["Ship 0", "NEAREST", "STRONGEST", "WEAKEST", "?", f"? {_hex(chance)}", _hex(chance), "PLANET, ANY"])
    impulse = chance.choice(["", "1", "2"])
    return chance.choice(
        [
            f"MOVE {impulse} {own} TO {_hex(chance)} THEN {_hex(chance)}",
            f"FIRE {impulse} {own} AT {target}, NEAREST WITHIN {chance.randint(0, 9)}",
            f"FIRE {impulse} {own} AT {target} IF SEEN",
            f"HOLD FIRE {impulse} {own}",
            f"TRANSFER {chance.randint(1, 5)} SUPPLY FROM {chance.choice([unit, 'STARPORT'])} TO {unit}",
            f"TRANSFER 1 ADMIRAL FROM {unit} TO Ship 1",
            f"REPAIR {chance.randint(1, 3)} HITS ON {own} FROM {chance.choice([unit, 'STARPORT', 'SELF'])}",
            f"REPAIR {own}",
            f"NO REPAIR {unit}",
            f"JUMP {own} TO Near {_hex(chance)}",
            f"PLACE ? ON {unit}",
            f"PLACE ? AT Field {_hex(chance)}",
            f"FLEET Alpha: {own}",
            "DISBAND Alpha",
            f"WAIT {chance.randint(2, 4)}",
            "PASS",
        ]
    )
