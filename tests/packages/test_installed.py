"""The wheel of a release, installed as people do it: by `uv tool` without extras, by pipx with all, each in a home of its own.

What is in the wheel is tested in tests/test_wheel.py; here its dependencies come from outside, and nothing of this environment
is seen.
"""

import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbmd import __version__
from pbmd.book.pdf import MISSING
from pbmd.ledger.backup import backups_in
from tests.ledger.in_the_air import GAMES as IN_THE_AIR
from tests.ledger.in_the_air import put_installation
from tests.packages.conftest import ROOT, TOOLS, Release

OURS = ("PYTHON", "VIRTUAL_ENV", "XDG_", "PIPX_", "PBMD_", "UV_TOOL_", "COV_")
"""How variables begin that would lead out of a clean home."""


@dataclass(frozen=True)
class Home:
    """The home of somebody who has installed pbmd."""

    folder: Path

    def pbmd(self, *arguments: str, code: int = 0) -> str:
        """What pbmd says there, on one stream and the other."""
        environment = {"HOME": str(self.folder), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "COLUMNS": "120"}
        pbmd = self.folder / ".local" / "bin" / "pbmd"
        done = subprocess.run([pbmd, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def install(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Home]:
    def install(*command: str) -> Home:
        """Install by this command; what was downloaded before is not downloaded again."""
        home = tmp_path_factory.mktemp("home")
        cache = subprocess.run([TOOLS / "uv", "cache", "dir"], capture_output=True, text=True, check=True).stdout.strip()
        clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        environment = {**clean, "HOME": str(home), "PATH": f"{TOOLS}:/usr/bin:/bin", "UV_CACHE_DIR": cache}
        done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return Home(home)

    return install


@pytest.fixture(scope="module")
def bare(release: Release, install: Callable[..., Home]) -> Home:
    """One without extras."""
    return install("uv", "tool", "install", "--quiet", "--python", str(TOOLS / "python"), str(release.file("*.whl")))


@pytest.fixture(scope="module")
def whole(release: Release, install: Callable[..., Home]) -> Home:
    """One with all extras."""
    return install("pipx", "install", "--backend", "uv", "--python", str(TOOLS / "python"), f"{release.file('*.whl')}[all]")


class TestWithoutExtras:
    def test_it_is_the_version_that_was_built(self, bare: Home) -> None:
        assert bare.pbmd("--version") == f"pbmd {__version__}\n"

    def test_the_demo_says_in_a_line_what_is_missing(self, bare: Home) -> None:
        told = bare.pbmd("demo", "--to", "demo", code=1).splitlines()
        assert [line for line in told if line.startswith("pbmd: ")] == [
            "pbmd: the local post office needs aiosmtpd and pymap: pip install 'pbmd-games[demo]'"
        ]

    def test_rules_are_found_and_played(self, bare: Home) -> None:
        assert "starship_squadrons" in bare.pbmd("rules")
        assert "2 ended, 0 unfinished" in bare.pbmd("simulate", "galactic_overlord", "--games", "2")

    def test_maps_are_drawn_and_no_pictures_made(self, bare: Home) -> None:
        position = str(ROOT / "data" / "samples" / "cosmic_conquest" / "position.toml")
        bare.pbmd("map", position, "-o", "map.svg")
        assert (bare.folder / "map.svg").read_text().startswith("<svg ")
        told = bare.pbmd("map", position, "-o", "map.png", code=2)
        missing = "pillow, pyoxipng, resvg-py, ttf-opensans"
        assert told == f"pbmd: --output: map.png: pictures need {missing}: pip install 'pbmd-games[pictures]'\n"

    def test_a_book_is_made_where_it_needs_no_more(self, bare: Home) -> None:
        archive = str(ROOT / "data" / "samples" / "archives" / "galactic_overlord.tar.xz")
        assert MISSING in bare.pbmd("export", archive, "--book", code=1)
        bare.pbmd("export", archive, "--book", "--to", "game.epub")
        assert (bare.folder / "game.epub").read_bytes().startswith(b"PK")

    def test_init_and_check_find_what_they_need(self, bare: Home) -> None:
        bare.pbmd("init", "here")
        assert (bare.folder / "here" / "pbmd.toml").is_file()
        told = bare.pbmd("check", "--settings", "here/pbmd.toml", code=1)  # nobody has edited the settings
        [line] = [line for line in told.splitlines() if line.split()[1:2] == ["pictures"]]
        assert line.endswith("pip install 'pbmd-games[pictures]'")
        assert "galactic_overlord, local_cluster" in told
        assert "Traceback" not in told

    def test_a_ledger_of_1_0_is_brought_up_to_date_and_its_games_can_be_exported(self, bare: Home) -> None:
        (old := bare.folder / "old").mkdir()
        put_installation(old)
        told = bare.pbmd("status", "--json", "--settings", "old/pbmd.toml")
        assert all(game in told for game in IN_THE_AIR)
        assert len(backups_in(old / "backups")) == 1
        bare.pbmd("export", "galaxy-7", "--to", "galaxy-7", "--settings", "old/pbmd.toml")
        assert "Nothing is wrong" in bare.pbmd("verify", "galaxy-7")

    def test_authors_find_templates_and_pages(self, bare: Home) -> None:
        told = bare.pbmd("new-ruleset", "gold")
        [page] = [word for word in told.split() if word.endswith("/docs/rulesets.md")]
        assert Path(page).is_relative_to(bare.folder)
        assert Path(page).is_file()


def test_a_new_ruleset_is_installed_beside_the_pbmd_that_wrote_it(release: Release, tmp_path: Path) -> None:
    """Its package names what it needs, and that must be the distribution which is there, or another comes over it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    python = tmp_path / "environment" / "bin" / "python"

    def run(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(TOOLS / "uv", "venv", "--quiet", "--python", TOOLS / "python", tmp_path / "environment")
    run(TOOLS / "uv", "pip", "install", "--quiet", "--python", python, release.file("*.whl"))
    before = run(TOOLS / "uv", "pip", "freeze", "--python", python).splitlines()
    run(python, "-m", "pbmd", "new-ruleset", "gold")
    run(TOOLS / "uv", "pip", "install", "--quiet", "--python", python, "./gold")
    (tmp_path / "gold").rename(tmp_path / "written")
    after = run(TOOLS / "uv", "pip", "freeze", "--python", python).splitlines()
    assert {line.partition(" ")[0] for line in {*after} ^ {*before}} == {"pbmd-gold"}
    assert run(python, "-m", "pbmd", "--version") == f"pbmd {__version__}\n"
    assert re.search(r"^\W*gold\b", run(python, "-m", "pbmd", "rules"), re.MULTILINE)
    assert "2 ended, 0 unfinished" in run(python, "-m", "pbmd", "simulate", "gold", "--games", "2")


def test_with_all_extras_the_demo_is_played_with_pictures(whole: Home) -> None:
    assert whole.pbmd("--version") == f"pbmd {__version__}\n"
    told = whole.pbmd("demo", "--ruleset", "cosmic_conquest", "--turns", "1", "--to", "demo")
    assert "letters in" in told
    assert "could not be drawn" not in told
    mails = b"".join(path.read_bytes() for path in (whole.folder / "demo" / "mail").iterdir())
    assert b"Content-Type: image/png" in mails
    assert "Nothing is wrong" in whole.pbmd("verify", "demo/archive")
