"""A wheel works outside the checkout: rulesets, templates and sample configuration are inside it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the unpacked wheel and nothing else of pbmd."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    target = folder / "site"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--target",
        str(target),
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    return target


def run(installed: Path, cwd: Path, *arguments: str) -> str:
    """What pbmd from the wheel prints; its dependencies come from this environment."""
    environment = {**os.environ, "PYTHONPATH": str(installed), "COLUMNS": "120"}
    done = subprocess.run([sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_is_what_runs(installed: Path, tmp_path: Path) -> None:
    assert run(installed, tmp_path, "-c", "import pbmd; print(pbmd.__file__)").startswith(str(installed))


def test_resources_come_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = "from pbmd.resources import folder; print(folder('templates'), folder('deploy'))"
    assert run(installed, tmp_path, "-c", code).split() == [str(installed / "pbmd" / name) for name in ("templates", "deploy")]


def test_rules_adjudicate_and_init_work_from_it(installed: Path, tmp_path: Path) -> None:
    samples = ROOT / "data" / "samples" / "galactic_overlord"
    assert "galactic_overlord" in run(installed, tmp_path, "-m", "pbmd", "rules")
    turn = ("adjudicate", str(samples / "position.toml"), str(samples / "orders.toml"), "--dice", "88")
    assert "Borealis won and captured Cygnus Base 3" in run(installed, tmp_path, "-m", "pbmd", *turn)
    assert "cosmic_conquest" in run(installed, tmp_path, "-m", "pbmd", "rules")
    samples = ROOT / "data" / "samples" / "cosmic_conquest"
    turn = ("adjudicate", str(samples / "position.toml"), str(samples / "orders.toml"), "--dice", "4 7 7 4 5 8 2 2 5 13")
    assert "Castor: Red 22 against Green 19 – taken by Red" in run(installed, tmp_path, "-m", "pbmd", *turn)
    run(installed, tmp_path, "-m", "pbmd", "init", "here")
    assert (tmp_path / "here" / "pbmd.toml").exists()
