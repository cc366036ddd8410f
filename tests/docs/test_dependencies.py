"""docs/dependencies.md tells of every package that pbmd needs, and of no other."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def names(requirements: list[str]) -> set[str]:
    return {re.match(r"[\w-]+", each)[0] for each in requirements}  # type: ignore[index]


def test_all_packages_are_told_of() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = {name for row in re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE) for name in re.findall(r"`([\w-]+)`", row)}
    users = [name for name in extras if name not in ("dev", "docs", "bench")]
    assert rows == names(project["dependencies"]) | {name for extra in users for name in names(extras[extra])}
