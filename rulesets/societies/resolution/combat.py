"""The arithmetic of war, exact (SO-156 to SO-166, SO-R60 to SO-R63)."""

from collections.abc import Iterable, Set
from fractions import Fraction
from typing import NamedTuple

from ..tables import Rounding, rounded
from ..world.squares import Square, best_square, touches


class Clash(NamedTuple):
    """An attack: A, D, AT, DT and DC of the rule (SO-159)."""

    attackers: int
    defenders: int
    attacker_tech: int
    defender_tech: int
    cities: int

    @property
    def captures(self) -> int:
        """C, the number of cities that the attack can take (SO-158)."""
        strength = Fraction(self.attackers, self.defender_tech) - Fraction(self.defenders, self.cities)
        return max(0, rounded(strength * Fraction(self.attacker_tech, self.defender_tech), "down"))

    def losses(self, taken: int, how: Rounding) -> tuple[int, int]:
        """Armies lost by attacker and defender, if so many cities were taken (SO-165, SO-166)."""
        attackers = rounded(Fraction(self.defenders, self.attacker_tech), how)
        defenders = rounded(Fraction(self.defenders, self.cities) * taken, how)
        return min(self.attackers, attackers), min(self.defenders, defenders)


def two_way(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """What two armies, each with the level of its society, leave of each other (SO-162 to SO-164)."""
    difference = one[0] * one[1] - other[0] * other[1]
    if difference > 0:
        return rounded(Fraction(difference, one[1])), 0
    return 0, rounded(Fraction(-difference, other[1]))


def taken_cities(
    captures: int,
    targets: Iterable[Square],
    territory: Set[Square],
    enemy: Set[Square],
    side: int,
    *,
    sneak: bool,
) -> tuple[Square, ...]:
    """The cities taken, one after the other (SO-154, SO-155, SO-R61); a sneak attack opens up no further ones (SO-R62)."""
    ranked, own, left = tuple(targets), set(territory), set(enemy)
    at_first = {square for square in left if touches(square, own, side)}
    taken: list[Square] = []
    while len(taken) < captures:
        near = at_first & left if sneak else {square for square in left if touches(square, own, side)}
        square = next((wanted for wanted in ranked if wanted in near), None) or best_square(near, own, side)
        if square is None:
            break
        taken.append(square)
        own.add(square)
        left.remove(square)
    return tuple(taken)
