"""The command `pbmd` itself."""

import shutil
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from pbmd import __version__
from pbmd.cli import app
from tests.rules import count


def test_version_is_shown():
    done = CliRunner().invoke(app, ["--version"])
    assert (done.exit_code, done.stdout) == (0, f"pbmd {__version__}\n")


def test_help_lists_the_commands_with_what_they_do():
    done = CliRunner().invoke(app, ["--help"])
    assert done.exit_code == 0
    assert "List the rulesets" in done.stdout


def test_an_unknown_command_is_wrong_use():
    done = CliRunner().invoke(app, ["adjudicat"])
    assert done.exit_code == 2
    assert "No such command" in done.stderr


def test_a_command_loads_only_its_own_module():
    code = "import sys; from pbmd.cli import app; app(['rules', '--json'], standalone_mode=False); "
    code += "sys.exit(any(name in sys.modules for name in ('pbmd.cli.simulate', 'pbmd.cli.adjudicate', 'sqlmodel')))"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False).returncode == 0


def test_a_terminal_that_lacks_a_character_gets_its_escape(tmp_path):
    folder = tmp_path / "count"
    shutil.copytree(Path(count.__file__).parent, folder)
    (folder / "RULES.md").write_text("1\u20139", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "from pbmd.cli import main; main()", "rules", str(folder)],
        env={"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"1\\u20139"
