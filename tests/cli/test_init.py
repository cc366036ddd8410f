"""`pbmd init`."""

from pathlib import Path

from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.settings import read_settings


def run(*arguments: object):
    return CliRunner().invoke(app, ["init", *map(str, arguments)])


def test_writes_settings_that_can_be_read_and_says_what_to_do_next(tmp_path: Path) -> None:
    done = run(tmp_path / "new" / "home")
    assert done.exit_code == 0
    assert read_settings(tmp_path / "new" / "home" / "pbmd.toml").imap.host == "imap.example.org"
    assert "pbmd check" in done.stdout
    assert "pbmd run" in done.stdout


def test_writes_a_file_that_only_its_owner_can_read(tmp_path: Path) -> None:
    run(tmp_path)
    assert (tmp_path / "pbmd.toml").stat().st_mode & 0o777 == 0o600


def test_leaves_a_file_alone_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "pbmd.toml").write_text("mine")
    done = run(tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "is there already and was left as it is" in done.stderr
    assert (tmp_path / "pbmd.toml").read_text() == "mine"


def test_into_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run(tmp_path / "file" / "below")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
