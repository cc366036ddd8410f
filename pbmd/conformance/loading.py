"""A ruleset that is to be tried is read first; what keeps it from that is found like anything else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbmd.conformance.findings import Finding
from pbmd.rules import Ruleset
from pbmd.rules.declared import FILE, looked_at
from pbmd.rules.registry import UnusableRuleset
from pbmd.rules.troubles import PlaceInFile


def loaded(load: Callable[[], Ruleset[Any]], folder: Path | None) -> Ruleset[Any] | list[Finding]:
    """The ruleset, or what is wrong with it: all that is in its ``ruleset.toml``, if it stands in a folder, and else what was
    raised first. Raises `UnknownRuleset` if there is none."""
    try:
        return load()
    except UnusableRuleset as problem:
        found = looked_at(folder)[1] if folder is not None else []
        if problem.file.endswith(FILE) and not found:
            return [_finding("toml.read", problem.file, problem.line, problem.problem)]
        if not found:
            return [_finding("ruleset.loads", problem.file, problem.line, problem.problem)]
        return [_finding("toml.read", each.file, each.line, each.problem) for each in found]


def _finding(promise: str, file: str, line: int, words: str) -> Finding:
    return Finding(promise, words, PlaceInFile(file, line or 1), "")
