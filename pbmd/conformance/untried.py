"""What nothing is known of after a trial: it was never used, or nothing has shown that it matters. That is no finding."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pbmd.conformance.exercise import CutShort, Exercise, UnrunLines, UnusedRule
from pbmd.conformance.idle_options import idle_options
from pbmd.conformance.odd_orders import OddOrder, odd_orders, unoffered
from pbmd.conformance.purity import set_order
from pbmd.conformance.rule_ids import RuleId, uncited
from pbmd.conformance.two_forms import OneSided, one_sided
from pbmd.conformance.untested.unnoticed import Unnoticed, unnoticed
from pbmd.conformance.watched_ruleset import guarded
from pbmd.rules import Ruleset
from pbmd.rules.troubles import PlaceInFile

_PATIENCE = 5.0
"""Seconds of processor time for looking at options."""
_FOR_TESTS = 3.0
"""And for changes of the code that the author's tests should notice."""


class Untried(NamedTuple):
    """Checks for which there was no time in all steps, parts of the grammar that no accepted letter has used, lines that never
    ran (None if nobody knows), rules of the handbook that no test cites, changes of the code that no test notices, what of a
    view shows in one form of the report only, odd orders that were taken, parts of the grammar that players write and no form
    offers, where something goes by the order of a set, options that changed nothing in any game, and why the author's own tests
    were not run, if there are any."""

    cut_short: list[CutShort]
    unused_rules: list[UnusedRule]
    unrun_lines: list[UnrunLines] | None
    uncited_rules: list[RuleId]
    unnoticed: list[Unnoticed]
    one_sided: list[OneSided]
    odd_orders: list[OddOrder]
    unoffered: list[str]
    set_order: PlaceInFile | None
    idle_options: list[str]
    tests_left_out: str


def untried(rules: Ruleset[Any], exercise: Exercise, tests_left_out: str, stories: Sequence[Path]) -> Untried:
    """All of it, after a trial in which `exercise` has noted what was used; the `stories` are those that were told without a
    finding."""
    lines = exercise.unrun_lines() if exercise.runs_noted else None
    changed = unnoticed(Path(str(rules.info.folder)), _FOR_TESTS, stories) if not tests_left_out else []
    watched = guarded(rules)
    return Untried(
        exercise.cut_short,
        exercise.unused_rules(),
        lines,
        uncited(rules),
        changed,
        one_sided(watched),
        odd_orders(watched),
        unoffered(watched),
        set_order(rules),
        idle_options(rules, _PATIENCE),
        tests_left_out,
    )
