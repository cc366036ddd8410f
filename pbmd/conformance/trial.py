"""A trial: games of a ruleset are played in all manners, and every check is made of their steps. What is found is gathered, each
thing once, with its place and with what it takes to see it again."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

from pbmd.conformance import scenes as scenes_
from pbmd.conformance.again import scene_written
from pbmd.conformance.elsewhere import Trip, comes_out_the_same_elsewhere
from pbmd.conformance.endings import Patience, last_scenes
from pbmd.conformance.files import templates_use_what_views_have
from pbmd.conformance.findings import Broken, Finding, Wrong
from pbmd.conformance.guard import Limits, guarded, named, place_of, watchdog
from pbmd.conformance.promises import PROMISES
from pbmd.conformance.scenes import STEPS, Opening, Scene, scenes_of_game
from pbmd.conformance.setting_up import extremes, odd_names, opening_with, opening_with_names
from pbmd.conformance.table import OF_RULESETS, OF_SCENES, Check
from pbmd.conformance.views import views
from pbmd.rules import OptionError, PositionError, Refused, Ruleset
from pbmd.rules.troubles import PlaceInFile, place_in_files
from pbmd.simulate import signups

ODD_NAMES = "odd names"
_SILENT_STEPS = 6
_MANY_SEATS = 8


_LIMITS = Limits()
_MOST_HANGS = 2
"""Where more calls than this never end, nothing else is tried: each takes so long."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is tried: so many random games from a seed. `patience` is for games to come to an end, in seconds of the processor;
    `trip`, if there is one, is played in other processes."""

    games: int
    seed: int
    patience: float = 20.0
    trip: Trip | None = None
    limits: Limits = _LIMITS


class Seen(NamedTuple):
    """Something wrong as it was found: by which check, and in which scene if it was of one."""

    wrong: Wrong
    check: str
    scene: Scene | None
    hangs: bool = False


Told = Callable[[int, int], object]
"""To be told how much is done, of how much in all."""


def try_ruleset(rules: Ruleset[Any], plan: Plan, told: Told = lambda _done, _total: None) -> list[Finding]:
    """All that is wrong with a ruleset, in the order of the promises."""
    return gathered(rules, found(rules, plan, told))


def found(rules: Ruleset[Any], plan: Plan, told: Told = lambda _done, _total: None) -> Iterator[Seen]:
    """Whatever is wrong, as it is found."""
    hangs = 0
    for seen in _all_found(rules, plan, told):
        yield seen
        hangs += seen.hangs
        if hangs > _MOST_HANGS:
            return


def _all_found(rules: Ruleset[Any], plan: Plan, told: Told) -> Iterator[Seen]:
    with watchdog():
        watched = guarded(rules, plan.limits)
        for name, check in OF_RULESETS.items():
            yield from seen_by_check(name, None, lambda check=check: check(watched))
        scenes: list[Scene] = []
        for each in _all_scenes(watched, plan):
            if isinstance(each, Seen):
                yield each
            else:
                scenes.append(each)
        yield from _checked(scenes, told)
        yield from _of_all(watched, scenes)
        if plan.trip is not None:
            trip = plan.trip
            yield from seen_by_check("elsewhere", None, lambda: comes_out_the_same_elsewhere(watched, trip))


def seen_by_check(name: str, scene: Scene | None, check: Callable[[], Iterable[Wrong]]) -> Iterator[Seen]:
    """What a check finds; whatever is raised meanwhile is found, too."""
    try:
        for wrong in check():
            yield Seen(wrong, name, scene)
    except Broken as fault:
        yield Seen(fault.wrong, name, scene, fault.hangs)
    except PositionError as problem:
        words = f"load refuses a position to which the rules came: {problem}"
        yield Seen(Wrong("document.readable", words, place_in_files(problem) or "load"), name, scene)
    except (Refused, OptionError) as problem:
        yield Seen(
            Wrong("setup.usual", f"what must be possible is refused: {problem}", place_in_files(problem) or "setup"),
            name,
            scene,
        )
    except Exception as problem:  # what pbmd makes of what a ruleset gives may fail in any way
        yield Seen(
            Wrong("code.raises", f"{name.replace('_', ' ')}: {named(problem)}", place_in_files(problem) or ""), name, scene
        )


# --- The games --------------------------------------------------------------------------------------------------------------


def _all_scenes(rules: Ruleset[Any], plan: Plan) -> Iterator[Scene | Seen]:
    """Of games in all manners. A game that cannot go on ends there; that is `Seen`."""
    for game in _games(rules, plan, f"seed {plan.seed}"):
        yield from _as_far_as_it_goes(game)


def _games(rules: Ruleset[Any], plan: Plan, words: str) -> Iterator[Iterable[Scene | Wrong]]:
    """The scenes of each game, when they are asked for."""
    for number in range(plan.games):
        yield _ordinary(rules, f"{words}, game {number + 1}")
    yield _with(rules, f"{words}, silent game", scenes_.not_at_all)
    yield _with(rules, f"{words}, empty game", scenes_.with_empty_letters)
    yield _of_most(rules, f"{words}, full game")
    for number, names in enumerate(odd_names(rules)):
        yield _short(
            rules, lambda number=number, names=names: opening_with_names(rules, f"{words}, {ODD_NAMES}/{number}", names)
        )
    for key, value in extremes(rules):
        yield _short(rules, lambda key=key, value=value: opening_with(rules, f"{words}, limits", key, value))
    yield last_scenes(rules, f"{words}, to the end", Patience(plan.patience))


def _short(rules: Ruleset[Any], opening: Callable[[], Opening | None]) -> Iterator[Scene]:
    """The first two steps of a game; none if there is no such game."""
    if found := opening():
        yield from scenes_of_game(rules, found, 2, scenes_.dutifully, (0,))


def _as_far_as_it_goes(game: Iterable[Scene | Wrong]) -> Iterator[Scene | Seen]:
    """The scenes, and what is wrong where they end too early."""
    made: list[Scene] = []

    def noted() -> Iterator[Wrong]:
        for each in game:
            if isinstance(each, Wrong):
                yield each
            else:
                made.append(each)

    wrong = list(seen_by_check("games", None, noted))
    yield from made
    yield from wrong


def _ordinary(rules: Ruleset[Any], words: str) -> Iterator[Scene]:
    yield from scenes_of_game(rules, scenes_.first_opening(rules, words), STEPS[-1] + 1)


def _with(rules: Ruleset[Any], words: str, writers: scenes_.Writers) -> Iterator[Scene]:
    yield from scenes_of_game(rules, scenes_.first_opening(rules, words), _SILENT_STEPS, writers, (0, 1, 3))


def _of_most(rules: Ruleset[Any], words: str) -> Iterator[Scene]:
    """A game of as many as can play, or of a good number where that is any."""
    opening = scenes_.first_opening(rules, words)
    for many in range(rules.info.max_seats or _MANY_SEATS, len(opening.signups), -1):
        try:
            players = signups(rules, many, opening.options)
            rules.setup(players, opening.options, scenes_.dice(words, "set-up"))
        except Refused:
            continue
        yield from scenes_of_game(rules, replace(opening, signups=players), 3, None, (0, 2))
        return


# --- The checks -------------------------------------------------------------------------------------------------------------


def _checked(scenes: Sequence[Scene], told: Told) -> Iterator[Seen]:
    chosen = [(check, scene) for check in OF_SCENES.values() for scene in chosen_for(check, scenes)]
    for done, (check, scene) in enumerate(chosen):
        told(done, len(chosen))
        yield from seen_by_check(check.name, scene, lambda check=check, scene=scene: check.of(scene))
    told(len(chosen), len(chosen))


def chosen_for(check: Check, scenes: Sequence[Scene]) -> Sequence[Scene]:
    """The scenes that a check looks at."""
    odd = f", {ODD_NAMES}/"
    fit = [scene for scene in scenes if (check.any_name or odd not in scene.name) and (check.light or not scene.light)]
    return a_few(fit, check.few) if check.few else fit


def a_few(scenes: Sequence[Scene], many: int) -> Sequence[Scene]:
    """So many of them, or little more."""
    return scenes[:: max(1, len(scenes) // many)]


def _of_all(rules: Ruleset[Any], scenes: Sequence[Scene]) -> Iterator[Seen]:
    """What only all views together tell."""
    keys: set[str] = set()

    def looked_at() -> Iterator[Wrong]:
        for scene in a_few(scenes, 60):
            for _, view in views(scene, scene.played.resolution.position, scene.played.events):
                keys.update(view.data)
        yield from templates_use_what_views_have(rules, keys)
        if rules.info.map and scenes and "map" not in keys:
            yield Wrong("map.declared", "map = true in ruleset.toml, and no view of any game has a map", "view")

    yield from seen_by_check("all_views", None, looked_at)


# --- What is made of it -----------------------------------------------------------------------------------------------------


def gathered(rules: Ruleset[Any], seen: Iterable[Seen]) -> list[Finding]:
    """Each thing once, with how often it was found, in the order of the promises."""
    first: dict[tuple[str, Any], Finding] = {}
    for each in seen:
        wrong = each.wrong
        place = wrong.at if isinstance(wrong.at, PlaceInFile) else place_of(rules, wrong.at) if wrong.at else None
        key = (wrong.promise, place or each.check)
        if key in first:
            first[key] = replace(first[key], times=first[key].times + 1)
        else:
            again = {"check": each.check, **(scene_written(each.scene) if each.scene else {})}
            first[key] = Finding(wrong.promise, wrong.words, place, each.scene.name if each.scene else "", again=again)
    order = list(PROMISES)
    return sorted(first.values(), key=lambda finding: order.index(finding.promise))


def all_checks() -> list[str]:
    """The names of all checks that can be made once more."""
    return list(chain(OF_RULESETS, OF_SCENES))
