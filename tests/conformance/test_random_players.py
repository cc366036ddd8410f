"""Of whom random players' orders are asked: of no seat that has nothing to send in the step."""

from dataclasses import replace
from typing import Any

import pytest

from pbmd.conformance.trial import Plan, try_ruleset
from pbmd.rules import Dice, Ruleset
from pbmd.rules.options import complete
from pbmd.rules.registry import get
from pbmd.rules.sheets import sheet_of
from pbmd.simulate import Plan as Simulation
from pbmd.simulate import play, usual_players
from tests.rules import count, tides


def strict(rules: Ruleset[Any]) -> Ruleset[Any]:
    """The ruleset, whose random players fail if they are asked out of turn."""

    def asked(position: Any, seat: str, dice: Dice) -> str:
        if seat not in rules.awaiting(position) and sheet_of(rules.sheets(position), seat) is None:
            raise AssertionError(f"{seat} has nothing to send")
        return rules.random_orders(position, seat, dice)

    return replace(rules, random_orders=asked)


@pytest.mark.parametrize("rules", [count.ruleset, tides.ruleset], ids=lambda rules: rules.info.slug)
def test_a_trial_asks_only_those_who_are_awaited(rules: Ruleset[Any]) -> None:
    assert not try_ruleset(strict(rules), Plan(2, 1, patience=2.0))


@pytest.mark.parametrize("slug", ["galactic_overlord", "societies", "starship_squadrons", "cosmic_conquest"])
def test_a_simulation_asks_only_those_who_are_awaited(slug: str) -> None:
    rules = strict(get(slug))
    options = complete(rules.info.options, {})
    plan = Simulation(lambda: rules, usual_players(rules, options), options, 1, 20)
    assert [play(plan, number).problem for number in (1, 2)] == ["", ""]
