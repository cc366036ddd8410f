"""`pbmd init`."""

import errno
import os
import pwd
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.resources import folder
from pbmd.settings import read_settings


def run(*arguments: object):
    return CliRunner().invoke(app, ["init", *map(str, arguments)])


def test_writes_settings_that_can_be_read_and_says_what_to_do_next(tmp_path: Path) -> None:
    done = run(tmp_path / "new" / "home")
    assert done.exit_code == 0
    assert read_settings(tmp_path / "new" / "home" / "pbmd.toml").imap.host == "imap.example.org"
    assert "pbmd check" in done.stdout
    told = [done.stdout.index(f". {step}  ") for step in ("pbmd check", "pbmd check --mail", "pbmd rules", "pbmd run")]
    assert told == sorted(told)


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


def test_fills_in_what_is_said_and_knows_the_servers_of_large_providers(tmp_path: Path) -> None:
    done = run(tmp_path, "--address", "games@outlook.com", "--gm", "kim@example.org", "--timezone", "Europe/London")
    assert "Microsoft wants a token" in done.stdout
    (tmp_path / "imap.password").write_text("x")
    (tmp_path / "smtp.password").write_text("x")
    settings = read_settings(tmp_path / "pbmd.toml")
    assert (settings.server.address, settings.server.gm) == ("games@outlook.com", "kim@example.org")
    assert settings.server.timezone == "Europe/London"
    assert (settings.imap.host, settings.imap.user) == ("outlook.office365.com", "games@outlook.com")
    assert (settings.smtp.host, settings.smtp.port, settings.smtp.tls) == ("smtp.office365.com", 587, "starttls")


def test_warns_of_a_provider_without_plus_addresses(tmp_path: Path) -> None:
    done = run(tmp_path, "--address", "games@gmx.net", "--gm", "kim@example.org")
    assert "has no plus addresses: pbmd docs mail others" in done.stdout
    assert 'host = "imap.gmx.net"' in (told := (tmp_path / "pbmd.toml").read_text())
    assert 'host = "mail.gmx.net"' in told


def test_asks_for_the_rest_and_keeps_the_password_in_files_of_its_own(tmp_path: Path) -> None:
    answers = "games@games.test\nkim@games.test\nmail.games.test\n\nEurope/Lisbon\nhush-hush\n"
    done = CliRunner().invoke(app, ["init", str(tmp_path), "--ask"], input=answers)
    assert done.exit_code == 0, done.output
    assert "hush-hush" not in done.output
    assert "hush-hush" not in (tmp_path / "pbmd.toml").read_text()
    assert (tmp_path / "imap.password").read_text() == (tmp_path / "smtp.password").read_text() == "hush-hush\n"
    assert (tmp_path / "imap.password").stat().st_mode & 0o777 == 0o600
    settings = read_settings(tmp_path / "pbmd.toml")
    assert (settings.server.gm, settings.server.timezone) == ("kim@games.test", "Europe/Lisbon")
    assert (settings.imap.host, settings.smtp.host) == ("mail.games.test", "smtp.games.test")


def test_asks_again_where_an_answer_cannot_be_used(tmp_path: Path) -> None:
    answers = (
        "games\ngames+x@games.test\ngames@games.test\n\nkim\nkim@games.test\n"
        "https://mail.games.test/\nmail.games.test\n\nAtlantis\nEurope/Lisbon\nhush\thush\nhush-hush\n"
    )
    done = CliRunner().invoke(app, ["init", str(tmp_path), "--ask"], input=answers)
    assert done.exit_code == 0, done.output
    for told in (
        "Error: must be an e-mail address like games@example.org",
        "a server's name alone is wanted",
        'there is no time zone "Atlantis"',
        "a character in it that no password has",
    ):
        assert told in done.output
    settings = read_settings(tmp_path / "pbmd.toml")
    assert (settings.server.address, settings.server.gm) == ("games@games.test", "kim@games.test")
    assert (settings.imap.host, settings.smtp.host) == ("mail.games.test", "smtp.games.test")
    assert settings.server.timezone == "Europe/Lisbon"
    assert (tmp_path / "imap.password").read_text() == "hush-hush\n"


def test_suggests_no_strangers_address_and_no_zone_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", ":/etc/localtime")
    done = CliRunner().invoke(app, ["init", str(tmp_path), "--ask"], input="games@gmail.com\nkim@games.test\n\n\n\n\n")
    assert done.exit_code == 0, done.output
    assert "gm@gmail.com" not in done.output
    assert "Your time zone [UTC]" in done.output
    assert "Gmail wants an app password: pbmd docs mail gmail. Put the passwords where the file says" in done.output


def test_asks_for_no_password_where_none_is_taken(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["init", str(tmp_path), "--ask"], input="games@outlook.com\nkim@games.test\n\n\n\n")
    assert done.exit_code == 0, done.output
    assert "mailbox's password" not in done.output
    assert "1. Microsoft wants a token, not a password: pbmd docs mail microsoft.\n" in done.output


def test_whoever_gives_up_leaves_nothing(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["init", str(tmp_path / "new"), "--ask"], input="games@games.test\n")
    assert done.exit_code == 1
    assert not (tmp_path / "new").exists()


def test_a_disk_that_is_full_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def full(path: Path, *how: int) -> int:
        if path.name.startswith(".pbmd.logrotate."):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return opened(path, *how)

    monkeypatch.setattr("pbmd.cli.init.os.open", full)
    done = run(tmp_path, "--systemd")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "pbmd.logrotate: No space left on device" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [("--address", "games", "address: must be an e-mail address"), ("--timezone", "Atlantis", "timezone: ")],
)
def test_what_cannot_be_is_said_and_nothing_is_written(tmp_path: Path, option: str, value: str, told: str) -> None:
    done = run(tmp_path / "new", option, value)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr
    assert not (tmp_path / "new").exists()


def test_values_with_quotes_stay_what_they_are(tmp_path: Path) -> None:
    run(tmp_path, "--address", "games@example.org", "--imap", 'a"b\\c\n[smtp]')
    assert read_settings(tmp_path / "pbmd.toml").imap.host == 'a"b\\c\n[smtp]'


def test_writes_a_unit_that_is_hardened_and_keeps_to_its_folder(tmp_path: Path) -> None:
    home = tmp_path / "a folder of 100%"
    done = run(home, "--systemd")
    assert "systemctl enable --now pbmd" in done.stdout
    unit = (home / "pbmd.service").read_text()
    place = str(home).replace("%", "%%")
    assert f' run --settings "{place}/pbmd.toml"\n' in unit
    assert f'ReadWritePaths="{place}"\n' in unit
    assert f"WorkingDirectory={place}\n" in unit  # it takes neither quotation marks nor escapes
    assert f"cp '{home}'/pbmd.service" in done.stdout
    assert "ProtectSystem=strict" in unit
    assert f'"{home}/data/dashboard.log"' in (home / "pbmd.logrotate").read_text()


def test_a_dollar_sign_is_one_also_in_the_command_of_the_unit(tmp_path: Path) -> None:
    run(tmp_path / "a $b", "--systemd")
    unit = (tmp_path / "a $b" / "pbmd.service").read_text()
    assert f' run --settings "{tmp_path}/a $$b/pbmd.toml"\n' in unit
    assert f"WorkingDirectory={tmp_path}/a $b\n" in unit


@pytest.mark.parametrize("name", ['a"b', "a\\b", "a\nb", "a*"])
def test_a_folder_of_which_systemd_and_logrotate_would_make_another_is_refused(tmp_path: Path, name: str) -> None:
    done = run(tmp_path / name, "--systemd")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "for which systemd and logrotate want another folder" in done.stderr
    assert list(tmp_path.iterdir()) == []
    assert run(tmp_path / name).exit_code == 0


def test_whoever_writes_the_unit_runs_it_by_the_name_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "somebody-else")
    done = run(tmp_path, "--systemd")
    assert f"User={pwd.getpwuid(os.getuid()).pw_name}\n" in (tmp_path / "pbmd.service").read_text()
    assert ("has pbmd run as root" in done.stdout) == (os.getuid() == 0)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_finds_little_to_say_of_the_units(tmp_path: Path) -> None:
    run(tmp_path, "--systemd")
    for unit in (tmp_path / "pbmd.service", *(folder("deploy") / f"{name}.service" for name in ("pbmd", "pbmd-worker"))):
        command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"SYSTEMD_COLORS": "0"})
        assert done.returncode == 0, done.stdout[-200:]


def test_writes_all_of_its_files_or_none(tmp_path: Path) -> None:
    (tmp_path / "pbmd.service").write_text("mine")
    done = run(tmp_path, "--systemd")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "pbmd.service is there already" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pbmd.service"]
