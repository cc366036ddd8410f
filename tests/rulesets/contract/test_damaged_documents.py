"""Position documents are written by hand, too: what is wrong in one is refused with its place, and nothing else is raised."""

from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest

from pbmd.conformance.documents import places_of
from pbmd.conformance.findings import Broken
from pbmd.conformance.scenes import Scene, dice
from pbmd.conformance.trial import a_few
from pbmd.rules import PositionError
from pbmd.rules.registry import slugs
from tests.rulesets.contract.scenes import scenes

WRONG: tuple[Any, ...] = (None, True, -1, 0, 2**70, 3.5, float("nan"), "", "Xyzzy", "9" * 30, [], ["x"], [[]], {}, {"x": 1})
MANY = 120


def damaged_documents_are_refused(scene: Scene) -> None:
    """Or read: then they are those of other positions."""
    rules = scene.rules
    document, chance = rules.dump(scene.played.positions[-2]), dice(scene.name, "damage")
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


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", slugs())
def test_a_damaged_document_is_refused_with_the_place(name: str) -> None:
    for scene in a_few(scenes(name), 5):
        damaged_documents_are_refused(scene)


def test_a_ruleset_that_does_not_look_at_its_documents_is_found() -> None:
    with pytest.raises(Broken, match="load raises"):
        damaged_documents_are_refused(scenes("count")[0])
