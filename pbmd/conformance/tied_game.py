"""Games of equals: everybody writes the same and has the same luck, so that they are level, perhaps to the end."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pbmd.conformance.findings import Wrong
from pbmd.conformance.scenes import dice, first_opening, first_scene, is_due, random_lines
from pbmd.rules import Dice, HmacDice, Mail, Refused, Ruleset

_STEPS = 40
_SECONDS = 2.0
"""In seconds of processor time: after that the game is left as it is."""
_LIKE = 50
"""This many rolls are equal. Rules may roll until there is a difference."""


class EvenDice(Dice):
    """All rolls are in the middle, at first; then chance decides."""

    def __init__(self, chance: HmacDice) -> None:
        super().__init__()
        self._chance = chance

    def _next(self, sides: int) -> int:
        return (sides + 1) // 2 if len(self.drawn) < _LIKE else self._chance.roll(sides)


def game_of_equals(rules: Ruleset[Any], words: str) -> Iterator[Wrong]:
    """With the fewest players. After each step the outcome is asked for, until the game is over. Problems are raised: these
    steps are no scenes."""
    opening = first_opening(rules, words)
    fewest = replace(opening, signups=opening.signups[: rules.info.min_seats])
    try:
        position = first_scene(rules, fewest).position
    except Refused:
        return
    until = time.process_time() + _SECONDS
    for step in range(_STEPS):
        if rules.outcome(position) is not None or time.process_time() > until:
            break
        now = _all_wrote(rules, position, f"{words}, step {step}")
        position = rules.resolve(now, EvenDice(dice(words, step))).position
    yield from ()


def _all_wrote(rules: Ruleset[Any], position: Any, words: str) -> Any:
    """The position when all awaited seats have written, each with the same luck, or missed the deadline."""
    for number, seat in enumerate(rules.awaiting(position), start=1):
        if not is_due(rules, position):
            position = rules.receive(
                position, Mail(seat, random_lines(rules, position, seat, dice(words)), (number, 0))
            ).position
    for seat in rules.awaiting(position):
        if seat in rules.awaiting(position) and not is_due(rules, position):
            position = rules.miss(position, seat).position
    return position
