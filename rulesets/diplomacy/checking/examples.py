"""Orders that a power could give now: for its order form, and for who wrote one that cannot be."""

import re
from collections.abc import Mapping

from ..resolution.winter import by_distance, sites, to_build
from ..world.commands import Build, Disband, Hold, Move, Order, Retreat, Vote, Waive
from ..world.state import Position, Power
from ..world.units import Unit, UnitKind
from .candidates import candidates, plain


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
    """What stands in the order form for the unit that is named in a line, "" if none is: never an order of another unit (DI-97)."""
    by_province = {
        order.unit.province: order.text for order in suggested(position, seat) if not isinstance(order, Waive | Vote)
    }
    words = _NAMES.findall(text)
    for place, word in enumerate(words):
        if word.casefold() in _KINDS:
            continue
        meant = candidates(position.options.map, plain(word))
        is_unit = place > 0 and words[place - 1].casefold() in _KINDS
        some = meant.all() if is_unit else (meant.named,) if meant.named else ()
        if some:
            own = [by_province[province] for province in some if province in by_province]
            return own[0] if len(own) == 1 else ""
    return ""


_NAMES = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_KINDS = ("a", "f", "army", "fleet")


def reach_of(position: Position) -> Mapping[UnitKind, Mapping[str, tuple[str, ...]]]:
    """Where armies and fleets can go from each place, with coasts."""
    return {"A": position.board.army_reach, "F": position.board.fleet_reach}


def moves_of(position: Position, unit: Unit) -> tuple[Move, ...]:
    """All moves of a unit by land, or of a fleet by one step."""
    return tuple(Move(unit, place) for place in reach_of(position)[unit.kind][unit.place])
