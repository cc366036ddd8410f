"""Choices by dice, for set-ups and random players."""

from collections.abc import Sequence
from typing import TypeVar

from pbmd.rules.dice import Dice

T = TypeVar("T")


def pick(dice: Dice, choices: Sequence[T]) -> T:
    """One of the choices; one roll. Raises `ValueError` if there are none."""
    return choices[dice.roll(len(choices)) - 1]


def one_in(dice: Dice, chances: int) -> bool:
    """True once in this many times on average; one roll."""
    return dice.roll(chances) == 1


def shuffled(dice: Dice, things: Sequence[T]) -> list[T]:
    """The things in random order, all orders being equally likely: from the end, each is swapped with one up to itself."""
    order = list(things)
    for last in range(len(order), 1, -1):
        drawn = dice.roll(last)
        order[last - 1], order[drawn - 1] = order[drawn - 1], order[last - 1]
    return order
