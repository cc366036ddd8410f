"""What things yield and cost (7.3 of the rules): pure functions of a position, used by resolution, reports and order forms."""

from collections.abc import Iterable

from ..orders import UnitKind
from ..tables import Resource, Technology
from .state import Position, effect


def _on_planet(position: Position, planet: str, name: str) -> int:
    """The sum of an effect over the resources on a planet."""
    resources = position.data.resources
    return sum(resources[resource].effects.get(name, 0) for resource in position.planet(planet).resources)


def _on_owned(position: Position, state: str, name: str) -> int:
    return sum(_on_planet(position, planet.name, name) for planet in position.owned_by(state))


def home_in_effect(position: Position, state: str) -> str:
    """The planet that has the bonuses of a home planet for this State; "" if there is none, or it is lost (LC-R26, LC-R27)."""
    power = position.by_name[state]
    home = power.home_planet
    if not home and power.kind == "npc" and position.options.npc_home_bonus:
        home = state
    return home if home in position.galaxy.place and position.planet(home).owner == state else ""


# --- Income and upkeep -------------------------------------------------------------------------------------------------


def tax_income(position: Position, state: str) -> int:
    """Tax Income of a move: planets, resources, home, and what traits and technologies add (LC-14, LC-15, LC-17)."""
    options, planets = position.options, position.owned_by(state)
    per_planet = options.planet_tax + effect(position, state, "tax_per_planet")
    resources = sum(position.data.resources[resource].tax for planet in planets for resource in planet.resources)
    home = options.home_tax if home_in_effect(position, state) else 0
    return len(planets) * per_planet + resources + home + effect(position, state, "tax_income")


def trade_treaties(position: Position, state: str) -> int:
    """How many trade treaties a State has."""
    return sum(relation.trade for relation in position.relations if state in relation.between)


def trade_income(position: Position, state: str) -> int:
    """Trade Income of a move: of each treaty 5 and what effects add, those of resources on each owned planet (LC-30)."""
    treaties = trade_treaties(position, state)
    if not treaties:
        return 0
    more = effect(position, state, "trade_income") + _on_owned(position, state, "trade_income")
    return treaties * (position.options.trade_income + more)


def unit_upkeep(position: Position, state: str, kind: UnitKind) -> int:
    """Upkeep of one unit in a move, never below 0 (LC-R23)."""
    basic = position.options.army_upkeep if kind == "army" else position.options.fleet_upkeep
    return max(0, basic + effect(position, state, f"{kind}_upkeep"))


def upkeep(position: Position, state: str) -> int:
    """Upkeep of all units of a State in a move (LC-66, LC-69)."""
    armies = sum(army.owner == state for army in position.armies)
    fleets = sum(fleet.owner == state for fleet in position.fleets)
    return armies * unit_upkeep(position, state, "army") + fleets * unit_upkeep(position, state, "fleet")


# --- Costs and limits --------------------------------------------------------------------------------------------------


def unit_cost(position: Position, planet: str, kind: UnitKind) -> int:
    """What the owner of a planet pays for a unit there, at least 1 (LC-65, LC-68, LC-R23)."""
    basic = position.options.army_cost if kind == "army" else position.options.fleet_cost
    name = f"{kind}_cost"
    return max(1, basic + effect(position, position.planet(planet).owner, name) + _on_planet(position, planet, name))


def unit_limit(position: Position, planet: str, kind: UnitKind) -> int:
    """How many units of a kind a planet can build in one move (LC-64, LC-67, LC-R85)."""
    name = "armies_per_turn" if kind == "army" else "fleets_per_turn"
    return 1 + effect(position, position.planet(planet).owner, name) + _on_planet(position, planet, name)


def blockaded(position: Position, planet: str) -> bool:
    """Whether a fleet of an enemy of the planet's owner is above it (LC-71)."""
    owner = position.planet(planet).owner
    return any(fleet.planet == planet and position.at_war(fleet.owner, owner) for fleet in position.fleets)


def resource_cost(position: Position, state: str, resource: Resource) -> int:
    """What a State pays to develop a resource, at least 1 (LC-22, LC-R23)."""
    cost = resource.cost + effect(position, state, "resource_cost")
    if resource.effects.get("portal"):
        cost += effect(position, state, "portal_cost")
    return max(1, cost)


def technology_cost(position: Position, state: str, technology: Technology) -> int:
    """What a State pays for a technology: at least half of its cost, rounded up; the discount is rounded down (LC-R23)."""
    discount = technology.cost * effect(position, state, "research_percent") // 100
    flat = effect(position, state, "research_cost") + _on_owned(position, state, "research_cost")
    return max(-(-technology.cost // 2), technology.cost - discount + flat)


def slots(position: Position, planet: str, without: Iterable[int] = ()) -> int:
    """How many resources a planet can hold (LC-23, LC-R30); slots provided by the resources at the places `without` do not
    count."""
    owner, resources = position.planet(planet).owner, position.planet(planet).resources
    idle = set(without)
    own = sum(
        position.data.resources[resource].effects.get("slots", 0)
        for place, resource in enumerate(resources)
        if place not in idle
    )
    home = effect(position, owner, "home_slots") if home_in_effect(position, owner) == planet else 0
    return position.options.slots + effect(position, owner, "slots") + own + home


# --- Portals -----------------------------------------------------------------------------------------------------------


def has_portal(position: Position, planet: str) -> bool:
    """Whether the planet is part of the portal network."""
    return _on_planet(position, planet, "portal") > 0


def portal_range(position: Position, state: str) -> int:
    """How many lines a State's units can bridge by portal: the best it knows, and all bonuses (LC-R63)."""
    data, power = position.data, position.by_name[state]
    known = [data.technologies[name].effects.get("portal_range", 0) for name in power.technologies]
    known += [data.traits[name].effects.get("portal_range", 0) for name in power.traits]
    return max(position.options.portal_base_range, *known, 0) + effect(position, state, "portal_range_bonus")
