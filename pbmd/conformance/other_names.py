"""What seats are called decides nothing: when two have each other's names, the same happens to them under these."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from pbmd.conformance.findings import Wrong
from pbmd.conformance.rule_ids import handbook
from pbmd.conformance.scenes import Scene, dice, is_due
from pbmd.rules import Document, PositionError
from pbmd.rules.sheets import resolved
from pbmd.rules.troubles import difference

_BY_NAME = re.compile(r"\balphabet", re.IGNORECASE)


def names_decide_nothing(scene: Scene) -> Iterator[Wrong]:
    """In the alphabet of the seats the last are the first, in the position and in what is on file; where the handbook says that
    something goes by the alphabet, it may."""
    rules, position = scene.rules, scene.played.positions[-2]
    if (
        rules.fixed_seats
        or _BY_NAME.search(handbook(Path(str(rules.info.folder)) / "RULES.md"))
        or is_due(rules, scene.position)
    ):
        return
    seats = sorted(rules.seats(position))
    others = dict(zip(seats, reversed(seats), strict=True))
    try:
        renamed = rules.load(_renamed(rules.dump(position), others))
    except PositionError:
        return
    if rules.awaiting(renamed):
        return
    after = rules.dump(resolved(rules, renamed, dice(scene.name)).position)
    expected = _sorted(rules.dump(scene.played.resolution.position))
    if (now := _sorted(_renamed(after, others))) != expected:
        place = difference(expected, now)
        yield Wrong(
            "code.names",
            f"if the seats had each other's names, something else would happen{f', at {place}' if place else ''}",
            "resolve",
        )


def _renamed(document: Document, others: Mapping[str, str]) -> Document:
    """Wherever a name stands, also within a line."""
    name = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in sorted(others, key=len, reverse=True)))

    def of(value: Any) -> Any:
        if isinstance(value, str):
            return name.sub(lambda found: others[found[0]], value)
        if isinstance(value, dict):
            return {of(key): of(item) for key, item in cast("dict[str, Any]", value).items()}
        return [of(item) for item in cast("list[Any]", value)] if isinstance(value, list) else value

    return of(dict(document))


def _sorted(value: Any) -> Any:
    """With lists in the order of what is in them: many are kept by the names in them, and that is no matter."""
    if isinstance(value, dict):
        return {key: _sorted(item) for key, item in sorted(cast("dict[str, Any]", value).items())}
    if isinstance(value, list):
        return sorted((_sorted(item) for item in cast("list[Any]", value)), key=json.dumps)
    return value
