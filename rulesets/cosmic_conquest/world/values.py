"""What follows from a position (section 4.3 of the rules)."""

from collections.abc import Iterable

from ..tables import RESOURCEFUL_UNITS, TECHS, TIME_SKIP_UNITS
from .state import Faction, Position


def empire_bonus(position: Position, faction: Faction) -> int:
    """Units a turn from an Intergalactic Empire of this faction, whether it has one or not (CC-71, CC-72)."""
    options = position.options
    return options.empire_bonus_tachyon if faction.tech == "tachyon" else options.empire_bonus


def unit_sources(position: Position, faction: Faction) -> tuple[int, int, int]:
    """Where its units come from: systems, Intergalactic Empire, a Resourceful admiral."""
    return (
        sum(system.effective for system in position.held_by(faction.colour)),
        empire_bonus(position, faction) if faction.empire_turn else 0,
        RESOURCEFUL_UNITS if faction.has("resourceful") else 0,
    )


def resource_units(position: Position, faction: Faction) -> int:
    """The units of the coming turn as published and as they count for victory (CC-R68)."""
    return sum(unit_sources(position, faction))


def invest_cost(faction: Faction) -> int:
    """Units for one more unit of output (CC-R30)."""
    return TECHS[faction.tech].invest - faction.has("strategist") + faction.has("overcautious")


def output_cap(position: Position, faction: Faction) -> int:
    """The output up to which investing raises a system (CC-88, CC-111)."""
    return position.options.output_cap_biomech if faction.tech == "biomech" else position.options.output_cap


def launching(position: Position, colour: str, stasis: str = "", skip: str = "") -> frozenset[str]:
    """A faction's systems that can launch attacks this turn (CC-R07); `stasis` and `skip` are those with these abilities."""
    options = position.options
    return frozenset(
        system.name
        for system in position.held_by(colour)
        if system.effective + (TIME_SKIP_UNITS if options.time_skip_lifts and system.name == skip else 0) >= 1
        and not (options.stasis_blocks_launch and system.name == stasis)
    )


def targets(position: Position, colour: str, bases: Iterable[str]) -> list[str]:
    """The systems of others that are adjacent to one of these, in map order."""
    galaxy = position.galaxy
    near = {name for base in bases for name in galaxy.neighbours(base)}
    return galaxy.in_order(name for name in near if position.system(name).owner != colour)
