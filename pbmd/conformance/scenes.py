"""Scenes: steps of random games of any ruleset, with letters as players write them, right ones and wrong ones.

They are made using only the protocol, and are the same in every run. A scene remembers how it came about, so that it can be
made again from a file.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from pbmd.conformance.findings import Broken, Wrong
from pbmd.conformance.trial_seats import players
from pbmd.rules import Dice, Event, HmacDice, Line, Mail, Options, Receipt, Refused, Resolution, Roll, Ruleset, Signup
from pbmd.rules.lines import order_lines
from pbmd.rules.options import OptionValue, complete
from pbmd.rules.sheets import resolved
from pbmd.simulate import usual_players

STEPS = (0, 1, 2, 5, 9, 14)
"""Which steps of a game are scenes, besides its last."""
Letters = tuple[Mail, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """How a game begins; `dice` are the words that all its dice come from."""

    signups: tuple[Signup, ...]
    options: Options
    dice: str


@dataclass(frozen=True, eq=False)
class Scene:
    """A step: a position, the events that led to it, and the letters that come in, in the order of arrival. Its dice come from
    its `name`. `opening` and `past`, the letters of the steps before, tell how it came about; without an opening nobody knows.
    `named_before` are the turns of those steps and what the steps were called. For a `light` scene only some checks are
    made."""

    name: str
    rules: Ruleset[Any]
    position: Any
    events: tuple[Event, ...]
    letters: Letters
    opening: Opening | None = None
    past: tuple[Letters, ...] = ()
    named_before: frozenset[tuple[int, str]] = frozenset()
    light: bool = False

    @cached_property
    def played(self) -> "Played":
        """The step, played."""
        return play(self.rules, self.position, self.letters, self.name)


class Played(NamedTuple):
    """What became of a step. `positions` are all that there were: at first, after each letter and missed deadline, and last."""

    positions: tuple[Any, ...]
    receipts: tuple[Receipt[Any], ...]
    missed: tuple[Resolution[Any], ...]
    resolution: Resolution[Any]
    drawn: tuple[Roll, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, first what was reported in the middle of the step."""
        return (*self.at_once, *self.resolution.events)

    @property
    def at_once(self) -> tuple[Event, ...]:
        """What was reported in the middle of the step."""
        return tuple(event for each in (*self.receipts, *self.missed) for event in each.events)


def dice(*words: object) -> HmacDice:
    """Separate dice for each purpose."""
    return HmacDice(hashlib.sha256("/".join(map(str, words)).encode()).digest(), b"")


# --- A step ---------------------------------------------------------------------------------------------------------------


def is_due(rules: Ruleset[Any], position: Any) -> bool:
    """Whether a move is to be resolved before anybody else writes."""
    return rules.ready is not None and rules.ready(position)


def play(rules: Ruleset[Any], position: Any, letters: Sequence[Mail], name: str) -> Played:
    """A step from its letters to its resolution; seats still awaited at the end miss the deadline."""
    positions, receipts, missed = [position], list[Receipt[Any]](), list[Resolution[Any]]()
    for mail in letters:
        receipts.append(rules.receive(positions[-1], mail))
        positions.append(receipts[-1].position)
    for seat in rules.awaiting(positions[-1]):
        if seat in rules.awaiting(positions[-1]) and not is_due(rules, positions[-1]):
            missed.append(rules.miss(positions[-1], seat))
            positions.append(missed[-1].position)
    chance = dice(name)
    resolution = resolved(rules, positions[-1], chance)
    return Played((*positions, resolution.position), tuple(receipts), tuple(missed), resolution, chance.drawn)


Writers = Callable[[Ruleset[Any], Any, Dice], Iterator[tuple[str, tuple[Line, ...] | None]]]
"""Who writes what in a step; None stands for random orders that are valid when the letter is written."""


def with_letters(scene: Scene, chance: Dice, writers: "Writers | None" = None) -> Scene:
    """The scene, in which the seats write one after the other, until something is due."""
    rules, now, letters = scene.rules, scene.position, list[Mail]()
    arrival = max((sheet.arrival[0] for sheet in rules.sheets(now)), default=0)
    for seat, lines in (writers or as_people_do)(rules, scene.position, chance):
        arrival += 1
        letters.append(Mail(seat, random_lines(rules, now, seat, chance) if lines is None else lines, (arrival, arrival % 3)))
        now = rules.receive(now, letters[-1]).position
        if is_due(rules, now):
            break
    return replace(scene, letters=tuple(letters))


def as_people_do(rules: Ruleset[Any], position: Any, chance: Dice) -> Iterator[tuple[str, tuple[Line, ...] | None]]:
    """Each awaited seat writes up to three letters, in any order; one in three has a mistake, one in six is twice as long as a
    random player's would be. Where moves are made one by one, others write before them: a whole move, or only a line of one."""
    awaited = list(rules.awaiting(position))
    for seat in rules.seats(position) if rules.sequential else ():
        if seat not in awaited and chance.roll(2) == 1:
            lines = random_lines(rules, position, seat, chance)
            alone = chance.roll(len(lines) + 1) - 1
            yield seat, lines[alone : alone + 1] or lines
    while awaited:
        seat = awaited.pop(chance.roll(len(awaited)) - 1)
        for _ in range((0, 1, 1, 1, 2, 2, 3)[chance.roll(7) - 1]):
            how = chance.roll(6)
            if how <= len(_UNUSUAL):
                yield seat, _UNUSUAL[how - 1](random_lines(rules, position, seat, chance), rules, position, seat, chance)
            else:
                yield seat, None


def _twice(lines: Sequence[Line], rules: Ruleset[Any], position: Any, seat: str, chance: Dice) -> tuple[Line, ...]:
    texts = [line.text for line in (*lines, *random_lines(rules, position, seat, chance))]
    return order_lines("\n".join(texts))


def _mistaken(lines: Sequence[Line], _rules: Ruleset[Any], _position: Any, _seat: str, chance: Dice) -> tuple[Line, ...]:
    return with_a_mistake(lines, chance)


_UNUSUAL = (_mistaken, _mistaken, _twice)


def dutifully(rules: Ruleset[Any], position: Any, _chance: Dice) -> Iterator[tuple[str, tuple[Line, ...] | None]]:
    """Each awaited seat writes one letter."""
    yield from ((seat, None) for seat in rules.awaiting(position))


def not_at_all(_rules: Ruleset[Any], _position: Any, _chance: Dice) -> Iterator[tuple[str, tuple[Line, ...] | None]]:
    """Nobody writes."""
    return iter(())


def with_empty_letters(rules: Ruleset[Any], position: Any, _chance: Dice) -> Iterator[tuple[str, tuple[Line, ...] | None]]:
    """Each awaited seat sends a letter without any order, which is legal."""
    yield from ((seat, ()) for seat in rules.awaiting(position))


def random_lines(rules: Ruleset[Any], position: Any, seat: str, chance: Dice) -> tuple[Line, ...]:
    """The order lines of a random player."""
    return order_lines(rules.random_orders(position, seat, chance))


def with_a_mistake(lines: Sequence[Line], chance: Dice) -> tuple[Line, ...]:
    """The lines and one more, which is one of them with something wrong."""
    texts = [line.text for line in lines] or ["nothing"]
    wrong = spoilt(texts[chance.roll(len(texts)) - 1])
    texts.insert(chance.roll(len(texts) + 1) - 1, wrong[chance.roll(len(wrong)) - 1])
    return order_lines("\n".join(texts))


def spoilt(text: str) -> list[str]:
    """The line with one thing wrong: a name, a number, the end, or everything but its beginning."""
    words = text.split() or ["nothing"]
    found = [words[0], " ".join(words[:-1]), f"{words[0]} Harow"]
    for place in range(1, len(words)):
        wrong = ("Xyzzy", words[place][:2] + words[place][3:], "99999" if words[place].isdigit() else "")
        found += [" ".join([*words[:place], word, *words[place + 1 :]]) for word in wrong]
    return [line for line in dict.fromkeys(found) if line.strip()]


# --- A game ---------------------------------------------------------------------------------------------------------------


def scenes_by_number(rules: Ruleset[Any], number: int, seed: int | str = "") -> Iterator[Scene]:
    """The scenes of the random game with that number, from 0."""
    opening = first_opening(rules, f"{seed}{'/' if seed else ''}game {number}")
    return (scene for scene in scenes_of_game(rules, opening, STEPS[-1] + 1) if not scene.light)


def scenes_of_game(
    rules: Ruleset[Any], opening: Opening, most: int, writers: Writers | None = None, chosen: Sequence[int] = STEPS
) -> Iterator[Scene]:
    """All steps of a game, to its end or up to this many; those that are neither chosen nor the last are `light`. Raises
    `Broken` where it cannot go on."""
    scene = first_scene(rules, opening)
    chance = dice(opening.dice, "letters")
    last = None
    while rules.outcome(scene.position) is None and len(scene.past) < most:
        if last is not None:
            yield last
        last = replace(with_letters(scene, chance, writers), light=len(scene.past) not in chosen)
        scene = next_scene(last)
    if last is not None:
        yield replace(last, light=False) if last.light else last


def first_scene(rules: Ruleset[Any], opening: Opening) -> Scene:
    """The first step of a game, without letters."""
    position = rules.setup(opening.signups, opening.options, dice(opening.dice, "set-up"))
    return Scene(f"{opening.dice}, step 0", rules, position, (), (), opening)


def next_scene(scene: Scene) -> Scene:
    """The step after a scene, without letters."""
    assert scene.opening is not None
    played, past = scene.played, (*scene.past, scene.letters)
    named = (scene.rules.turn(scene.position), scene.rules.step_name(scene.position))
    name = f"{scene.opening.dice}, step {len(past)}"
    position, before = played.resolution.position, scene.named_before | {named}
    return Scene(name, scene.rules, position, played.events, (), scene.opening, past, before)


def scene_again(rules: Ruleset[Any], opening: Opening, past: Sequence[Letters], letters: Letters) -> Scene:
    """A scene made again from how it came about."""
    scene = first_scene(rules, opening)
    for before in past:
        scene = next_scene(replace(scene, letters=tuple(before)))
    return replace(scene, letters=tuple(letters))


# --- How a game begins ----------------------------------------------------------------------------------------------------


def first_opening(rules: Ruleset[Any], words: str) -> Opening:
    """An opening with few players or the usual number, and with random options as far as they make a game. Raises `Broken` if
    not even its own options make one."""
    chance = dice(words, "options")
    usual = complete(rules.info.options, {})
    most = usual_players(rules, usual)
    why = ""
    for options in (_drawn(rules, chance), usual):
        try:
            signups = players(rules, rules.info.min_seats + chance.roll(most - rules.info.min_seats + 1) - 1, options)
            opening = Opening(signups, options, words)
            rules.setup(signups, options, dice(words, "set-up"))
        except Refused as problem:
            why = str(problem)
            continue
        return opening
    raise Broken(Wrong("setup.usual", f"the ruleset makes no game with its own options: {why}", "setup"))


def _drawn(rules: Ruleset[Any], chance: Dice) -> Options:
    """One in three of the options that are words to choose from, or yes and no, has a random value."""
    drawn: dict[str, OptionValue] = {}
    for key, spec in rules.info.options.items():
        values = spec.choices or ((True, False) if isinstance(spec.default, bool) else ())
        if values and chance.roll(3) == 1:
            drawn[key] = values[chance.roll(len(values)) - 1]
    return complete(rules.info.options, drawn)
