"""Games of equals: all write the same with the same luck, so that they stand level, and perhaps at the end, too."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pbmd.conformance.findings import Wrong
from pbmd.conformance.scenes import dice, first_opening, first_scene, is_due, random_lines
from pbmd.rules import Dice, HmacDice, Mail, Refused, Ruleset

_STEPS = 40
_SECONDS = 2.0
"""Of the processor: after that the game is left as it stands."""
_LIKE = 50
"""So many rolls of a step are alike. Rules may roll until there is a difference."""


class EvenDice(Dice):
    """All rolls are in the middle, at first; then chance decides."""

    def __init__(self, chance: HmacDice) -> None:
        super().__init__()
        self._chance = chance

    def _next(self, sides: int) -> int:
        return (sides + 1) // 2 if len(self.drawn) < _LIKE else self._chance.roll(sides)


def game_of_equals(rules: Ruleset[Any], words: str) -> Iterator[Wrong]:
    """Of the fewest. Whether somebody has won is asked after each step, until the game is over. What is wrong is raised: these
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
    """The position when all that are awaited have written, each with the same luck, or missed the deadline."""
    for number, seat in enumerate(rules.awaiting(position), start=1):
        if not is_due(rules, position):
            position = rules.receive(
                position, Mail(seat, random_lines(rules, position, seat, dice(words)), (number, 0))
            ).position
    for seat in rules.awaiting(position):
        if seat in rules.awaiting(position) and not is_due(rules, position):
            position = rules.miss(position, seat).position
    return position
