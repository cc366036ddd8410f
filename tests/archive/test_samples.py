"""The games in data/samples/archives come out as they were, whatever has been done to the code since."""

from pathlib import Path

import pytest

from pbmd.rules.registry import slugs
from tests.archive.made import verified
from tests.archive.samples import FOLDER, unpack

LARGEST = 300_000


@pytest.mark.parametrize("slug", slugs())
def test_every_ruleset_has_a_small_finished_game_that_verifies(slug: str, tmp_path: Path) -> None:
    packed = FOLDER / f"{slug}.tar.xz"
    assert packed.is_file(), f"there is none; make it with: make samples ARGS={slug}"
    assert packed.stat().st_size < LARGEST
    findings = verified(unpack(packed, tmp_path))
    assert findings.problems == [], f"old games would come out differently; needs {findings.needs}"
    assert not [said for said in findings.unchecked if "turn" in said]
    assert findings.checked["steps"] >= 3
    assert 'status = "finished"' in (tmp_path / slug / "data" / "game.toml").read_text()
