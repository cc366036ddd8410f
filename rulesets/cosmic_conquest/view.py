"""Who sees what (section 8 of the rules). A view is built from public facts, the reader's own, and the events they may know."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbmd.rules import Document, Event, Reader, View, seen_by
from pbmd.rules.facts import happened, you
from pbmd.rules.sheets import sheet_of
from pbmd.rules.words import listing

from .checking.on_file import default_orders
from .position import awaiting
from .tables import RANKS, TECHS
from .telling.chart import chart, usual_output
from .telling.news import of_investment, own_news, public_news
from .telling.stand import standing
from .world.state import Faction, Position, System
from .world.values import resource_units, unit_sources


def view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    """What the reader may know after the turn of these events. A faction that is out of the game learns what is public."""
    known = seen_by(events, reader)
    own = position.colours[reader.seat] if reader.kind == "seat" and position.colours[reader.seat].active else None
    news = public_news(known, own.colour if own else "")
    data: dict[str, Any] = {
        "resolved": next((event.data["turn"] for event in known if event.kind == "turn_resolved"), None),
        "phase": position.phase,
        "result": position.result._asdict() if position.result else None,
        "systems": [_star(position, place, system) for place, system in enumerate(position.systems)],
        "map": chart(position, own, known),
        "factions": [_faction(position, faction, own, reader) for faction in position.factions],
        "usual": usual_output(position),
        "stalled": [event.data["colour"] for event in known if event.kind == "stalled"],
        "silent": _silent(known, own),
        "news": news,
        "stand": standing(position, reader),
        "happened": happened(reader, news),
        "numbers": _numbers(position),
        "out": _is_out(position, own, reader),
        "you": None,
        "own": _own(position, own, known) if own else None,
        "gm": None,
    }
    data["you"] = _you(data["own"])
    if reader.kind == "gm":
        data["gm"] = {"sheets": [_sheet(event) for event in known if event.kind == "orders"], "news": own_news(known)}
    return View(reader, position.turn, data)


def _is_out(position: Position, own: Faction | None, reader: Reader) -> bool:
    """Whether the reader is out of a game that goes on."""
    return reader.kind == "seat" and not own and not position.result


def _silent(known: Sequence[Event], own: Faction | None) -> str:
    """Who sent no orders; whether the reader did is said elsewhere."""
    colours = [event.data["colour"] for event in known if event.kind == "stalled"]
    others = [colour for colour in colours if not own or colour != own.colour]
    return f"{listing(others)} sent no orders." if others else ""


def _you(own: Mapping[str, Any] | None) -> Document | None:
    """What became of the reader's orders, or of those that the rules gave instead; None if no turn was resolved."""
    if not own or not own["sheet"]:
        return None
    sheet = own["sheet"]
    return you(
        "" if sheet["sent"] else "The rules did this for you:",
        [(line["text"], of_investment(line["result"])) for line in sheet["lines"]],
    )


def _star(position: Position, place: int, system: System) -> dict[str, Any]:
    """A system of the public map: its place, its neighbours, its owner and lasting output."""
    star = position.galaxy.stars[place]
    return {**star._asdict(), "neighbours": list(star.neighbours), "owner": system.owner, "output": system.output}


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
        "holds": [f"{system.name} {system.output}" for system in position.held_by(faction.colour)],
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


def _numbers(position: Position) -> dict[str, dict[str, int]]:
    """What the public table counts, for charts over turns; the units only where everybody may see them."""
    held = {faction.colour: position.held_by(faction.colour) for faction in position.factions}
    numbers = {
        "Systems": {colour: len(systems) for colour, systems in held.items()},
        "Output of their systems": {colour: sum(system.output for system in systems) for colour, systems in held.items()},
    }
    if position.options.public_factions:
        numbers["Resource units"] = {
            faction.colour: resource_units(position, faction) if faction.active else 0 for faction in position.factions
        }
    return numbers


def _own(position: Position, faction: Faction, known: Sequence[Event]) -> dict[str, Any]:
    """What only the faction itself may know: about its admiral, its systems, its orders."""
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
        "around": [_around(position, system.name) for system in position.held_by(faction.colour)],
        "sheet": _sheet(sheets[0]) if sheets else None,
        "news": own_news(known),
        "insights": [dict(event.data) for event in known if event.kind == "insight"],
        "on_file": list(on_file.lines) if on_file else None,
        "otherwise": list(default_orders(position, faction).lines(position.galaxy)) if waiting else [],
    }


def _around(position: Position, name: str) -> dict[str, Any]:
    """The neighbours of a system, as everybody sees them."""
    places = {star.name: place for place, star in enumerate(position.galaxy.stars)}
    near = [position.systems[places[other]] for other in position.galaxy.stars[places[name]].neighbours]
    words = [f"{system.name} {system.output}{f' ({system.owner})' if system.owner else ''}" for system in near]
    return {"name": f"{name} {position.systems[places[name]].output}", "neighbours": words}


def _sheet(event: Event) -> dict[str, Any]:
    return {"colour": event.data["colour"], "sent": event.data["sent"], "lines": [dict(line) for line in event.data["lines"]]}
