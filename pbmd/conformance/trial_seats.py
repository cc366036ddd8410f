"""Who plays in a trial: the required number of players, under names as people choose them."""

from typing import Any

from pbmd.rules import Options, Refused, Ruleset, Signup
from pbmd.simulate import NAMES as USUAL
from pbmd.simulate import signups

NAMES = ("Nova Terra", "borealis", *(name for name in USUAL if name != "Borealis"))
"""With two words, without a capital, and not in alphabetical order."""


def players(rules: Ruleset[Any], many: int, options: Options) -> tuple[Signup, ...]:
    """This many sign-ups, with as many of those names as the rules accept. Raises `Refused` if the rules do not take so
    many."""
    for names in (NAMES, NAMES[1:]):
        try:
            return signups(rules, many, options, names)
        except Refused:
            continue
    return signups(rules, many, options)
