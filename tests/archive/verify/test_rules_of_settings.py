"""`verify` and `replay` find the rules of an archive in the settings of whoever looks at it, and not in those of its maker."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.archive.verify import replay_pool
from pbmd.cli import app
from tests.archive.made import export, seal_again
from tests.desk.world import World
from tests.rules import count

LISTED = f'rulesets = ["{Path(count.__file__).parent}"]\n'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("listed")
    (folder / "home").mkdir()
    world = World(folder / "home")
    world.count(seats=("Altair", "Borealis"))
    for number in (1, 2):
        world.send("Altair", f"Add {number}")
        world.pass_time(timedelta(days=4))
    export(world, folder / "galaxy-7")
    world.close()
    return folder / "galaxy-7"


@pytest.fixture
def archive(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PBMD_SETTINGS", raising=False)
    return Path(shutil.copytree(made, tmp_path / "galaxy-7"))


def run(command: str, archive: Path, *more: str) -> Result:
    return CliRunner().invoke(app, [command, str(archive), *more])


def test_rules_are_missing_where_no_settings_name_them(archive: Path) -> None:
    assert "give the folder of its rules" in run("verify", archive).stdout
    assert run("replay", archive).exit_code == 1


@pytest.mark.parametrize("workers", ["1", "2"])
def test_rules_of_settings_in_the_current_folder_are_found(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    monkeypatch.setattr(replay_pool, "FEWEST_STEPS", 2)
    (tmp_path / "pbmd.toml").write_text(LISTED)
    done = run("verify", archive, "--workers", workers)
    assert done.exit_code == 0, done.output
    assert "=== Turn 2" in run("replay", archive).stdout


def test_rules_of_settings_that_are_named_are_found(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    file = tmp_path / "elsewhere" / "games.toml"
    file.write_text(LISTED)
    for command in ("verify", "replay"):
        assert run(command, archive, "--settings", str(file)).exit_code == 0


def test_settings_inside_an_archive_do_not_count(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = archive / "count"
    rules.mkdir()
    (rules / "__init__.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')")
    (archive / "pbmd.toml").write_text('rulesets = ["count"]\n')
    seal_again(archive)
    monkeypatch.chdir(archive)
    for command in ("verify", "replay"):
        run(command, Path())
        run(command, archive)
    assert not (tmp_path / "was-run").exists()
