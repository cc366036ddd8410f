"""Position documents are written by hand, too: what is wrong in one is refused with its place, and nothing else is raised."""

from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from typing import Any, cast

import pytest

from pbmd.rules import Document, PositionError
from tests.rules.count import ruleset as count
from tests.rulesets.contract.promises import a_few, is_found_broken, is_kept
from tests.rulesets.contract.scenes import NAMES, TOYS, Scene, played, scenes
from tests.rulesets.random_games import dice

WRONG: tuple[Any, ...] = (None, True, -1, 0, 2**70, 3.5, float("nan"), "", "Xyzzy", "9" * 30, [], ["x"], [[]], {}, {"x": 1})
MANY = 120


def damaged_documents_are_refused(scene: Scene) -> None:
    """Or read: then they are those of other positions."""
    rules = scene.rules
    document, chance = rules.dump(played(scene).positions[-2]), dice(scene.name, "damage")
    places = list(places_of(document))
    for _ in range(MANY):
        damaged = deepcopy(document)
        *way, last = places[chance.roll(len(places)) - 1]
        part = damaged
        for step in way:
            part = part[step]
        how = chance.roll(len(WRONG) + 1)
        if how > len(WRONG):
            del part[last]
        else:
            part[last] = WRONG[how - 1]
        with suppress(PositionError):
            position = rules.load(damaged)
            assert rules.load(rules.dump(position)) == position


def places_of(part: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all places of a document."""
    if isinstance(part, dict | list):
        found = cast("Document | list[Any]", part)
        for key, value in found.items() if isinstance(found, dict) else enumerate(found):
            yield (*way, key)
            yield from places_of(value, (*way, key))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in TOYS])
def test_a_damaged_document_is_refused_with_the_place(name: str) -> None:
    is_kept(damaged_documents_are_refused, a_few(scenes(name), 5))


def test_a_ruleset_that_does_not_look_at_its_documents_is_found() -> None:
    """Such as the small ones of the tests, whose documents nobody writes."""
    is_found_broken(damaged_documents_are_refused, count, Exception)
