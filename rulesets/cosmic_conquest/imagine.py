"""The position as one faction may imagine it: its view, and what it assumes about others.

Made from the view alone. What a view does not show is set by the handbook under PREVIEW. Sabotage in other factions' systems
shows only in their published units: it is assumed to be in the first of their systems.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbmd.rules import Document, Line, Options, Refused, View, assumed
from pbmd.rules.options import changed

from .position import CODEC
from .tables import INFO, RANKS, TECHS
from .world.galaxy import MAPS, Star
from .world.state import Position, System
from .world.values import resource_units

_TECHS = {tech.name: key for key, tech in TECHS.items()}
_RANKS = {rank.name: key for key, rank in RANKS.items()}
_MOST = {"cv": 20, "drones": 999, "lost_drones": 999}
_LIKELY_CV = 6


def imagine(view: View, options: Options, lines: Sequence[Line]) -> Position:
    """See the module. Raises `Refused` for a faction that is out of the game and for what cannot be assumed."""
    data, own = view.data, view.data["own"]
    if own is None or data["phase"] != "orders":
        raise Refused("you are not in the game any more")
    said = assumed(lines, [row["colour"] for row in data["factions"]], own["colour"], _MOST)
    known = {system["name"]: system["penalty"] for system in own["systems"]}
    document: Document = {
        "ruleset": INFO.slug,
        "turn": view.turn,
        **_map(data["systems"]),
        "options": changed(INFO.options, options),
        "systems": [
            {key: system[key] for key in ("name", "owner", "output")} | {"penalty": known.get(system["name"], 0)}
            for system in data["systems"]
        ],
        "factions": [_faction(row, own, said.get(row["colour"], {})) for row in data["factions"]],
    }
    return _sabotaged(CODEC.load(document), data["factions"])


def _map(systems: Sequence[Mapping[str, Any]]) -> Document:
    stars = tuple(Star(s["number"], s["name"], s["x"], s["y"], tuple(s["neighbours"])) for s in systems)
    built_in = next((name for name, galaxy in MAPS.items() if galaxy.stars == stars), None)
    if built_in is not None:
        return {"map": built_in}
    return {"map_systems": [{**star._asdict(), "neighbours": list(star.neighbours)} for star in stars]}


def _faction(row: Mapping[str, Any], own: Mapping[str, Any], said: Mapping[str, int]) -> Document:
    mine = row["colour"] == own["colour"]
    active = row["status"] == "active"
    values: Mapping[str, Any] = row["values"] or {"cv": _LIKELY_CV, "traits": [], "drones": 0, "lost_drones": 0}
    known = {**values, **said} if active else values
    tech = _TECHS[row["technology"]]
    return {
        "colour": row["colour"],
        "name": row["name"],
        "tech": tech,
        "status": row["status"],
        "drones": known["drones"] if active else 0,
        "lost_drones": known["lost_drones"] if active and tech == "biomech" else 0,
        "empire_turn": row["empire_turn"],
        "empire_name": row["empire_name"],
        "deaths": own["deaths"] if mine else 0,
        "admiral": {
            "name": row["admiral"],
            "rank": _RANKS[row["rank"]],
            "cv": known["cv"],
            "traits": [trait.lower() for trait in values["traits"]],
            "turns_served": own["turns_served"] if mine else 0,
        },
    }


def _sabotaged(position: Position, rows: Sequence[Mapping[str, Any]]) -> Position:
    """With the sabotage that shows in the published units, if they are fewer than what systems, empire and admiral yield."""
    missing = {
        row["colour"]: max(0, resource_units(position, position.colours[row["colour"]]) - row["values"]["resource_units"])
        for row in rows
        if row["values"]
    }
    systems: list[System] = []
    for system in position.systems:
        more = min(system.effective, missing.get(system.owner, 0))
        missing[system.owner] = missing.get(system.owner, 0) - more
        systems.append(system._replace(penalty=system.penalty + more))
    return replace(position, systems=tuple(systems))
