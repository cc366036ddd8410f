"""Every ruleset keeps all that the protocol promises: the checks of `pbmd try`, over all that there is."""

from collections.abc import Sequence
from typing import Any

import pytest

from pbmd.conformance.check_table import OF_RULESETS, OF_SCENES
from pbmd.conformance.findings import Broken, Wrong
from pbmd.conformance.scenes import Scene
from pbmd.conformance.trial import chosen_for
from pbmd.rules import Ruleset
from pbmd.rules.options import complete
from pbmd.simulate import Plan, usual_players
from pbmd.simulate import play as play_game
from tests.doses import LARGE
from tests.rulesets.contract.scenes import NAMES, named, scenes
from tests.rulesets.hash_seeds import printed_under_other_hash_seeds

STEPS = 40


def found(check: Any, of: Scene | Ruleset[Any]) -> list[Wrong]:
    """What a check finds, be it told or raised."""
    try:
        return [*check(of)]
    except Broken as fault:
        return [fault.wrong]


def some_of(all_of_them: Sequence[Scene], place: int) -> Sequence[Scene]:
    """In a small dose every third of them, for the next checks the others; all in a large one."""
    return all_of_them if LARGE else all_of_them[place % 3 :: 3] or all_of_them


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("check", OF_SCENES)
@pytest.mark.parametrize("name", NAMES)
def test_scenes_of_all_rulesets(name: str, check: str) -> None:
    for scene in some_of(chosen_for(OF_SCENES[check], scenes(name)), [*OF_SCENES].index(check)):
        assert found(OF_SCENES[check].of, scene) == [], scene.name


@pytest.mark.parametrize("check", OF_RULESETS)
@pytest.mark.parametrize("name", NAMES)
def test_all_rulesets(name: str, check: str) -> None:
    assert found(OF_RULESETS[check], named(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_random_games_go_on_to_their_end(name: str) -> None:
    """Those of `pbmd simulate`, with as few players as can be, and with the usual number."""
    rules = named(name)
    options = complete(rules.info.options, {})
    for players in {rules.info.min_seats, usual_players(rules, options)}:
        game = play_game(Plan(lambda: rules, players, options, seed=1, max_turns=STEPS), 0)
        assert game.problem == "", game.trace
        assert game.ended or game.turns == STEPS


PROGRAM = """
import json
from pbmd.conformance.determinism import fingerprints
from tests.rulesets.contract.scenes import NAMES, named
for name in NAMES:
    print(name, json.dumps([*fingerprints(named(name), 1)]))
"""


def test_nothing_depends_on_the_hash_seed_of_the_interpreter() -> None:
    """In any ruleset: each line has the fingerprints of one."""
    lines = [*zip(*(text.splitlines() for text in printed_under_other_hash_seeds(PROGRAM)), strict=True)]
    assert len(lines) == len(NAMES)
    assert [digests[0] for digests in lines if len(set(digests)) > 1] == []
