"""Real games: every phase comes out as it was recorded, by default or by the option that the record follows.

The games are not ours and stand outside of the repository, in ``shared/diplomacy`` beside the clone.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbmd.rules.options import OptionValue
from rulesets.diplomacy.world.state import Position
from tests.rulesets.diplomacy.harness import dislodged, position, resolved, sheets, units

GAMES = Path(__file__).parents[4] / "shared" / "diplomacy" / "games.jsonl.gz"
needs_games = pytest.mark.skipif(not GAMES.is_file(), reason=f"no recorded games at {GAMES}")

OTHERWISE: Mapping[str, Mapping[str, OptionValue]] = {
    "armies walk when a convoy fails": {"land_fallback": True},
    "distance to home centres": {"removal_distance": "home"},
}
"""How the record differs from the defaults."""
BLOCKED = "the record has a winter in which nobody can do anything"
"""Somebody has a build, and no free home centre. Such a phase is left out here (DI-03)."""
OMITTED = "the record omits a unit that can retreat"

EXPECTED = {
    "": 5919,
    "armies walk when a convoy fails": 17,
    "distance to home centres": 41,
    BLOCKED: 5,
    OMITTED: 1,
}


def games() -> Iterator[Any]:
    with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def recorded(phase: Any) -> tuple[Any, ...]:
    after = phase["result"]
    lost = [f"{power} {unit}" for power, own in after["dislodged"].items() for unit in own]
    held = {power: sorted(centres) for power, centres in after["centres"].items() if centres}
    return after["next"], sorted(f"{p} {unit}" for p, own in after["units"].items() for unit in own), sorted(lost), held


def played(phase: Any, before: Position) -> tuple[Position, tuple[Any, ...]]:
    """The position after the phase, and it in the terms of the record. A game that is over has no next phase."""
    after, _ = resolved(replace(before, sheets=sheets(phase["orders"])))
    held = {power.name.upper(): list(power.centres) for power in after.powers if power.centres}
    return after, (after.code or phase["result"]["next"], units(after), sorted(dislodged(after)), held)


def begun(phase: Any, last: Position | None, **options: OptionValue) -> Position:
    """The recorded position; of retreats that which the moves before left: the record does not tell where units can go."""
    if phase["phase"].endswith("R"):
        assert last is not None
        assert last.code == phase["phase"]
        return replace(last, given=tuple(options.items()))
    return position(phase["phase"], phase["units"], phase["centres"], **options)


def why(phase: Any, last: Position | None) -> tuple[str, Position]:
    """How the record differs from the defaults in this phase, "" if it does not, and the position after it by the defaults."""
    after, outcome = played(phase, begun(phase, last))
    if outcome == recorded(phase):
        return "", after
    for words, options in OTHERWISE.items():
        other, told = played(phase, begun(phase, last, **options))
        if told == recorded(phase):
            return words, replace(other, given=())
    code, *rest = recorded(phase)
    if code.startswith("W") and list(outcome[1:]) == rest:
        return BLOCKED, after
    return (OMITTED if phase.get("flag") == "record_omits_dislodged" else "not explained"), after


@needs_games
@pytest.mark.rule("DI-03", "DI-20", "DI-44", "DI-60", "DI-62", "DI-65", "DI-70", "DI-72", "DI-74", "DI-76", "DI-77", "DI-80")
def test_every_phase_comes_out_as_recorded() -> None:
    counts: Counter[str] = Counter()
    strange: list[tuple[str, str, str]] = []
    for game in games():
        last: Position | None = None
        for phase in game["phases"]:
            words, last = why(phase, last)
            counts[words] += 1
            flagged = {
                "via_land_fallback": "armies walk when a convoy fails",
                "civil_disorder_rule": "distance to home centres",
            }
            if words == "not explained" or ("flag" in phase and words != flagged.get(phase["flag"], words)):
                strange.append((game["id"], phase["phase"], words))
    assert strange == []
    assert counts == EXPECTED
