"""The examples of the page on proofs are what a game, its archive and the two programs really say."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from tests.deploy.test_verify_dice import DAYS, SETTINGS, export, verify
from tests.desk.world import World
from tests.docs.cheats_table import table, with_table
from tests.docs.pages import ROOT, blocks, pattern_of

PAGE = ROOT / "docs" / "proofs.md"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The archive galaxy-7 and the mail answer.eml of the page."""
    home = tmp_path / "home"
    home.mkdir()
    world = World(home)
    (home / "pbmd.toml").write_text(SETTINGS)
    (home / "server.key").write_bytes(world.desk.key)
    world.start(ruleset="count", options={"target": 100}, reminders=())
    for seat, text in (("Altair", "Add 7\n#word to be or not to be"), ("Borealis", "Add 2"), ("Cygnus", "Add 4")):
        world.send(seat, text)
        world.now += timedelta(minutes=1)
    world.pass_time(DAYS - timedelta(minutes=1))
    (tmp_path / "answer.eml").write_bytes(world.outbox("acknowledgement", "Borealis")[0].raw)
    export(world, tmp_path / "galaxy-7")
    yield tmp_path
    world.close()


def shown(tag: str) -> re.Pattern[str]:
    """What the block prints below its command."""
    (block,) = blocks(tag, PAGE)
    return pattern_of(block.text.partition("\n")[2])


def test_the_turn_in_python_rolls_what_was_rolled(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = blocks("python fairness", PAGE)
    exec(compile(block.text, str(PAGE), "exec"), {})
    rolls = capsys.readouterr().out.split()
    assert "".join(f" d6:{roll}" for roll in rolls) in verify(folder / "galaxy-7")[1]
    assert f"It prints {', '.join(rolls)}:" in PAGE.read_text()


def test_the_program_says_what_the_page_shows(folder: Path) -> None:
    code, told = verify(folder / "galaxy-7")
    assert code == 0
    assert shown("text verify_dice").fullmatch(told), told


def test_the_receipt_says_what_the_page_shows(folder: Path) -> None:
    done = CliRunner().invoke(app, ["receipt", str(folder / "answer.eml"), "--archive", str(folder / "galaxy-7")])
    assert done.exit_code == 0
    assert shown("text receipt").fullmatch(done.stdout), done.stdout


def test_the_table_of_cheats_is_the_one_that_is_tested() -> None:
    text = PAGE.read_text()
    assert with_table(text) == text, "python -m tests.docs.cheats_table writes it anew"
    assert table() in text
