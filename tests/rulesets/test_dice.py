"""The dice that the rulesets draw are fair: chi-square tests of every number of sides, from a fixed secret.

The rolls are the same in every run, so no test fails by chance. The bounds are five standard deviations wide: a fair die
leaves them once in three million tries, and one whose faces differ by a few per cent always does (see the last test).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pbmd.rules import Dice, HmacDice, Ruleset
from pbmd.rules.options import complete
from pbmd.rules.registry import get, slugs
from pbmd.simulate import Plan, play, usual_players

SECRET = bytes.fromhex("0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0")
SIZES = range(2, 101)
"""All dice of the rulesets, as the games below show, and those between."""
OPTIONS = {"starship_squadrons": {"map": "random"}}
"""Where nothing but shots in the dark would be rolled for else."""
PER_FACE = 100
DEVIATIONS = 5.0


def chi_square(counts: Sequence[int]) -> float:
    """How far the counts are from equal ones."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def deviation(counts: Sequence[int]) -> float:
    """The same in standard deviations of a fair die (Wilson and Hilferty's approximation); below 0 are too equal ones."""
    freedom = len(counts) - 1
    width = 2 / (9 * freedom)
    return ((chi_square(counts) / freedom) ** (1 / 3) - (1 - width)) / width**0.5


def drawn(dice: Dice, sides: int, times: int) -> list[int]:
    return [dice.roll(sides) - 1 for _ in range(times)]


def counted(rolls: Sequence[int], sides: int) -> list[int]:
    counts = Counter(rolls)
    assert set(counts) <= set(range(sides))
    return [counts[face] for face in range(sides)]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("sizes", [SIZES[start::6] for start in range(6)], ids=str)
def test_every_face_comes_as_often_as_the_others(sizes: range) -> None:
    for sides in sizes:
        rolls = drawn(HmacDice(SECRET, b"faces"), sides, PER_FACE * sides)
        assert abs(deviation(counted(rolls, sides))) < DEVIATIONS, sides


@pytest.mark.parametrize("sides", [2, 3, 6, 8, 10])
def test_a_roll_tells_nothing_about_the_next(sides: int) -> None:
    rolls = drawn(HmacDice(SECRET, b"pairs"), sides, 2 * PER_FACE * sides * sides)
    pairs = [one * sides + two for one, two in zip(rolls[::2], rolls[1::2], strict=True)]
    assert abs(deviation(counted(pairs, sides * sides))) < DEVIATIONS


@pytest.mark.parametrize("sides", [2, 3, 6, 10])
def test_the_first_roll_of_a_step_is_as_good_as_any(sides: int) -> None:
    # Another secret and other orders each time, as in a game.
    rolls = [
        HmacDice(bytes([number % 256]) * 32, str(number).encode()).roll(sides) - 1 for number in range(PER_FACE * sides * 5)
    ]
    assert abs(deviation(counted(rolls, sides))) < DEVIATIONS


WITHOUT_DICE = ("diplomacy",)


def noted(ruleset: Ruleset[Any], sizes: set[int]) -> Ruleset[Any]:
    """The ruleset, which notes the sides of all dice that its set-up and its resolutions draw."""

    def setup(*given: Any) -> Any:
        position = ruleset.setup(*given)
        sizes.update(sides for sides, _ in given[2].drawn)
        return position

    def resolve(position: Any, dice: Dice) -> Any:
        resolution = ruleset.resolve(position, dice)
        sizes.update(sides for sides, _ in dice.drawn)
        return resolution

    return replace(ruleset, setup=setup, resolve=resolve)


@pytest.mark.parametrize("slug", slugs())
def test_no_ruleset_draws_other_dice(slug: str) -> None:
    sizes = set[int]()
    ruleset = noted(get(slug), sizes)
    options = complete(ruleset.info.options, OPTIONS.get(slug, {}))
    for players in {ruleset.info.min_seats, usual_players(ruleset, options)}:
        plan = Plan(lambda: ruleset, players, options, seed=9, max_turns=60)
        assert play(plan, 0).problem == ""
    assert sizes - {1} <= set(SIZES)
    assert bool(sizes - {1}) is (slug not in WITHOUT_DICE)


def test_a_loaded_die_is_found() -> None:
    rolls = drawn(HmacDice(SECRET, b"loaded"), 6, 600 * PER_FACE)
    loaded = [5 if roll == 0 and number % 6 == 0 else roll for number, roll in enumerate(rolls)]
    assert deviation(counted(rolls, 6)) < DEVIATIONS
    assert deviation(counted(loaded, 6)) > DEVIATIONS
