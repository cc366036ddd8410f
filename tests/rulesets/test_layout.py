"""Whoever knows one of the games finds everything in the others: the files have the same names in all of them."""

from pathlib import Path

import pytest

from pbmd.rules.registry import get, slugs

ALWAYS = {
    *("__init__.py", "ruleset.toml", "orders.lark", "RULES.md"),
    *("position.py", "orders.py", "checks.py", "resolve.py", "view.py", "form.py", "setup.py"),
}
PERHAPS = {"tables.py", "random_player.py", "imagine.py"}
ROOMS = {"resolution", "checking", "world", "telling"}
DATA = {"maps"}
"""Folders of tables that are too long for ``ruleset.toml``, of which a game takes one."""
STORIES = "stories"
"""Scenes of the game as texts, and the positions that some of them begin with."""


def folder_of(slug: str) -> Path:
    return Path(str(get(slug).info.folder))


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.name != "__pycache__"}


@pytest.mark.parametrize("slug", slugs())
def test_a_ruleset_has_the_files_that_all_have(slug: str) -> None:
    names = names_in(folder_of(slug))
    assert ALWAYS - names == set(), f"they are missing in {folder_of(slug)}"
    assert names - ALWAYS - PERHAPS - ROOMS - DATA - {STORIES} == set(), "no other ruleset has files called like that"


@pytest.mark.parametrize("slug", slugs())
def test_a_room_says_what_it_is_for(slug: str) -> None:
    rooms = [folder_of(slug) / room for room in ROOMS & names_in(folder_of(slug))]
    for room in rooms:
        inner = [room / name for name in names_in(room) if (room / name).is_dir()]
        rooms += inner  # they are looked at in the same way
        files = names_in(room) - {each.name for each in inner}
        assert {Path(name).suffix for name in files} == {".py"}
        assert len(files) <= 16
        first, *more = (room / "__init__.py").read_text(encoding="utf-8").splitlines()
        assert first.startswith('"""')
        assert more == []


@pytest.mark.parametrize("slug", slugs())
def test_data_is_toml(slug: str) -> None:
    for folder in DATA & names_in(folder_of(slug)):
        assert {Path(name).suffix for name in names_in(folder_of(slug) / folder)} == {".toml"}


@pytest.mark.parametrize("slug", [slug for slug in slugs() if STORIES in names_in(folder_of(slug))])
def test_stories_are_texts_and_their_positions_toml(slug: str) -> None:
    assert {Path(name).suffix for name in names_in(folder_of(slug) / STORIES)} <= {".txt", ".toml"}
