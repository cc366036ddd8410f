"""Options that change nothing: the same openings are played with the same letters, and with another value."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any

from pbmd.conformance.derivation import Derivation
from pbmd.conformance.derived_letters import readers_of, words_of
from pbmd.conformance.documents import values_of
from pbmd.conformance.eager_players import eagerly
from pbmd.conformance.everything_sent import answer, everybody, told_of, view_and_form
from pbmd.conformance.findings import Broken
from pbmd.conformance.hostile_input import letter_of
from pbmd.conformance.scenes import Opening, Scene, as_people_do, dice, dutifully, first_opening, scenes_of_game
from pbmd.conformance.trial_seats import players
from pbmd.conformance.watched_ruleset import guarded, watchdog
from pbmd.rules import PositionError, Refused, Ruleset
from pbmd.rules.options import OptionSpec, OptionValue, complete
from pbmd.simulate import usual_players

_STEPS = 40
_EAGER = 12
_MANY = 8
_EARLY = 2
"""In so many steps of a game lines of the grammar are answered, too: an option may allow what nobody has written."""


class Game:
    """The steps of a game, each with all that shows in it."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self.scenes = scenes

    @cached_property
    def lines(self) -> list[Sequence[str]]:
        """Those of the grammar, for each step."""
        return [_lines(scene) if number < _EARLY else () for number, scene in enumerate(self.scenes)]

    @cached_property
    def shown(self) -> list[list[object]]:
        """For each step."""
        return [_shown(scene, lines) for scene, lines in zip(self.scenes, self.lines, strict=True)]


def idle_options(rules: Ruleset[Any], patience: float) -> list[str]:
    """The options of which no other value changes anything in any of the games. What there was no time for, in seconds of
    processor time, is not among them; nor are those of the clock, which pbmd keeps."""
    clock = rules.info.clock
    not_of_rules = {clock.turn_hours, clock.extension_hours, clock.extension_gap} if clock else set[str]()
    until, found = time.process_time() + patience, list[str]()
    with watchdog(), suppress(Refused, Broken, PositionError):  # findings of other checks
        games = [Game(tuple(each)) for each in _games(guarded(rules))]
        for key, spec in rules.info.options.items():
            values = _other_values(spec)
            tried = ((game, value) for value in values for game in games)
            if key not in not_of_rules and values and not any(_changes(game, key, value, until) for game, value in tried):
                found.append(key)
    return found


def _other_values(spec: OptionSpec) -> list[OptionValue]:
    """Also those next to the default of a number: some matter only where they are met exactly."""
    values = [*values_of(spec)]
    if type(spec.default) is int:
        near = (spec.default - 1, spec.default + 1)
        lowest, highest = values
        values += [
            value for value in near if isinstance(lowest, int) and isinstance(highest, int) and lowest <= value <= highest
        ]
    return [value for value in dict.fromkeys(values) if value != spec.default]


def _games(rules: Ruleset[Any]) -> Iterator[Iterator[Scene]]:
    """With the options as they are, of few, of the usual number and of many, one in which all that can be written is, and one
    with others."""
    usual = complete(rules.info.options, {})
    few, many = rules.info.min_seats, min(rules.room(usual) or _MANY, _MANY)
    games = (
        (few, dutifully, _STEPS),
        (usual_players(rules, usual), as_people_do, _STEPS),
        (few, eagerly, _EAGER),
        (many, dutifully, _STEPS),
    )
    for seats, writers, steps in games:
        opening = Opening(players(rules, seats, usual), usual, f"the same with {seats}")
        yield scenes_of_game(rules, opening, steps, writers)
    yield scenes_of_game(rules, first_opening(rules, "the same with others"), _STEPS, dutifully)


def _changes(game: Game, key: str, value: OptionValue, until: float) -> bool:
    """Whether anything is another; also where that cannot be played, and where time is up."""
    opening = game.scenes[0].opening if game.scenes else None
    if opening is None or opening.options[key] == value:
        return False
    rules, options = game.scenes[0].rules, {**opening.options, key: value}
    try:
        if rules.room(options) != rules.room(opening.options):
            return True
        position = rules.setup(opening.signups, options, dice(opening.dice, "set-up"))
        for number, scene in enumerate(game.scenes):
            other = replace(scene, position=position)
            if time.process_time() > until or _shown(other, game.lines[number]) != game.shown[number]:
                return True
            position = other.played.resolution.position
    except (Refused, Broken, PositionError):
        return True
    return False


def _lines(scene: Scene) -> list[str]:
    derived = (Derivation(reader.source(), words_of(scene)) for reader in readers_of(scene.rules))
    chance = dice(scene.name, "the same lines")
    found = (each.line(rule, chance) for each in derived for rule in each.rules)
    return [line for line in found if line]


def _shown(scene: Scene, lines: Sequence[str]) -> list[object]:
    """What anybody gets in a step, also of letters that nobody has sent in it."""
    rules, position, after = scene.rules, scene.position, scene.played.resolution.position
    seats, awaited = rules.seats(position), rules.awaiting(position)
    return [
        rules.turn(position),
        rules.step_name(position),
        rules.hours(position) if rules.hours else None,
        awaited,
        [view_and_form(rules, position, (), seat) for seat in everybody(rules, position)],
        [rules.random_orders(position, seat, dice(scene.name, seat)) for seat in awaited],
        [answer(rules.receive(position, letter_of(seat, (line,)))) for seat in seats[:1] for line in lines],
        told_of(scene),
        rules.outcome(after),
        rules.places(after) if rules.places and rules.outcome(after) is not None else None,
    ]
