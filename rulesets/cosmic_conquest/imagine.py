"""The position as one faction may picture it: its view, and what it assumes of others.

Made of the view alone. What a view does not tell is set down in the handbook under PREVIEW. Sabotage in the systems of others
shows in their published units only: it is taken to be in the first of their systems.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pbmd.rules import Document, Line, Options, Refused, View, assumed
from pbmd.rules.options import changed

from .position import load
from .tables import INFO, RANKS, RESOURCEFUL_UNITS, TECHS
from .world.galaxy import MAPS, Star
from .world.state import Position

_TECHS = {tech.name: key for key, tech in TECHS.items()}
_RANKS = {rank.name: key for key, rank in RANKS.items()}
_MOST = {"cv": 20, "drones": 999, "lost_drones": 999}
_LIKELY_CV = 6


def imagine(view: View, options: Options, lines: Sequence[Line]) -> Position:
    """See the module. Raises `Refused` for who is out of the game and for what cannot be assumed."""
    data, own = view.data, view.data["own"]
    if own is None or data["phase"] != "orders":
        raise Refused("you are not in the game any more")
    said = assumed(lines, [row["colour"] for row in data["factions"]], own["colour"], _MOST)
    factions = [_faction(row, own, said.get(row["colour"], {})) for row in data["factions"]]
    document: Document = {
        "ruleset": INFO.slug,
        "turn": view.turn,
        "phase": "orders",
        **_map(data["systems"]),
        "options": changed(INFO.options, options),
        "systems": _systems(data, own, options),
        "factions": factions,
    }
    return load(document)


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


def _systems(data: Mapping[str, Any], own: Mapping[str, Any], options: Options) -> list[Document]:
    """The systems with the sabotage that is known, or shows in the units of their owners."""
    known = {system["name"]: system["penalty"] for system in own["systems"]}
    missing = {row["colour"]: _missing(row, data["systems"], options) for row in data["factions"]}
    found: list[Document] = []
    for system in data["systems"]:
        penalty, owner = known.get(system["name"], 0), system["owner"]
        if owner and owner != own["colour"]:
            penalty = min(system["output"], missing[owner])
            missing[owner] -= penalty
        found.append({"name": system["name"], "owner": owner, "output": system["output"], "penalty": penalty})
    return found


def _missing(row: Mapping[str, Any], systems: Sequence[Mapping[str, Any]], options: Options) -> int:
    """By how much the published units of a faction are fewer than what its systems, empire and admiral bring."""
    if row["values"] is None:
        return 0
    outputs = sum(system["output"] for system in systems if system["owner"] == row["colour"])
    tachyon = _TECHS[row["technology"]] == "tachyon"
    empire = int(options["empire_bonus_tachyon" if tachyon else "empire_bonus"]) if row["empire_turn"] else 0
    resourceful = RESOURCEFUL_UNITS if "Resourceful" in row["values"]["traits"] else 0
    return max(0, outputs + empire + resourceful - row["values"]["resource_units"])
