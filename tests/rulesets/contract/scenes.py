"""Scenes: steps of random games of any ruleset, with letters as players write them, right ones and wrong ones.

They are made by the protocol alone. Where the tests of a ruleset can draw stranger positions than its games come to, as
`documents` of their `strategies`, some scenes begin in those. The scenes of a ruleset are made once, and are the same in every
run.
"""

import importlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from pbmd.adjudicate import order_lines
from pbmd.rules import Dice, Event, Line, Mail, Options, Receipt, Refused, Resolution, Roll, Ruleset
from pbmd.rules.options import OptionValue, complete
from pbmd.rules.registry import from_folder, get, slugs
from pbmd.simulate import signups, usual_players
from tests.rules import count, relay, tides
from tests.rulesets.budgets import examples_of
from tests.rulesets.random_games import dice, spoilt

TOYS: dict[str, Ruleset[Any]] = {"count": count.ruleset, "relay": relay.ruleset, "tides": tides.ruleset}
OWN = os.environ.get("PBMD_RULESET", "")
"""The folder of a ruleset that is not installed; then it alone is held to its promises."""
NAMES = (OWN,) if OWN else (*slugs(), *TOYS)

GAMES = 3
STEPS = (0, 1, 2, 5, 9, 14)
"""Which steps of a game are scenes."""
DOCUMENTS = int(os.environ.get("PBMD_FUZZ", "28"))


@dataclass(frozen=True, eq=False)
class Scene:
    """A step: a position, the events that led to it, and the letters that come in, in the order of arrival. Its dice come from
    its `name`."""

    name: str
    rules: Ruleset[Any]
    position: Any
    events: tuple[Event, ...]
    letters: tuple[Mail, ...]


class Played(NamedTuple):
    """What became of a step. `positions` are all that there were: at first, after each letter and missed deadline, last."""

    positions: tuple[Any, ...]
    receipts: tuple[Receipt[Any], ...]
    missed: tuple[Resolution[Any], ...]
    resolution: Resolution[Any]
    drawn: tuple[Roll, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, first what was told in the middle of the step."""
        return (*self.at_once, *self.resolution.events)

    @property
    def at_once(self) -> tuple[Event, ...]:
        """What was told in the middle of the step."""
        return tuple(event for each in (*self.receipts, *self.missed) for event in each.events)


def named(name: str) -> Ruleset[Any]:
    """The ruleset of that name, be it a toy, installed, or in a folder."""
    return TOYS.get(name) or (from_folder(Path(name).resolve()) if name == OWN else get(name))


@cache
def scenes(name: str) -> tuple[Scene, ...]:
    """All scenes of the ruleset of that name."""
    return some_scenes(named(name), GAMES, DOCUMENTS)


def some_scenes(rules: Ruleset[Any], games: int, documents: int) -> tuple[Scene, ...]:
    """Those of so many random games, and in so many positions drawn by the tests of the ruleset."""
    return (*(scene for number in range(games) for scene in _of_a_game(rules, number)), *_of_documents(rules, documents))


def _of_a_game(rules: Ruleset[Any], number: int) -> Iterator[Scene]:
    position, events = first_position(rules, number), ()
    chance = dice(number, "letters")
    for step in range(STEPS[-1] + 1):
        if rules.outcome(position) is not None:
            return
        scene = _with_letters(rules, position, events, chance, f"game {number}, step {step}")
        if step in STEPS:
            yield scene
        position, events = played(scene).resolution.position, played(scene).events


def first_position(rules: Ruleset[Any], number: int) -> Any:
    """Of a game with few players or the usual number, and with options drawn by lot as far as they make a game."""
    chance = dice(number, "options")
    usual = complete(rules.info.options, {})
    most = usual_players(rules, usual)
    for options in (_drawn(rules, chance), usual):
        try:
            players = signups(rules, rules.info.min_seats + chance.roll(most - rules.info.min_seats + 1) - 1, options)
            return rules.setup(players, options, dice(number, "set-up"))
        except Refused:
            continue
    raise AssertionError(f"{rules.info.slug} makes no game with its own options")


def _drawn(rules: Ruleset[Any], chance: Dice) -> Options:
    """One in three of the options that are words to choose from, or yes and no, has any of its values."""
    drawn: dict[str, OptionValue] = {}
    for key, spec in rules.info.options.items():
        values = spec.choices or ((True, False) if isinstance(spec.default, bool) else ())
        if values and chance.roll(3) == 1:
            drawn[key] = values[chance.roll(len(values)) - 1]
    return complete(rules.info.options, drawn)


def _of_documents(rules: Ruleset[Any], many: int) -> Iterator[Scene]:
    folder = f"tests.rulesets.{rules.info.slug}"
    if find_spec(folder) is not None and find_spec(f"{folder}.strategies") is not None:
        documents = importlib.import_module(f"{folder}.strategies").documents
        for number, document in enumerate(examples_of(documents(), many)):
            yield _with_letters(rules, rules.load(document), (), dice(number, "document"), f"document {number}")


def _with_letters(rules: Ruleset[Any], position: Any, events: tuple[Event, ...], chance: Dice, name: str) -> Scene:
    """A scene in which the seats write one after the other, as long as nothing is due."""
    letters: list[Mail] = []
    arrival = max((sheet.arrival[0] for sheet in rules.sheets(position)), default=0)
    now = position
    for seat, lines in _texts(rules, position, chance):
        arrival += 1
        letters.append(Mail(seat, lines or _random(rules, now, seat, chance), (arrival, 0)))
        now = rules.receive(now, letters[-1]).position
        if is_due(rules, now):
            break
    return Scene(name, rules, position, events, tuple(letters))


def _texts(rules: Ruleset[Any], position: Any, chance: Dice) -> Iterator[tuple[str, tuple[Line, ...]]]:
    """Who writes what in a step, no lines where it is random orders that fit when the letter is written. Each of those awaited
    writes, in any order, up to three letters, one in three with a mistake. Where moves are made one by one, others write before
    them: a whole move, or only a line of one."""
    awaited = list(rules.awaiting(position))
    for seat in rules.seats(position) if rules.sequential else ():
        if seat not in awaited and chance.roll(2) == 1:
            lines = _random(rules, position, seat, chance)
            yield seat, lines[: chance.roll(2)] if chance.roll(2) == 1 else lines
    while awaited:
        seat = awaited.pop(chance.roll(len(awaited)) - 1)
        for _ in range((0, 1, 1, 1, 2, 2, 3)[chance.roll(7) - 1]):
            yield seat, _with_a_mistake(_random(rules, position, seat, chance), chance) if chance.roll(3) == 1 else ()


def _random(rules: Ruleset[Any], position: Any, seat: str, chance: Dice) -> tuple[Line, ...]:
    return order_lines(rules.random_orders(position, seat, chance))


def _with_a_mistake(lines: Sequence[Line], chance: Dice) -> tuple[Line, ...]:
    texts = [line.text for line in lines] or ["nothing"]
    wrong = spoilt(texts[chance.roll(len(texts)) - 1])
    texts.insert(chance.roll(len(texts) + 1) - 1, wrong[chance.roll(len(wrong)) - 1])
    return order_lines("\n".join(texts))


def is_due(rules: Ruleset[Any], position: Any) -> bool:
    """Whether a move is to be carried out before anybody else writes."""
    return rules.ready is not None and rules.ready(position)


def play(rules: Ruleset[Any], position: Any, letters: Sequence[Mail], name: str) -> Played:
    """A step from its letters to its resolution; whoever is awaited at the end misses the deadline."""
    positions, receipts, missed = [position], list[Receipt[Any]](), list[Resolution[Any]]()
    for mail in letters:
        receipts.append(rules.receive(positions[-1], mail))
        positions.append(receipts[-1].position)
    for seat in rules.awaiting(positions[-1]):
        if seat in rules.awaiting(positions[-1]) and not is_due(rules, positions[-1]):
            missed.append(rules.miss(positions[-1], seat))
            positions.append(missed[-1].position)
    chance = dice(name)
    resolution = rules.resolve(positions[-1], chance)
    return Played((*positions, resolution.position), tuple(receipts), tuple(missed), resolution, chance.drawn)


@cache
def played(scene: Scene) -> Played:
    """What became of a scene."""
    return play(scene.rules, scene.position, scene.letters, scene.name)
