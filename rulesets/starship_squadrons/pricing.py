"""What units cost and what can be bought at a tech level (SQ-10 to SQ-20, SQ-R07 to SQ-R11)."""

from .factors import FACTORS, Factor, Factors
from .tables import LIMITS, GameOptions

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
    """The first factor that is higher than can be bought, and how high it can be; None if all can."""
    for factor, level, most in zip(FACTORS, factors, LIMITS[tech], strict=True):
        if level > most:
            return factor, most
    return None
