"""`pbmd check` minds files that others on the machine can read and must not."""

import grp
import json
import os
from pathlib import Path

import pytest

from pbmd.settings import holds_password
from tests.cli.conftest import Home


def minded(home: Home) -> list[tuple[str, str]]:
    """What is said of each such file, and how to mend it."""
    checks = json.loads(home.run("check", "--json").stdout)["checks"]
    return [(check["detail"], check["mend"]) for check in checks if check["name"] == "privacy" and not check["ok"]]


def with_password_file(home: Home, table: str = "imap") -> Path:
    """The password of a server in a file of its own, that only its owner can read."""
    ways = {"imap": ("", ""), "smtp": ('password_command = "echo hunter2"\n', 'user = "games"\n')}
    command, user = ways[table]
    text = home.settings.read_text().replace('password = "hunter2"\n', command)
    text = text.replace(f"[{table}]\n", f'[{table}]\n{user}password_file = "its.password"\n')
    home.settings.write_text(text)
    return Path(home.write("its.password", "hunter2"))


def test_nothing_is_minded_where_only_its_owner_can_read_it(home: Home) -> None:
    home.start_game()
    home.good("backup")
    assert minded(home) == []


@pytest.mark.parametrize("table", ["imap", "smtp"])
@pytest.mark.parametrize("mode", [0o644, 0o604, 0o640, 0o664])
def test_a_password_file(home: Home, table: str, mode: int) -> None:
    path = with_password_file(home, table)
    assert minded(home) == []
    path.chmod(mode)
    [(told, mend)] = minded(home)
    who = "everybody on this machine" if mode & 0o004 else f"the group {grp.getgrgid(path.stat().st_gid).gr_name}"
    assert told == f"{who} can read {path} (a password)"
    assert mend == f"chmod go= {path}"
    assert home.run("check").exit_code == 1
    os.system(mend)
    assert minded(home) == []


def test_the_settings_if_a_password_stands_in_them(home: Home) -> None:
    home.settings.chmod(0o644)
    [(told, _)] = minded(home)
    assert told == f"everybody on this machine can read {home.settings} (the settings with a password in them)"
    with_password_file(home)
    assert minded(home) == []


@pytest.mark.parametrize(
    ("database", "holds"),
    [
        ("postgresql://pbmd@localhost/pbmd", False),
        ("postgresql://pbmd:hunter2@localhost/pbmd", True),
        ("sqlite:///l.sqlite", False),
    ],
)
def test_the_password_of_a_database_is_one_too(home: Home, database: str, holds: bool) -> None:
    with_password_file(home)
    home.settings.write_text(home.settings.read_text().replace("[server]\n", f'[server]\ndatabase = "{database}"\n'))
    assert holds_password(home.settings) is holds


@pytest.mark.parametrize("name", ["ledger.sqlite", "server.key", "backups/server.key", "backups/ledger-*.sqlite"])
def test_the_ledger_its_key_and_their_copies(home: Home, name: str) -> None:
    home.start_game()
    home.good("backup")
    [path] = (home.folder / "data").glob(name)
    path.chmod(0o644)
    [(told, mend)] = minded(home)
    assert str(path) in told
    assert mend == f"chmod go= {path}"


def test_a_ledger_that_was_replaced(home: Home) -> None:
    home.start_game()
    home.good("backup")
    [backup] = (home.folder / "data" / "backups").glob("ledger-*.sqlite")
    home.run("restore", str(backup))
    [replaced] = (home.folder / "data").glob("ledger-replaced-*.sqlite")
    replaced.chmod(0o640)
    assert [str(replaced) in told for told, _ in minded(home)] == [True]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_the_service_reads_by_its_group_is_left_to_it(home: Home) -> None:
    """As deploy/pbmd.service has it: passwords are root's and of the group of the user that runs pbmd."""
    path = with_password_file(home)
    home.run("check")
    nobody, group = 65534, 65534
    os.chown(home.folder / "data", nobody, group)
    os.chown(path, 0, group)
    path.chmod(0o640)
    assert minded(home) == []
    path.chmod(0o644)
    assert [mend for _, mend in minded(home)] == [f"chmod o= {path}"]
    os.chown(path, 0, 0)
    path.chmod(0o640)
    assert [mend for _, mend in minded(home)] == [f"chmod go= {path}"]


def test_what_is_not_there_is_minded_by_what_needs_it(home: Home) -> None:
    with_password_file(home).unlink()
    assert minded(home) == []
    assert "its.password" in home.run("check").stdout


def with_webhook(home: Home, address: str) -> Path:
    """News of the game that go to that address."""
    home.settings.write_text(
        f'{home.settings.read_text()}\n[webhook.files]\ngalaxy-7 = "chat.webhook"\nelsewhere = "no.webhook"\n'
    )
    return Path(home.write("chat.webhook", address))


def test_where_news_go_is_said_by_the_host_alone(home: Home) -> None:
    home.start_game()
    path = with_webhook(home, "https://hooks.slack.com/services/T0/B0/s3cr3t\n")
    done = home.run("check", "--json")
    told = [(check["ok"], check["detail"]) for check in json.loads(done.stdout)["checks"] if check["name"] == "webhook"]
    assert told[0] == (True, "news of galaxy-7: posted to hooks.slack.com")
    assert not told[1][0]
    assert "no.webhook cannot be read: No such file" in told[1][1]
    assert "s3cr3t" not in done.stdout + done.stderr
    path.chmod(0o644)
    assert any("the address of a webhook" in detail for detail, _ in minded(home))


def test_an_address_that_cannot_be_used_is_not_quoted(home: Home) -> None:
    home.start_game()
    with_webhook(home, "http://hooks.slack.com/services/s3cr3t")
    done = home.run("check")
    assert "news of galaxy-7: hooks.slack.com: only https goes to another machine" in " ".join(done.stdout.split())
    assert "s3cr3t" not in done.stdout + done.stderr
