"""Nothing is changed in place: whatever a function of a ruleset gets is unchanged afterwards."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pbmd.conformance.documents import read_again
from pbmd.conformance.findings import Wrong
from pbmd.conformance.scenes import Scene, dice, scene_again
from pbmd.conformance.trial_seats import players
from pbmd.conformance.watched_ruleset import watched
from pbmd.rules import GM, PUBLIC, Line, Refused, Ruleset, seat_reader
from pbmd.rules.options import complete

_MOST_PAST = 15
"""Steps that are played anew."""


def nothing_is_changed(scene: Scene) -> Iterator[Wrong]:
    """Neither by a step, nor by anything that can be asked and done in it; `watched` raises what is found."""
    rules = watched(scene.rules)
    scene = _made_anew(rules, scene)
    start, step = scene.position, scene.played
    now = step.positions[-2]
    read_again(rules, rules.dump(now), now)
    for reader in (PUBLIC, GM, *map(seat_reader, rules.seats(start))):
        rules.view(step.resolution.position, step.events, reader)
    for event in step.at_once if rules.tell else ():
        rules.tell(event)  # pyright: ignore[reportOptionalCall]
    _all_asked(rules, now)
    for seat in rules.awaiting(start)[:1]:
        _all_done(rules, start, now, seat)
    for ruling in rules.rulings(now) if rules.rulings else ():
        _unless_refused(rules.rule, now, ruling.key)
    yield from ()


def _made_anew(rules: Ruleset[Any], scene: Scene) -> Scene:
    """A scene whose positions no function has had before: what is changed only the first time, such as a list that is sorted,
    is seen then. The past of a scene late in a game would take too long."""
    if scene.opening is None or len(scene.past) > _MOST_PAST:
        return replace(scene, rules=rules)
    return scene_again(rules, scene.opening, scene.past, scene.letters)


def _all_asked(rules: Ruleset[Any], now: Any) -> None:
    asked = (rules.turn, rules.outcome, rules.waits, rules.step_name, rules.phase, rules.hours, rules.ready, rules.rulings)
    for function in asked:
        if function is not None:
            function(now)
    if rules.places is not None and rules.outcome(now) is not None:
        rules.places(now)


def _all_done(rules: Ruleset[Any], start: Any, now: Any, seat: str) -> None:
    rules.random_orders(start, seat, dice("orders"))
    rules.order_form(start, seat)
    _unless_refused(rules.withdraw, now, seat)
    _unless_refused(rules.press, now, seat)
    _unless_refused(rules.resign, start, seat)
    _unless_refused(rules.take_over, now, seat, "Somebody")
    _unless_refused(rules.disorder, start, seat, True)
    view = rules.view(start, (), seat_reader(seat))
    _unless_refused(
        rules.imagine, view, complete(rules.info.options, rules.dump(start).get("options", {})), [Line(1, "spies 1")]
    )


def _unless_refused(function: Callable[..., Any] | None, *given: Any) -> None:
    """A refused letter has changed nothing either."""
    if function is not None:
        with suppress(Refused):
            function(*given)


def nothing_is_changed_by_a_set_up(rules: Ruleset[Any]) -> Iterator[Wrong]:
    """Neither options nor sign-ups."""
    each, options = watched(rules), complete(rules.info.options, {})
    signups = players(each, rules.info.min_seats, options)
    for signup in signups:
        each.names(signup)
    each.setup(signups, options, dice("set-up"))
    yield from ()
