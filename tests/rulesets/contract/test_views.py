"""What a reader gets: a view that is JSON, made of what this reader may know of the events, and a report made of the view."""

# pyright: reportUnknownLambdaType=false
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from jinja2 import UndefinedError

from pbmd.reports import report_html, report_text
from pbmd.rules import GM, PUBLIC, Dice, Event, Reader, Resolution, Ruleset, View, canonical_json, seat_reader, seen_by
from pbmd.rules.protocol import event_document
from tests.rules.count import ruleset as count
from tests.rulesets.contract.promises import Promise, a_few, changed, is_found_broken, is_kept
from tests.rulesets.contract.scenes import NAMES, Scene, played, scenes
from tests.rulesets.contract.told import reader_of, shown, shown_after

MARGIN = 76


@cache
def views(scene: Scene) -> list[tuple[Reader, View]]:
    """What each reader is shown after the step."""
    position, events = played(scene).resolution.position, played(scene).events
    readers = (PUBLIC, GM, *map(seat_reader, scene.rules.seats(position)))
    return [(reader, scene.rules.view(position, events, reader)) for reader in readers]


def views_are_json_for_their_reader(scene: Scene) -> None:
    for reader, view in views(scene):
        assert view.reader == reader
        assert canonical_json(view.data).startswith(b"{")


def events_are_json_for_those_who_play(scene: Scene) -> None:
    seats = {*scene.rules.seats(scene.position)}
    for event in played(scene).events:
        assert canonical_json(event_document(event))
        assert {*(event.audience or ()), *event.insiders} <= seats, event


def views_are_made_of_what_the_reader_may_know(scene: Scene) -> None:
    """As long as the game runs: at its end the rules may show everything."""
    rules, position, events = scene.rules, played(scene).resolution.position, played(scene).events
    for seat, sight in shown_after(scene).items() if rules.outcome(position) is None else ():
        assert shown(rules, position, seen_by(events, reader_of(seat)), seat) == sight, seat


def every_reader_gets_a_report(scene: Scene) -> None:
    """In text within the margin, and in HTML."""
    for _, view in views(scene):
        text = report_text(scene.rules, view)
        assert text.strip()
        assert [line for line in text.splitlines() if len(line) > MARGIN] == []
        assert "<" in report_html(scene.rules, view)


PROMISES: tuple[Promise, ...] = (
    views_are_json_for_their_reader,
    events_are_json_for_those_who_play,
    views_are_made_of_what_the_reader_may_know,
)


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("name", NAMES)
def test_views(name: str, promise: Promise) -> None:
    is_kept(promise, scenes(name))


@pytest.mark.parametrize("name", NAMES)
def test_every_reader_gets_a_report(name: str) -> None:
    is_kept(every_reader_gets_a_report, a_few(scenes(name), 20))


def shows(change: Any) -> Ruleset[Any]:
    """Count, whose views have something more, or something else, in them."""

    def view(position: Any, events: Any, reader: Reader) -> View:
        right = count.view(position, events, reader)
        return replace(right, data={**right.data, **change(position, events)})

    return changed(count, view=view)


def tells(event: Event) -> Ruleset[Any]:
    """Count, in which something more happens in every step."""

    def resolve(position: Any, dice: Dice) -> Resolution[Any]:
        resolution = count.resolve(position, dice)
        return replace(resolution, events=(*resolution.events, event))

    return changed(count, resolve=resolve)


def nothing(position: Any, _events: Any, reader: Reader) -> View:
    return View(reader, position.turn, {})


@pytest.mark.parametrize(
    ("promise", "wrong", "raised"),
    [
        (views_are_json_for_their_reader, shows(lambda position, _: {"seats": {*position.scores}}), ValueError),
        (views_are_json_for_their_reader, changed(count, view=lambda p, events, _: count.view(p, events, GM)), AssertionError),
        (events_are_json_for_those_who_play, tells(Event("gift", {"of": 1j})), ValueError),
        (events_are_json_for_those_who_play, tells(Event("gift", {}, ("Nobody",))), AssertionError),
        (events_are_json_for_those_who_play, tells(Event("gift", {}, (), {}, ("Nobody",))), AssertionError),
        (views_are_made_of_what_the_reader_may_know, shows(lambda _, events: {"news": len(events)}), AssertionError),
        (every_reader_gets_a_report, shows(lambda *_: {"greeting": "Welcome, adders! " * 5}), AssertionError),
        (every_reader_gets_a_report, changed(count, view=nothing), UndefinedError),
    ],
)
def test_a_ruleset_that_shows_what_it_must_not_is_found(promise: Promise, wrong: Ruleset[Any], raised: type[Exception]) -> None:
    is_found_broken(promise, wrong, raised)
