"""`pbmd new-ruleset`: what it writes is a game that keeps what rulesets promise, and can be played, by mail, too."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.cli.new_ruleset import Kind, files_of
from pbmd.demo.game import play, stage_of
from pbmd.edition import ruleset_digest
from pbmd.ledger.tables import LogLine
from pbmd.rules.registry import from_folder

ROOT = Path(__file__).parents[2]
KINDS: tuple[Kind, ...] = get_args(Kind)
TO_WRITE = {"__init__.py", "orders.lark", "ruleset.toml", "templates/reports/star_race/report.j2"}
"""What an author writes for a game to be there at all: code, grammar, template, and the head of the rules."""
FILES = TO_WRITE | {"RULES.md", "pyproject.toml", "stories/theft.txt", "tests/test_star_race.py"}
MOST_LINES = {"simultaneous": 120, "sequential": 125, "phased": 125}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def written(kind: Kind) -> Path:
    """The folder of a new ruleset."""
    done = run("new-ruleset", "star_race", "--kind", kind)
    assert done.exit_code == 0, done.output
    return Path("star_race").resolve()


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with this pbmd, elsewhere."""
    path = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"} | environment
    return subprocess.run([sys.executable, *arguments], env=path, capture_output=True, text=True)


@pytest.mark.parametrize("kind", KINDS)
class TestEachKind:
    def test_has_the_files_of_a_ruleset_and_none_of_its_model_names(self, kind: Kind) -> None:
        folder = written(kind)
        files = [path for path in folder.rglob("*") if path.is_file()]
        assert {path.relative_to(folder).as_posix() for path in files} == FILES
        assert not [path for path in files if "newgame" in path.read_text().lower().replace(" ", "")]
        info = from_folder(folder).info
        assert (info.slug, info.title, info.prefix, info.timing) == ("star_race", "Star Race", "SR", kind)
        assert "**SR-1**" in info.handbook

    def test_is_short(self, kind: Kind) -> None:
        folder = written(kind)
        lines = {name: len((folder / name).read_text().splitlines()) for name in TO_WRITE}
        assert sum(lines.values()) <= MOST_LINES[kind], lines

    @pytest.mark.in_turn(3)
    def test_passes_its_own_tests(self, kind: Kind) -> None:
        done = python("-m", "pytest", "-q", "-p", "no:cacheprovider", str(written(kind)))
        assert done.returncode == 0, done.stdout
        assert " passed" in done.stdout

    @pytest.mark.in_turn(3)
    def test_keeps_what_all_rulesets_promise(self, kind: Kind) -> None:
        written(kind)
        done = run("try", "./star_race", "--games", "1")
        assert done.exit_code == 0, done.output

    def test_has_games_that_end(self, kind: Kind) -> None:
        written(kind)
        done = run("simulate", "./star_race", "--games", "5", "--players", "3")
        assert (done.exit_code, "5 ended, 0 unfinished, 0 failed" in done.stdout) == (0, True), done.output

    @pytest.mark.in_turn(3)
    def test_is_played_by_mail(self, kind: Kind, here: Path) -> None:
        folder = written(kind)
        stage = stage_of(from_folder(folder), folder.name, folder, 1)
        stage = replace(stage, poll_seconds=1, ways=tuple(replace(ways, forgets=0) for ways in stage.ways))
        told: list[LogLine] = []
        play(stage, here / "demo", told.append)
        what = {line.what for line in told}
        assert {"started", "press", "resolved", "finished"} <= what
        assert "defect" not in what


class TestItsName:
    @pytest.mark.parametrize(
        ("name", "problem"),
        [
            ("Star-Race", "has small letters, digits and underscores"),
            ("../race", "has small letters, digits and underscores"),
            ("7race", "has small letters, digits and underscores"),
            ("x" * 41, "at most 40 of them"),
            ("class", "a word of Python"),
            ("match", "a word of Python"),
            ("societies", "a ruleset of that name is installed"),
            ("json", "Python has a module of that name already"),
            ("test", "Python has a module of that name already"),
            ("tests", "Python has a module of that name already"),
            ("pbmd", "Python has a module of that name already"),
            ("rulesets", "Python has a module of that name already"),
            ("lark", "lark_game, for example, is free"),
        ],
    )
    def test_that_cannot_be_one_is_refused(self, name: str, problem: str) -> None:
        done = run("new-ruleset", name)
        assert (done.exit_code, done.stdout) == (2, "")
        assert problem in done.stderr
        assert not Path(name).exists()

    @pytest.mark.parametrize(("name", "prefix"), [("gold", "GO"), ("star_race", "SR"), ("x", "X"), ("a_b_c", "AB")])
    def test_gives_the_rules_their_ids(self, name: str, prefix: str) -> None:
        assert f"**{prefix}-1**" in dict(files_of(name, "phased"))[Path("RULES.md")]


def test_its_tests_are_no_part_of_the_version_of_its_rules() -> None:
    folder = written("phased")
    rules = from_folder(folder)
    before = ruleset_digest(rules)
    for path in ("tests/test_star_race.py", "pyproject.toml"):
        (folder / path).write_text("")
    assert ruleset_digest(rules) == before
    (folder / "orders.lark").write_text("")
    assert ruleset_digest(rules) != before


def test_a_folder_that_is_there_is_left_alone(here: Path) -> None:
    (here / "gold").mkdir()
    done = run("new-ruleset", "gold")
    assert (done.exit_code, done.stderr) == (
        2,
        'pbmd: "gold": there is a folder or file of that name already; nothing was written\n',
    )
    assert not list((here / "gold").iterdir())


def test_it_says_what_to_do_next() -> None:
    told = run("new-ruleset", "gold").stdout
    lines = (
        "pbmd play ./gold",
        "pbmd try ./gold",
        "pbmd demo ./gold",
        "python -m pytest gold",
        "pip install pytest",
        "pbmd simulate ./gold",
    )
    places = [told.index(line) for line in lines]
    assert places == sorted(places)
