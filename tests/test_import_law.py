"""The house has stairs: no file needs itself to be there before it is, and each is short enough to be read in one go."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
MOST_LINES, MOST_FILES = 400, 15
LONG = frozenset({"pbmd/ledger/tables.py"})
"""One table below the other."""


def test_no_files_import_each_other_in_a_circle() -> None:
    """Imports for the type checker alone count, too. The error names the circle."""
    graph = grimp.build_graph("pbmd", "rulesets", cache_dir=None)
    TopologicalSorter({module: graph.find_modules_directly_imported_by(module) for module in graph.modules}).prepare()


def test_a_ruleset_does_not_know_where_it_stands() -> None:
    """A wheel has the rulesets elsewhere than a checkout, and any folder can be one: so their files find each other by dots."""
    files = (ROOT / "rulesets").rglob("*.py")
    absolute = {
        str(path.relative_to(ROOT)) for path in files if re.search(r"^\s*(from|import) rulesets\b", path.read_text(), re.M)
    }
    assert absolute == set()


def test_no_file_is_long() -> None:
    files = (path for folder in ("pbmd", "rulesets") for path in (ROOT / folder).rglob("*.py"))
    long = {str(path.relative_to(ROOT)) for path in files if len(path.read_text().splitlines()) > MOST_LINES}
    assert long == LONG


def test_no_room_of_the_desk_is_crowded() -> None:
    rooms = (room for room in (ROOT / "pbmd" / "desk").iterdir() if room.is_dir())
    crowded = {room.name for room in rooms if len({*room.glob("*.py")} - {room / "__init__.py"}) > MOST_FILES}
    assert crowded == set()
