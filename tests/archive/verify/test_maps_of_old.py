"""Maps that an older pbmd drew in more words: archives that have them verify, and nothing else passes for one."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.rendering import picture
from pbmd.rendering.picture import svg_as_once
from tests.archive.made import export, forge, verified
from tests.desk.world import World

GAME = "squares"


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A turn of Societies whose report was drawn as once, and one that was drawn as now."""
    world = World(tmp_path)
    with monkeypatch.context() as once:
        once.setattr(picture, "svg_of", svg_as_once)
        world.start(GAME, ("Altair", "Borealis"), {"squares_per_player": 8}, ruleset="societies", reminders=())
        world.pass_time(timedelta(days=30))
    world.pass_time(timedelta(days=30))
    yield export(world, tmp_path / "archive", GAME)
    world.close()


def test_both_drawings_verify(archive: Path) -> None:
    sizes = [(archive / "data" / "turns" / turn / "maps" / "public.svg").stat().st_size for turn in ("001", "002")]
    assert sizes[0] > sizes[1] * 1.2
    assert verified(archive).problems == []


@pytest.mark.parametrize("turn", ["001", "002"])
def test_another_drawing_does_not(archive: Path, turn: str) -> None:
    path = archive / "data" / "turns" / turn / "maps" / "1-altair.svg"
    path.write_text(path.read_text().replace("Altair", "Albert"))
    forge(archive, lambda _entries: None)
    assert f"data/turns/{turn}/maps/1-altair.svg" in {problem.file for problem in verified(archive).problems}
