"""A ruleset that is to be tried is loaded first; whatever prevents that is a finding like any other."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbmd.conformance.findings import Finding
from pbmd.conformance.ruleset_folder import declared_wrongly
from pbmd.rules import Ruleset
from pbmd.rules.declared import FILE
from pbmd.rules.registry import UnusableRuleset
from pbmd.rules.troubles import PlaceInFile


def loaded(load: Callable[[], Ruleset[Any]], folder: Path | None) -> Ruleset[Any] | list[Finding]:
    """The ruleset, or what is wrong with it: everything in its ``ruleset.toml``, if it is in a folder, or else the first
    exception. Raises `UnknownRuleset` if there is none."""
    try:
        return load()
    except UnusableRuleset as problem:
        declared = Path(problem.file).parent if problem.file.endswith(FILE) else folder
        wrong = [*declared_wrongly(declared)] if declared is not None else []
        place = PlaceInFile(problem.file, problem.line)
        return [Finding(*each, "") for each in wrong or [("ruleset.loads", problem.problem, place)]]
