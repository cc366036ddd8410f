"""The games in data/samples/archives come out as they were, whatever has been done to the code since."""

import json
import tomllib
from pathlib import Path

import pytest

from pbmd.rules.registry import slugs
from tests.archive.made import verified
from tests.archive.plots import PLOTS
from tests.archive.samples import FOLDER, unpack

LARGEST = 540_000
OF_1_0 = Path(__file__).parents[1] / "old" / "1.0.0"
FEWEST = {
    "cosmic_conquest": 20,
    "diplomacy": 0,  # it has no dice
    "galactic_overlord": 10,
    "local_cluster": 20,
    "societies": 3,
    "starship_squadrons": 10,
}
"""Rolls, those of the set-up included: a game without any would not show how its rules use dice."""


@pytest.mark.parametrize("slug", slugs())
def test_every_ruleset_has_a_small_finished_game_that_verifies(slug: str, tmp_path: Path) -> None:
    packed = FOLDER / f"{slug}.tar.xz"
    assert packed.is_file(), f"there is none; make it with: make samples ARGS={slug}"
    assert packed.stat().st_size < LARGEST
    findings = verified(unpack(packed, tmp_path))
    assert findings.problems == [], f"old games would come out differently; needs {findings.needs}"
    assert not [said for said in findings.unchecked if "turn" in said]
    assert findings.checked["steps"] >= 3
    dice = [json.loads(path.read_text()) for path in (tmp_path / slug / "data" / "turns").glob("**/dice.json")]
    assert sum(len(each["rolls"]) for each in dice) >= FEWEST[slug]
    assert tomllib.loads((tmp_path / slug / "data" / "game.toml").read_text())["status"] == "finished"
    entries = [json.loads(line) for line in (tmp_path / slug / "data" / "journal.jsonl").read_text().splitlines()]
    assert PLOTS[slug].has <= {entry["kind"] for entry in entries}
    assert not any(entry["kind"] == "finished" and entry["public"].get("abandoned") for entry in entries), "not by its rules"


@pytest.mark.parametrize("packed", sorted(OF_1_0.glob("*.tar.xz")), ids=lambda packed: packed.name.partition(".")[0])
def test_the_games_that_1_0_has_played_verify(packed: Path, tmp_path: Path) -> None:
    """Its reports and answers are in other words, and it refused lines that are read now."""
    findings = verified(unpack(packed, tmp_path))
    assert findings.problems == []
    assert any(said.startswith("Another edition of pbmd was at work in turn 000") for said in findings.unchecked)
