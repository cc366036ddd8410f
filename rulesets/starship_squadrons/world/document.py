"""The position document (section 4 of the rules), written exactly; `loading` reads it.

Beyond the specification a document holds the orders of the running step and what belongs to them: see `Position`.
"""

from pbmd.rules import Document

from ..tables import INFO
from .schema import VERSION
from .state import Place, Position, Spot, System, Transit, Unit


def dump(position: Position) -> Document:
    """The document of a position; `load` gives the same position back."""
    document: Document = {
        "ruleset": INFO.slug,
        "version": VERSION,
        "day": position.day,
        "phase": position.phase,
        "next_transit": position.next_transit,
        "options": dict(position.given),
        "jump_map": position.jump_size._asdict(),
        "winner": position.winner,
        "reason": position.reason,
        "sides": [{"id": side.id, "name": side.name, "tech": side.tech, "points": side.points} for side in position.sides],
        "players": [
            {"name": p.name, "side": p.side, "status": p.status, "missed": p.missed, "wait": p.wait}
            | {"next_question": p.next_question}
            for p in position.players
        ],
        "systems": [_dump_system(system) for system in position.systems],
        "units": [_dump_unit(unit) for unit in position.units],
        "questions": [
            {"id": question.id, "side": question.side, "player": question.player, **_dump_spot(question.spot)}
            for question in position.questions
        ],
        "transits": [_dump_transit(transit) for transit in position.transits],
        "fleets": [{"player": f.player, "name": f.name, "members": list(f.members)} for f in position.fleets],
        "losses": [
            {"side": loss.side, "name": loss.name, "kind": loss.kind, "cost": loss.cost}
            | {"day": loss.day, "covered": loss.covered}
            | ({"player": loss.player} if loss.player else {})
            for loss in position.losses
        ],
    }
    running = {
        "sheets": [{"player": s.seat, "arrival": list(s.arrival), "lines": list(s.lines)} for s in position.sheets],
        "missed": list(position.missed),
        "mailed": list(position.mailed),
        "overdue": list(position.overdue),
        "sightings": [
            {
                "side": seen.side,
                **_dump_place(seen.place),
                "name": seen.name,
                "day": seen.day,
                **({"kind": seen.kind, "factors": seen.printed._asdict(), "damage": seen.damage} if seen.name != "?" else {}),
            }
            for seen in position.sightings
        ],
    }
    return document | {key: value for key, value in running.items() if value}


def _dump_place(place: Place) -> Document:
    return {"system": place.system, "hex": place.hex.text}


def _dump_spot(spot: Spot) -> Document:
    if isinstance(spot, Place):
        return {"where": "board", **_dump_place(spot)}
    return {"where": "transit", "transit": spot} if spot else {"where": "reserve"}


def _dump_system(system: System) -> Document:
    return {
        "name": system.name,
        "hex": system.hex.text,
        **system.size._asdict(),
        "deploy": [{"side": zone.side, "min_col": zone.first, "max_col": zone.last} for zone in system.deploy],
        "bodies": [
            {"name": body.name, "kind": body.kind, "hex": body.hex.text, "limit": body.limit, "owner": body.owner}
            | {"starport": body.starport, "stock": body.stock, "capital": body.capital, "value": body.value}
            | {"commander": body.commander}
            for body in system.bodies
        ],
    }


def _dump_unit(unit: Unit) -> Document:
    document: Document = {
        "name": unit.name,
        "kind": unit.kind,
        "side": unit.side,
        "player": unit.player,
        **unit.printed._asdict(),
        "cost": unit.cost,
        "damage": unit.damage,
        "fuel_counters": unit.fuel,
        "supply_counters": unit.supplies,
        "admiral_counters": unit.admirals,
        **_dump_spot(unit.spot),
        "moved": unit.moved,
    }
    return document | ({"hits": unit.hits._asdict()} if unit.hits is not None else {})


def _dump_transit(transit: Transit) -> Document:
    return {
        "id": transit.id,
        "side": transit.side,
        "player": transit.player,
        "day": transit.day,
        "origin": transit.origin,
        "to_system": transit.to.system,
        "to_hex": transit.to.hex.text,
        "distance": transit.distance,
    }
