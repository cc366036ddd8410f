"""docs/dependencies.md tells of every package that pbmd needs, and of no other."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from tests.docs import last_releases

ROOT = Path(__file__).parents[2]


def names(requirements: list[str]) -> set[str]:
    return {re.match(r"[\w-]+", each)[0] for each in requirements}  # type: ignore[index]


def test_all_packages_are_told_of() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = set(last_releases.names(text))
    assert rows == names(project["dependencies"]) | {name for extra in extras_of_users(extras) for name in names(extras[extra])}


def extras_of_users(extras: Iterable[str]) -> set[str]:
    """Those that bring what a running pbmd can use."""
    return set(extras) - {"all", "dev", "docs", "release", "bench"}


def test_all_brings_every_extra_of_users() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert extras["all"] == [f"pbmd-games[{','.join(sorted(extras_of_users(extras)))}]"]


def test_each_row_tells_the_last_release() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    told = [row["release"] for row in last_releases.ROW.finditer(text)]
    assert [each for each in told if not re.fullmatch(r"\d[\w.]*, 20\d\d-\d\d-\d\d", each)] == []


def test_the_last_release_is_that_of_the_first_of_its_files() -> None:
    lock = """
    [[packages]]
    name = "lark"
    version = "1.3.1"
    sdist = {url = "x", upload-time = 2025-10-28T07:00:00Z}
    wheels = [{url = "y", upload-time = 2025-10-27T23:59:59Z}, {url = "z", upload-time = 2026-01-01T00:00:00Z}]
    """
    page = "| `lark` | why | what | 1.0, 2020-01-01 |\n"
    assert last_releases.with_releases(page, last_releases.releases_of(lock)) == "| `lark` | why | what | 1.3.1, 2025-10-27 |\n"
