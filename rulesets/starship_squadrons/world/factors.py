"""The seven factors (section 7.1 of the rules)."""

from typing import Literal, NamedTuple

Factor = Literal["jump", "maneuver", "sensor_range", "attack", "attack_range", "defense", "supply"]
FACTORS: tuple[Factor, ...] = ("jump", "maneuver", "sensor_range", "attack", "attack_range", "defense", "supply")
OTHERS: tuple[Factor, ...] = ("jump", "maneuver", "sensor_range", "attack", "attack_range", "supply")
"""All but defense, in the order in which single hits are counted out (section 7.4)."""


class Factors(NamedTuple):
    """A number for each of the seven: levels, or hits."""

    jump: int = 0
    maneuver: int = 0
    sensor_range: int = 0
    attack: int = 0
    attack_range: int = 0
    defense: int = 0
    supply: int = 0

    def of(self, factor: Factor) -> int:
        """The number for that factor."""
        return self[FACTORS.index(factor)]
