"""What nothing is known of after a trial: it was never used, or nothing has shown that it matters. That is no finding."""

from typing import Any, NamedTuple

from pbmd.conformance.exercise import Exercise, UnrunLines, UnusedRule
from pbmd.conformance.rule_ids import RuleId, uncited
from pbmd.rules import Ruleset


class Untried(NamedTuple):
    """Parts of the grammar that no accepted letter has used, lines that never ran (None if nobody knows) and rules of the
    handbook that no test cites."""

    unused_rules: list[UnusedRule]
    unrun_lines: list[UnrunLines] | None
    uncited_rules: list[RuleId]


def untried(rules: Ruleset[Any], exercise: Exercise) -> Untried:
    """All of it, after a trial in which `exercise` has noted what was used."""
    lines = exercise.unrun_lines() if exercise.runs_noted else None
    return Untried(exercise.unused_rules(), lines, uncited(rules))
