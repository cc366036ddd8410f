"""What is installed is called `pbmd-games`: the `pbmd` of PyPI is another project, and would be put over this one."""

import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (".ci", "data", "deploy", "docs", "pbmd", "rulesets", "templates", "tests")
_INSTALLED = re.compile(
    r"""(?mix)
    # Said to a program that installs, in the same line, as a word of its own.
    \b(?:pipx?|uvx?|poetry|pdm|hatch|conda|mamba)\b [^\n`#|;&]*? [ ]
    (?:install|upgrade|uninstall|reinstall|inject|add|run|remove|show|download|sync|--from)
    (?:[ ]+ [^\s`#|;&,]+)*? [ ]+ ['"]? pbmd (?![-\w./:])
    # With extras, or a version.
    | (?<![-\w./]) pbmd (?: \[ [a-z]+ (?:,[ ]?[a-z]+)* \] | [ ]? (?:[=~!<>]=|@) [ ]? (?:\d|file:|https?:))
    # Where Python is asked for it, or the index.
    | \b(?:version|metadata|distribution|requires)\( \s* ['"] pbmd ['"] \s* \)
    | pypi\.org/ (?:p|project|simple|pypi)/ pbmd (?![-\w])
    """
)


def wrong(text: str) -> list[str]:
    """Where a text names the distribution `pbmd`."""
    return [found[0] for found in _INSTALLED.finditer(text)]


def _files() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.is_file())
    for folder in FOLDERS:
        yield from (path for path in sorted((ROOT / folder).rglob("*")) if path.is_file() and "__pycache__" not in path.parts)


def test_no_file_names_another_distribution() -> None:
    found = dict[str, list[str]]()
    looked_at = 0
    for path in _files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        looked_at += 1
        if path != Path(__file__) and (here := wrong(text)):
            found[str(path.relative_to(ROOT))] = here
    assert looked_at > 1000
    assert found == {}


@pytest.mark.parametrize("path", [path for path in _files() if path.name == "pyproject.toml"], ids=str)
def test_no_project_needs_another_distribution(path: Path) -> None:
    project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *chain.from_iterable(project.get("optional-dependencies", {}).values())]
    names = {re.split(r"[^\w.-]", each, maxsplit=1)[0].lower() for each in [*needed, project["name"]]}
    assert needed
    assert "pbmd" not in names
    assert "pbmd-games" in names


@pytest.mark.parametrize(
    "text",
    [
        "pip install pbmd",
        "python -m pip install -U 'pbmd[all]'",
        "needs its extras: pbmd[postgres]",
        "pipx upgrade pbmd",
        "uv tool install --python 3.12 pbmd",
        "uvx --from x run pbmd",
        "pbmd==1.0.0",
        "pbmd >= 1.0",
        "pbmd @ file:///tmp/pbmd.whl",
        'importlib.metadata.version("pbmd")',
        "https://pypi.org/project/pbmd/",
    ],
)
def test_each_way_to_name_it_is_found(text: str) -> None:
    assert wrong(f"\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "pip install pbmd-games",
        "pip install 'pbmd-games[all]==1.0.0'",
        "apt install ./pbmd_1.0.0_all.deb",
        "apt remove pbmd",
        "postgresql+psycopg://pbmd@db.example.org/pbmd",
        "https://pypi.org/project/pbmd-games/",
        "[pbmd galaxy-7 t3]",
        'files("pbmd")',
        "pip install ./pbmd",
    ],
)
def test_what_is_right_is_let_be(text: str) -> None:
    assert wrong(f"\n{text}\n") == []
