"""Who plays in a trial: as many as there shall be, under names as people choose them."""

from typing import Any

from pbmd.rules import Options, Refused, Ruleset, Signup
from pbmd.simulate import NAMES as USUAL
from pbmd.simulate import signups

NAMES = ("Nova Terra", "borealis", *(name for name in USUAL if name != "Borealis"))
"""Of two words, without a capital, and not in the order of the alphabet."""


def players(rules: Ruleset[Any], many: int, options: Options) -> tuple[Signup, ...]:
    """So many sign-ups, with as many of those names as the rules take. Raises `Refused` when they do not take so many."""
    for names in (NAMES, NAMES[1:]):
        try:
            return signups(rules, many, options, names)
        except Refused:
            continue
    return signups(rules, many, options)
