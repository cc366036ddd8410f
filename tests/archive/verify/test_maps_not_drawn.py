"""A report goes out without its map if that cannot be drawn in time: then the archive has none, and its host is no cheat."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.rendering.drawing_jobs import Picture, Wanted
from tests.archive.made import export, forge, verified
from tests.desk.world import World

GAME = "squares"
SEATS = ("Altair", "Borealis")


def too_slow(_wanted: Wanted) -> Picture:
    return Picture(trouble="TimeoutError while it was drawn")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Two turns of Societies: on the first nobody got a map."""
    world = World(tmp_path)
    world.start(GAME, SEATS, {"squares_per_player": 8}, ruleset="societies", reminders=())
    with monkeypatch.context() as busy:
        busy.setattr("pbmd.rendering.drawing_pool.draw", too_slow)
        busy.setattr("pbmd.desk.step.game_transaction.draw", too_slow)
        world.pass_time(timedelta(days=30))
    assert {line.detail for line in world.log("no-map")} == {"TimeoutError while it was drawn"}
    world.pass_time(timedelta(days=30))
    return world


def test_it_verifies_and_is_said(world: World, tmp_path: Path) -> None:
    archive = export(world, tmp_path / "archive", GAME)
    assert not (archive / "data" / "turns" / "001" / "maps").exists()
    found = verified(archive)
    assert found.problems == []
    assert found.whole
    (words,) = [each for each in found.unchecked if "map" in each]
    pages = ", ".join(f"001/reports/{name}.html" for name in ("1-altair", "2-borealis", "public"))
    assert words.startswith(f"No map is shown in {pages}, though there is one")
    assert "002" not in words


def test_all_else_of_such_a_report_is_held_against_what_comes_out(world: World, tmp_path: Path) -> None:
    archive = export(world, tmp_path / "archive", GAME)
    page = archive / "data" / "turns" / "001" / "reports" / "1-altair.html"
    page.write_text(page.read_text().replace("Altair", "Albert"))
    forge(archive, lambda _entries: None)
    assert "data/turns/001/reports/1-altair.html" in {problem.file for problem in verified(archive).problems}


def test_a_map_that_a_page_shows_must_be_there(world: World, tmp_path: Path) -> None:
    archive = export(world, tmp_path / "archive", GAME)
    (archive / "data" / "turns" / "002" / "maps" / "public.svg").unlink()
    forge(archive, lambda _entries: None)
    assert "data/turns/002/reports/public.html" in {problem.file for problem in verified(archive).problems}


def test_a_map_beside_a_page_that_shows_none_is_found(world: World, tmp_path: Path) -> None:
    archive = export(world, tmp_path / "archive", GAME)
    maps = archive / "data" / "turns" / "001" / "maps"
    maps.mkdir()
    (maps / "public.svg").write_bytes((maps.parents[1] / "002" / "maps" / "public.svg").read_bytes())
    forge(archive, lambda _entries: None)
    assert "data/turns/001/maps/public.svg" in {problem.file for problem in verified(archive).problems}
