"""A game that is played again by several processes: what they find is what one finds, in its order."""

import json
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmd.archive.verify import replay_pool
from pbmd.cli import app
from tests.archive.made import export, seal_again
from tests.desk.world import World
from tests.rules import count

RULES = ("--ruleset", str(Path(count.__file__).parent))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crew")
    (folder / "home").mkdir()
    world = World(folder / "home")
    world.start(options={"target": 99}, ruleset="count", reminders=())
    for number in range(4):
        world.send("Altair", f"Add {number}")
        world.pass_time(timedelta(days=4))
    export(world, folder / "galaxy-7")
    world.close()
    return folder / "galaxy-7"


@pytest.fixture
def archive(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(replay_pool, "FEWEST_STEPS", 2)
    return Path(shutil.copytree(made, tmp_path / "galaxy-7"))


def told(archive: Path, workers: int) -> tuple[int, dict[str, object]]:
    done = CliRunner().invoke(app, ["verify", str(archive), *RULES, "--json", "--workers", str(workers)])
    return done.exit_code, json.loads(done.stdout)


def test_several_find_nothing_where_nothing_is(archive: Path) -> None:
    one, three = told(archive, 1), told(archive, 3)
    assert one == three
    assert (one[0], one[1]["whole"], one[1]["problems"]) == (0, True, [])


def test_several_find_what_one_finds_in_the_same_order(archive: Path) -> None:
    for turn in ("000", "001", "002", "003", "004"):
        for name in ("after.toml", "sheets.json", "reports/public.txt", "reports/2-borealis.txt", "reports/3-cygnus.html"):
            path = archive / "data" / "turns" / turn / name
            if path.exists():
                path.write_text(f"forged\n{path.read_text()}")
    (archive / "data" / "turns" / "003" / "reports" / "more.txt").write_text("x")
    seal_again(archive)
    one, three = told(archive, 1), told(archive, 3)
    assert one == three
    problems = one[1]["problems"]
    assert isinstance(problems, list)
    assert (one[0], len(problems)) == (1, 25)
    assert [problem["turn"] for problem in problems if problem["file"].endswith("after.toml")] == [f"00{n}" for n in range(5)]


def test_a_game_that_cannot_be_played_is_said_once(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_pool, "_COMMAND", (*replay_pool._COMMAND[:-1], "pbmd.archive.verify.nothing"))  # pyright: ignore[reportPrivateUsage]
    code, found = told(archive, 2)
    problems = found["problems"]
    assert isinstance(problems, list)
    assert (code, [problem["problem"][:42] for problem in problems]) == (1, ["the game could not be played again: it end"])
