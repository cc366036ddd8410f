"""The map: centres in the colours of their powers, units, and what the orders of the last moves came to (DI-102)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbmd.rules import Event

from ..orders import read_canonical
from ..tables import INFO
from ..world.board import Board
from ..world.board import board as board_named
from ..world.commands import Convoy, Move, SupportHold, SupportMove
from ..world.state import Position
from ..world.units import Unit, province_of
from .news import moves_in, phase_title

_WIDTH = 1200
_KINDS = (
    {"name": "sea", "shape": "diamond", "fill": "#1f5f8b", "words": "sea"},
    {"name": "land", "shape": "point", "fill": "#8a7a55", "words": "land"},
    {"name": "A", "shape": "box", "fill": "", "words": "army"},
    {"name": "F", "shape": "hull", "fill": "", "words": "fleet"},
)
_LEGEND = {
    "free": "free centre",
    "arrow": "moved",
    "failed": "failed",
    "support": "support",
    "clash": "bounce",
    "displaced": "dislodged",
}
_DONE = ("moves", "supports")


def atlas(position: Position, known: Sequence[Event]) -> dict[str, Any]:
    """The picture of the map; the same for all readers."""
    board = position.board
    orders = moves_in(known)
    arrows = [*_arrows(board, orders), *_retreats(known)]
    ends = {(arrow["path"][0], arrow["path"][-1]) for arrow in arrows}
    return {
        "title": f"{INFO.title} ({board.title}), {_when(position)}",
        "width": min(_WIDTH, 640 + 8 * len(board.provinces)),
        "nodes": [
            {
                "name": province.id,
                "x": province.x,
                "y": province.y,
                "owner": position.owner_of.get(province.id, ""),
                "value": "",
                "own": False,
                "ringed": False,
                **({} if province.centre else {"kind": "sea" if province.kind == "sea" else "land"}),
            }
            for province in board.provinces
        ],
        "links": [[*pair] for pair in links(position.options.map)],
        "owners": [
            {
                "name": power.name,
                "colour": power.colour,
                "code": power.code,
                "note": str(len(position.by_power[power.name].centres)),
            }
            for power in board.powers
        ],
        "kinds": [*_KINDS],
        "pieces": [*_pieces(position)],
        "arrows": arrows,
        "supports": [*_supports(orders, ends)],
        "clashes": clashes(orders),
        "legend": _LEGEND,
        "notes": [],
    }


def _when(position: Position) -> str:
    return f"the end, {position.year}" if position.is_over else phase_title(position.phase, position.year)


@lru_cache(maxsize=8)
def links(map_name: str) -> tuple[tuple[str, str], ...]:
    """Pairs of neighbours on that map, each once."""
    board = board_named(map_name)
    pairs = {
        (province_of(place), province_of(to))
        for reach in (board.army_reach, board.fleet_reach)
        for place, near in reach.items()
        for to in near
    }
    return tuple(sorted({(min(pair), max(pair)) for pair in pairs}))


def _pieces(position: Position) -> Iterable[dict[str, Any]]:
    for power in position.powers:
        for unit, displaced in (*((unit, False) for unit in power.units), *((each.unit, True) for each in power.dislodged)):
            yield _piece(power.name, unit, displaced)


def _piece(power: str, unit: Unit, displaced: bool) -> dict[str, Any]:
    note = unit.place[4:].lower()
    return {"at": unit.province, "kind": unit.kind, "owner": power, "note": note, "displaced": displaced}


# --- What was ordered -----------------------------------------------------------------------------------------------------


def _arrows(board: Board, orders: Sequence[Mapping[str, Any]]) -> Iterable[dict[str, Any]]:
    """Moves that could be made at all."""
    ferries: dict[tuple[str, str], list[str]] = {}
    for data in orders:
        order = read_canonical(data["order"])
        if isinstance(order, Convoy):
            ferries.setdefault((order.army.province, province_of(order.to)), []).append(order.unit.place)
    for data in orders:
        order = read_canonical(data["order"])
        if isinstance(order, Move) and data["result"] != "impossible":
            home, to = order.unit.province, province_of(order.to)
            by_sea = order.unit.kind == "A" and (order.via or to not in board.army_reach[home])
            route = _route(board, home, to, ferries.get((home, to), ())) if by_sea else ()
            yield {"path": [home, *route, to], "owner": data["power"], "failed": data["result"] not in _DONE}


def _route(board: Board, home: str, to: str, seas: Sequence[str]) -> Sequence[str]:
    """The shortest chain of these seas from coast to coast; none if there is none."""
    ways: list[tuple[str, ...]] = [(sea,) for sea in seas if home in board.touching[sea]]
    seen = {way[-1] for way in ways}
    for way in ways:  # grows as it goes
        if to in board.touching[way[-1]]:
            return way
        further = [sea for sea in seas if sea not in seen and sea in board.touching[way[-1]]]
        seen.update(further)
        ways += [(*way, sea) for sea in further]
    return ()


def _retreats(known: Iterable[Event]) -> Iterable[dict[str, Any]]:
    for event in known:
        if event.kind == "retreated":
            path = [province_of(event.data["unit"][2:]), province_of(event.data["to"])]
            yield {"path": path, "owner": event.data["power"], "failed": False}


def _supports(orders: Iterable[Mapping[str, Any]], ends: set[tuple[str, str]]) -> Iterable[dict[str, Any]]:
    """Supports that could be given at all, to the arrow where there is one, or else to the unit."""
    for data in orders:
        order = read_canonical(data["order"])
        if data["result"] == "impossible" or not isinstance(order, SupportHold | SupportMove):
            continue
        helped = order.target if isinstance(order, SupportHold) else order.mover
        pair = (helped.province, province_of(order.to)) if isinstance(order, SupportMove) else None
        of = [*pair] if pair in ends and pair else [helped.province]
        yield {"at": order.unit.province, "of": of, "failed": data["result"] not in _DONE}


def clashes(orders: Iterable[Mapping[str, Any]]) -> list[str]:
    """The provinces into which several moved and nobody came."""
    goals = [
        (province_of(order.to), data["result"]) for data in orders if isinstance(order := read_canonical(data["order"]), Move)
    ]
    entered = {to for to, result in goals if result == "moves"}
    bounced = [to for to, result in goals if result == "bounces" and to not in entered]
    return sorted({to for to in bounced if bounced.count(to) > 1})
