"""`make release`: what it refuses, and what it makes. The script itself makes all twice and compares."""

import hashlib
import json
import re
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from pbmd import __version__
from tests.packages.conftest import Checkout, Release


@pytest.fixture
def untouched(checkout: Checkout) -> Iterator[Checkout]:
    """The checkout, which is as before when the test is over."""
    yield checkout
    for command in (("git", "reset", "--quiet", "--hard", "first"), ("git", "clean", "--quiet", "-fd")):
        assert checkout.run(*command).returncode == 0


@pytest.fixture(scope="module", autouse=True)
def first(checkout: Checkout) -> None:
    checkout.run("git", "branch", "--force", "first")


def refused(checkout: Checkout, *options: str) -> str:
    """The one line that says why nothing is released."""
    done = checkout.release("--skip-tests", "--skip-deb", *options)
    assert done.returncode in (1, 2)
    assert re.fullmatch(r"release: .*\n", done.stderr), done.stderr
    return done.stderr


class TestIsRefused:
    def test_with_a_file_that_git_does_not_know(self, untouched: Checkout) -> None:
        (untouched.folder / "new.txt").touch()
        assert "git status" in refused(untouched)

    def test_with_a_changelog_that_begins_with_something_else(self, untouched: Checkout) -> None:
        changes = untouched.folder / "CHANGELOG.md"
        changes.write_text(changes.read_text().replace(f"## [{__version__}] - 2026-01-02", "## [Unreleased]"))
        untouched.commit()
        assert f"begins with [Unreleased], and this is {__version__}" in refused(untouched)

    def test_without_a_day_in_it(self, untouched: Checkout) -> None:
        changes = untouched.folder / "CHANGELOG.md"
        changes.write_text(changes.read_text().replace(f"## [{__version__}] - 2026-01-02", f"## [{__version__}]"))
        untouched.commit()
        assert "has no day" in refused(untouched)

    def test_without_its_ledger(self, untouched: Checkout) -> None:
        (untouched.folder / "tests" / "ledger" / "released" / f"{__version__}.sqlite.xz").unlink()
        untouched.commit()
        assert "python -m tests.ledger.releases" in refused(untouched)

    def test_without_its_archives(self, untouched: Checkout) -> None:
        shutil.rmtree(untouched.folder / "tests" / "archive" / "old" / __version__)
        untouched.commit()
        assert f"no archives of {__version__}: python -m tests.ledger.releases" in refused(untouched)

    def test_of_a_version_in_between(self, untouched: Checkout) -> None:
        (untouched.folder / "pbmd" / "__init__.py").write_text('__version__ = "1.2.dev3"\n')
        untouched.commit()
        assert "1.2.dev3 is no version to release" in refused(untouched)

    def test_whose_tag_is_that_of_another_commit(self, untouched: Checkout) -> None:
        untouched.run("git", "tag", f"v{__version__}")
        (untouched.folder / "README.md").write_text("Another.\n")
        untouched.commit()
        assert "is the tag of another commit" in refused(untouched)
        untouched.run("git", "tag", "--delete", f"v{__version__}")

    def test_to_be_tagged_without_tests(self, untouched: Checkout) -> None:
        assert "what was not tested is not tagged" in refused(untouched, "--tag")

    def test_into_a_folder_with_something_else(self, untouched: Checkout, tmp_path: Path) -> None:
        (tmp_path / "letters").mkdir()
        assert "no files of a release" in refused(untouched, "--to", str(tmp_path))
        assert (tmp_path / "letters").exists()


def test_it_has_all_files_with_their_sums(release: Release) -> None:
    v = __version__
    names = {f"pbmd-{v}-{rest}" for rest in ("site.tar.gz", "licences.txt", "notes.md")} | {f"pbmd-{v}.cdx.json"}
    names |= {f"pbmd_games-{v}.tar.gz", f"pbmd_games-{v}-py3-none-any.whl"}
    sums = dict(reversed(line.split("  ")) for line in (release.folder / "SHA256SUMS").read_text().splitlines())
    assert {path.name for path in release.folder.iterdir()} == names | {"SHA256SUMS"}
    assert sums == {name: hashlib.sha256((release.folder / name).read_bytes()).hexdigest() for name in names}


def test_it_says_that_it_was_a_try_and_what_is_left_to_do(release: Release) -> None:
    assert "NOTHING WAS TESTED" in release.told
    assert f"uv publish {release.folder}/pbmd_games-{__version__}*" in release.told
    assert "(no tag yet: --tag)" in release.told


def test_the_sdist_has_the_site_the_whole_package_and_what_the_tests_need(checkout: Checkout, release: Release) -> None:
    with tarfile.open(release.file("*_games-*.tar.gz")) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"docs/site/README.html", "docs/site/docs/settings.html", "docs/settings.md", "Makefile", ".ci/run"} <= names
    package = {*checkout.run("git", "ls-files", "pbmd", "rulesets", "templates", "deploy").stdout.splitlines()}
    assert "pbmd/ledger/mail_words.txt" in package
    assert package - names == set()
    with tarfile.open(release.file("*-site.tar.gz")) as site:
        pages = {name.partition("/")[2] for name in site.getnames()}
    assert "licences.txt" in pages
    assert {name.removeprefix("docs/site/") for name in names if name.startswith("docs/site/")} == pages - {""} - folders(pages)


def folders(names: set[str]) -> set[str]:
    """The names that others begin with."""
    return {str(folder) for name in names for folder in Path(name).parents}


def test_the_wheel_holds_nothing_of_others_and_no_site(release: Release) -> None:
    with zipfile.ZipFile(release.file("*.whl")) as wheel:
        files = {name: wheel.read(name) for name in wheel.namelist()}
    foreign = {".html", ".ttf", ".otf", ".woff2", ".png", ".so", ".map"}
    # The one page that it has is our own: it checks games where nothing is installed.
    assert {name for name in files if Path(name).suffix in foreign} == {"pbmd/deploy/check.html"}
    marks = {name: re.findall(rb"[Cc]opyright (?:\([Cc]\)|\xc2\xa9) [^\n]*", text) for name, text in files.items()}
    assert {mark for found in marks.values() for mark in found} == {b"Copyright (c) 2026 the pbmd authors"}


def test_the_list_of_packages_is_about_this_version_and_names_no_folder(release: Release) -> None:
    text = release.file("*.cdx.json").read_text(encoding="utf-8")
    bill = json.loads(text)
    about = bill["metadata"]["component"]
    assert (bill["bomFormat"], about["name"], about["version"]) == ("CycloneDX", "pbmd-games", __version__)
    listed = {part["name"].lower(): part for part in bill["components"]}
    assert {"sqlalchemy", "resvg_py", "pymap", "psycopg"} <= set(listed)
    assert not {"pytest", "uv", "pip"} & set(listed)
    assert "file:" not in text
    assert JsonStrictValidator(SchemaVersion.from_version(bill["specVersion"])).validate_str(text) is None
    assert "openssl" in {part["name"] for part in listed["cryptography"]["components"]}
    told = release.file("*-licences.txt").read_text(encoding="utf-8")
    assert [name for name in listed if f"\n{name} {listed[name]['version']}: " not in told.lower()] == []
    assert told.startswith(f"pbmd-games {__version__}\n")
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in told  # psycopg


def test_its_help_has_examples(checkout: Checkout) -> None:
    told = subprocess.run([checkout.folder / ".ci" / "release", "--help"], capture_output=True, text=True, check=True).stdout
    assert "make release ARGS=--tag" in told
    assert "set -euo" not in told
