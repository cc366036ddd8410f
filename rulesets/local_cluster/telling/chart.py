"""The map as pbmd draws it: planets in the colours of their owners, with little signs for what is there, and what happened."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pbmd.rules import Event
from pbmd.rules.paints import codes
from pbmd.rules.words import counted, listing

from ..position import movers
from ..tables import PALETTE
from ..world.economy import blockaded, has_portal, home_in_effect
from ..world.state import Planet, Position, Relation, State

_GREY = "#c9ccd2"
"""For NPC empires. The States of one planet have no colour at all."""
_HEX = re.compile("#[0-9a-f]{6}")
_BATTLES = ("fleet_round", "army_round", "bombarded")
_MOST_MOVES, _MOST_TIES, _MOST_COUNT = 60, 60, 999
"""In a long report only the last moves; of wars and treaties the reader's own first."""
_SIGNS = (
    ("home", "star", "home planet"),
    ("portal", "diamond", "portal"),
    ("resource", "square", "resource"),
    ("fleet", "triangle", "fleet"),
    ("army", "bar", "army"),
)


class _Picture(NamedTuple):
    """What the map is made of: `own` is the reader's nation, and `coloured` are the States of more than one planet."""

    position: Position
    own: State | None
    coloured: frozenset[str]
    known: Sequence[Event]


def chart(position: Position, own: State | None, known: Sequence[Event]) -> dict[str, Any]:
    """The picture of the map. Everything in it is public, except which planets and treaties are the reader's own."""
    owners = [state for state in position.states if state.name not in position.galaxy.place and position.owned_by(state.name)]
    of = _Picture(position, own, frozenset(state.name for state in owners), known)
    moves = [*dict.fromkeys(_moves(of))][-_MOST_MOVES:]
    taken = dict.fromkeys(_planets_of(known, "planet_taken"))
    return {
        "title": f"Turn {position.turn}: who holds which planet",
        "caption": "; ".join(_caption(of, owners)),
        "nodes": [_node(of, planet) | {"ringed": planet.name in taken} for planet in position.planets],
        "links": [list(line) for line in position.galaxy.lines],
        "owners": _owners(position, owners),
        "ties": [*_ties(of)][:_MOST_TIES],
        "arrows": [{"path": [start, end], "owner": owner, "failed": False} for owner, start, end in moves],
        "clashes": [planet for planet in dict.fromkeys(_planets_of(known, *_BATTLES)) if planet not in taken],
        "signs": [{"name": name, "shape": shape, "words": words} for name, shape, words in _SIGNS],
        "legend": {
            "own": "yours",
            "ringed": "just taken",
            "free": "State of one planet",
            "halo": "to move",
            "barred": "blockaded",
            "jagged": "at war",
            "double": "your trade" if own else "trade",
            "arrow": "fleet moved",
            "clash": "fought",
        },
        "notes": [],
    }


def _caption(of: _Picture, owners: Sequence[State]) -> Iterator[str]:
    """Who has how much, took what, and is at war with whom."""
    yield from (f"{state.name} {counted(len(of.position.owned_by(state.name)), 'planet')}" for state in owners)
    for event in of.known:
        if event.kind == "planet_taken":
            yield f"{event.data['to']} took {event.data['planet']}"
    yield from (f"{listing(pair.between)} are at war" for pair in of.position.relations if pair.at_war)


def _owners(position: Position, owners: Sequence[State]) -> list[dict[str, Any]]:
    letters = codes([state.name for state in position.states if state.name not in position.galaxy.place])
    return [
        {
            "name": state.name,
            "colour": _colour(state),
            "code": letters[state.name],
            "note": f"({counted(len(position.owned_by(state.name)), 'planet')}{', NPC' if state.kind == 'npc' else ''})",
        }
        for state in owners
    ]


# --- Planets -----------------------------------------------------------------------------------------------------------


def _node(of: _Picture, planet: Planet) -> dict[str, Any]:
    position, owner = of.position, planet.owner
    return {
        "name": planet.name,
        "x": planet.x,
        "y": planet.y,
        "owner": owner if owner in of.coloured else "",
        "value": "",
        "own": of.own is not None and owner == of.own.name,
        "halo": not position.winner and planet.name in {_seat_of(position, name) for name in movers(position)},
        "barred": blockaded(position, planet.name),
        "signs": [[name, min(count, _MOST_COUNT)] for name, count in _counts(of, planet) if count],
    }


def _seat_of(position: Position, name: str) -> str:
    """The planet that stands for a State: its home, or the first that it has."""
    return home_in_effect(position, name) or next((planet.name for planet in position.owned_by(name)), "")


def _counts(of: _Picture, planet: Planet) -> list[tuple[str, int]]:
    """What is there, and who it may belong to; for a State of one planet only what is unusual."""
    position, name = of.position, planet.name
    portal = ("portal", int(has_portal(position, name)))
    if planet.owner not in of.coloured:
        return [portal]
    places = {fleet.id for fleet in position.fleets if fleet.planet == name}
    return [
        ("home", int(home_in_effect(position, planet.owner) == name)),
        portal,
        ("resource", len(planet.resources)),
        ("fleet", len(places)),
        ("army", sum(army.planet == name or army.fleet in places for army in position.armies)),
    ]


def _colour(state: State) -> str:
    if state.kind == "npc":
        return _GREY
    colour = PALETTE.get(state.color, state.color.lower())
    # A position document may have anything there.
    return colour if _HEX.fullmatch(colour) else _GREY


# --- What happened, and what is between States --------------------------------------------------------------------------


def _planets_of(known: Sequence[Event], *kinds: str) -> Iterator[str]:
    return (event.data["planet"] for event in known if event.kind in kinds)


def _moves(of: _Picture) -> Iterator[tuple[str, str, str]]:
    """Each route that fleets or armies of a State took, once."""
    for event in of.known:
        if event.kind == "moved":
            state = event.data["state"]
            yield state if state in of.coloured else "", event.data["from"], event.data["to"]


def _ties(of: _Picture) -> Iterator[dict[str, Any]]:
    """All wars; and trade: the reader's own, for others that between States of more than one planet."""
    own = of.own.name if of.own else ""
    for relation in sorted(of.position.relations, key=lambda relation: own not in relation.between):
        if relation.at_war:
            yield from ({"between": pair, "look": "jagged"} for pair in _borders(of.position, relation))
        elif relation.trade and (own in relation.between if own else {*relation.between} <= of.coloured):
            yield from ({"between": pair, "look": "double"} for pair in _borders(of.position, relation)[:1])


def _borders(position: Position, relation: Relation) -> list[list[str]]:
    """The lines at which two States border; where there is none, from one's seat to the other's."""
    owner = {planet.name: planet.owner for planet in position.planets}
    lines = [list(line) for line in position.galaxy.lines if {owner[place] for place in line} == {*relation.between}]
    far = [_seat_of(position, name) for name in relation.between]
    return lines or ([far] if all(far) else [])
