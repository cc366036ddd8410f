"""The stories of rulesets happen as they are told, and are enough to learn from."""

import re
from pathlib import Path

import pytest

from pbmd.play.telling import tell
from pbmd.rendering.handbook import chapters
from pbmd.rules.registry import get, slugs
from pbmd.rules.scenes import FOLDER, scenes
from tests.rulesets.rule_citations import coverage

ENOUGH = 6
STORIES = {slug: sorted(Path(str(get(slug).info.folder)).joinpath(FOLDER).glob("*.txt")) for slug in slugs()}
TOLD = [slug for slug, files in STORIES.items() if files]


@pytest.mark.parametrize(
    ("slug", "file"), [pytest.param(slug, file, id=f"{slug}/{file.stem}") for slug in TOLD for file in STORIES[slug]]
)
def test_it_happens_as_it_is_told(slug: str, file: Path) -> None:
    assert tell(file, get(slug)) == []


@pytest.mark.parametrize("slug", TOLD)
def test_there_are_enough_and_each_names_rules_of_the_handbook(slug: str) -> None:
    assert len(STORIES[slug]) >= ENOUGH
    prefix, ids = get(slug).info.prefix, coverage(slug).ids
    for file in STORIES[slug]:
        named = re.findall(rf"\b{prefix}-R?\d+\b", file.read_text(encoding="utf-8"))
        assert named, file
        assert set(named) <= set(ids), file


@pytest.mark.parametrize("slug", TOLD)
def test_each_is_a_chapter_of_the_handbook(slug: str) -> None:
    info = get(slug).info
    titles = [file.read_text(encoding="utf-8").partition("\n")[0] for file in STORIES[slug]]
    assert len(set(titles)) == len(titles)
    found = {chapter.title: chapter.source for chapter in chapters(info.handbook_with_scenes)}
    assert [title for title in found if title.startswith("Scene: ")] == [f"Scene: {title}" for title in titles]
    for title in titles:
        prose, _, game = found[f"Scene: {title}"].partition("```text\n")
        assert f"({info.prefix}-" in prose
        assert " writes\n    " in game
        assert " writes\n" not in prose


def test_a_story_that_cannot_be_read_spoils_no_handbook(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "a.txt").write_bytes(b"A title\n\nProse \xff only\n")
    (tmp_path / FOLDER / "b.txt").write_text("")
    (tmp_path / FOLDER / "c.toml").write_text("turn = 1\n")
    assert scenes(tmp_path) == "\n## Scene: A title\n\nProse \N{REPLACEMENT CHARACTER} only\n"
    assert scenes(tmp_path / FOLDER) == ""
