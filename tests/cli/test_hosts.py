"""`pbmd status` and `pbmd check` where several hosts share a ledger."""

import json
import re
from contextlib import contextmanager
from dataclasses import replace
from socket import gethostname

import pytest

from pbmd.daemon.roles import Role
from pbmd.desk.books.desk import open_desk
from pbmd.desk.books.hosts import say_we_are_here
from pbmd.desk.books.server_key import KEY
from pbmd.settings import read_settings
from tests.cli.conftest import Home


@pytest.fixture
def shared(home: Home, postgresql) -> Home:
    """A home whose ledger is on PostgreSQL."""
    address = postgresql.new_ledger()
    text = re.sub(r'^database = ".*"\n', "", home.settings.read_text(), flags=re.MULTILINE)
    home.settings.write_text(text.replace("[server]\n", f'[server]\ndatabase = "{address}"\n'))
    yield home
    postgresql.drop(address)


@contextmanager
def at_work(home: Home, monkeypatch, hostname, **other):
    """Another host of that name works on the ledger of this home, as this one would but for what it has other."""
    desk = replace(open_desk(read_settings(home.settings)), **({"host": hostname * 4} | other))
    monkeypatch.setattr("socket.gethostname", lambda: hostname)
    try:
        say_we_are_here(desk, "run")
        yield
    finally:
        desk.engine.dispose()


def hosts_checked(home):
    """What `pbmd check` says of hosts."""
    checks = home.run("check", "--json")
    return [each for each in json.loads(checks.stdout)["checks"] if each["name"] in ("hosts", "server.key")]


def test_one_host_is_not_shown(shared, monkeypatch):
    assert shared.json("status")["hosts"] == []
    with at_work(shared, monkeypatch, "alpha"):
        assert shared.json("status")["hosts"] == []
        assert "alpha" not in shared.good("status")


def test_several_are(shared, monkeypatch):
    with at_work(shared, monkeypatch, "alpha"), at_work(shared, monkeypatch, "beta"):
        told = shared.good("status")
        assert [(host["name"], host["does"]) for host in shared.json("status")["hosts"]] == [("alpha", "run"), ("beta", "run")]
    assert "alpha: run, pbmd " in told
    assert "beta: run, pbmd " in told


def test_the_check_is_content_with_one_key_and_one_version(shared, monkeypatch):
    with at_work(shared, monkeypatch, "alpha"), at_work(shared, monkeypatch, "beta"):
        [check] = hosts_checked(shared)
    assert (check["ok"], check["detail"]) == (True, "one key, one version: alpha (run); beta (run)")


def test_it_fails_for_another_version_and_says_where(shared, monkeypatch):
    with at_work(shared, monkeypatch, "alpha"):
        monkeypatch.setattr("pbmd.desk.books.hosts.__version__", "0.1")
        with at_work(shared, monkeypatch, "beta"):
            [check] = hosts_checked(shared)
    assert not check["ok"]
    assert "0.1 on beta" in check["detail"]
    assert "install the same version on all hosts" in check["mend"]


def test_it_fails_for_another_key_and_says_where(shared, monkeypatch):
    with at_work(shared, monkeypatch, "alpha"), at_work(shared, monkeypatch, "beta", key=b"another key of that length......"):
        [check] = hosts_checked(shared)
    assert not check["ok"]
    assert check["detail"].startswith(f"another {KEY} than the ledger's on beta: ")
    assert f"copy {KEY}" in check["mend"]


def test_without_the_key_of_the_ledger_nothing_begins(shared):
    shared.good("status")
    key = shared.folder / "data" / KEY
    key.write_bytes(b"z" * 32)
    [check] = hosts_checked(shared)
    assert not check["ok"]
    assert "is not the key of this ledger" in check["detail"]
    assert check["mend"] == f"copy {KEY} from the data folder of a host that works to {key}"
    assert f"is not the key of this ledger, so no host would take the tokens of another: copy {KEY}" in shared.problem(
        "run", code=1
    )


def test_on_sqlite_there_is_nothing_to_tell(home):
    assert home.json("status")["hosts"] == []
    assert hosts_checked(home) == []


def test_status_tells_who_does_what_and_how_far_behind_they_are(shared):
    home = shared
    with role_of(home, "sending mail"):
        told, parts = home.good("status"), home.json("status")["shared"]
    assert parts["parts"]["sending mail"] == gethostname()
    assert parts["parts"]["looking after the games"] == ""
    assert (parts["workers"], parts["games_due"], parts["lag_seconds"]) == (0, 0, 0)
    assert f"sending mail: {gethostname()}" in told
    assert "looking after the games: nobody" in told


def test_of_a_ledger_in_a_file_it_tells_neither(home):
    assert home.json("status")["shared"] is None
    assert "sending mail" not in home.good("status")


@contextmanager
def role_of(home, name):
    """This process has that part."""
    role = Role(read_settings(home.settings).database_url, name)
    assert role.is_ours()
    yield
    role.give_back()
