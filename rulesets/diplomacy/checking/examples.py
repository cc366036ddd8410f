"""Orders that a power could give now: for its order form, and for who wrote one that cannot be."""

from collections.abc import Iterator, Mapping

from ..resolution.winter import by_distance, sites, to_build
from ..world.commands import Build, Disband, Hold, Move, Order, Retreat, Waive
from ..world.state import Position, Power
from ..world.units import Unit, UnitKind


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


def examples(position: Position, seat: str, text: str) -> Iterator[str]:
    """Right lines for who wrote this: those about units that are named in it go first."""
    power = position.by_power[seat]
    words = text.upper()
    own = suggested(position, seat)
    if position.kind == "moves":
        named = [unit for unit in power.units if unit.province in words]
        yield from (f"{unit.text} - {_nearest(position, unit)}" for unit in (*named, *power.units[:1]))
    yield from (order.text for order in own)
    if position.kind == "winter" and to_build(position, power) > 0:
        yield Waive().text


def _nearest(position: Position, unit: Unit) -> str:
    """Some place to which the unit can go, one that is free if there is one."""
    reach = reach_of(position)[unit.kind][unit.place]
    return next((place for place in reach if place[:3] not in position.unit_at), reach[0] if reach else unit.place)


def reach_of(position: Position) -> Mapping[UnitKind, Mapping[str, tuple[str, ...]]]:
    """Where armies and fleets can go from each place, with coasts."""
    return {"A": position.board.army_reach, "F": position.board.fleet_reach}


def moves_of(position: Position, unit: Unit) -> tuple[Move, ...]:
    """All moves of a unit by land, or of a fleet by one step."""
    return tuple(Move(unit, place) for place in reach_of(position)[unit.kind][unit.place])
