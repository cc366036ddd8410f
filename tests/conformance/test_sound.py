"""In sound rulesets nothing is found: in the small games of the tests here, in all others by the contract tests."""

from pathlib import Path
from types import ModuleType

import pytest

from pbmd.conformance.determinism import Trip
from pbmd.conformance.promises import PROMISES, SUBJECTS
from pbmd.conformance.trial import Plan, try_ruleset
from tests.conformance.planted import PLANTED
from tests.rules import count, relay, tides

ELSEWHERE_TESTED = {
    "code.names": "test_whole_games",
    "code.tests": "test_own_tests",
    "disorder.awaited": "test_checks",
    "disorder.rest": "test_checks",
    "files.defaults": "test_whole_games",
    "files.templates": "tests/cli/test_try",
    "imagine.looks": "test_checks",
    "resign.awaited": "test_checks",
    "resign.rest": "test_checks",
    "reveal.rest": "test_checks",
    "rulings.keys": "test_checks",
    "ruleset.loads": "tests/cli/test_try",
    "press.rooms": "test_press_rooms",
    "secret.press": "test_press_rooms",
    "stories.told": "tests/cli/test_try",
    "template.public": "test_whole_games",
    "toml.protocol": "tests/cli/test_try",
    "toml.read": "tests/cli/test_try",
    "waits.seats": "test_checks",
}
"""Promises that no defect of a small game breaks, and where they are."""


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("game", [count, relay, tides], ids=lambda game: game.ruleset.info.slug)
def test_nothing_is_found_in_a_sound_game(game: ModuleType) -> None:
    trip = Trip(str(Path(str(game.__file__)).parent), games=1, seed=7)
    assert try_ruleset(game.ruleset, Plan(games=2, seed=7, patience=2.0, trip=trip)) == []


def test_every_promise_is_broken_by_a_planted_defect_or_in_another_test() -> None:
    assert {planted.promise for planted in PLANTED} | ELSEWHERE_TESTED.keys() == {*PROMISES}


def test_every_promise_is_about_something() -> None:
    assert sorted(promise for promises in SUBJECTS.values() for promise in promises) == sorted(PROMISES)
