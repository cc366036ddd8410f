"""Games come to an end."""

import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from pbmd.conformance.findings import Wrong
from pbmd.conformance.growth import growing
from pbmd.conformance.order_checks import LATER
from pbmd.conformance.scenes import Scene, dice, dutifully, first_opening, not_at_all, random_lines, scenes_of_game
from pbmd.conformance.setting_up import extremes, opening_with
from pbmd.rules import Document, Mail, Ruleset

STEPS = 2000
"""A game that is not over after this many steps of random players will never be."""
_LONG, _SHORT = 150, 40
_ROUNDS = 6
"""A seat that is not awaited in this many steps for each seat has been forgotten."""
_SILENT = 6
"""Steps of a game in which nobody writes; where moves are made one by one, as many as `_ROUNDS` take."""
_STEPS_FOR_ALL = 2
"""Where all write at once, fewer are enough."""


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """How many seconds of processor time may be spent on waiting for the end of a game."""

    seconds: float


def last_scenes(rules: Ruleset[Any], words: str, patience: TimeBudget) -> Iterator[Scene | Wrong]:
    """A long game with the usual options, the last steps of short ones with options at the ends of their limits, and, if none
    of them has ended, a very long one, within the time budget. `Wrong` if that has not ended either."""
    until = time.process_time() + patience.seconds
    ended = False
    for each in chain(_long_game(rules, words, until), _short_games(rules, words, until)):
        ended = ended or (isinstance(each, Scene) and _is_over(each))
        yield each
    if ended or time.process_time() > until:
        return
    for scene in _last(_until(until, scenes_of_game(rules, first_opening(rules, f"{words}, long"), STEPS, dutifully, ()))):
        yield scene
        if not _is_over(scene) and len(scene.past) + 1 >= STEPS:
            words = f"after {STEPS} steps of random players, and with all options at the ends of their limits, no game is over"
            yield Wrong("outcome.comes", words, "outcome")


def _long_game(rules: Ruleset[Any], words: str, until: float) -> Iterator[Scene | Wrong]:
    """All its steps."""
    opening = first_opening(rules, words)
    yield from _with_everybody(_until(until, scenes_of_game(rules, opening, _LONG, dutifully, ())))


def _short_games(rules: Ruleset[Any], words: str, until: float) -> Iterator[Scene | Wrong]:
    """The last step of each."""
    for key, value in extremes(rules):
        if time.process_time() < until and (opening := opening_with(rules, words, key, value)):
            game = _with_everybody(_until(until, scenes_of_game(rules, opening, _SHORT, dutifully, ())))
            last: Scene | None = None
            for each in game:
                if isinstance(each, Wrong):
                    yield each
                else:
                    last = each
            if last is not None:
                yield last


def _with_everybody(scenes: Iterator[Scene]) -> Iterator[Scene | Wrong]:
    """The steps of a game, in which each seat must be awaited at some time, and again and again while it may send orders.
    The position does not grow without end."""
    at: dict[str, int] = {}
    documents = list[Document]()
    scene = None
    for scene in scenes:
        documents.append(scene.rules.dump(scene.position))
        at |= dict.fromkeys(scene.rules.awaiting(scene.position), len(scene.past) + 1)
        yield scene
    if scene is not None:
        yield from _forgotten(scene, at)
        for part, size in islice(growing(documents), 1):
            words = (
                f"in a game of {len(documents)} steps {part} grew in nearly every one, to {size}, and nothing in it ever went"
            )
            yield Wrong("document.growth", words, "resolve")


def _forgotten(last: Scene, at: Mapping[str, int]) -> Iterator[Wrong]:
    rules, played = last.rules, len(last.past) + 1
    seats = rules.seats(last.position)
    often = _ROUNDS * len(seats)
    if played >= (_STEPS_FOR_ALL if rules.info.timing == "simultaneous" else often):
        for seat in seats:
            if seat not in at:
                yield Wrong("awaiting.everybody", f"in {played} steps {seat} is not awaited once", "awaiting")
    if rules.sequential and not _is_over(last):
        orders = [random_lines(rules, last.position, seat, dice(last.name)) for seat in rules.awaiting(last.position)[:1]]
        for seat in (seat for seat in seats if at.get(seat, played) < played - often):
            if any(rules.receive(last.position, Mail(seat, lines, LATER)).filed for lines in orders):
                words = f"{seat} is not awaited in {played - at[seat]} steps, though its orders would be filed"
                yield Wrong("awaiting.everybody", words, "awaiting")


def silent_game(rules: Ruleset[Any], words: str) -> Iterator[Scene | Wrong]:
    """A game in which nobody writes. `Wrong` if moves are made one by one, and a seat that misses them all holds it up
    forever."""
    opening = first_opening(rules, words)
    often = _ROUNDS * len(opening.signups) if rules.sequential else 0
    same, before = 0, None
    for scene in scenes_of_game(rules, opening, max(_SILENT, often), not_at_all, (0, 1, 3)):
        yield scene
        awaited = rules.awaiting(scene.position)
        now = rules.turn(scene.position), rules.step_name(scene.position), awaited
        same, before = same + 1 if now == before else 1, now
        if same == often:
            words = f"when nobody writes, {', '.join(awaited)} is still awaited after {same - 1} missed deadlines"
            yield Wrong("miss.goes-on", words, "resolve")


def _is_over(scene: Scene) -> bool:
    return scene.rules.outcome(scene.played.resolution.position) is not None


def _until(until: float, scenes: Iterator[Scene]) -> Iterator[Scene]:
    """Those that fit into the time budget; the first in any case."""
    for scene in scenes:
        yield scene
        if time.process_time() > until:
            return


def _last(scenes: Iterator[Scene]) -> list[Scene]:
    return [*deque(scenes, maxlen=1)]
