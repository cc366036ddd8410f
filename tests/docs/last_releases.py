"""`python -m tests.docs.last_releases`: write the column "last release" of docs/dependencies.md anew.

uv is asked for the newest version of each package that stands in the tables (it takes the network, and a second), each by
itself: what another package allows does not matter here.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "docs" / "dependencies.md"
ROW = re.compile(r"^\| `(?P<name>[\w-]+)` \|(?P<cells>.*)\| (?P<release>[^|]*) \|$", re.MULTILINE)
"""A row of a table, which begins with the name of a package and ends with its last release."""


def names(text: str) -> list[str]:
    """The packages of which the page tells."""
    return [row["name"] for row in ROW.finditer(text)]


def with_releases(text: str, releases: Mapping[str, str]) -> str:
    """The page with these releases, by the names of packages."""
    return ROW.sub(lambda row: f"| `{row['name']}` |{row['cells']}| {releases[row['name']]} |", text)


def releases_of(lock: str) -> dict[str, str]:
    """Version and date of each package in a ``pylock.toml`` (PEP 751), by its name."""
    return {package["name"]: f"{package['version']}, {_day(package)}" for package in tomllib.loads(lock)["packages"]}


def _day(package: Mapping[str, Any]) -> str:
    files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
    return min(file["upload-time"] for file in files).date().isoformat()


def main() -> None:
    """See the module."""
    text = FILE.read_text(encoding="utf-8")
    uv = [Path(sys.executable).with_name("uv"), "pip", "compile", "--quiet", "--no-deps", "--universal"]
    wanted = "".join(f"{name}\n" for name in names(text))
    lock = subprocess.run(
        [*uv, "--format", "pylock.toml", "-"], input=wanted, capture_output=True, text=True, check=True
    ).stdout
    FILE.write_text(with_releases(text, releases_of(lock)), encoding="utf-8")


if __name__ == "__main__":
    main()
