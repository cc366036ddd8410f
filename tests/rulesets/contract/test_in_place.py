"""Nothing is changed in place: whatever a function of a ruleset is given is afterwards what it was."""

# pyright: reportUnknownLambdaType=false
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

import pytest

from pbmd.rules import (
    GM,
    PUBLIC,
    Dice,
    Document,
    Line,
    Receipt,
    Refused,
    Resolution,
    Ruleset,
    View,
    canonical_json,
    seat_reader,
)
from pbmd.rules.options import complete
from pbmd.simulate import signups
from tests.rules.count import ruleset as count
from tests.rulesets.contract.promises import a_few, changed, is_kept, scenes_of
from tests.rulesets.contract.scenes import NAMES, Scene, first_position, named, play, scenes
from tests.rulesets.random_games import dice

WITHOUT_POSITION = {"check_signup", "setup", "load", "names", "sample_signup", "tell", "imagine"}
"""All other functions get a position first."""


def watched(rules: Ruleset[Any]) -> Ruleset[Any]:
    """The ruleset, each function of which fails when it has changed what it was given."""

    def watch(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            before = written(name, given)
            try:
                return function(*given)
            finally:
                assert written(name, given) == before, f"{name} has changed what it was given"

        return call

    def written(name: str, given: tuple[Any, ...]) -> list[Any]:
        if name in WITHOUT_POSITION:
            return [in_plain(each) for each in given]
        return [canonical_json(rules.dump(given[0])), *(in_plain(each) for each in given[1:])]

    functions = {field.name: getattr(rules, field.name) for field in fields(rules) if field.name != "info"}
    return changed(rules, **{name: watch(name, function) for name, function in functions.items() if function is not None})


def in_plain(value: Any) -> Any:
    """All that is in it; of dice nothing, since they are there to be rolled."""
    if isinstance(value, Mapping):
        table = cast("Mapping[Any, Any]", value)
        return [(key, in_plain(table[key])) for key in table]
    if isinstance(value, list | tuple):
        return [in_plain(each) for each in cast("list[Any]", value)]
    if is_dataclass(value):
        return [in_plain(getattr(value, field.name)) for field in fields(value)]
    return value if isinstance(value, str | int | float | None) else None


def nothing_is_changed(scene: Scene) -> None:
    """By a step, and by whatever can be asked and done in it."""
    rules = watched(scene.rules)
    start, step = scene.position, play(rules, scene.position, scene.letters, scene.name)
    now = step.positions[-2]
    rules.load(rules.dump(now))
    for reader in (PUBLIC, GM, *map(seat_reader, rules.seats(start))):
        rules.view(step.resolution.position, step.events, reader)
    for event in step.at_once if rules.tell else ():
        rules.tell(event)  # pyright: ignore[reportOptionalCall]
    asked = (rules.turn, rules.outcome, rules.waits, rules.step_name, rules.hours, rules.ready, rules.rulings)
    for function in asked:
        if function is not None:
            function(now)
    for seat in rules.awaiting(start)[:1]:
        rules.random_orders(start, seat, dice("orders"))
        rules.order_form(start, seat)
        unless_refused(rules.withdraw, now, seat)
        unless_refused(rules.resign, start, seat)
        unless_refused(rules.take_over, now, seat, "Somebody")
        view = rules.view(start, (), seat_reader(seat))
        unless_refused(rules.imagine, view, complete(rules.info.options, rules.dump(start)["options"]), [Line(1, "spies 1")])
    for ruling in rules.rulings(now) if rules.rulings else ():
        unless_refused(rules.rule, now, ruling.key)


def unless_refused(function: Callable[..., Any] | None, *given: Any) -> None:
    """What is refused has changed nothing either."""
    if function is not None:
        with suppress(Refused):
            function(*given)


def nothing_is_changed_by_a_set_up(rules: Ruleset[Any]) -> None:
    """Neither options nor sign-ups."""
    rules, options = watched(rules), complete(rules.info.options, {})
    players = signups(rules, rules.info.min_seats, options)
    for signup in players:
        rules.names(signup)
    rules.setup(players, options, dice("set-up"))


def a_document_is_a_copy(rules: Ruleset[Any]) -> None:
    """Whoever changes it changes no position, neither that of which it was written nor that which was read from it."""
    position = first_position(rules, 0)
    document = rules.dump(position)
    read, before = rules.load(document), canonical_json(document)
    empty(document)
    assert canonical_json(rules.dump(position)) == before
    assert canonical_json(rules.dump(read)) == before


def empty(part: Any) -> None:
    """A table or a list, and all that is in it."""
    if isinstance(part, dict | list):
        found = cast("dict[Any, Any] | list[Any]", part)
        for each in [*found.values()] if isinstance(found, dict) else found:
            empty(each)
        found.clear()


@pytest.mark.parametrize("name", NAMES)
def test_no_function_changes_what_it_is_given(name: str) -> None:
    nothing_is_changed_by_a_set_up(named(name))
    is_kept(nothing_is_changed, a_few(scenes(name), 8))


@pytest.mark.parametrize("name", NAMES)
def test_a_document_is_a_copy(name: str) -> None:
    a_document_is_a_copy(named(name))


def load(document: Document) -> Any:
    position = count.load(document)
    document["missed"] = ["Altair"]
    return position


def receive(position: Any, mail: Any) -> Receipt[Any]:
    position.scores[mail.seat] += 1
    return count.receive(position, mail)


def resolve(position: Any, chance: Dice) -> Resolution[Any]:
    resolution = count.resolve(position, chance)
    position.scores.update(resolution.position.scores)
    return resolution


def view(position: Any, events: Any, reader: Any) -> View:
    for event in events:
        event.data["seen"] = True
    return count.view(position, events, reader)


def setup(players: Any, options: Any, chance: Dice) -> Any:
    options["target"] = 99
    return count.setup(players, options, chance)


@pytest.mark.parametrize(
    "wrong", [{"load": load}, {"receive": receive}, {"resolve": resolve}, {"view": view}], ids=lambda wrong: next(iter(wrong))
)
def test_a_ruleset_that_changes_what_it_is_given_is_found(wrong: dict[str, Callable[..., Any]]) -> None:
    scene = scenes_of(count)[1]
    with pytest.raises(AssertionError, match=f"{next(iter(wrong))} has changed what it was given"):
        nothing_is_changed(replace(scene, rules=changed(count, **wrong)))


def test_a_ruleset_that_changes_options_is_found() -> None:
    with pytest.raises(AssertionError, match="setup has changed what it was given"):
        nothing_is_changed_by_a_set_up(changed(count, setup=setup))


def test_a_ruleset_that_keeps_parts_of_a_document_is_found() -> None:
    always = count.dump(first_position(count, 0))
    with pytest.raises(AssertionError):
        a_document_is_a_copy(changed(count, dump=lambda _position: always))
    with pytest.raises(AssertionError):
        a_document_is_a_copy(changed(count, load=lambda document: replace(count.load(document), options=document["options"])))
