"""A release, made as `make release` does, of the files in this tree as they are."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbmd import __version__
from tests.archive.releases import ARCHIVED
from tests.archive.releases import FOLDER as ARCHIVES
from tests.ledger.releases import FOLDER as LEDGERS
from tests.ledger.releases import RELEASED

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent


@dataclass(frozen=True)
class Checkout:
    """A copy of this tree with a history of its own: one commit."""

    folder: Path

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """Run a command in it."""
        people = {f"GIT_{who}_{what}": f"{who}@pbmd.test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        times = {f"GIT_{who}_DATE": "2026-01-02T03:04:05Z" for who in ("AUTHOR", "COMMITTER")}
        environment = {**os.environ, **people, **times, "PBMD_TOOLS": str(TOOLS)}
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)

    def commit(self) -> None:
        """Commit all that is in it."""
        for command in (("git", "add", "--all"), ("git", "commit", "--quiet", "--message", "all")):
            assert self.run(*command).returncode == 0

    def release(self, *options: str) -> "subprocess.CompletedProcess[str]":
        """Run the script of releases."""
        return self.run(".ci/release", *options)


@dataclass(frozen=True)
class Release:
    """The files of a release, and what was said while it was made."""

    folder: Path
    told: str

    def file(self, pattern: str) -> Path:
        """The one file of that name."""
        [found] = self.folder.glob(pattern)
        return found


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """One that can be released: its changelog begins with the version, of which there are a ledger and archives."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this is no checkout")
    folder = tmp_path_factory.mktemp("checkout")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    changes = folder / "CHANGELOG.md"
    changes.write_text(
        re.sub(r"^## \[.*", f"## [{__version__}] - 2026-01-02", changes.read_text(), count=1, flags=re.MULTILINE)
    )
    ledgers = folder / LEDGERS.relative_to(ROOT)
    if __version__ not in RELEASED:
        shutil.copy(ledgers / f"{RELEASED[-1]}.sqlite.xz", ledgers / f"{__version__}.sqlite.xz")
    archives = folder / ARCHIVES.relative_to(ROOT)
    if __version__ not in ARCHIVED:
        shutil.copytree(archives / ARCHIVED[-1], archives / __version__)
    made = Checkout(folder)
    assert made.run("git", "init", "--quiet").returncode == 0
    made.commit()
    return made


@pytest.fixture(scope="session")
def release(checkout: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A try of a release, without the Debian package."""
    folder = tmp_path_factory.mktemp("release") / "files"
    done = checkout.release("--skip-tests", "--skip-deb", "--to", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    return Release(folder, done.stdout)
