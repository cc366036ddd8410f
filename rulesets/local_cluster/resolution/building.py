"""Research, units, resources and the capital (7.3, step 7 of the rules)."""

from ..orders import Build, Develop, MoveCapital, Redevelop, Research, UnitKind, Written
from ..world.economy import blockaded, resource_cost, slots, technology_cost, unit_cost, unit_limit
from ..world.state import Planet, Position
from .move import FAILURES_OF_A_LINE, Move


def research_line(move: Move, written: Written) -> None:
    """Carry out a line of research; does nothing for other lines (LC-R84)."""
    if isinstance(written.order, Research) and (reason := _research(move, written.order.technology)):
        move.fail(written.line, reason)


def units_line(move: Move, written: Written) -> None:
    """Build the units of a line, each by itself; does nothing for other lines."""
    order, line = written
    if not isinstance(order, Build):
        return
    for planet in order.planets:
        for built in range(order.number):
            if reason := _build(move, order.kind, planet):
                # All others at this planet fail for the same reason.
                for _ in range(min(order.number - built, FAILURES_OF_A_LINE)):
                    move.fail(line, reason)
                break


def resources_line(move: Move, written: Written) -> None:
    """Develop or re-develop a resource; does nothing for other lines."""
    order, line = written
    reason = ""
    if isinstance(order, Develop):
        reason = _develop(move, order)
    elif isinstance(order, Redevelop):
        reason = _redevelop(move, order)
    if reason:
        move.fail(line, reason)


def capital_line(move: Move, written: Written) -> None:
    """Move the capital; does nothing for other lines (LC-19, LC-20)."""
    if isinstance(written.order, MoveCapital) and (reason := _move_capital(move, written.order.planet)):
        move.fail(written.line, reason)


def _research(move: Move, name: str) -> str:
    technology, known = move.position.data.technologies[name], move.power.technologies
    if name in known:
        return "already_known"
    if move.researched >= move.position.options.research_per_move:
        return "research_limit"
    if not set(technology.requires) <= set(known):
        return "prerequisite"
    cost = technology_cost(move.position, move.state, technology)
    if not move.pay(cost):
        return "no_credits"
    move.researched += 1
    move.change(move.state, technologies=(*known, name))
    move.tell_money("researched", move.state, {"technology": name}, {"cost": cost})
    if technology.effects.get("victory"):
        move.ascend()
    return ""


def _build(move: Move, kind: UnitKind, planet: str) -> str:
    if move.position.planet(planet).owner != move.state:
        return "not_owner"
    if move.built[planet, kind] >= unit_limit(move.position, planet, kind):
        return "limit_reached"
    if kind == "fleet" and blockaded(move.position, planet):
        return "blockaded"
    cost = unit_cost(move.position, planet, kind)
    if not move.pay(cost):
        return "no_credits"
    move.built[planet, kind] += 1
    unit = move.new_unit(kind, planet)
    move.tell_money("built", move.state, {"unit": unit, "planet": planet}, {"cost": cost})
    return ""


def twice(position: Position, resource: str, planet: Planet) -> bool:
    """Whether a resource that a planet can have only once is there already (LC-R29)."""
    return position.data.resources[resource].unique and resource in planet.resources


def _develop(move: Move, order: Develop) -> str:
    planet = move.position.planet(order.planet)
    if planet.owner != move.state:
        return "not_owner"
    if twice(move.position, order.resource, planet):
        return "only_one"
    fresh = move.fresh.setdefault(planet.name, set())
    if len(planet.resources) >= slots(move.position, planet.name, fresh):
        return "no_slot"
    cost = resource_cost(move.position, move.state, move.position.data.resources[order.resource])
    if not move.pay(cost):
        return "no_credits"
    fresh.add(len(planet.resources))
    move.put_planet(planet._replace(resources=(*planet.resources, order.resource)))
    move.tell_money("developed", move.state, {"resource": order.resource, "planet": planet.name}, {"cost": cost})
    return ""


def _redevelop(move: Move, order: Redevelop) -> str:
    planet = move.position.planet(order.planet)
    if planet.owner != move.state:
        return "not_owner"
    if order.old not in planet.resources:
        return "no_such_resource"
    if order.new == order.old or twice(move.position, order.new, planet):
        return "only_one"
    place = planet.resources.index(order.old)
    fresh = move.fresh.setdefault(planet.name, set())
    gives = move.position.data.resources[order.old].effects.get("slots", 0) > 0
    if gives and len(planet.resources) > slots(move.position, planet.name, fresh | {place}):
        return "no_slot"
    cost = resource_cost(move.position, move.state, move.position.data.resources[order.new])
    if not move.pay(cost):
        return "no_credits"
    fresh.add(place)
    resources = (*planet.resources[:place], order.new, *planet.resources[place + 1 :])
    move.put_planet(planet._replace(resources=resources))
    data = {"old": order.old, "resource": order.new, "planet": planet.name}
    move.tell_money("redeveloped", move.state, data, {"cost": cost})
    return ""


def _move_capital(move: Move, planet: str) -> str:
    if move.position.planet(planet).owner != move.state:
        return "not_owner"
    old = move.power.home_planet
    if planet == old:
        return "already_capital"
    cost = move.position.options.capital_cost
    if not move.pay(cost):
        return "no_credits"
    move.change(move.state, home_planet=planet)
    move.tell_money("capital_moved", move.state, {"from": old, "to": planet}, {"cost": cost})
    return ""
