"""The position, the letters and the dice of the worked example (sections 4.2 and 12 of the specification)."""

import tomllib

from pbmd.rules import Document

POSITION = """
ruleset = "cosmic_conquest"
turn = 5

[[systems]]
name = "Sol"
owner = "Red"
output = 12
[[systems]]
name = "Alpha Centauri"
owner = "Red"
output = 5
[[systems]]
name = "Groombridge"
owner = "Red"
output = 5
[[systems]]
name = "Sirius"
owner = "Red"
output = 5
[[systems]]
name = "Procyon"
owner = "Purple"
output = 13
[[systems]]
name = "Tau Ceti"
owner = "Purple"
output = 5
[[systems]]
name = "Deneb"
owner = "Green"
output = 14
[[systems]]
name = "Castor"
owner = "Green"
output = 5

[[factions]]
colour = "Red"
name = "Crimson Concord"
tech = "tachyon"
drones = 2
[factions.admiral]
name = "Navarch Zel Thuun"
rank = "supreme"
cv = 6
traits = ["conqueror", "diplomat"]
turns_served = 4

[[factions]]
colour = "Purple"
name = "Veiled Choir"
tech = "psionic"
[factions.admiral]
name = "Oracle Ilmarin"
rank = "supreme"
cv = 5
traits = ["defender", "resourceful"]
turns_served = 4

[[factions]]
colour = "Green"
name = "Kesh Brood"
tech = "biomech"
drones = 1
lost_drones = 1
[factions.admiral]
name = "Broodmarshal Kesh"
rank = "supreme"
cv = 7
traits = ["strategist", "defender"]
turns_served = 4
"""

INSIGHT = "Telepathic Insight on Red"

RED = """Greetings from the Crimson Concord! Purple, you had it coming.
[b]Announce the Intergalactic Empire of the Crimson Concord.
8 Resource Units and 1 Drone for Conquest of Procyon, led by the Stellar Admiral.
10 Resource Units and 1 Drone for Conquest of Castor.
3 Resource Units for Defense of Sirius.
5 Resource Units to Invest in Sol.
Raise 1 Drone from Sol.[/b]
See you on the battlefield.
"""

RED_SHEET = (
    "Announce the Intergalactic Empire of the Crimson Concord",
    "Conquer Procyon with 8 units and 1 drone led by the admiral",
    "Conquer Castor with 10 units and 1 drone",
    "Defend Sirius with 3 units",
    "Invest 5 units in Sol",
    "Raise a drone in Sol",
)

PURPLE = """Defend Procyon with 12 units, led by the admiral
Conquer Vega with 8 units
Defend Tau Ceti with 3 units
Psychic Assault on the attack of Red on Procyon
Psychic Sabotage on Sol
"""

DICE = (4, 7, 7, 4, 5, 8, 2, 2, 5, 13)


def example() -> Document:
    """The position at the start of turn 5."""
    return tomllib.loads(POSITION) | {"options": {}}
