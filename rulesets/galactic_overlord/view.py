"""Who sees what (section 8 of the rules). A view is built from public facts, the reader's own, and the events they may know."""

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from pbmd.rules import Event, Line, Mail, Reader, Status, View, fold, seen_by
from pbmd.rules.sheets import sheet_of

from .economy import base_names
from .fleets import navy_rows, per_class
from .grammar import MOST_ORDERED
from .position import Player, Position
from .receive import receive
from .tables import CLASSES, DAMAGE_OF, HIT_POINTS_OF, KIND_OF, LASER, NAME_OF, TORPEDO, listing, number

FORM_WIDTH = 65
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
        "resolved": next((event.data["turn"] for event in known if event.kind == "turn_resolved"), None),
        "status": position.status,
        "winner": position.winner,
        "table": [_row(position, player) for player in position.players],
        "battles": [_battle(event) for event in known if event.kind == "battle"],
        **{kind: _told(known, kind) for kind in PUBLIC_KINDS if kind != "battle"},
        "numbers": _numbers(position),
        "own": None,
        "gm": None,
    }
    if reader.kind == "seat":
        player = position.player(reader.seat)
        assert player is not None
        data["own"] = _own(position, player, known)
    if reader.kind == "gm":
        data["gm"] = {
            "factions": [_own(position, player, known) for player in position.players],
            "notes": _told(known, "gm_note"),
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
        "fleet": navy_rows(dict(player.ships)),
    }


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
    return {**event.data, "who": listing(event.data["attackers"]), "detail": detail}


def _own(position: Position, player: Player, known: Sequence[Event]) -> dict[str, Any]:
    """A faction's own stocks, damage, and what only it learns of the turn."""
    own = [event for event in known if event.data.get("player") == player.name]
    orders = _told(own, "orders")
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


def order_form(position: Position, seat: str) -> str:
    """Orders that this faction could give now, each behind a single "# " and good when that is taken away; remarks begin
    with "## ". Nothing in the form is an order as it stands."""
    player = position.player(seat)
    assert player is not None
    rivals = [other.name for other in position.players if other.alive and other.name != seat]
    remarks = [f"You have {player.bp} BP.", f"Rivals: {', '.join(rivals)}." if rivals else "You have no rivals left."]
    plain = _accepted(position, seat, _plain_suggestions(position, player, rivals))
    special = _special_suggestions(position, player, rivals)
    return "\n".join(
        [
            *(f"## {part}" for remark in remarks for part in wrap(remark, FORM_WIDTH)),
            *(f"# {line}" for line in plain),
            *(["## Only one of the next lines:"] if len(special) > 1 else []),
            *(f"# {line}" for line in special),
        ]
    )


def _plain_suggestions(position: Position, player: Player, rivals: Sequence[str]) -> list[str]:
    damaged = any(DAMAGE_OF[alike] for alike, _ in player.ships)
    return [
        *_build_suggestions(position, player),
        *(["Repair all"] if damaged else []),
        "Use counter-espionage",
        *(f"Use spy on {rival}" for rival in rivals[:1]),
        "OOB default: LFTLTF close in, bunch",
    ]


def _special_suggestions(position: Position, player: Player, rivals: Sequence[str]) -> list[str]:
    """Lines each of which stands alone; of an attack on the same faction but one."""
    choices = [_attack_suggestions(rival, player) for rival in rivals[:1]]
    choices += [["Train spy"], ["Build generator"], ["Raise shields"]]
    return [line for lines in choices for line in _accepted(position, player.name, lines)]


def _build_suggestions(position: Position, player: Player) -> list[str]:
    name = "" if fold("Rigel") in base_names(position) else " named Rigel"
    allowed = [ship for ship in CLASSES if ship.bases <= position.home_bases(player.name)]
    if not allowed:
        return [f"Build 1 base{name}"]
    small = next(ship for ship in allowed if ship.weapon == LASER)
    best = next(ship for ship in reversed(allowed) if ship.weapon == TORPEDO)
    count = min(max(1, player.bp // small.cost // 2), MOST_ORDERED)
    return [f"Build {small.counted(count)}, {best.counted(1)}", f"Build 1 base{name}"]


def _attack_suggestions(target: str, player: Player) -> list[str]:
    """With the ships of one class, or with all where no class can be written: the first that is accepted stands."""
    counts = per_class(dict(player.ships))
    return [f"Attack {target} with {force}" for force in (*(CLASSES[kind].counted(counts[kind]) for kind in counts), "all")]


def _accepted(position: Position, seat: str, lines: Sequence[str]) -> list[str]:
    """The lines that stand if they are sent in one letter, and are short enough for the form."""
    short = (line for line in lines if len(line) <= FORM_WIDTH)
    letter = Mail(seat, tuple(Line(number, line) for number, line in enumerate(short, start=1)), (0, 0))
    verdicts = receive(position, letter).verdicts
    return [verdict.text for verdict in verdicts if verdict.line and verdict.status is not Status.ERROR]
