"""Games come to an end."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pbmd.conformance.findings import Wrong
from pbmd.conformance.scenes import Opening, Scene, dutifully, first_opening, scenes_of_game
from pbmd.conformance.setting_up import extremes, opening_with
from pbmd.rules import Ruleset

STEPS = 2000
"""A game that is not over after so many steps of random players is never over."""
_SHORT = 60


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds of the processor may be spent on waiting for the end of a game."""

    seconds: float


def last_scenes(rules: Ruleset[Any], words: str, patience: Patience) -> Iterator[Scene | Wrong]:
    """The last steps of games: of one with the usual options, played to its end if there is patience enough; and, while none has
    ended, of short ones with options at the ends of their limits. `Wrong` if the long one had so many steps and none ended."""
    began, ended, played = time.process_time(), False, 0
    for opening, most in ((first_opening(rules, words), _SHORT), *_others(rules, words)):
        if ended or time.process_time() - began > patience.seconds:
            break
        for scene in _last(rules, opening, most, began + patience.seconds):
            ended, played = _is_over(scene), max(played, len(scene.past) + 1)
            yield scene
    if not ended and played >= STEPS:
        words = f"after {played} steps of random players, and with all options at the ends of their limits, no game is over"
        yield Wrong("outcome.comes", words, "outcome")


def _others(rules: Ruleset[Any], words: str) -> Iterator[tuple[Opening, int]]:
    for key, value in extremes(rules):
        if opening := opening_with(rules, words, key, value):
            yield opening, _SHORT
    yield first_opening(rules, f"{words}, long"), STEPS


def _is_over(scene: Scene) -> bool:
    return scene.rules.outcome(scene.played.resolution.position) is not None


def _last(rules: Ruleset[Any], opening: Opening, most: int, until: float) -> list[Scene]:
    """The last scene of a game; the last but so many if patience is over."""
    last: list[Scene] = []
    for scene in scenes_of_game(rules, opening, most, dutifully, range(most)):
        last = [scene]
        if time.process_time() > until:
            break
    return last
