"""The course: four games that keep what rulesets promise, and pages that show of them what stands in their files."""

import ast
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.play.telling import tell
from pbmd.rules import Ruleset
from pbmd.rules.registry import from_folder
from pbmd.rules.scenes import FOLDER
from tests.docs.pages import ROOT, all_blocks, name_of, read

COURSE = ROOT / "docs" / "course"
GAMES = ("dike", "ice", "salon", "wolves")
MOST_LINES = 300
_FILE = re.compile(r"(?:python|toml|lark|jinja) (?P<path>\S+)")
EXCERPTS = [
    pytest.param(block, id=block.place)
    for game in GAMES
    for block in all_blocks(COURSE / f"{game}.md")
    if _FILE.fullmatch(block.tag)
]
STORIES = [
    pytest.param(game, file, id=f"{game}/{file.stem}") for game in GAMES for file in (COURSE / game / FOLDER).glob("*.txt")
]


def rules_of(game: str) -> Ruleset[Any]:
    return from_folder(COURSE / game)


def files_of(game: str) -> list[Path]:
    return [path for path in (COURSE / game).rglob("*") if path.is_file() and "__pycache__" not in path.parts]


def test_the_games_are_those_in_the_folder() -> None:
    assert sorted(path.parent.name for path in COURSE.glob("*/ruleset.toml")) == sorted(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_short_with_all_that_belongs_to_it(game: str) -> None:
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files_of(game)) < MOST_LINES


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_one_template_and_takes_nothing_of_pbmd_but_the_kit(game: str) -> None:
    assert [path.name for path in (COURSE / game / "templates").rglob("*.j2")] == ["report.j2"]
    for file in (COURSE / game).glob("*.py"):
        taken = [node.module or "" for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.ImportFrom)]
        assert not [name for name in taken if name.startswith("pbmd") and not name.startswith("pbmd.rules")]


@pytest.mark.parametrize("block", EXCERPTS)
def test_what_a_page_shows_of_a_file_stands_there(block: Any) -> None:
    found = _FILE.fullmatch(block.tag)
    assert found
    assert found["path"].split("/")[0] == block.page.stem
    assert block.text in (COURSE / found["path"]).read_text(encoding="utf-8"), f"{block.place}: {found['path']} is otherwise"


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("game", GAMES)
def test_try_finds_nothing(game: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["try", f"{COURSE / game}", "--games", "1", "--to", f"{tmp_path}"])
    assert done.exit_code == 0, done.output
    assert f"{game}: nothing is wrong" in done.output
    assert "silenced" not in done.output.lower()


@pytest.mark.parametrize(("game", "file"), STORIES)
def test_a_story_happens_as_it_is_told(game: str, file: Path) -> None:
    assert tell(file, rules_of(game)) == []
    cited = re.findall(rf"\b{rules_of(game).info.prefix}-\d+\b", file.read_text(encoding="utf-8"))
    assert cited
    assert all(f"**{rule}**" in rules_of(game).info.handbook for rule in cited)


@pytest.mark.parametrize("game", GAMES)
def test_whole_games_end(game: str) -> None:
    done = CliRunner().invoke(app, ["simulate", f"{COURSE / game}", "--games", "8"])
    assert "8 ended, 0 unfinished, 0 failed" in done.output, done.output


@pytest.mark.parametrize("game", GAMES)
def test_a_reader_begins_by_playing(game: str) -> None:
    assert re.search(rf"^pbmd play docs/course/{game}\b", read(COURSE / f"{game}.md"), re.MULTILINE)
    done = CliRunner().invoke(app, ["play", f"{COURSE / game}"], input="quit\n")
    assert done.exit_code == 0, done.output
    assert f"{rules_of(game).info.title.upper()}: practice" in done.output


def test_the_pages_follow_each_other() -> None:
    pages = ["index.md", *(f"{game}.md" for game in GAMES)]
    for page, following in pairwise(pages):
        assert f"({following})" in read(COURSE / page), f"{name_of(COURSE / page)} does not lead on"
