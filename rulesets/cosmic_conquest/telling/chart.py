"""The picture of the public map: who holds which system, and the results of the turn's attacks."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbmd.rules import Event
from pbmd.rules.words import listing

from ..tables import PAINTS
from ..world.galaxy import Star
from ..world.state import Faction, Position, System

_MOST_ARROWS = 100
"""How many can be drawn; those that took something come first."""


def chart(position: Position, own: Faction | None, known: Sequence[Event]) -> dict[str, Any]:
    """It shows only the table of systems, the public news, and which systems are the reader's own."""
    public = [event for event in known if event.audience is None]
    taken = {event.data["system"]: event.data for event in public if event.kind == "conquest"}
    held, usual = Counter(system.owner for system in position.systems), usual_output(position)
    owners = [faction.colour for faction in position.factions if held[faction.colour]]
    turn = next((f"Turn {event.data['turn']}" for event in public if event.kind == "turn_resolved"), "")
    return {
        "title": f"{turn or f'Before turn {position.turn}'}: who holds which system",
        "caption": _caption({colour: held[colour] for colour in owners}, taken),
        "nodes": [node | {"ringed": node["name"] in taken} for node in _nodes(position, own, usual)],
        "links": [*_links(position.galaxy.stars)],
        "owners": [{"name": colour, **PAINTS[colour], "note": str(held[colour])} for colour in owners],
        "arrows": sorted(_arrows(position, public, taken), key=lambda arrow: arrow["failed"])[:_MOST_ARROWS],
        "legend": {
            "own": "yours",
            "ringed": f"taken in {turn.lower()}",
            "free": f"independent, output {usual} if none is told",
            "arrow": "attack that took it",
            "failed": "attack in vain",
        },
        "notes": ["Behind a system its output; behind a colour how many systems it has."],
    }


def _caption(held: Mapping[str, int], taken: Mapping[str, Mapping[str, Any]]) -> str:
    """ "Red 3; Green 2; Red took Gliese and Sol"."""
    winners = dict.fromkeys(data["to"] for data in taken.values())
    gains = (f"{one} took {listing(system for system, data in taken.items() if data['to'] == one)}" for one in winners)
    return "; ".join([*(f"{colour} {count}" for colour, count in held.items()), *gains])


def usual_output(position: Position) -> int:
    """The output that most independent systems have; 0 if there is none."""
    counts = Counter(system.output for system in position.systems if not system.owner)
    return counts.most_common(1)[0][0] if counts else 0


def _links(stars: Sequence[Star]) -> Iterator[list[str]]:
    return ([star.name, other] for star in stars for other in star.neighbours if star.name < other)


def _nodes(position: Position, own: Faction | None, usual: int) -> Iterator[dict[str, Any]]:
    pairs = zip(position.galaxy.stars, position.systems, strict=True)
    return (_node(star, system, own, usual) for star, system in pairs)


def _node(star: Star, system: System, own: Faction | None, usual: int) -> dict[str, Any]:
    """A system on the map; that it has the usual output is said once, below."""
    return {
        "name": star.name,
        "x": star.x,
        "y": star.y,
        "owner": system.owner,
        "value": str(system.output) if system.owner or system.output != usual else "",
        "own": own is not None and system.owner == own.colour,
    }


# --- Attacks --------------------------------------------------------------------------------------------------------------


def _arrows(position: Position, public: Sequence[Event], taken: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each attack, from the nearest system next to its target that the attacker held: no order says from which one. A faction
    that has lost everything has no colour on the map."""
    before = {star.name: system.owner for star, system in zip(position.galaxy.stars, position.systems, strict=True)}
    before |= {system: data["from"] for system, data in taken.items()}
    stars = {star.name: star for star in position.galaxy.stars}
    for system, colour in dict.fromkeys(_attacks(public)):
        target = stars[system]
        sources = [stars[other] for other in target.neighbours if before[other] == colour]
        if sources:
            nearest = min(sources, key=lambda star: math.dist((star.x, star.y), (target.x, target.y)))
            won = system in taken and taken[system]["to"] == colour
            left = any(system.owner == colour for system in position.systems)
            yield {"path": [nearest.name, system], "owner": colour if left else "", "failed": not won}


def _attacks(public: Sequence[Event]) -> Iterator[tuple[str, str]]:
    """Which system was attacked by whom, even where no shot was fired."""
    for event in public:
        if event.kind == "combat":
            yield event.data["system"], event.data["attacker"]
        elif event.kind in ("undefended", "attack_blocked"):
            yield from ((event.data["system"], colour) for colour in event.data["attackers"])
