"""The command `pbmd` itself."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pbmd import __version__
from pbmd.cli import app
from pbmd.cli.common import fail
from tests.archive.samples import FOLDER, unpack
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


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("statu", "No such command 'statu'; did you mean 'status' or 'start'?"),
        ("timezon", "did you mean 'timezone'"),
        ("leter", "did you mean 'letter' or 'letters' or 'ledger'?"),
        ("book", "No such command 'book'; did you mean 'export --book'?"),
        ("zzzz", "No such command 'zzzz'; pbmd --help lists them all."),
        ("", "pbmd --help lists them all."),
    ],
)
def test_a_mistyped_command_is_told_what_it_may_have_been(typed: str, told: str) -> None:
    done = CliRunner().invoke(app, [typed], env={"COLUMNS": "120", "TERMINAL_WIDTH": "120"})
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in " ".join(done.stderr.replace("│", " ").split())


def test_a_command_loads_only_its_own_module():
    code = "import sys; from pbmd.cli import app; app(['rules', '--json'], standalone_mode=False); "
    code += "sys.exit(any(name in sys.modules for name in ('pbmd.cli.simulate', 'pbmd.cli.adjudicate', 'sqlmodel')))"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False).returncode == 0


def piped(command: list[str], reads: int) -> tuple[bytes, bytes, int]:
    """What is read of a command's output before the pipe is closed, what it says, and how it ends. Without a read the pipe is
    closed before it begins; else the pipe is so small that it cannot have written all before."""
    arguments = [sys.executable, "-m", "pbmd", *command]
    if not reads:
        reading, writing = os.pipe()
        os.close(reading)
        with open(writing, "wb", buffering=0) as nobody_reads:
            done = subprocess.run(arguments, stdout=nobody_reads, stderr=subprocess.PIPE, check=False)
        return b"", done.stderr, done.returncode
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pipesize=4096) as process:
        assert process.stdout
        assert process.stderr
        read = process.stdout.read(reads)
        process.stdout.close()
        return read, process.stderr.read(), process.wait()


def test_a_reader_who_has_enough_ends_it_without_a_word(tmp_path):
    archive = unpack(FOLDER / "galactic_overlord.tar.xz", tmp_path)
    for command in (["replay", str(archive)], ["replay", str(archive), "--html"]):
        read, said, code = piped(command, 10)
        assert (len(read), said, code) == (10, b"", 1)
    for command in (["rules", "--json"], ["verify", str(archive)], ["--help"]):
        assert piped(command, 0)[1:] == (b"", 1)


def test_output_that_cannot_be_written_is_said_in_a_line():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-m", "pbmd", "rules"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"cannot be written: [Errno 28]" in done.stderr


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


def test_what_is_wrong_is_told_with_one_mark_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        fail('the game cannot be made: there is no ruleset "x". Did you mean "y"?.')
    assert capsys.readouterr().err == 'pbmd: the game cannot be made: there is no ruleset "x". Did you mean "y"?\n'
