"""Orders that a power could give now: for its order form, and for a player who wrote one that is impossible."""

import re
from collections.abc import Mapping

from ..resolution.winter import by_distance, sites, to_build
from ..world.commands import Build, Disband, Hold, Move, Order, Retreat, Vote, Waive
from ..world.state import Position, Power
from ..world.units import Unit, UnitKind
from .interpretation.candidates import candidates, plain
from .interpretation.tagging import tag_of


def suggested(position: Position, seat: str) -> tuple[Order, ...]:
    """An order for each unit that can have one in this phase, or for each build and removal."""
    power = position.by_power[seat]
    match position.kind:
        case "moves":
            return tuple(Hold(unit) for unit in power.units)
        case "retreats":
            return tuple(Retreat(each.unit, each.retreats[0]) for each in power.dislodged)
        case "winter":
            return _winter(position, power)
        case "over":
            return ()


def _winter(position: Position, power: Power) -> tuple[Order, ...]:
    many = to_build(position, power)
    if many > 0:
        return tuple(Build(Unit("A", site)) for site in sites(position, power)[:many])
    return tuple(Disband(unit) for unit in by_distance(position, power)[:-many])


def example_for(position: Position, seat: str, text: str) -> str:
    """The line in the order form for the first unit named in a line, "" if there is none: never an order for another unit, or
    of another kind (DI-97)."""
    kind, name = _first_unit(text)
    meant = candidates(position.options.map, plain(name))
    some = meant.all() if kind and len(name) > 2 else (meant.named,)
    own = [order for order in suggested(position, seat) if not isinstance(order, Waive | Vote) and order.unit.province in some]
    if len(own) != 1 or (not meant.named and own[0].unit.kind != kind and not isinstance(own[0], Build)):
        return ""
    return _of_kind(position, own[0], kind)


def _first_unit(text: str) -> tuple[str, str]:
    """The kind, "A", "F" or "", and the following name, of the first unit named in a line; "" for none."""
    kind = ""
    for word in _NAMES.findall(text):
        tag = tag_of(word)
        if tag == "K" and kind in ("", "a"):
            kind = word[0]
        elif tag and kind and word.casefold() not in ("at", "in", "of"):
            return kind.upper(), ""
        elif not tag:
            return kind.upper(), word
    return kind.upper(), ""


_NAMES = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def _of_kind(position: Position, order: Order, kind: str) -> str:
    """The order, if the unit is of that kind, or can be built as such."""
    if not isinstance(order, Build):
        return order.text
    harbours = [place for place in position.board.fleet_reach if place[:3] == order.unit.province]
    if kind == "F" and harbours:
        return Build(Unit("F", harbours[0])).text if len(harbours) == 1 else ""
    return order.text if kind else ""


def reach_of(position: Position) -> Mapping[UnitKind, Mapping[str, tuple[str, ...]]]:
    """Where armies and fleets can go from each place, with coasts."""
    return {"A": position.board.army_reach, "F": position.board.fleet_reach}


def moves_of(position: Position, unit: Unit) -> tuple[Move, ...]:
    """All moves of a unit by land, or of a fleet by one step."""
    return tuple(Move(unit, place) for place in reach_of(position)[unit.kind][unit.place])
