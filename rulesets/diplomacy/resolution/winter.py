"""Winter: builds and removals make the number of units equal to that of centres (DI-70 to DI-77)."""

from collections.abc import Mapping
from dataclasses import replace

from pbmd.rules import Event

from ..world.commands import Build, Disband, Order, Waive
from ..world.state import Position, Power
from ..world.units import Unit, province_of
from .given import Given
from .movement import in_order


def take_centres(position: Position) -> Position:
    """After autumn a centre belongs to the power whose unit is on it, or else to its previous owner (DI-65)."""
    homes = position.board.by_id
    taken = {
        province: power.name for power in position.powers for unit in power.units if homes[province := unit.place[:3]].centre
    }
    return replace(position, powers=tuple(_with_centres(power, taken) for power in position.powers))


def _with_centres(power: Power, taken: Mapping[str, str]) -> Power:
    kept = [centre for centre in power.centres if taken.get(centre, power.name) == power.name]
    own = {*kept, *(centre for centre, name in taken.items() if name == power.name)}
    return replace(power, centres=tuple(sorted(own))) if len(own) != len(kept) or len(kept) != len(power.centres) else power


def sites(position: Position, power: Power) -> tuple[str, ...]:
    """The centres where the power can build: its own, and free (DI-71)."""
    there = position.board.sites[power.name]
    return tuple(centre for centre in there if centre in power.centres and centre not in position.unit_at)


def to_build(position: Position, power: Power) -> int:
    """How many units the power can build; below 0, how many it must remove (DI-70, DI-71)."""
    return min(power.builds, len(sites(position, power)))


def adjust(position: Position, given: Given) -> tuple[tuple[Power, ...], list[Event]]:
    """The powers after builds and removals."""
    events: list[Event] = []
    powers: list[Power] = []
    for power in position.powers:
        orders, many = given.get(power.name, []), to_build(position, power)
        units, told = _removed(position, power, orders, -many) if many < 0 else _built(position, power, orders, many)
        powers.append(replace(power, units=in_order(units)))
        events += told
    return tuple(powers), events


def _built(position: Position, power: Power, orders: list[Order], many: int) -> tuple[list[Unit], list[Event]]:
    """The first builds that can be made count, as many as may be; a waived one counts, too (DI-72, DI-73)."""
    free = list(sites(position, power))
    units, left = list(power.units), many
    events: list[Event] = []
    for order in orders:
        if isinstance(order, Waive):
            left -= left > 0
        elif isinstance(order, Build) and left and (order.unit.province in free and position.board.stands(order.unit)):
            free.remove(order.unit.province)
            units.append(order.unit)
            events.append(Event("built", {"power": power.name, "unit": order.unit.text}))
            left -= 1
    waived = many - (len(units) - len(power.units))
    if waived and power.name in position.active:
        events.append(Event("waived", {"power": power.name, "builds": waived}))
    return units, events


def _removed(position: Position, power: Power, orders: list[Order], many: int) -> tuple[list[Unit], list[Event]]:
    """The first possible removals count; if too few are ordered, distance decides (DI-74 to DI-76)."""
    units = list(power.units)
    chosen: list[Unit] = []
    for order in orders:
        if isinstance(order, Disband) and len(chosen) < many:
            found = [unit for unit in units if unit.kind == order.unit.kind and unit.province == order.unit.province]
            if found and found[0] not in chosen:
                chosen.append(found[0])
    ordered = len(chosen)
    chosen += [unit for unit in by_distance(position, power) if unit not in chosen][: many - ordered]
    events = [
        Event("removed", {"power": power.name, "unit": unit.text, "ordered": place < ordered})
        for place, unit in enumerate(chosen)
    ]
    return [unit for unit in units if unit not in chosen], events


def by_distance(position: Position, power: Power) -> list[Unit]:
    """The power's units in the order in which they are removed in civil disorder (DI-76; DATC 4.D.8): the farthest from any of
    its centres first (by option, its home centres), fleets before armies, then in alphabetical order of the names of their
    provinces."""
    home = position.options.removal_distance == "home"
    away = position.board.distances(position.board.homes[power.name] if home else power.centres)
    far = len(position.board.provinces)
    names = position.board.by_id

    def key(unit: Unit) -> tuple[int, bool, str]:
        return -away.get(unit.province, far), unit.kind == "A", names[province_of(unit.place)].name

    return sorted(power.units, key=key)
