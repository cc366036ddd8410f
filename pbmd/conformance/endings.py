"""Games come to an end."""

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pbmd.conformance.findings import Wrong
from pbmd.conformance.scenes import Scene, dutifully, first_opening, scenes_of_game
from pbmd.conformance.setting_up import extremes, opening_with
from pbmd.rules import Ruleset

STEPS = 2000
"""A game that is not over after so many steps of random players is never over."""
_LONG, _SHORT = 150, 40
_ROUNDS = 6
"""A seat that is not awaited in so many steps for each seat is forgotten."""
_STEPS_FOR_ALL = 2
"""Where all write at once it need not be so many."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds of the processor may be spent on waiting for the end of a game."""

    seconds: float


def last_scenes(rules: Ruleset[Any], words: str, patience: Patience) -> Iterator[Scene | Wrong]:
    """A long game with the usual options, the last steps of short ones with options at the ends of their limits, and, if none
    of them has ended, of a very long one, as far as there is patience. `Wrong` if that has not ended either."""
    until = time.process_time() + patience.seconds
    ended, played, awaited, seats = False, 0, set[str](), tuple[str, ...]()
    for scene in _until(until, scenes_of_game(rules, first_opening(rules, words), _LONG, dutifully, ())):
        ended, played, awaited = _is_over(scene), len(scene.past) + 1, awaited | {*rules.awaiting(scene.position)}
        seats = rules.seats(scene.position)
        yield scene
    enough = _STEPS_FOR_ALL if rules.info.timing == "simultaneous" else _ROUNDS * len(seats)
    if played >= enough and (left := [seat for seat in seats if seat not in awaited]):
        yield Wrong("awaiting.everybody", f"in {played} steps {', '.join(left)} is not awaited once", "awaiting")
    for key, value in extremes(rules) if time.process_time() < until else ():
        if opening := opening_with(rules, words, key, value):
            for scene in _last(_until(until, scenes_of_game(rules, opening, _SHORT, dutifully, ()))):
                ended = ended or _is_over(scene)
                yield scene
    if not ended and time.process_time() < until:
        for scene in _last(_until(until, scenes_of_game(rules, first_opening(rules, f"{words}, long"), STEPS, dutifully, ()))):
            ended, played = _is_over(scene), len(scene.past) + 1
            yield scene
    if not ended and played >= STEPS:
        words = f"after {played} steps of random players, and with all options at the ends of their limits, no game is over"
        yield Wrong("outcome.comes", words, "outcome")


def _is_over(scene: Scene) -> bool:
    return scene.rules.outcome(scene.played.resolution.position) is not None


def _until(until: float, scenes: Iterator[Scene]) -> Iterator[Scene]:
    """Those that there is patience for, the first in any case."""
    for scene in scenes:
        yield scene
        if time.process_time() > until:
            return


def _last(scenes: Iterator[Scene]) -> list[Scene]:
    return [*deque(scenes, maxlen=1)]
