"""`pbmd status` and `pbmd check` where several hosts share a ledger."""

import json
import re
import shutil
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import gethostname

import pytest

from pbmd.daemon.roles import Role
from pbmd.desk.books.desk import open_desk
from pbmd.desk.books.hosts import say_we_are_here
from pbmd.desk.books.server_key import KEY
from pbmd.desk.letter.lanes import assign_lanes
from pbmd.settings import read_settings
from tests.cli.conftest import Home
from tests.desk.world import World


@pytest.fixture
def shared(home: Home, postgresql) -> Home:
    """A home whose ledger is on PostgreSQL."""
    address = postgresql.new_ledger()
    text = re.sub(r'^database = ".*"\n', "", home.settings.read_text(), flags=re.MULTILINE)
    home.settings.write_text(text.replace("[server]\n", f'[server]\ndatabase = "{address}"\n'))
    yield home
    postgresql.drop(address)


@contextmanager
def at_work(home: Home, monkeypatch, hostname, does="run", **other):
    """Another host of that name works on the ledger of this home, as this one would but for what it has other."""
    desk = replace(open_desk(read_settings(home.settings)), **({"host": hostname * 4} | other))
    monkeypatch.setattr("socket.gethostname", lambda: hostname)
    try:
        say_we_are_here(desk, does)
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
        assert {host["clock"] for host in shared.json("status")["hosts"]} == {""}
    assert "alpha: run, pbmd " in told
    assert "beta: run, pbmd " in told


def test_the_check_is_content_with_one_key_and_one_version(shared, monkeypatch):
    with at_work(shared, monkeypatch, "alpha"), at_work(shared, monkeypatch, "beta"):
        [check] = hosts_checked(shared)
    assert (check["ok"], check["detail"]) == (True, "one key, one version, the same rules: alpha (run); beta (run)")


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


COUNT = Path(__file__).parents[1] / "rules" / "count"


def play_count(home):
    """A game of Count is played; this command has its rules."""
    home.good("status")
    with closing(World(home.folder, database=read_settings(home.settings).database_url)) as world:
        world.count()


def rules_in(folder, added=""):
    """The same rules elsewhere, and perhaps a little other."""
    shutil.copytree(COUNT, folder / "count")
    with (folder / "count" / "ruleset.toml").open("a") as file:
        file.write(added)
    return folder / "count"


def with_rules(home, *folders):
    """Settings with rulesets in these folders only."""
    return read_settings(home.settings).model_copy(update={"rulesets": folders})


def test_the_check_fails_for_other_rules_and_says_where(shared, monkeypatch, tmp_path):
    play_count(shared)
    other = with_rules(shared, rules_in(tmp_path / "other", "\n[tables]\nmost = 7\n"))
    with at_work(shared, monkeypatch, "alpha"), at_work(shared, monkeypatch, "beta", settings=other):
        [check] = hosts_checked(shared)
    assert not check["ok"]
    assert re.fullmatch(
        r"different rules of count \(digest (\w{12}) on alpha, this command; digest (?!\1)\w{12} on beta\)", check["detail"]
    )
    assert check["mend"].startswith("install the same on all hosts, then start pbmd and its workers anew")


def test_where_the_rules_stand_makes_no_difference(shared, monkeypatch, tmp_path):
    play_count(shared)
    same = with_rules(shared, rules_in(tmp_path / "other"))
    with at_work(shared, monkeypatch, "alpha"), at_work(shared, monkeypatch, "beta", settings=same):
        [check] = hosts_checked(shared)
    assert check["ok"], check


def test_it_fails_for_rules_that_a_host_lacks_which_may_have_to_lead(shared, monkeypatch):
    play_count(shared)
    with at_work(shared, monkeypatch, "alpha"), at_work(shared, monkeypatch, "beta", settings=with_rules(shared)):
        [check] = hosts_checked(shared)
    assert (check["ok"], check["detail"]) == (False, "no rules of count on beta")
    assert check["mend"].startswith("install them there")


def test_a_worker_may_lack_them(shared, monkeypatch):
    play_count(shared)
    with (
        at_work(shared, monkeypatch, "alpha"),
        at_work(shared, monkeypatch, "beta", does="worker", settings=with_rules(shared)),
    ):
        [check] = hosts_checked(shared)
    assert check["ok"], check


def test_rules_by_which_nothing_is_played_make_no_difference(shared, monkeypatch, tmp_path):
    other = with_rules(shared, rules_in(tmp_path / "other", "\n[tables]\nmost = 7\n"))
    shared.good("status")
    with at_work(shared, monkeypatch, "alpha"), at_work(shared, monkeypatch, "beta", settings=other):
        [check] = hosts_checked(shared)
    assert check["ok"], check


def test_without_the_key_of_the_ledger_nothing_begins(shared):
    shared.good("status")
    key = shared.folder / "data" / KEY
    key.write_bytes(b"z" * 32)
    [check] = hosts_checked(shared)
    assert not check["ok"]
    assert "is not the key of this ledger" in check["detail"]
    assert check["mend"].startswith(f"copy {KEY} from the data folder of a host that works to {key} ")
    assert f"is not the key of this ledger, and all tokens in mails come from it: copy {KEY}" in shared.problem("run", code=1)


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
    assert (parts["lanes"], parts["longest_lane"], parts["unassigned_letters"], parts["oldest_letter"]) == (0, 0, 0, None)
    assert f"sending mail: {gethostname()}" in told
    assert "looking after the games: nobody" in told
    assert "0 with letters waiting" in told
    assert "no letter waits; games: none is due" in told


def test_status_tells_how_many_letters_wait_and_for_how_long(shared):
    shared.good("status")
    settings = read_settings(shared.settings)
    with closing(World(shared.folder, database=settings.database_url)) as world:
        for game in ("galaxy-7", "galaxy-8"):
            world.count(game)
        arrived = datetime.now(UTC) - timedelta(minutes=5)
        for game, seat in (("galaxy-7", "Altair"), ("galaxy-7", "Borealis"), ("galaxy-8", "Altair")):
            world.arrive(world.letter(seat, "Add 1", game=game), arrived)
        world.arrive(world.letter("Cygnus", "Add 1", to="games@pbmd.test"), arrived)
        assign_lanes(world.desk)
    told, state = shared.good("status"), shared.json("status")["shared"]
    assert (state["lanes"], state["longest_lane"], state["unassigned_letters"]) == (2, 2, 1)
    assert state["oldest_letter"] == arrived.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert "2 with letters waiting, up to 2 in one; letters in none yet: 1" in told
    assert "the oldest letter waits for 5 min" in told


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
