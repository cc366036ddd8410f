"""Who sees what (section 8 of the rules). A view is built from public facts, the reader's own, and the events they may know."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pbmd.rules import Event, Reader, View, seen_by
from pbmd.rules.facts import happened
from pbmd.rules.sheets import sheet_of
from pbmd.rules.words import listing

from .tables import DAMAGE_OF, HIT_POINTS_OF, KIND_OF, NAME_OF, number
from .telling.news import battle_words, public_news
from .telling.picture import picture
from .telling.stand import standing
from .telling.you import own_turn
from .world.fleets import navy_rows
from .world.state import STOCKS, Player, Position, stocks_of

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
    """What the reader may know after the turn of these events."""
    known = seen_by(events, reader)
    data: dict[str, Any] = {
        "resolved": next((event.data["turn"] for event in known if event.kind == "turn_resolved"), None),
        "status": position.status,
        "winner": position.winner,
        "map": picture(position, known, reader),
        "table": [_row(position, player) for player in position.players],
        "ranked": sorted((_row(position, player) for player in position.players), key=_rank),
        "builders": {base.name: base.builder for base in sorted(position.bases) if not base.is_home},
        "battles": [_battle(event) for event in known if event.kind == "battle"],
        **{kind: _told(known, kind) for kind in PUBLIC_KINDS if kind != "battle"},
        "stand": standing(position, _playing(position, reader)),
        "happened": happened(reader, public_news(known)),
        "numbers": _numbers(position),
        "out": _is_out(position, reader),
        "you": None,
        "own": None,
        "gm": None,
    }
    if reader.kind == "seat":
        player = position.player(reader.seat)
        assert player is not None
        data["own"] = _own(position, player, known)
        data["you"] = own_turn(data["own"], data["battles"])
    if reader.kind == "gm":
        data["gm"] = {
            "factions": [_own(position, player, known) for player in position.players],
            "notes": _told(known, "gm_note"),
        }
    return View(reader, position.turn, data)


def _is_out(position: Position, reader: Reader) -> bool:
    """Whether the reader is out of a game that goes on."""
    return reader.kind == "seat" and position.status != "finished" and not _playing(position, reader)


def _playing(position: Position, reader: Reader) -> str:
    """The seat of a reader who is still in the game."""
    player = position.player(reader.seat)
    return player.name if player and player.alive else ""


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
        "fleet": navy_rows(dict(player.ships)),
    }


def _rank(row: Mapping[str, Any]) -> tuple[int, int]:
    """The faction with the most bases comes first, and among equals the one with the most ships."""
    return -len(row["home"]) - len(row["captured"]), -sum(ships["count"] for ships in row["fleet"])


def _numbers(position: Position) -> dict[str, dict[str, int]]:
    """What the public table counts, for charts over turns."""
    players = position.players
    owners = Counter(base.owner for base in position.bases)
    return {
        "Bases": {player.name: owners[player.name] for player in players},
        "Ships": {player.name: sum(count for _, count in player.ships) for player in players},
        "BP": {player.name: player.bp for player in players},
    }


def _told(events: Sequence[Event], kind: str) -> list[dict[str, Any]]:
    return [dict(event.data) for event in events if event.kind == kind]


def _battle(event: Event) -> dict[str, Any]:
    detail = dict(event.detail) if event.detail else None
    return {**event.data, "who": listing(event.data["attackers"]), "words": battle_words(event.data), "detail": detail}


def _own(position: Position, player: Player, known: Sequence[Event]) -> dict[str, Any]:
    """A faction's own stocks, damage, and what only it learns of the turn."""
    own = [event for event in known if event.data.get("player") == player.name]
    orders = _told(own, "orders")
    sheet = sheet_of(position.sheets, player.name)
    return {
        "name": player.name,
        "alive": player.alive,
        **dict(zip(STOCKS, stocks_of(player), strict=True)),
        "damaged": [
            {
                "class": NAME_OF[KIND_OF[alike]],
                "count": count,
                "damage": number(DAMAGE_OF[alike]),
                "of": number(HIT_POINTS_OF[KIND_OF[alike]]),
            }
            for alike, count in player.ships
            if DAMAGE_OF[alike]
        ],
        "on_file": list(sheet.lines) if sheet else None,
        "received": orders[0]["received"] if orders else None,
        "orders": orders[0]["lines"] if orders else [],
        "oob_rolled": _told(own, "oob_rolled"),
        "oobs_used": _told(own, "oob_used"),
        "stopped": _told(own, "order_stopped"),
    }
