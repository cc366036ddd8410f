"""The map as pbmd draws it: planets in the colours of their owners, with their resources and units in short."""

import re
from collections.abc import Sequence
from typing import Any

from pbmd.rules import Event
from pbmd.rules.paints import codes
from pbmd.rules.words import counted

from ..tables import PALETTE
from ..world.economy import blockaded, has_portal, home_in_effect
from ..world.state import Planet, Position, State

_GREY = "#c9ccd2"
"""Of NPC empires. The States of one planet have no colour at all."""
_HEX = re.compile("#[0-9a-f]{6}")
_NOTE = "Behind a name: r resources, f fleets, a armies; H home planet, P portal, ! blockade."


def chart(position: Position, own: State | None, known: Sequence[Event]) -> dict[str, Any]:
    """The picture of the map. Everything in it is public but which planets are the reader's own."""
    taken = {event.data["planet"] for event in known if event.kind == "planet_taken"}
    owners = [state for state in position.states if state.name not in position.galaxy.place and position.owned_by(state.name)]
    coloured = {state.name for state in owners}
    letters = codes([state.name for state in position.states if state.name not in position.galaxy.place])
    return {
        "title": f"Turn {position.turn}: who holds which planet",
        "nodes": [
            _node(position, planet, planet.owner if planet.owner in coloured else "", own) | {"ringed": planet.name in taken}
            for planet in position.planets
        ],
        "links": [list(line) for line in position.galaxy.lines],
        "owners": [
            {
                "name": state.name,
                "colour": _colour(state),
                "code": letters[state.name],
                "note": f"({counted(len(position.owned_by(state.name)), 'planet')}{', NPC' if state.kind == 'npc' else ''})",
            }
            for state in owners
        ],
        "legend": {
            "own": "yours",
            "ringed": "just taken" if taken else "",
            "free": "State of one planet",
        },
        "notes": [_NOTE],
    }


def _node(position: Position, planet: Planet, owner: str, own: State | None) -> dict[str, Any]:
    return {
        "name": planet.name,
        "x": planet.x,
        "y": planet.y,
        "owner": owner,
        "value": _value(position, planet) if owner else _marks(position, planet),
        "own": own is not None and planet.owner == own.name,
    }


def _value(position: Position, planet: Planet) -> str:
    """ "HP r2f1a3": what is there, whose it may be, without what is not."""
    fleets = sum(fleet.planet == planet.name for fleet in position.fleets)
    places = {fleet.id for fleet in position.fleets if fleet.planet == planet.name}
    armies = sum(army.planet == planet.name or army.fleet in places for army in position.armies)
    counts = (("r", len(planet.resources)), ("f", fleets), ("a", armies))
    told = "".join(f"{letter}{count}" for letter, count in counts if count)
    return f"{_marks(position, planet)} {told}".strip()


def _marks(position: Position, planet: Planet) -> str:
    home, portal = home_in_effect(position, planet.owner) == planet.name, has_portal(position, planet.name)
    return "H" * home + "P" * portal + "!" * blockaded(position, planet.name)


def _colour(state: State) -> str:
    if state.kind == "npc":
        return _GREY
    colour = PALETTE.get(state.color, state.color.lower())
    # A position document may have anything there.
    return colour if _HEX.fullmatch(colour) else _GREY
