"""What nothing is known of after a trial: it was never used, or nothing has shown that it matters. That is no finding."""

from typing import Any, NamedTuple

from pbmd.conformance.exercise import Exercise, UnrunLines, UnusedRule
from pbmd.conformance.idle_options import idle_options
from pbmd.conformance.rule_ids import RuleId, uncited
from pbmd.rules import Ruleset

_PATIENCE = 5.0
"""Seconds of processor time for looking at options."""


class Untried(NamedTuple):
    """Parts of the grammar that no accepted letter has used, lines that never ran (None if nobody knows), rules of the
    handbook that no test cites, options that changed nothing in any game, and why the author's own tests were not run, if
    there are any."""

    unused_rules: list[UnusedRule]
    unrun_lines: list[UnrunLines] | None
    uncited_rules: list[RuleId]
    idle_options: list[str]
    tests_left_out: str


def untried(rules: Ruleset[Any], exercise: Exercise, tests_left_out: str) -> Untried:
    """All of it, after a trial in which `exercise` has noted what was used."""
    lines = exercise.unrun_lines() if exercise.runs_noted else None
    return Untried(exercise.unused_rules(), lines, uncited(rules), idle_options(rules, _PATIENCE), tests_left_out)
