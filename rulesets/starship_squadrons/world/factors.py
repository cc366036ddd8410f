"""The seven factors (section 7.1 of the rules)."""

from typing import Literal, NamedTuple

from pbmd.rules.codec import row
from pbmd.rules.documents import Count

Factor = Literal["jump", "maneuver", "sensor_range", "attack", "attack_range", "defense", "supply"]
FACTORS: tuple[Factor, ...] = ("jump", "maneuver", "sensor_range", "attack", "attack_range", "defense", "supply")
OTHERS: tuple[Factor, ...] = ("jump", "maneuver", "sensor_range", "attack", "attack_range", "supply")
"""All but defense, in the order in which single hits are counted out (section 7.4)."""


@row
class Factors(NamedTuple):
    """A number for each of the seven: levels, or hits."""

    jump: Count = 0
    maneuver: Count = 0
    sensor_range: Count = 0
    attack: Count = 0
    attack_range: Count = 0
    defense: Count = 0
    supply: Count = 0

    def of(self, factor: Factor) -> int:
        """The number for that factor."""
        return self[FACTORS.index(factor)]
