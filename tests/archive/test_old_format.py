"""Archives from before there were salts are read by the rule of then.

``old/format-2.tar.xz`` is one of the game of Count that `tests.desk.world` makes, as the last version without salts wrote it.
"""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.archive.made import forge, verified
from tests.archive.samples import unpack
from tests.deploy.test_verify_dice import verify as verify_dice

OLD = Path(__file__).parent / "old"
DAYS = timedelta(days=4)
OF_THE_DICE = ("dice.json", "journal.jsonl", "resolution.toml", "after.toml", "position.toml")


def about_dice(archive: Path) -> list[str]:
    """What is wrong with what the dice and the rules make; pages and pictures may come out otherwise after a change of them."""
    return [str(problem) for problem in verified(archive).problems if problem.file.endswith(OF_THE_DICE)]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return unpack(OLD / "format-2.tar.xz", tmp_path)


def test_an_archive_of_then_is_sound_and_its_dice_are_proved(archive: Path) -> None:
    assert "format = 2\n" in (archive / "data" / "game.toml").read_text()
    assert about_dice(archive) == []
    code, told = verify_dice(archive)
    assert (code, told.endswith(": all as they must be\n")) == (0, True), told


def test_other_orders_in_it_are_found(archive: Path) -> None:
    path = archive / "data" / "turns" / "001" / "dice.json"
    document = json.loads(path.read_text())
    document["sheets"].reverse()
    path.write_text(json.dumps(document))
    assert any("dice.json" in problem for problem in about_dice(archive))
    assert verify_dice(archive)[0] == 1


def test_nobody_can_bring_salts_into_it(archive: Path) -> None:
    def change(entries: list[dict[str, object]]) -> None:
        entry = next(entry for entry in entries if entry["kind"] == "resolved")
        assert isinstance(entry["secret"], dict)
        entry["secret"]["salts"] = "ab" * 32

    forge(archive, change)
    assert any("the secret of the salts" in problem for problem in about_dice(archive))
