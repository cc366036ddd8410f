"""Which edition of pbmd dealt with each step of a game: other editions wrote reports and answers in other words, drew other
maps, and could not read all the lines that this one can."""

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pbmd.archive.format.findings import Archive
from pbmd.edition import EDITION
from pbmd.rules import Status

_FIRST = 1
"""From before the journal named editions."""
Letter = tuple[str, int, str]
"""Its seat, its receipt, and its arrival as sheets.json has it."""
Refusals = Mapping[Letter, frozenset[int]]
"""The numbers of the lines that were refused in each letter."""
NO_REFUSALS: Refusals = MappingProxyType({})


def is_ours(edition: int | None) -> bool:
    """Whether it was this edition that is named by an entry that opens or ends a step."""
    return (_FIRST if edition is None else edition) == EDITION


def refusals_in(archive: Archive) -> Refusals:
    """Which lines were refused in each letter, as the archive says."""
    sheets = (path for path in archive.files if path.endswith("/sheets.json"))
    return {letter: lines for path in sheets for letter, lines in _in_file(archive, path)}


def _in_file(archive: Archive, path: str) -> Iterator[tuple[Letter, frozenset[int]]]:
    try:
        for sheet in json.loads(archive.text(path) or "[]"):
            refused = frozenset(each["line"] for each in sheet["verdicts"] if each["status"] == Status.ERROR)
            yield (str(sheet["seat"]), int(sheet["receipt"]), str(sheet["arrived_at"])), refused
    except (LookupError, RecursionError, TypeError, ValueError):
        return  # a mistake in it is found when it is checked against what comes out
