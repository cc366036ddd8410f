"""The map: centres in the colours of their powers, units, and the results of the orders in the last moves (DI-102)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbmd.rules import Event

from ..orders import read_canonical
from ..tables import INFO
from ..world.board import Board, Outlines, Province, outlines
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
    "failed": "failed",
    "support": "support",
    "clash": "bounce",
    "displaced": "dislodged",
}
_DONE = ("moves", "supports")


_GROUNDS = (
    {"name": "sea", "fill": "#d0deea", "line": "#587b94", "ink": "#33566e"},
    {"name": "nobody's", "fill": "#cbc4b6", "line": "#587b94", "ink": "#1b2230"},
    {"name": "land", "fill": "#efe2c6", "line": "#1b2230", "ink": "#1b2230"},
)


def atlas(position: Position, known: Sequence[Event]) -> dict[str, Any]:
    """The picture of the map; the same for all readers."""
    found = outlines(position.board.outlines)
    board, orders = position.board, moves_in(known)
    spots = found.spots if found else {}
    arrows = [*_arrows(board, orders, spots), *_retreats(known, spots)]
    return {
        "title": _title(position, known),
        **(_areas(position, found) if found else _graph(position)),
        "owners": [
            {
                "name": power.name,
                "colour": power.colour,
                "code": power.code,
                "note": str(len(position.by_power[power.name].centres)),
                **({"fill": power.fill} if found else {}),
            }
            for power in board.powers
        ],
        "pieces": [*_pieces(position, spots)],
        "arrows": arrows,
        "supports": [*_supports(orders, arrows, spots)],
        "clashes": clashes(orders),
        "legend": {**_LEGEND, "arrow": "moved" if orders else "retreated"},
        "notes": [],
    }


def _areas(position: Position, found: Outlines) -> dict[str, Any]:
    """Provinces with their outlines."""
    by_id, holders = position.board.by_id, _holders(position)
    return {
        "sheet": [*found.sheet],
        "grounds": [*_GROUNDS],
        "areas": [
            {
                "name": name,
                "label": name if name in by_id else "",
                "ground": _ground(name, by_id.get(name)),
                "owner": holders.get(name, ""),
                "at": [*area.at],
                "centre": name in by_id and by_id[name].centre,
                "outline": area.outline,
            }
            for name, area in found.areas.items()
        ],
        "spots": [{"name": name, "at": [*at]} for name, at in found.spots.items()],
        "kinds": [kind for kind in _KINDS if kind["name"] in ("A", "F")],
    }


def _ground(name: str, province: Province | None) -> str:
    if province is None:
        return "sea" if name.startswith("~") else "nobody's"
    return "sea" if province.kind == "sea" else "land"


def _holders(position: Position) -> Mapping[str, str]:
    """The power in whose colour each province is drawn: the owner of its centre. Land without a centre has the colour of the
    power whose unit is in it, or else of the one that owns most of the home centres of its country."""
    board = position.board
    standing = {unit.province: power.name for power in position.powers for unit in power.units}
    countries = {name: _most(position.owner_of.get(home, "") for home in homes) for name, homes in board.homes.items()}
    land = (province for province in board.provinces if province.kind != "sea" and not province.centre)
    held = {province.id: standing.get(province.id) or countries.get(province.country, "") for province in land}
    return {**held, **position.owner_of}


def _most(names: Iterable[str]) -> str:
    """The name that makes up more than half of these; "" if there is none."""
    given = [*names]
    return next((name for name in given if 2 * given.count(name) > len(given)), "")


def _graph(position: Position) -> dict[str, Any]:
    """Provinces as places, and their borders as links."""
    return {
        "width": min(_WIDTH, 640 + 8 * len(position.board.provinces)),
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
            for province in position.board.provinces
        ],
        "links": [[*pair] for pair in links(position.options.map)],
        "kinds": [*_KINDS],
    }


def _title(position: Position, known: Iterable[Event]) -> str:
    """The phases that are reported, and before the first, what is to come."""
    told = [phase_title(event.data["phase"], event.data["year"]) for event in known if event.kind == "phase"]
    if told:
        return f"{'; '.join(told)}: what happened"
    return f"{INFO.title} ({position.board.title}), {phase_title(position.phase, position.year)}"


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


def _pieces(position: Position, spots: Collection[str]) -> Iterable[dict[str, Any]]:
    for power in position.powers:
        for unit, displaced in (*((unit, False) for unit in power.units), *((each.unit, True) for each in power.dislodged)):
            yield _piece(power.name, unit, displaced, spots)


def _piece(power: str, unit: Unit, displaced: bool, spots: Collection[str]) -> dict[str, Any]:
    note = "" if unit.place in spots else unit.place[4:].lower()
    return {"at": _seen_at(unit.place, spots), "kind": unit.kind, "owner": power, "note": note, "displaced": displaced}


def _seen_at(place: str, spots: Collection[str]) -> str:
    """A coast if it has a spot of its own on the map, otherwise the province."""
    return place if place in spots else province_of(place)


# --- What was ordered -----------------------------------------------------------------------------------------------------


def _arrows(board: Board, orders: Sequence[Mapping[str, Any]], spots: Collection[str]) -> Iterable[dict[str, Any]]:
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
            path = [_seen_at(order.unit.place, spots), *route, _seen_at(order.to, spots)]
            yield {"path": path, "owner": data["power"], "failed": data["result"] not in _DONE}


def _route(board: Board, home: str, to: str, seas: Sequence[str]) -> Sequence[str]:
    """The shortest chain of these seas from coast to coast; none if there is none."""
    ways: list[tuple[str, ...]] = [(sea,) for sea in seas if home in board.touching[sea]]
    seen = {way[-1] for way in ways}
    for way in ways:  # grows during the loop
        if to in board.touching[way[-1]]:
            return way
        further = [sea for sea in seas if sea not in seen and sea in board.touching[way[-1]]]
        seen.update(further)
        ways += [(*way, sea) for sea in further]
    return ()


def _retreats(known: Iterable[Event], spots: Collection[str]) -> Iterable[dict[str, Any]]:
    for event in known:
        if event.kind == "retreated":
            path = [_seen_at(event.data["unit"][2:], spots), _seen_at(event.data["to"], spots)]
            yield {"path": path, "owner": event.data["power"], "failed": False}


def _supports(
    orders: Iterable[Mapping[str, Any]], arrows: Iterable[Mapping[str, Any]], spots: Collection[str]
) -> Iterable[dict[str, Any]]:
    """Supports that could be given at all, drawn to the arrow if there is one, or else to the unit."""
    # A support need not name the coast to which a fleet moves.
    ends = {tuple(map(province_of, (arrow["path"][0], arrow["path"][-1]))): arrow["path"] for arrow in arrows}
    for data in orders:
        order = read_canonical(data["order"])
        if data["result"] == "impossible" or not isinstance(order, SupportHold | SupportMove):
            continue
        helped = order.target if isinstance(order, SupportHold) else order.mover
        helped_to = ends.get((helped.province, province_of(order.to))) if isinstance(order, SupportMove) else None
        of = [helped_to[0], helped_to[-1]] if helped_to else [_seen_at(helped.place, spots)]
        yield {"at": _seen_at(order.unit.place, spots), "of": of, "failed": data["result"] not in _DONE}


def clashes(orders: Iterable[Mapping[str, Any]]) -> list[str]:
    """The provinces that several units tried to enter and none did."""
    goals = [
        (province_of(order.to), data["result"]) for data in orders if isinstance(order := read_canonical(data["order"]), Move)
    ]
    entered = {to for to, result in goals if result == "moves"}
    bounced = [to for to, result in goals if result == "bounces" and to not in entered]
    return sorted({to for to in bounced if bounced.count(to) > 1})
