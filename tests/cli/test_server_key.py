"""The key of the server is lost, empty, damaged or another: which it is, where its copy lies, and what leads back."""

import json
import shlex
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.daemon.installation import only_one
from pbmd.desk.books.server_key import KEY
from pbmd.ledger.database import migrate, sqlite_url
from tests.deploy.test_verify_dice import SETTINGS
from tests.desk.world import World, body_of


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A game in turn 1, with a backup."""
    (tmp_path / "a home").mkdir()
    world = World(tmp_path / "a home")
    (world.folder / "pbmd.toml").write_text(SETTINGS)
    (world.folder / KEY).write_bytes(world.desk.key)
    world.start(ruleset="count", options={"target": 1000}, reminders=())
    assert run(world, "backup").exit_code == 0
    yield world
    world.close()


def run(world: World, *arguments: str) -> Result:
    world.desk.engine.dispose()
    return CliRunner().invoke(app, [*arguments, "--settings", str(world.folder / "pbmd.toml")])


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "lost": (Path.unlink, "is missing"),
    "empty": (lambda path: path.write_bytes(b""), "is empty"),
    "cut short": (lambda path: path.write_bytes(path.read_bytes()[:12]), "is damaged (12 bytes, not 32)"),
    "another": (lambda path: path.write_bytes(b"z" * 32), "is not the key of this ledger"),
}


@pytest.mark.parametrize(("damage", "told"), DAMAGES.values(), ids=DAMAGES.keys())
class TestAKeyThatIsNotThatOfTheLedger:
    def test_comes_back_by_the_one_command_that_is_told(
        self, world: World, damage: Callable[[Path], object], told: str
    ) -> None:
        damage(world.folder / KEY)
        done = run(world, "status")
        assert (done.exit_code, done.stdout) == (1, "")
        assert f"{world.folder / KEY} {told}, and all tokens in mails come from it: cp -p " in done.stderr
        subprocess.run(shlex.split(done.stderr[done.stderr.index("cp -p ") :]), check=True)
        assert run(world, "status").exit_code == 0
        assert (world.folder / KEY).read_bytes() == world.desk.key

    def test_is_told_by_check_with_the_same_command(self, world: World, damage: Callable[[Path], object], told: str) -> None:
        damage(world.folder / KEY)
        [check] = [each for each in json.loads(run(world, "check", "--json").stdout)["checks"] if each["name"] == KEY]
        assert (check["ok"], told in check["detail"], check["mend"].startswith("cp -p ")) == (False, True, True)

    def test_is_not_made_anew_while_there_is_a_copy(self, world: World, damage: Callable[[Path], object], told: str) -> None:
        damage(world.folder / KEY)
        done = run(world, "key", "--new")
        assert (done.exit_code, done.stdout) == (2, "")
        assert "the key is not lost: cp -p " in done.stderr
        assert told

    def test_comes_back_with_a_backup(self, world: World, damage: Callable[[Path], object], told: str) -> None:
        damage(world.folder / KEY)
        [backup] = (world.folder / "backups").glob("*.sqlite")
        done = run(world, "restore", str(backup))
        assert f"{world.folder / KEY} was put back, too" in done.stdout, (told, done.output)
        assert (world.folder / KEY).read_bytes() == world.desk.key


@pytest.mark.parametrize("damage", [damage for damage, _ in DAMAGES.values()], ids=DAMAGES)
class TestAKeyOfWhichThereIsNoCopy:
    @pytest.fixture(autouse=True)
    def _no_copy(self, world: World, damage: Callable[[Path], object]) -> None:
        damage(world.folder / "backups" / KEY)
        damage(world.folder / KEY)

    def test_is_not_made_unasked(self, world: World) -> None:
        before = (world.folder / KEY).exists()
        done = run(world, "status")
        assert done.exit_code == 1
        assert "If it is nowhere: pbmd key --new makes another and tells all players" in done.stderr
        assert f"copy {KEY} from beside any backup to {world.folder / KEY}" in done.stderr
        assert (world.folder / KEY).exists() == before

    def test_is_made_by_one_command_that_tells_everybody(self, world: World) -> None:
        was_there = (world.folder / KEY).exists()
        known = {mail.key for mail in world.outbox()}
        done = run(world, "key", "--new")
        assert (done.exit_code, done.stderr) == (0, ""), done.output
        aside = list(world.folder.glob(f"{KEY}-replaced-*"))
        assert len(aside) == was_there
        assert all(str(path) in done.stdout for path in aside)
        new = [mail for mail in world.outbox() if mail.key not in known]
        players = [mail for mail in new if "The key by which this server knows your replies" in " ".join(body_of(mail).split())]
        assert {mail.recipient for mail in players} == {
            f"{name.lower()}@players.test" for name in ("Altair", "Borealis", "Cygnus")
        }
        assert [mail.recipient for mail in new if mail not in players] == ["gm@pbmd.test"]
        assert [line.what for line in world.log("server-key")] == ["server-key"]
        assert run(world, "status").exit_code == 0
        assert run(world, "key", "--new").exit_code == 2

    def test_has_replies_to_the_new_mail_count_and_those_to_an_old_one_asked_about(self, world: World) -> None:
        [old, *_] = world.outbox("report", "Altair")
        assert run(world, "key", "--new").exit_code == 0
        world.desk = replace(world.desk, key=(world.folder / KEY).read_bytes())
        new = world.outbox("notice", "Altair")[-1]
        world.reply(old, "Add 7")
        assert (world.sheet("Altair"), len(world.questions("altair@players.test"))) == (None, 1)
        world.reply(new, "Add 8")
        assert world.sheet("Altair") == ["Add 8"]

    def test_is_asked_for_by_a_restore(self, world: World) -> None:
        [backup] = (world.folder / "backups").glob("*.sqlite")
        before = (world.folder / "ledger.sqlite").read_bytes()
        done = run(world, "restore", str(backup))
        assert (done.exit_code, done.stdout) == (2, "")
        assert "nothing was changed. If it is lost: --force goes on with a new one" in done.stderr
        assert (world.folder / "ledger.sqlite").read_bytes() == before
        done = run(world, "restore", str(backup), "--force")
        assert f"{world.folder / KEY} is a new one" in done.stdout, done.output
        assert world.log("server-key")
        assert run(world, "status").exit_code == 0


def test_one_that_is_whole_is_not_replaced(world: World) -> None:
    done = run(world, "key", "--new")
    assert (done.exit_code, "is whole, and the key of this ledger" in done.stderr) == (2, True)
    assert (world.folder / KEY).read_bytes() == world.desk.key


def test_none_is_made_while_a_daemon_runs(world: World) -> None:
    (world.folder / KEY).unlink()
    (world.folder / "backups" / KEY).unlink()
    with only_one(world.folder):
        done = run(world, "key", "--new")
    assert (done.exit_code, "stop it first" in done.stderr) == (3, True)
    assert not (world.folder / KEY).exists()


def test_a_ledger_of_before_takes_the_key_that_is_there_and_makes_none_where_it_is_lost(world: World) -> None:
    """Until 1.0 a ledger in a file did not know which key is its own."""
    assert run(world, "status").exit_code == 0
    with world.desk.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM serverkey")
    key = (world.folder / KEY).read_bytes()
    (world.folder / KEY).unlink()
    (world.folder / "backups" / KEY).unlink()
    assert "is missing" in run(world, "status").stderr
    (world.folder / KEY).write_bytes(key)
    assert run(world, "status").exit_code == 0
    (world.folder / KEY).write_bytes(b"z" * 32)
    assert "is not the key of this ledger" in run(world, "status").stderr


def test_a_ledger_in_which_nobody_plays_gets_one(tmp_path: Path) -> None:
    (tmp_path / "pbmd.toml").write_text(SETTINGS)
    migrate(sqlite_url(tmp_path / "ledger.sqlite"))
    done = CliRunner().invoke(app, ["status", "--settings", str(tmp_path / "pbmd.toml")])
    assert (done.exit_code, len((tmp_path / KEY).read_bytes())) == (0, 32), done.output
