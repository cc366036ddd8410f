"""The map as pbmd draws it: planets in the colours of their owners, with their resources and units in short."""

import re
from collections.abc import Sequence
from typing import Any

from pbmd.rules import Event
from pbmd.rules.words import counted

from ..tables import INFO, PALETTE
from ..world.economy import blockaded, has_portal, home_in_effect
from ..world.state import Planet, Position, State

_GREY = "#8a93a5"
"""Of NPC empires. The States of one planet have no colour at all."""
_HEX = re.compile("#[0-9a-f]{6}")
_USUAL = "r1f1a1"
"""Of NPC States of one planet."""
_NOTE = (
    "Behind a name: r resources, f fleets, a armies; H a home planet, P a portal, ! a blockade. "
    "Units of all States at a planet are counted together."
)


def chart(position: Position, own: State | None, known: Sequence[Event]) -> dict[str, Any]:
    """The picture of the map. Everything in it is public but which planets are the reader's own."""
    taken = {event.data["planet"] for event in known if event.kind == "planet_taken"}
    owners = [state for state in position.states if state.name not in position.galaxy.place and position.owned_by(state.name)]
    coloured = {state.name for state in owners}
    codes = _codes([state.name for state in owners])
    return {
        "title": f"{INFO.title}, turn {position.turn}",
        "nodes": [
            {
                "name": planet.name,
                "x": planet.x,
                "y": planet.y,
                "owner": planet.owner if planet.owner in coloured else "",
                "value": _short(_value(position, planet), is_free=planet.owner not in coloured),
                "own": own is not None and planet.owner == own.name,
                "ringed": planet.name in taken,
            }
            for planet in position.planets
        ],
        "links": [list(line) for line in position.galaxy.lines],
        "owners": [
            {
                "name": state.name,
                "colour": _colour(state),
                "code": codes[state.name],
                "note": f"({counted(len(position.owned_by(state.name)), 'planet')}{', NPC' if state.kind == 'npc' else ''})",
            }
            for state in owners
        ],
        "legend": {
            "own": "yours",
            "ringed": "just taken" if taken else "",
            "free": f"NPC State of one planet: {_USUAL} unless told",
        },
        "notes": [_NOTE],
    }


def _value(position: Position, planet: Planet) -> str:
    """ "HP r2 f1 a3": what is there, without what is not."""
    fleets = sum(fleet.planet == planet.name for fleet in position.fleets)
    places = {fleet.id for fleet in position.fleets if fleet.planet == planet.name}
    armies = sum(army.planet == planet.name or army.fleet in places for army in position.armies)
    marks = "H" * (home_in_effect(position, planet.owner) == planet.name)
    marks += "P" * has_portal(position, planet.name) + "!" * blockaded(position, planet.name)
    counts = (("r", len(planet.resources)), ("f", fleets), ("a", armies))
    return " ".join((*([marks] if marks else []), "".join(f"{letter}{count}" for letter, count in counts if count)))


def _short(value: str, *, is_free: bool) -> str:
    """Most planets have the same to begin with: without it names have room enough to be read on a telephone."""
    return "" if is_free and value == _USUAL else value


def _colour(state: State) -> str:
    if state.kind == "npc":
        return _GREY
    colour = PALETTE.get(state.color, state.color.lower())
    # A position document may have anything there.
    return colour if _HEX.fullmatch(colour) else _GREY


def _codes(names: Sequence[str]) -> dict[str, str]:
    """One or two letters for each name, none twice: the first letter with the first other that makes a difference."""
    codes: dict[str, str] = {}
    for name in names:
        letters = [char for char in name if char.isalnum()]
        first = letters[0].upper()
        wishes = [first, *(first + char.lower() for char in letters[1:]), *(f"{first}{digit}" for digit in range(1, 10))]
        codes[name] = next((wish for wish in wishes if wish not in codes.values()), f"{len(codes)}")
    return codes
