"""A trial: games of a ruleset are played in all ways, and every check is made on their steps. Findings are gathered, each once,
with its place and with what is needed to see it again."""

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pbmd.conformance import scenes as scenes_
from pbmd.conformance.check_table import OF_RULESETS, OF_SCENES, Check
from pbmd.conformance.declared_paths import declared_paths_lead_somewhere
from pbmd.conformance.determinism import Trip, comes_out_the_same_elsewhere
from pbmd.conformance.eager_players import eagerly
from pbmd.conformance.endings import TimeBudget, last_scenes, silent_game
from pbmd.conformance.exercise import CutShort, Exercise
from pbmd.conformance.findings import Broken, Finding, Wrong
from pbmd.conformance.flow import moves_that_wait_stay
from pbmd.conformance.promises import PROMISES
from pbmd.conformance.ruleset_folder import templates_use_what_views_have
from pbmd.conformance.scene_file import scene_written
from pbmd.conformance.scenes import STEPS, Opening, Scene, scenes_of_game
from pbmd.conformance.setting_up import extremes, odd_names, opening_with, opening_with_names
from pbmd.conformance.tied_game import game_of_equals
from pbmd.conformance.trial_seats import players
from pbmd.conformance.two_forms import who_watches_is_not_addressed
from pbmd.conformance.views import views
from pbmd.conformance.watched_ruleset import Limits, guarded, named, place_of, watchdog
from pbmd.rules import OptionError, PositionError, Refused, Ruleset
from pbmd.rules.options import complete
from pbmd.rules.troubles import PlaceInFile, place_in_files

ODD_NAMES = "odd names"
_EMPTY_STEPS = 6
_EAGER_STEPS = 12
_MANY_SEATS = 8
_MOST_VIEWED = 60
_LIMITS = Limits()
_LEAST_FOR_A_CHECK = 20.0
"""No check is cut short before that, in seconds of processor time: in most rulesets none takes a tenth of it."""
_MOST_HANGS = 2
"""If more calls than this never end, nothing else is tried: each takes so long."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is tried: this many random games from a seed. `patience` is the time for games to come to an end, and for each check
    of their steps, in seconds of processor time; `trip`, if there is one, is played in other processes; `exercise` notes what
    was used."""

    games: int
    seed: int
    patience: float = 20.0
    trip: Trip | None = None
    exercise: Exercise | None = None
    limits: Limits = _LIMITS


class Seen(NamedTuple):
    """A problem as it was found: by which check, where in words, in which scene if there was one, and the exception, if there
    was one."""

    wrong: Wrong
    check: str
    where: str = ""
    scene: Scene | None = None
    cause: BaseException | None = None
    hangs: bool = False


Told = Callable[[int, int], object]
"""Gets how much is done, and out of how much."""


def try_ruleset(rules: Ruleset[Any], plan: Plan, told: Told = lambda _done, _total: None) -> list[Finding]:
    """Everything that is wrong with a ruleset, in the order of the promises."""
    return gathered(rules, all_findings(rules, plan, told))


def all_findings(rules: Ruleset[Any], plan: Plan, told: Told = lambda _done, _total: None) -> Iterator[Seen]:
    """Every problem, as it is found."""
    hangs = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an author's code may have warnings, but they are not about these games
        for seen in _all_found(rules, plan, told):
            yield seen
            hangs += seen.hangs
            if hangs > _MOST_HANGS:
                return


def _all_found(rules: Ruleset[Any], plan: Plan, told: Told) -> Iterator[Seen]:
    with watchdog():
        watched = guarded(plan.exercise.noted(rules) if plan.exercise else rules, plan.limits)
        for name, check in OF_RULESETS.items():
            yield from seen_by_check(Seen(_NOTHING, name), lambda check=check: check(watched))
        scenes: list[Scene] = []
        for each in _all_scenes(watched, plan):
            if isinstance(each, Seen):
                yield each
            else:
                scenes.append(each)
        yield from _checked(scenes, told, plan)
        yield from seen_by_check(Seen(_NOTHING, "all views"), lambda: _of_all(watched, scenes))
        if (trip := plan.trip) is not None:
            yield from seen_by_check(Seen(_NOTHING, "elsewhere"), lambda: comes_out_the_same_elsewhere(watched, trip))


_NOTHING = Wrong("", "")


def seen_by_check(by: Seen, check: Callable[[], Iterable[Wrong]]) -> Iterator[Seen]:
    """What a check finds, which is run by `by`; any exception is a finding, too."""
    try:
        for wrong in check():
            yield by._replace(wrong=wrong)
    except Broken as fault:
        yield by._replace(wrong=fault.wrong, cause=fault.__cause__, hangs=fault.hangs)
    except Exception as problem:  # pbmd's own handling of a ruleset's results may fail in any way
        yield by._replace(wrong=_what_was_raised(problem, by), cause=problem)


def _what_was_raised(problem: Exception, by: Seen) -> Wrong:
    place = place_in_files(problem)
    if isinstance(problem, PositionError):
        return Wrong("document.readable", f"load refuses a position to which the rules came: {problem}", place or "load")
    if isinstance(problem, Refused | OptionError):
        return Wrong("setup.usual", f"what must be possible is refused: {problem}", place or "setup")
    return Wrong("code.raises", f"{by.check.replace('_', ' ')}: {named(problem)}", place or "")


# --- The games --------------------------------------------------------------------------------------------------------------


def _all_scenes(rules: Ruleset[Any], plan: Plan) -> Iterator[Scene | Seen]:
    """Scenes from games played in all ways. A game that cannot go on ends there, with a `Seen`."""
    for where, game in _games(rules, plan, f"seed {plan.seed}, "):
        yield from _as_far_as_it_goes(where, game)


def _games(rules: Ruleset[Any], plan: Plan, seed: str) -> Iterator[tuple[str, Iterable[Scene | Wrong]]]:
    """The name of each game, and its scenes on demand."""
    for number in range(1, plan.games + 1):
        yield f"game {number}", _ordinary(rules, f"{seed}game {number}")
    yield "a silent game", silent_game(rules, f"{seed}a silent game")
    yield "a game of empty letters", _empty(rules, f"{seed}a game of empty letters")
    yield "a game with all seats taken", _of_most(rules, f"{seed}a game with all seats taken")
    for names in odd_names(rules):
        words = f"{seed}{ODD_NAMES} {', '.join(names):.60}"
        yield (
            f"a game of {', '.join(names):.60}",
            _short(rules, lambda words=words, names=names: opening_with_names(rules, words, names)),
        )
    for key, value in extremes(rules):
        words = f"{seed}a game"
        where = f"a game with {key} = {value}"
        yield where, _short(rules, lambda words=words, key=key, value=value: opening_with(rules, words, key, value))
    yield "a game of all that can be written", _eager(rules, f"{seed}a game of all that can be written")
    yield "a game of equals", game_of_equals(rules, f"{seed}a game of equals")
    yield "a game to its end", last_scenes(rules, f"{seed}a game to its end", TimeBudget(plan.patience))


def _short(rules: Ruleset[Any], opening: Callable[[], Opening | None]) -> Iterator[Scene]:
    """The first two steps of a game; none if there is no such game."""
    if found := opening():
        yield from scenes_of_game(rules, found, 2, scenes_.dutifully, (0,))


def _as_far_as_it_goes(where: str, game: Iterable[Scene | Wrong]) -> Iterator[Scene | Seen]:
    """The scenes, and the problem if they end too early."""
    made: list[Scene] = []

    def noted() -> Iterator[Wrong]:
        for each in game:
            if isinstance(each, Wrong):
                yield each
            else:
                made.append(each)

    wrong = list(seen_by_check(Seen(_NOTHING, "games", where), noted))
    yield from made
    yield from wrong


def _ordinary(rules: Ruleset[Any], words: str) -> Iterator[Scene]:
    yield from scenes_of_game(rules, scenes_.first_opening(rules, words), STEPS[-1] + 1)


def _empty(rules: Ruleset[Any], words: str) -> Iterator[Scene]:
    opening = scenes_.first_opening(rules, words)
    yield from scenes_of_game(rules, opening, _EMPTY_STEPS, scenes_.with_empty_letters, (0, 1, 3))


def _eager(rules: Ruleset[Any], words: str) -> Iterator[Scene]:
    opening = Opening(players(rules, rules.info.min_seats, usual := complete(rules.info.options, {})), usual, words)
    yield from scenes_of_game(rules, opening, _EAGER_STEPS, eagerly, (1, 4))


def _of_most(rules: Ruleset[Any], words: str) -> Iterator[Scene]:
    """A game with the most players, or with a good number where there is no limit."""
    opening = scenes_.first_opening(rules, words)
    for many in range(rules.room(opening.options) or _MANY_SEATS, len(opening.signups), -1):
        try:
            signups = players(rules, many, opening.options)
            rules.setup(signups, opening.options, scenes_.dice(words, "set-up"))
        except Refused:
            continue
        yield from scenes_of_game(rules, replace(opening, signups=signups), 3, None, (0, 2))
        return


# --- The checks -------------------------------------------------------------------------------------------------------------


def _checked(scenes: Sequence[Scene], told: Told, plan: Plan) -> Iterator[Seen]:
    chosen = {name: chosen_for(check, scenes) for name, check in OF_SCENES.items()}
    total, done = sum(map(len, chosen.values())), 0
    for name, steps in chosen.items():
        check, until = OF_SCENES[name], time.process_time() + max(plan.patience, _LEAST_FOR_A_CHECK)
        for number, scene in enumerate(steps):
            if number and plan.exercise and time.process_time() > until:  # without one nobody would be told
                plan.exercise.cut_short.append(CutShort(name.replace("_", " "), len(steps) - number, len(steps)))
                break
            told(done + number, total)
            with plan.exercise.paused() if plan.exercise and check.repeats else nullcontext():
                found = [*seen_in_scene(check, scene)]
            yield from found
        done += len(steps)
    told(total, total)


def seen_in_scene(check: Check, scene: Scene) -> Iterator[Seen]:
    """What a check finds in a scene."""
    yield from seen_by_check(Seen(_NOTHING, check.name, scene.name, scene), lambda: check.of(scene))


def chosen_for(check: Check, scenes: Sequence[Scene]) -> Sequence[Scene]:
    """The scenes that a check looks at."""
    odd = f", {ODD_NAMES} "
    fit = [scene for scene in scenes if (check.any_name or odd not in scene.name) and (check.light or not scene.light)]
    return a_few(fit, check.few) if check.few else fit


def a_few(scenes: Sequence[Scene], many: int) -> Sequence[Scene]:
    """At most this many of them, from all parts of the games."""
    chosen = min(many, len(scenes))
    return [scenes[place * len(scenes) // chosen] for place in range(chosen)]


def _of_all(rules: Ruleset[Any], scenes: Sequence[Scene]) -> Iterator[Wrong]:
    """What only all views together show."""
    viewed = a_few(scenes, _MOST_VIEWED)
    all_views = [view for scene in viewed for _, view in views(scene, scene.played.resolution.position, scene.played.events)]
    keys = {key for view in all_views for key in view.data}
    yield from templates_use_what_views_have(rules, keys)
    yield from who_watches_is_not_addressed(rules, all_views)
    yield from moves_that_wait_stay(scenes)
    yield from declared_paths_lead_somewhere(rules, scenes)
    if rules.info.map and scenes and "map" not in keys:
        yield Wrong("map.declared", "map = true in ruleset.toml, and no view of any game has a map", "view")


# --- Gathering --------------------------------------------------------------------------------------------------------------


def gathered(rules: Ruleset[Any], seen: Iterable[Seen]) -> list[Finding]:
    """Each finding once, with how often it was found, in the order of the promises."""
    first: dict[tuple[str, Any], Finding] = {}
    for each in seen:
        wrong = each.wrong
        place = wrong.at if isinstance(wrong.at, PlaceInFile) else place_of(rules, wrong.at)
        key = (wrong.promise, place if wrong.at else each.check)
        if key in first:
            first[key] = replace(first[key], times=first[key].times + 1)
        else:
            again = {"check": each.check, **(scene_written(each.scene) if each.scene else {})}
            first[key] = Finding(wrong.promise, wrong.words, place, each.where, again=again)
    order = list(PROMISES)
    return sorted(first.values(), key=lambda finding: order.index(finding.promise))
