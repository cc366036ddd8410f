"""A wheel works outside the checkout: rulesets, templates and sample configuration are inside it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from site import getsitepackages

import pytest

from pbmd.cli.docs import PAGES
from pbmd.edition import ruleset_digest
from pbmd.rules import registry

ROOT = Path(__file__).resolve().parent.parent
RULESETS = ("cosmic_conquest", "diplomacy", "galactic_overlord", "local_cluster", "societies", "starship_squadrons")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the unpacked wheel and nothing else of pbmd."""
    folder = tmp_path_factory.mktemp("wheel")
    install(ROOT, folder / "site", folder)
    return folder / "site"


def install(project: Path, target: Path, wheels: Path) -> None:
    """Build the wheel of a project, and unpack it."""
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), str(project)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = wheels.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)


def run(installed: Path, cwd: Path, *arguments: str, also: str = "") -> str:
    """What pbmd from the wheel prints. Its dependencies come from this environment, but not the checkout that may be installed
    there: without `site` (-S) the line that leads to it is not read."""
    path = os.pathsep.join(filter(None, [str(installed), also, *getsitepackages()]))
    environment = {**os.environ, "PYTHONPATH": path, "COLUMNS": "120"}
    done = subprocess.run([sys.executable, "-S", *arguments], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_installs_the_package_pbmd_and_nothing_else(installed: Path) -> None:
    others = {path.name for path in installed.iterdir()} - {"pbmd", "bin"}
    assert all(name.endswith(".dist-info") for name in others), others


def test_all_rulesets_are_inside_it(installed: Path, tmp_path: Path) -> None:
    code = """if True:
        import importlib.util, json
        from pbmd.edition import ruleset_digest
        from pbmd.rules.registry import get, slugs
        found = {slug: [str(get(slug).info.folder), ruleset_digest(get(slug))] for slug in slugs()}
        print(json.dumps([importlib.util.find_spec("rulesets") is None, found]))
    """
    alone, found = json.loads(run(installed, tmp_path, "-c", code))
    assert alone
    assert found == {
        slug: [str(installed / "pbmd" / "rulesets" / slug), ruleset_digest(registry.get(slug))] for slug in RULESETS
    }


def test_all_handbooks_are_inside_it(installed: Path, tmp_path: Path) -> None:
    for slug in RULESETS:
        folder = ROOT / "rulesets" / slug
        shown = run(installed, tmp_path, "-m", "pbmd", "rules", slug)
        assert shown.startswith((folder / "RULES.md").read_text())
        assert shown.count("\n## Scene: ") == len([*folder.glob("stories/*.txt")])


def test_the_wheel_is_what_runs(installed: Path, tmp_path: Path) -> None:
    assert run(installed, tmp_path, "-c", "import pbmd; print(pbmd.__file__)").startswith(str(installed))


def test_all_files_of_the_package_are_inside_it(installed: Path) -> None:
    """Those that are no code, too: without `mail_words.txt` no mail could be stored."""
    files = [path.relative_to(ROOT) for path in (ROOT / "pbmd").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert Path("pbmd/ledger/mail_words.txt") in files
    assert [str(file) for file in files if not (installed / file).is_file()] == []
    assert [str(file) for file in files if (installed / file).read_bytes() != (ROOT / file).read_bytes()] == []


def test_resources_come_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = "from pbmd.resources import folder; print(folder('templates'), folder('deploy'))"
    assert run(installed, tmp_path, "-c", code).split() == [str(installed / "pbmd" / name) for name in ("templates", "deploy")]


def test_the_pages_that_commands_name_come_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    pages = installed / "pbmd" / "docs"
    told = run(installed, tmp_path, "-m", "pbmd", "new-ruleset", "gold")
    assert f" {pages / 'rulesets.md'}\n" in told
    promises = (installed / "pbmd" / "conformance" / "promises.toml").read_text()
    named = {f"{page}.md" for page in PAGES}
    assert {path.name for path in pages.iterdir()} == named
    assert {"rulesets.md", *re.findall(r"docs/([\w-]+\.md)", promises)} <= named
    assert all((pages / page).read_bytes() == (ROOT / "docs" / page).read_bytes() for page in named)
    assert run(installed, tmp_path, "-m", "pbmd", "docs", "did-not-arrive") == (ROOT / "docs/did-not-arrive.md").read_text()


def test_rules_adjudicate_and_init_work_from_it(installed: Path, tmp_path: Path) -> None:
    samples = ROOT / "data" / "samples" / "galactic_overlord"
    assert "galactic_overlord" in run(installed, tmp_path, "-m", "pbmd", "rules")
    turn = ("adjudicate", str(samples / "position.toml"), str(samples / "orders.toml"), "--dice", "88")
    assert "Borealis won and captured Cygnus Base 3" in run(installed, tmp_path, "-m", "pbmd", *turn)
    assert "cosmic_conquest" in run(installed, tmp_path, "-m", "pbmd", "rules")
    samples = ROOT / "data" / "samples" / "cosmic_conquest"
    turn = ("adjudicate", str(samples / "position.toml"), str(samples / "orders.toml"), "--dice", "4 7 7 4 5 8 2 2 5 13")
    assert "Castor: Red 22 against Green 19 – taken by Red" in run(installed, tmp_path, "-m", "pbmd", *turn)
    run(installed, tmp_path, "-m", "pbmd", "init", "here")
    assert (tmp_path / "here" / "pbmd.toml").exists()
    archive = ROOT / "data" / "samples" / "archives" / "societies.tar.xz"
    run(installed, tmp_path, "-m", "pbmd", "export", str(archive), "--zine", "1", "--to", "paper.pdf")
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("page", ["rulesets.md", "ruleset-kit.md"])
def test_what_authors_are_told_to_use_is_inside_it(installed: Path, page: str) -> None:
    """They have the wheel and the pages, and not the checkout."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert not re.findall(r"\]\((\.\./(?!CONTRIBUTING)[^)]+)\)", text)
    modules = {*re.findall(r"^from (pbmd[\w.]*) import", text, re.MULTILINE), *re.findall(r"<!-- kit: (\w+):", text)}
    assert len(modules) > 5
    for module in modules:
        path = installed / (module.replace(".", "/") if module.startswith("pbmd") else f"pbmd/rules/{module}")
        assert path.is_dir() or path.with_suffix(".py").is_file(), module


def test_a_new_ruleset_can_be_played_from_its_folder_and_as_a_package(installed: Path, tmp_path: Path) -> None:
    run(installed, tmp_path, "-m", "pbmd", "new-ruleset", "gold")
    assert "2 ended, 0 unfinished" in run(installed, tmp_path, "-m", "pbmd", "simulate", "./gold", "--games", "2")
    install(tmp_path / "gold", tmp_path / "site", tmp_path)
    assert sorted(path.name for path in (tmp_path / "site").iterdir()) == ["gold", "pbmd_gold-0.1.0.dist-info"]
    assert not (tmp_path / "site" / "gold" / "tests").exists()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    played = run(installed, elsewhere, "-m", "pbmd", "simulate", "gold", "--games", "2", also=str(tmp_path / "site"))
    assert "2 ended, 0 unfinished" in played
