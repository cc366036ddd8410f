"""`docs/change.md` is right: who follows a recipe has forgotten nothing, and who leaves something out is told by a test.

Three recipes are carried out in a copy of the tree, together, since most of the time goes into the beginnings of Python: with
everything, and then without one part of each.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, read
from tests.docs.recipes import RECIPES, Part, Recipe
from tests.test_complexity import too_complex

GUARDS = dict.fromkeys(part.guard for recipe in RECIPES for part in recipe.parts)
ROUNDS = [[part for part in parts if part] for parts in zip_longest(*(recipe.parts for recipe in RECIPES))]
"""The first part of each recipe, the second, and so on."""
LAWS = ("tests/test_import_law.py", "tests/test_names.py")
"""They hold for all code: no recipe leads to what they forbid, such as one file too many in a folder. What each function has to
obey by itself (`too_complex`) is looked at in the files that are written."""
_FOLDERS = ("pbmd", "rulesets", "templates", "deploy", "docs", "tests", ".github")
_FAILED = re.compile(r"^(?:FAILED|ERROR) (?P<test>\S+)", re.MULTILINE)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of all that the guards look at, compiled as it is here."""
    copy = tmp_path_factory.mktemp("tree")
    for folder in _FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder)
    for path in (*ROOT.glob("*.md"), ROOT / "pyproject.toml"):
        shutil.copy2(path, copy / path.name)
    return copy


def test_with_everything_it_works_and_no_guard_rings(tree: Path) -> None:
    works = [test for recipe in RECIPES for test in recipe.works]
    parts = [part for recipe in RECIPES for part in recipe.parts]
    with followed(tree, parts):
        assert failures(tree, [*GUARDS, *LAWS, *works]) == set()
        assert too_complex({tree / name for part in parts for name in part.edits if name.endswith(".py")}, tree) == {}


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("left_out", ROUNDS, ids=lambda parts: ", ".join(part.name for part in parts))
def test_what_is_left_out_is_told_by_its_guard(tree: Path, left_out: list[Part]) -> None:
    guards = dict.fromkeys(part.guard for part in left_out)
    with followed(tree, [part for recipe in RECIPES for part in recipe.parts if part not in left_out]):
        failed = failures(tree, guards)
    assert [guard for guard in guards if not any(test.startswith(guard) for test in failed)] == []


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.heading)
def test_the_page_names_each_file_that_is_written_and_each_guard(recipe: Recipe) -> None:
    chapter = read("docs/change.md").partition(f"\n## {recipe.heading}\n")[2].partition("\n## ")[0]
    for part in recipe.parts:
        assert f"`{part.guard.partition('::')[0]}`" in chapter
        assert f"python -m {part.module}" in chapter
        assert not part.edits or any(f"`{path}`" in chapter for path in part.edits) or part.name == "the code that reads it"


def test_every_file_that_it_names_is_there() -> None:
    """But for those that the reader is to write: who.py, and whatever has NAME in it."""
    paths = re.findall(r"[`\" ]((?:pbmd|rulesets|templates|tests|docs|deploy|data)/[\w/.-]+)", read("docs/change.md"))
    assert {path for path in paths if "NAME" not in path and not (ROOT / path).exists()} <= {"pbmd/desk/player/who.py"}


@contextmanager
def followed(tree: Path, parts: Collection[Part]) -> Iterator[None]:
    """The tree with these parts written, and the tests of all recipes; afterwards it is as it was."""
    before = {path: path.read_bytes() for path in (tree / "docs").glob("*.md")}
    added: set[Path] = set()
    edits = [edit for part in parts for edit in part.edits.items()]
    try:
        for path, edit in ((tree / name, edit) for name, edit in edits):
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            before |= {path: path.read_bytes()} if path.exists() and path not in before else {}
            added |= {path} - {*before}
            path.write_text(edit(text), encoding="utf-8")
        for path, text in ((tree / name, text) for recipe in RECIPES for name, text in recipe.works.items()):
            added.add(path)
            path.write_text(text, encoding="utf-8")
        for module in (part.module for part in parts if part.module):
            done = run(tree, module)
            assert done.returncode == 0, done.stderr
        yield
    finally:
        for path in added:
            path.unlink(missing_ok=True)
        for path, content in before.items():
            path.write_bytes(content)


def failures(tree: Path, tests: Collection[str]) -> set[str]:
    """The tests that fail there; whole files, if they cannot be loaded. Those of a file follow each other, as some share what
    takes long."""
    done = run(tree, "pytest", "-q", "-n0", "-rfE", "--tb=no", "-p", "no:cacheprovider", *sorted(tests))
    failed = {found["test"] for found in _FAILED.finditer(done.stdout)}
    assert done.returncode == (1 if failed else 0), done.stdout + done.stderr
    return failed


def run(tree: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module in the tree. Nothing is compiled there, since a file may become another one within the same second."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    return subprocess.run([sys.executable, "-m", module, *arguments], cwd=tree, env=env, capture_output=True, text=True)
