"""What units cost (SQ-10 to SQ-20, SQ-R07 to SQ-R11), and what damage leaves of them (section 7.1 of the rules)."""

from ..tables import LIMITS, GameOptions
from .counters import Unit
from .factors import FACTORS, Factor, Factors

_BEST_TECH = 15


def factor_cost(level: int, tech: int, options: GameOptions) -> int:
    """Points for a factor of that level; a factor of level 0 is not installed and costs nothing (SQ-R08)."""
    if level == 0:
        return 0
    surcharge = _BEST_TECH - tech
    return level * (1 + surcharge) if options.cost_scheme == "per_level" else level + surcharge


def unit_cost(factors: Factors, tech: int, options: GameOptions) -> int:
    """Points for all factors of a unit."""
    return sum(factor_cost(level, tech, options) for level in factors)


def beyond_limit(factors: Factors, tech: int) -> tuple[Factor, int] | None:
    """The first factor that is higher than can be bought, and its limit; None if all can."""
    for factor, level, most in zip(FACTORS, factors, LIMITS[tech], strict=True):
        if level > most:
            return factor, most
    return None


def improved(unit: Unit) -> Factors:
    """The printed factors with the bonus of the Admirals (SQ-45, SQ-R41)."""
    bonus, printed = unit.admirals, unit.printed
    return printed._replace(
        sensor_range=printed.sensor_range + bonus, attack=printed.attack + bonus, attack_range=printed.attack_range + bonus
    )


def pen(unit: Unit) -> int:
    """The points of damage that got past defense; with labelled hits, all those on other factors."""
    if unit.hits is not None:
        return sum(unit.hits) - unit.hits.defense
    return max(0, unit.damage - unit.printed.defense)


def current(unit: Unit) -> Factors:
    """The present factors: printed, with Admirals, minus damage."""
    if not unit.damage:
        return improved(unit) if unit.admirals else unit.printed
    if unit.hits is not None:
        return Factors(*(max(0, level - hits) for level, hits in zip(improved(unit), unit.hits, strict=True)))
    past = pen(unit)
    left = Factors(*(max(0, level - past) for level in improved(unit)))
    return left._replace(defense=max(0, unit.printed.defense - unit.damage))


def toughness(unit: Unit, *, admirals: bool = True) -> int:
    """The damage at which all factors are 0 (SQ-R44); with labelled hits, all levels together."""
    levels = improved(unit) if admirals else unit.printed
    if unit.hits is not None:
        return sum(levels)
    return levels.defense + max(level for factor, level in zip(FACTORS, levels, strict=True) if factor != "defense")


def is_dead(unit: Unit) -> bool:
    """Whether nothing of the unit works any more."""
    return not any(current(unit))


def shown_attack(unit: Unit) -> int:
    """The attack that the enemy can expect: without Admirals."""
    lost = unit.hits.attack if unit.hits is not None else pen(unit)
    return max(0, unit.printed.attack - lost)


def shown_strength(unit: Unit) -> int:
    """The damage that would destroy the unit, as far as the enemy may know."""
    return toughness(unit, admirals=False) - unit.damage


def supply_room(unit: Unit, supply_per_factor: int) -> int:
    """How many Supply counters the unit can carry now (SQ-R49)."""
    return current(unit).supply * supply_per_factor


def repair_actions(unit: Unit) -> int:
    """Repairs that a unit can make in a day (SQ-84, SQ-R54)."""
    return 1 + unit.admirals
