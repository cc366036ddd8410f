"""What a shell completes, and that help fits a window of 80 columns."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.cli.commands import COMMANDS

PBMD = shutil.which("pbmd", path=os.path.dirname(sys.executable)) or "pbmd"


def run(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [PBMD, *arguments], capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "80", **environment}
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("typed", "place", "completed"),
    [
        ("pbmd re", "1", {"resume", "resolve", "replace", "refuse", "restore", "receipt", "replay", "results"}),
        ("pbmd log --js", "2", {"--json"}),
        ("pbmd statu --js", "2", set()),
    ],
)
def test_a_shell_is_told_how_words_go_on(typed: str, place: str, completed: set[str]) -> None:
    assert {*run(_PBMD_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=place).split()} == completed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_asks_pbmd_itself(shell: str) -> None:
    script = run("completion", shell)
    assert f"_PBMD_COMPLETE=complete_{shell}" in script
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_other_shells_are_refused() -> None:
    done = CliRunner().invoke(app, ["completion", "tcsh"])
    assert done.exit_code == 2
    assert "fish" in done.output


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_window_of_80_columns(command: str) -> None:
    done = CliRunner(env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"}).invoke(app, [*([command] if command else []), "--help"])
    assert done.exit_code == 0
    assert [line for line in done.stdout.splitlines() if len(line) > 80] == []
    assert not re.search(r"--\S+…", done.stdout), "no name is cut"
