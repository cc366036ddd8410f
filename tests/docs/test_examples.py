"""What the documentation shows works as it is shown.

A ``console`` block is run, in a temporary folder with the samples; the blocks of a page follow each other in one folder. A page
with ``<!-- goes on from PAGE -->`` has the blocks of that page before its own. After ``$ `` stands a command, below it what it
prints, with ``…`` for what may vary (see `pages.pattern_of`). A block with the path of a file (``python gold/__init__.py``) is
that file, or its next part; ``diff PATH`` changes one. TOML blocks are read as what their tag says. Others are for people.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
import tomli_w
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.cli.files import read_entries
from pbmd.cli.new import read_players
from pbmd.rules import read_info
from pbmd.settings import read_settings
from tests.docs.pages import PAGES, ROOT, Block, all_blocks, before, blocks, name_of, pattern_of, read

FILE = re.compile(r"(?P<language>python|toml|lark|jinja|markdown|diff) (?P<path>[\w.-]+/\S+)")

MINIMUM = {
    "server": {"address": "games@example.org", "gm": "gm@example.org"},
    "imap": {"host": "imap.example.org", "user": "games", "password": "secret"},
    "smtp": {"host": "smtp.example.org"},
}


def cases(tag: str) -> list[object]:
    """The blocks with that tag as parameters of a test; a tag that is used nowhere is a mistake of the test."""
    found = blocks(tag)
    assert found, f"no page has a block ```{tag}"
    return [pytest.param(block, id=block.place) for block in found]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks("console", page)], ids=name_of)
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "data" / "samples", tmp_path / "data" / "samples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("PBMD_GAME__SECOND_THOUGHT")  # a game master has none
    apart = False  # Python imports a module once: one that was changed is seen by another process
    for block in [block for each in (*before(page), page) for block in all_blocks(each)]:
        if file := FILE.fullmatch(block.tag):
            write(block, Path(file["path"]), change=file["language"] == "diff")
            apart |= block.tag.startswith("diff gold/")
        if block.tag == "console":
            for command, expected in commands_of(block):
                printed = output_of(command, monkeypatch, fails=expected.startswith("pbmd: "), apart=apart)
                assert pattern_of(expected).fullmatch(printed), f"{block.place}: {command}\n--- it prints\n{printed}"


def write(block: Block, path: Path, *, change: bool) -> None:
    """What a block with a path does: it begins a file, goes on with it, or changes lines that stand there once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not change:
        before = f"{path.read_text()}\n\n" if path.exists() else ""
        path.write_text(f"{before}{block.text}")
        return
    lines = [(line[:1], line[1:]) for line in block.text.splitlines()]
    old, new = ("".join(f"{text}\n" for mark, text in lines if mark != but) for but in "+-")
    assert path.read_text().count(old) == 1, f"{block.place}: this does not stand once in {path}\n{old}"
    path.write_text(path.read_text().replace(old, new))


def test_the_game_of_the_tutorial_is_small() -> None:
    parts = [block.text for block in all_blocks(ROOT / "docs" / "rulesets.md") if block.tag == "python gold/__init__.py"]
    assert len(parts) > 5
    assert len("\n\n".join(parts).splitlines()) <= 150


def commands_of(block: Block) -> Iterator[tuple[str, str]]:
    """Each command with the output shown below it."""
    first, *parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not first, f"{block.place}: a console block begins with a command"
    for part in parts:
        command, _, expected = part.replace("\\\n", "").partition("\n")
        yield command, expected


def output_of(command: str, monkeypatch: pytest.MonkeyPatch, *, fails: bool, apart: bool = False) -> str:
    """Run a command of pbmd, or one of the two others that a page needs."""
    name, *arguments = shlex.split(command)
    if name == "cd":
        monkeypatch.chdir(arguments[0])
        return ""
    if name == "cat":
        return "".join(Path(argument).read_text() for argument in arguments)
    assert name == "pbmd", f"{name}: only pbmd, cd and cat can be run here; use another fence"
    if apart:
        program = [sys.executable, "-m", "pbmd", *arguments]
        return subprocess.run(
            program, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
        ).stdout
    done = CliRunner().invoke(app, arguments)
    assert bool(done.exit_code) is fails, (command, done.output, done.exception)
    return done.output


@pytest.mark.parametrize("block", cases("toml settings"))
def test_settings_can_be_read(block: Block, tmp_path: Path) -> None:
    (tmp_path / "pbmd.toml").write_text(tomli_w.dumps(MINIMUM | tomllib.loads(block.text)))
    read_settings(tmp_path / "pbmd.toml")


@pytest.mark.parametrize("block", cases("toml players"))
def test_players_files_can_be_read(block: Block, tmp_path: Path) -> None:
    (tmp_path / "players.toml").write_text(block.text)
    assert read_players(tmp_path / "players.toml")


@pytest.mark.parametrize("block", cases("toml orders"))
def test_orders_files_can_be_read(block: Block, tmp_path: Path) -> None:
    (tmp_path / "orders.toml").write_text(block.text)
    assert read_entries(tmp_path / "orders.toml", ("Altair", "Borealis", "Cygnus"), "faction")


@pytest.mark.parametrize("block", cases("toml gold/ruleset.toml"))
def test_heads_of_rulesets_can_be_read(block: Block, tmp_path: Path) -> None:
    (tmp_path / "ruleset.toml").write_text(block.text)
    assert read_info(tmp_path).title


def test_every_fence_is_of_a_kind_that_is_known() -> None:
    kinds = ("", "text", "sh", "console", "cron", "mail", "nginx", "{toctree}")
    read_as = ("toml settings", "toml pbmd.toml", "toml players", "toml orders")
    known = {
        *kinds,
        *read_as,
        "python fairness",
        "text verify_dice",
        "text receipt",
        "text caddy",
        "mail report",
        "mail letter",
        "mail acknowledgement",
    }
    tags = chain.from_iterable(re.findall(r"^```([^\n`]+)\n", read(page), re.MULTILINE) for page in PAGES)
    assert {tag.strip() for tag in tags if not FILE.fullmatch(tag.strip())} <= known
