"""Who sees what (section 8 of the rules). A view is built from public facts, the reader's own, and the events they may know."""

from collections.abc import Sequence
from typing import Any

from pbmd.rules import Event, Reader, View, seen_by
from pbmd.rules.sheets import sheet_of

from .defaults import default_orders
from .position import Faction, Position, System, awaiting
from .tables import RANKS, TECHS
from .values import resource_units, unit_sources

PUBLIC_KINDS = (
    "stalled",
    "draw_votes",
    "attack_blocked",
    "undefended",
    "combat",
    "tie_toss",
    "conquest",
    "eliminated",
    "admiral_toss",
    "admiral_successor",
    "admiral_promoted",
    "empire",
    "resigned",
)
OWN_KINDS = (
    "default_orders",
    "orders_refused",
    "drone_raised",
    "invested",
    "attack_parts",
    "defense_parts",
    "drones_lost",
    "drones_regenerated",
    "sabotage",
    "sabotaged",
    "assault",
    "insight",
)


def view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    """What the reader may know after the turn that these events tell of. Who is out of the game learns what is public."""
    known = seen_by(events, reader)
    own = position.colours[reader.seat] if reader.kind == "seat" else None
    if own and not own.active:
        known = tuple(event for event in known if event.audience is None)
    data: dict[str, Any] = {
        "resolved": next((event.data["turn"] for event in known if event.kind == "turn_resolved"), None),
        "phase": position.phase,
        "result": position.result._asdict() if position.result else None,
        "map": [_star(position, place, system) for place, system in enumerate(position.systems)],
        "factions": [_faction(position, faction, own, reader) for faction in position.factions],
        "events": {kind: _told(known, kind) for kind in PUBLIC_KINDS},
        # With the option battle_detail = "full" everybody may know some of these.
        "details": {kind: _told(known, kind) for kind in OWN_KINDS},
        "own": _own(position, own, known) if own and own.active else None,
        "gm": None,
    }
    if reader.kind == "gm":
        data["gm"] = {"sheets": [_sheet(event) for event in known if event.kind == "orders"]}
    return View(reader, position.turn, data)


def _told(known: Sequence[Event], kind: str) -> list[dict[str, Any]]:
    return [dict(event.data) for event in known if event.kind == kind]


def _star(position: Position, place: int, system: System) -> dict[str, Any]:
    """A system of the public map: its place, its neighbours, its owner and lasting output."""
    star = position.galaxy.stars[place]
    return {
        "number": star.number,
        "name": star.name,
        "x": star.x,
        "y": star.y,
        "neighbours": list(star.neighbours),
        "owner": system.owner,
        "output": system.output,
    }


def _faction(position: Position, faction: Faction, own: Faction | None, reader: Reader) -> dict[str, Any]:
    """A line of the public table of factions; with `public_factions = false` others see little of it."""
    admiral = faction.admiral
    row: dict[str, Any] = {
        "colour": faction.colour,
        "name": faction.name,
        "status": faction.status,
        "technology": TECHS[faction.tech].name,
        "admiral": admiral.name,
        "rank": RANKS[admiral.rank].name,
        "empire_turn": faction.empire_turn,
        "empire_name": faction.empire_name,
        "systems": len(position.held_by(faction.colour)),
        "values": None,
    }
    if position.options.public_factions or faction is own or reader.kind == "gm":
        row["values"] = {
            "cv": admiral.cv,
            "traits": [trait.capitalize() for trait in admiral.traits],
            "resource_units": resource_units(position, faction) if faction.active else 0,
            "drones": faction.drones,
            "lost_drones": faction.lost_drones,
        }
    return row


def _own(position: Position, faction: Faction, known: Sequence[Event]) -> dict[str, Any]:
    """What only the faction itself may know: of its admiral, its systems, its orders."""
    systems, empire, resourceful = unit_sources(position, faction)
    sheets = [event for event in known if event.kind == "orders" and event.data["colour"] == faction.colour]
    on_file = sheet_of(position.sheets, faction.colour)
    waiting = position.phase == "orders" and faction.colour in awaiting(position)
    return {
        "colour": faction.colour,
        "name": faction.name,
        "turns_served": faction.admiral.turns_served,
        "deaths": faction.deaths,
        "units": {"systems": systems, "empire": empire, "resourceful": resourceful, "total": systems + empire + resourceful},
        "drones": faction.drones,
        "lost_drones": faction.lost_drones,
        "systems": [
            {"name": system.name, "output": system.output, "penalty": system.penalty, "yields": system.effective}
            for system in position.held_by(faction.colour)
        ],
        "sheet": _sheet(sheets[0]) if sheets else None,
        "on_file": list(on_file.lines) if on_file else None,
        "otherwise": list(default_orders(position, faction).lines(position.galaxy)) if waiting else [],
    }


def _sheet(event: Event) -> dict[str, Any]:
    return {"colour": event.data["colour"], "sent": event.data["sent"], "lines": [dict(line) for line in event.data["lines"]]}
