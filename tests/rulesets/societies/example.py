"""The worked example of the specification: position and letters."""

import tomllib

from pbmd.rules import Document

POSITION = """
ruleset = "societies"
turn = 8

[options]

[map]
side = 6
nuked = []

[[society]]
name = "Ann"
title = "The Annalists"
government = "monarchy"
tech = 7
gold = 60
armies = 16
spies = 0
nukes = 0
sdi = 0
spaceship_parts = 0
engine_spend = 0
eliminated_turn = 0
missed_turns = 0

[[society]]
name = "Bob"
title = ""
government = "despotism"
tech = 5
gold = 40
armies = 3
spies = 0
nukes = 0
sdi = 0
spaceship_parts = 0
engine_spend = 0
eliminated_turn = 0
missed_turns = 0

[[society]]
name = "Cat"
title = ""
government = "republic"
tech = 6
gold = 30
armies = 4
spies = 0
nukes = 0
sdi = 0
spaceship_parts = 0
engine_spend = 0
eliminated_turn = 0
missed_turns = 0

[[city]]
square = "A1"
owner = "Ann"
name = "Annopolis"
rehabilitating = false

[[city]]
square = "B1"
owner = "Ann"

[[city]]
square = "A2"
owner = "Ann"

[[city]]
square = "B2"
owner = "Ann"

[[city]]
square = "C1"
owner = "Bob"

[[city]]
square = "D1"
owner = "Bob"

[[city]]
square = "C2"
owner = "Bob"

[[city]]
square = "D3"
owner = "Cat"

[[city]]
square = "E3"
owner = "Cat"

[[city]]
square = "E4"
owner = "Cat"

[[wonder]]
name = "Tower of Babel"
owner = "Ann"
builder = "Ann"
square = "A1"
obsolete = false
destroyed = false

[[war]]
between = ["Ann", "Bob"]
since = 7

[result]
over = false
winners = []
"""

CAT = """Trade with Bob x2 (22)-->(+60)
Research 1
Build city at D2, F3
Give Bob 2 armies"""
ANN = """Spy on Bob, target research
Buy 4 armies (28)
Research Industrialization (84)
Attack Bob with 18 armies
Targets: C1, D1"""
BOB = """Religion (11)
Build city at D2, C3
Armies x2 (10)"""
LETTERS = (("Cat", CAT), ("Ann", ANN), ("Bob", BOB))


def example() -> Document:
    """The position of section 4."""
    return tomllib.loads(POSITION)
