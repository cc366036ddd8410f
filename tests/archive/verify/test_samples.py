"""The games in data/samples/archives come out as they were, whatever has been done to the code since."""

import json
import tomllib
from pathlib import Path

import pytest

from pbmd.edition import EDITION
from pbmd.rules.registry import slugs
from tests.archive.made import verified, verify_by_itself
from tests.archive.plots import PLOTS
from tests.archive.releases import ARCHIVED, archives
from tests.archive.samples import FOLDER, unpack

LARGEST = 540_000
FEWEST = {
    "cosmic_conquest": 20,
    "diplomacy": 0,  # it has no dice
    "galactic_overlord": 10,
    "local_cluster": 20,
    "societies": 3,
    "starship_squadrons": 10,
}
"""Rolls, those of the set-up included: a game without any would not show how its rules use dice."""


@pytest.mark.in_turn(3)
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


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    "packed",
    [packed for version in ARCHIVED for packed in archives(version)],
    ids=lambda packed: f"{packed.parent.name}-{packed.name.partition('.')[0]}",
)
def test_the_games_that_released_versions_have_played_verify(packed: Path, tmp_path: Path) -> None:
    """Reports and answers of an older edition are in other words, and it refused lines that are read now."""
    archive = unpack(packed, tmp_path)
    findings = verified(archive)
    assert findings.problems == []
    said = any(said.startswith("Another edition of pbmd was at work in turn 000") for said in findings.unchecked)
    assert said == (edition_of(archive) != EDITION)
    verify_by_itself(archive)


def edition_of(archive: Path) -> int:
    """Of the pbmd that began the game."""
    entries = (json.loads(line) for line in (archive / "data" / "journal.jsonl").read_text().splitlines())
    return next(entry["public"].get("edition", 1) for entry in entries if entry["kind"] == "started")
