"""Tables of pbmd.toml that an older pbmd read: a file may still have them, and `pbmd check` says that nothing comes of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbmd.settings.places import place_of

RETIRED: Mapping[str, str] = {
    "stamp": "no outside service is asked any more for a time stamp; proofs that came are in archives that were made before"
}
"""Each with what became of it."""


def without_retired(content: Mapping[str, Any]) -> dict[str, Any]:
    """What a settings file has, but for such tables."""
    return {table: value for table, value in content.items() if table not in RETIRED}


def retired_in(path: Path, text: str, content: Mapping[str, Any]) -> list[str]:
    """A sentence for each such table in a settings file: where it is, and what became of it."""
    found = [table for table in RETIRED if table in content]
    return [f"{place_of(path, text, [table])}: [{table}] is no longer used: {RETIRED[table]}" for table in found]
