"""The position, the letters and the dice of the worked example (sections 4 and 12 of the specification)."""

import tomllib

from pbmd.rules import Document

POSITION = """
ruleset = "local_cluster"
turn = 3
waiting = ["Terrans", "Zorg"]
next_fleet = 36
next_army = 36

[[states]]
name = "Terrans"
leader = "Ada Moreau, First Speaker"
player_name = "Kim"
color = "teal"
home_planet = "Aquila"
traits = ["Warlike", "Scholars"]
credits = 6

[[states]]
name = "Zorg"
leader = "Uth, Voice of the Brood"
player_name = "Sam"
color = "maroon"
home_planet = "Garnet"
traits = ["Swarm", "Stalwart"]
credits = 4

[[states]]
name = "Bastion"
kind = "npc"
credits = 3
establishment_armies = 1
establishment_fleets = 1

[[planets]]
name = "Aquila"
owner = "Terrans"
resources = ["Refinery", "Farmland"]

[[planets]]
name = "Bastion"
resources = ["Barracks"]

[[planets]]
name = "Garnet"
owner = "Zorg"
resources = ["Mines", "Mines"]

[[fleets]]
id = "F1"
owner = "Bastion"
planet = "Bastion"

[[fleets]]
id = "F33"
owner = "Terrans"
planet = "Aquila"

[[fleets]]
id = "F34"
owner = "Terrans"
planet = "Aquila"

[[fleets]]
id = "F35"
owner = "Zorg"
planet = "Garnet"

[[armies]]
id = "A1"
owner = "Bastion"
planet = "Bastion"

[[armies]]
id = "A33"
owner = "Terrans"
fleet = "F33"

[[armies]]
id = "A34"
owner = "Terrans"
planet = "Aquila"

[[armies]]
id = "A35"
owner = "Zorg"
planet = "Garnet"

[[relations]]
between = ["Terrans", "Bastion"]
status = "war"

[[relations]]
between = ["Terrans", "Eridu"]
trade = true

[[relations]]
between = ["Terrans", "Fenris"]
trade = true

[[relations]]
between = ["Zorg", "Fenris"]
trade = true

[[relations]]
between = ["Zorg", "Hesper"]
trade = true
"""

TERRANS = """Offer trade treaty to Zorg
Move F33 and F34 from Aquila to Bastion
Land A33 on Bastion
Research Portal
Build army at Aquila
Develop Mines on Bastion
"""

ACCEPT = "Accept trade treaty from Terrans"

ZORG = """Offer military pact to Fenris
Offer military pact to Ilium
Move F35 to Fenris
Build 2 armies at Garnet
Develop Portal on Garnet
Redevelop Mines into Refinery on Garnet
"""

DICE = (9, 3, 10, 6, 2, 7, 3, 2)

SAMPLE = """Diplomacy:
- Declare war on Vesper
- Offer trade treaty to Zorg
- Gift 4 credits to Zorg
Movement:
- Land A33 on Bastion
- Load A34 onto F34
- Move F34 from Aquila to Bastion
- Bombard Bastion with F33
Research:
- Research Portal I
Building:
- Build army at Aquila
- Build a fleet at Aquila
- Re-develop Farmland into Refinery on Aquila
"""


def example() -> Document:
    """The position in Turn 3."""
    return tomllib.loads(POSITION)
