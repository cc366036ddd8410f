"""The orders of a faction that stalls (section 9.4): spread over its borders, or invested where it has none."""

from ..orders import Force, Plan
from ..tables import INDECISIVE_UNITS
from ..world.state import Faction, Position, System
from ..world.values import resource_units


def default_orders(position: Position, faction: Faction) -> Plan:
    """What a stalled faction does; it follows from the start of the turn alone (CC-50, CC-51, CC-R79)."""
    own = position.held_by(faction.colour)
    borders = [system.name for system in own if _is_border(position, system)]
    places = borders or [system.name for system in own]
    shares = zip(places, _shares(resource_units(position, faction), len(places)), strict=True)
    most = INDECISIVE_UNITS if faction.has("indecisive") else None
    units = {name: min(share, most or share) for name, share in shares if share}
    if not borders:
        return Plan(invest=units)
    drones = _shares(faction.drones, len(units))
    return Plan(defend={name: Force(units[name], share) for name, share in zip(units, drones, strict=True)})


def _is_border(position: Position, system: System) -> bool:
    """Next to a system of another active faction, or with the option next to any that is not its own (CC-R77)."""
    owners = {position.system(name).owner for name in position.galaxy.neighbours(system.name)} - {system.owner}
    return bool(owners) if position.options.borders == "any" else bool(owners - {""})


def _shares(whole: int, parts: int) -> list[int]:
    """As equal as can be, the first ones one more (CC-R78)."""
    each, more = divmod(whole, parts) if parts else (0, 0)
    return [each + (place < more) for place in range(parts)]
