"""A retreat phase: dislodged units go where they can, or are disbanded (DI-60 to DI-63)."""

from collections import Counter
from dataclasses import replace

from pbmd.rules import Event

from ..world.commands import Disband, Retreat
from ..world.state import Dislodged, Position, Power
from ..world.units import Unit, province_of
from .given import Given
from .movement import in_order


def retreat(position: Position, given: Given) -> tuple[tuple[Power, ...], list[Event]]:
    """The powers after all retreats. Units that would meet, and those without orders, are disbanded."""
    going = {(power, each.unit): to for power, each, to in _chosen(position, given)}
    meeting = Counter(province_of(to) for to in going.values())
    events: list[Event] = []
    powers = list(position.powers)
    for place, power in enumerate(powers):
        if not power.dislodged:
            continue
        units = list(power.units)
        for each in power.dislodged:
            to = going.get((power.name, each.unit), "")
            data = {"power": power.name, "unit": each.unit.text, "to": to}
            if to and meeting[province_of(to)] == 1:
                units.append(Unit(each.unit.kind, to))
                events.append(Event("retreated", data))
            else:
                others = [unit.text for (_, unit), goal in going.items() if goal[:3] == to[:3] and unit != each.unit]
                events.append(Event("disbanded", data | {"met": others}))
        powers[place] = replace(power, units=in_order(units), dislodged=())
    return tuple(powers), events


def _chosen(position: Position, given: Given) -> list[tuple[str, Dislodged, str]]:
    """The retreats that are ordered and possible. Of two orders for a unit the later one counts."""
    found: list[tuple[str, Dislodged, str]] = []
    for power in position.powers:
        orders = {order.unit.province: order for order in given.get(power.name, ()) if isinstance(order, Retreat | Disband)}
        for each in power.dislodged:
            order = orders.get(each.unit.province)
            if isinstance(order, Retreat) and order.unit.kind == each.unit.kind:
                to = first_open(each, order)
                if to:
                    found.append((power.name, each, to))
    return found


def first_open(each: Dislodged, order: Retreat) -> str:
    """The first place of the order to which the unit can go, "" for none (DI-60)."""
    return next((to for named in order.places if (to := retreat_to(each, named))), "")


def retreat_to(each: Dislodged, named: str) -> str:
    """The place to which an order sends the unit, "" if it cannot go there: if it can reach only one coast, that need not be
    named (DI-25), and to armies coasts do not matter (DI-26)."""
    if named in each.retreats:
        return named
    if each.unit.kind == "A":
        return province_of(named) if province_of(named) in each.retreats else ""
    coasts = [place for place in each.retreats if province_of(place) == named]
    return coasts[0] if len(coasts) == 1 else ""
