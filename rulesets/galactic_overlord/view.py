"""Who sees what (section 8 of the rules). A view is built from public facts, the reader's own, and the events they may know."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from pbmd.rules import Event, Reader, View, seen_by
from pbmd.rules.sheets import sheet_of

from .fleets import class_rows, navy_of, per_class
from .position import Player, Position
from .tables import CLASSES, HULLS, WEAPONS, listing, number

FORM_WIDTH = 64
"""A program that wraps a longer comment when it quotes the form would make an order of the rest."""

PUBLIC_KINDS = (
    "battle",
    "base_transferred",
    "became_independent",
    "supply_loss",
    "eliminated",
    "victory",
    "orders_revealed",
)


def view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    """What the reader may know after the turn that these events tell of."""
    known = seen_by(events, reader)
    data: dict[str, Any] = {
        "resolved": position.turn - 1 if position.turn > position.first_turn else None,
        "status": position.status,
        "winner": position.winner,
        "table": [_row(position, player) for player in position.players],
        "battles": [_battle(event) for event in known if event.kind == "battle"],
        **{kind: [dict(event.data) for event in known if event.kind == kind] for kind in PUBLIC_KINDS if kind != "battle"},
        "own": None,
        "gm": None,
    }
    if reader.kind == "seat":
        player = position.player(reader.seat)
        assert player is not None
        data["own"] = _own(position, player, known)
    if reader.kind == "gm":
        data["gm"] = {
            "factions": [
                _own(position, player, [event for event in known if event.data.get("player") == player.name])
                for player in position.players
            ],
            "notes": [dict(event.data) for event in known if event.kind == "gm_note"],
        }
    return View(reader, position.turn, data)


def _row(position: Position, player: Player) -> dict[str, Any]:
    """A line of the public table: bases, breakdown of the navy, current BP (GO-71–73); damage is private (GO-R76)."""
    bases = sorted((base for base in position.bases if base.owner == player.name), key=lambda base: base.acquired)
    return {
        "name": player.name,
        "alive": player.alive,
        "independent": player.alive and not bases,
        "bp": player.bp,
        "home": [base.name for base in bases if base.is_home],
        "captured": [base.name for base in bases if not base.is_home],
        "fleet": class_rows(per_class(navy_of(player.ships))),
    }


def _battle(event: Event) -> dict[str, Any]:
    detail = dict(event.detail) if event.detail else None
    return {**event.data, "who": listing(event.data["attackers"]), "detail": detail}


def _own(position: Position, player: Player, known: Sequence[Event]) -> dict[str, Any]:
    """A faction's own stocks, damage, and what only it learns of the turn."""

    def told(kind: str) -> list[dict[str, Any]]:
        return [dict(event.data) for event in known if event.kind == kind and event.data.get("player") == player.name]

    orders = told("orders")
    sheet = sheet_of(position.sheets, player.name)
    return {
        "name": player.name,
        "alive": player.alive,
        "bp": player.bp,
        "generators": player.generators,
        "spies": player.spies,
        "counter_espionage": player.counter_espionage,
        "original_ships": player.original_ships,
        "damaged": [
            {"class": CLASSES[kind].name, "count": count, "damage": number(damage), "of": number(CLASSES[kind].hit_points)}
            for kind, damage, count in player.ships
            if damage
        ],
        "on_file": list(sheet.lines) if sheet else None,
        "received": orders[0]["received"] if orders else None,
        "orders": orders[0]["lines"] if orders else [],
        "oob_rolled": told("oob_rolled"),
        "oobs_used": told("oob_used"),
        "stopped": told("order_stopped"),
    }


def order_form(position: Position, seat: str) -> str:
    """Comment lines with orders that this faction could give now; nothing in it is an order."""
    player = position.player(seat)
    assert player is not None
    rivals = [other.name for other in position.players if other.alive and other.name != seat]
    hulls = [hull for hull in HULLS if hull.bases <= position.home_bases(seat)]
    lines = [f"You have {player.bp} BP.", f"Rivals: {', '.join(rivals)}." if rivals else "You have no rivals left."]
    if hulls:
        best, small = hulls[-1], hulls[0]
        count = max(1, player.bp // small.cost // 2)
        lines.append(f"Build {count} {WEAPONS[0].prefix}{small.name}s, 1 {WEAPONS[2].prefix}{best.name}")
        lines.append("Build 1 base named Rigel")
    if any(damage for _, damage, _ in player.ships):
        lines.append("Repair all")
    if player.counter_espionage:
        lines.append("Use counter-espionage")
    if player.spies and rivals:
        lines.append(f"Use spy on {rivals[0]}")
    specials = ["Train spy", "Build generator"]
    if player.ships and rivals:
        (kind, count), *_ = per_class(navy_of(player.ships)).items()
        specials.insert(0, f"Attack {rivals[0]} with {CLASSES[kind].counted(count)}")
    if player.generators:
        specials.append("Raise shields")
    lines += [f"{'or' if place else 'one of'}: {special}" for place, special in enumerate(specials)]
    lines.append("OOB default: LFTLTF close in, bunch")
    return "\n".join(f"# {part}" for line in lines for part in wrap(line, FORM_WIDTH))
