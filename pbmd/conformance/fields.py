"""Where in an author's files a field of a position is declared, for games whose documents the kit makes from dataclasses."""

import inspect
import re
from collections.abc import Iterator
from typing import Any, cast

from pbmd.conformance.watched_ruleset import is_own
from pbmd.rules import Ruleset
from pbmd.rules.troubles import PlaceInFile


def field_place(rules: Ruleset[Any], position: Any, place: str, function: str) -> PlaceInFile | str:
    """The line of the field at that place in a document (``diggers[2].gold``), or of its class. If the function (`load` or
    `dump`) is the ruleset's own, it is to blame: then its name."""
    if is_own(rules, function):
        return function
    found: PlaceInFile | str = function
    for part, step in _on_the_way(position, re.findall(r"[^.\[\]]+", place)):
        found = _line_of(rules, type(part), step) or found
    return found


def _on_the_way(position: Any, steps: list[str]) -> Iterator[tuple[Any, str]]:
    """The objects on the way to a place, each with the next step; the last has none."""
    part = position
    for step in steps:
        yield part, step
        if step.isdigit() and isinstance(part, tuple | list):
            several = cast("tuple[Any, ...] | list[Any]", part)
            part = several[int(step)] if int(step) < len(several) else None
        else:
            part = getattr(part, step, None)
    yield part, ""


def _line_of(rules: Ruleset[Any], kind: type, field: str) -> PlaceInFile | None:
    """The line of a field of a class of the ruleset, or of the class if it has none of that name, or only in documents."""
    try:
        file, (lines, first) = inspect.getsourcefile(kind), inspect.getsourcelines(kind)
    except (OSError, TypeError):  # a class of Python itself, or one that is not in a file
        return None
    if file is None or not file.startswith(f"{rules.info.folder}/"):
        return None
    named = re.compile(rf'\s+{re.escape(field)}\s*:|.*alias="{re.escape(field)}"')
    of_field = next((number for number, line in enumerate(lines) if field and named.match(line)), 0)
    return PlaceInFile(file, first + of_field, kind.__name__)
