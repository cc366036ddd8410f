"""The worked example of the specification: position and letters."""

import tomllib

from pbmd.rules import Document

POSITION = """
ruleset = "starship_squadrons"
version = 1
day = 5
phase = "day"
next_transit = 1

[options]
map = "border"

[jump_map]
columns = 9
rows = 7

[[sides]]
id = 1
name = "Concord"
tech = 15
points = 300

[[sides]]
id = 2
name = "League"
tech = 15
points = 300

[[players]]
name = "anna"
side = 1
next_question = 3

[[players]]
name = "ben"
side = 2
next_question = 3

[[systems]]
name = "Brisk"
hex = "0303"
deploy = [{ side = 1, min_col = 1, max_col = 19 }]
bodies = [
  { name = "Brisk Star", kind = "star", hex = "1008", limit = 2 },
  { name = "Brisk Prime", kind = "planet", hex = "0710", limit = 1, owner = 1, starport = true, stock = 4, value = 20 },
  { name = "Brisk Giant", kind = "gas_giant", hex = "1405", limit = 2 },
]

[[systems]]
name = "Halfway"
hex = "0504"
bodies = [
  { name = "Halfway Star", kind = "star", hex = "1008", limit = 3 },
  { name = "Halfway Prime", kind = "planet", hex = "0605", limit = 1, starport = true, value = 20 },
  { name = "Halfway Minor", kind = "planet", hex = "1411", limit = 1, value = 10 },
  { name = "Halfway Giant", kind = "gas_giant", hex = "0412", limit = 2 },
]

[[units]]
name = "Iron Duke"
side = 1
player = "anna"
jump = 4
maneuver = 6
sensor_range = 4
attack = 20
attack_range = 7
defense = 6
fuel_counters = 4
system = "Halfway"
hex = "0607"

[[units]]
name = "Tender"
side = 1
player = "anna"
jump = 4
maneuver = 4
defense = 2
supply = 8
supply_counters = 6
fuel_counters = 2
system = "Halfway"
hex = "0607"

[[units]]
name = "Swift"
side = 2
player = "ben"
jump = 6
maneuver = 6
sensor_range = 2
attack = 8
attack_range = 4
defense = 2
admiral_counters = 1
system = "Halfway"
hex = "1206"

[[units]]
name = "Thunder"
side = 2
player = "ben"
jump = 4
maneuver = 5
sensor_range = 3
attack = 15
attack_range = 8
defense = 6
system = "Halfway"
hex = "1609"

[[questions]]
id = "Q1"
side = 1
player = "anna"
system = "Halfway"
hex = "0607"

[[questions]]
id = "Q2"
side = 1
player = "anna"
system = "Halfway"
hex = "0412"

[[questions]]
id = "Q1"
side = 2
player = "ben"
system = "Halfway"
hex = "1609"

[[questions]]
id = "Q2"
side = 2
player = "ben"
where = "reserve"
"""

SETUP = """
SQUADRON Iron Duke: JUMP 4 MANEUVER 6 SENSOR 4 ATTACK 20 RANGE 7 DEFENSE 6 AT Aldane 0606
SQUADRON Cruiser WITH Jump 4, Maneuver 6, Sensors 7, Attack 20, Attack Range 7, and Defense 6
SQUADRON Tender: J4 M4 D2 U8 AT Brisk 0710
PLANET Aldane Prime: SENSOR 6 ATTACK 15 RANGE 6 DEFENSE 12 SUPPLY 4
BUY ADMIRAL FOR Iron Duke
BUY SUPPLY 8 FOR Tender
BUY ? 6
PLACE Q1 ON Iron Duke
PLACE Q2 AT Brisk 1203
"""

ANNA = """
FLEET Alpha: Iron Duke, Tender, Q1
IMPULSE 1
MOVE Alpha TO 0506
FIRE Iron Duke AT Swift WITHIN 4
IMPULSE 2
MOVE Alpha TO 0605
FIRE Iron Duke AT Swift, NEAREST
END OF DAY
REPAIR 1 HIT ON Iron Duke FROM Tender
JUMP Tender TO Brisk 0303
PLACE ? ON Iron Duke
"""

BEN = """
IMPULSE 1
MOVE Swift TO 1005
MOVE Thunder, Q1 TO 1109
HOLD FIRE Swift
FIRE Thunder AT ?
IMPULSE 2
MOVE Swift TO 0804
MOVE Thunder TO 1311
FIRE Swift AT STRONGEST
FIRE Thunder AT Iron Duke WITHIN 5
END OF DAY
PLACE Q2 ON Thunder
"""

LETTERS = (("anna", ANNA.strip()), ("ben", BEN.strip()))


def example() -> Document:
    """A fresh copy of the position document."""
    return tomllib.loads(POSITION)
