"""`pbmd backup` and `pbmd restore`: whole copies of a ledger in use, and the way back to one."""

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import Result
from sqlmodel import select
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.daemon.installation import only_one
from pbmd.desk.upkeep.backups import back_up_if_due
from pbmd.ledger.backup import back_up, backups_in, is_due, look_at, rotate
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.database import migrate, sqlite_url
from pbmd.ledger.tables import Outbox, OutboxState, Seat
from pbmd.rules.dice import commitment
from tests.deploy.test_verify_dice import SETTINGS
from tests.desk.world import World, body_of, message_of, text_of
from tests.ledger.migrations import HEAD, LATER, be_newer

DAYS = timedelta(days=4)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A game in turn 1; Altair has sent orders."""
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    (world.folder / "pbmd.toml").write_text(SETTINGS.replace('user = "games"', 'port = 1, processed = "leave", user = "games"'))
    (world.folder / "server.key").write_bytes(world.desk.key)
    world.start(ruleset="count", options={"target": 1000}, reminders=())
    world.send("Altair", "Add 7")
    yield world
    world.close()


def run(world: World, *arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--settings", str(world.folder / "pbmd.toml")])


def backup(world: World, *more: str) -> Path:
    done = run(world, "backup", "--json", *more)
    assert done.exit_code == 0, (done.output, done.exception)
    return Path(json.loads(done.stdout)["path"])


def restored(world: World, file: Path, *more: str) -> Result:
    world.desk.engine.dispose()
    return run(world, "restore", str(file), *more)


class TestABackup:
    def test_is_a_whole_ledger_for_its_owner_alone(self, world: World) -> None:
        path = backup(world)
        assert path.parent == world.folder / "backups"
        assert [each.stat().st_mode & 0o077 for each in (path, path.parent, path.with_name("server.key"))] == [0, 0, 0]
        assert path.with_name("server.key").read_bytes() == world.desk.key
        assert (look_at(path).games, look_at(path).letters) == (1, 1)
        assert sorted(each.name for each in path.parent.iterdir()) == [path.name, "server.key"]

    def test_is_told_in_words(self, world: World) -> None:
        done = run(world, "backup", "--to", str(world.folder / "elsewhere"))
        assert ": 1 games, 1 letters, less than 1 MB; " in done.stdout
        assert world.log("backup")

    def test_is_consistent_though_somebody_writes_all_the_time(self, tmp_path: Path) -> None:
        path = tmp_path / "ledger.sqlite"
        setup = sqlite3.connect(path, isolation_level=None)
        setup.executescript(
            "PRAGMA journal_mode = WAL; CREATE TABLE alembic_version (version_num TEXT); CREATE TABLE letter (n, filler);"
            "CREATE TABLE game (n); INSERT INTO alembic_version VALUES ('x');"
        )
        setup.execute("BEGIN")
        setup.executemany("INSERT INTO letter VALUES (?, ?)", [(0, "x" * 3000)] * 20_000)
        setup.execute("COMMIT")
        stop, wrote = threading.Event(), []

        def write() -> None:
            other = sqlite3.connect(path, isolation_level=None, timeout=60)
            while not stop.is_set():
                # Both or neither.
                other.executescript("BEGIN IMMEDIATE; INSERT INTO letter VALUES (1, 'y'); INSERT INTO game VALUES (1); COMMIT;")
                wrote.append(1)
            other.close()

        writer = threading.Thread(target=write)
        writer.start()
        seen: list[tuple[int, int]] = []

        def written(count: int) -> None:
            ends = time.monotonic() + 60
            while len(wrote) < count:
                assert time.monotonic() < ends, "the writer has to wait"
                time.sleep(0.001)

        def progress(done: int, of: int) -> None:
            if not seen:
                written(len(wrote) + 2)  # the first of them may have been on its way
            seen.append((done, of))

        try:
            written(3)
            made = back_up(path, tmp_path / "to", NOON, progress)
        finally:
            stop.set()
            writer.join()
            setup.close()
        assert made.letters - 20_000 == made.games > 0
        assert seen == sorted(seen)
        assert seen[-1][0] == seen[-1][1]

    def test_that_is_damaged_is_found(self, world: World) -> None:
        path = backup(world)
        whole = path.read_bytes()
        for damaged in (whole[: len(whole) // 2], b"", b"no ledger", whole[:12288] + bytes(8192) + whole[20480:]):
            path.write_bytes(damaged)
            with pytest.raises(DamagedLedger):
                look_at(path)
            done = restored(world, path)
            assert (done.exit_code, done.stdout) == (1, "")
        assert world.game().chain_number > 0

    def test_leaves_nothing_behind_where_there_is_no_room(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("pbmd.ledger.backup.os.fsync", full)
        assert run(world, "backup").exit_code == 1
        assert list((world.folder / "backups").iterdir()) == []


class TestRotation:
    def test_keeps_the_last_ones_and_all_that_is_no_backup(self, tmp_path: Path) -> None:
        for day in range(1, 6):
            (tmp_path / f"ledger-2026110{day}T120000Z.sqlite").touch()
        for name in ("ledger-mine.sqlite", "notes.txt", "ledger-20261301T120000Z.sqlite"):
            (tmp_path / name).touch()
        assert len(rotate(tmp_path, 0)) == 0
        assert [path.name[7:15] for path in rotate(tmp_path, 2)] == ["20261101", "20261102", "20261103"]
        assert [path.name[7:15] for path in backups_in(tmp_path)] == ["20261104", "20261105"]
        assert len(list(tmp_path.iterdir())) == 5

    def test_is_due_once_a_day(self, tmp_path: Path) -> None:
        assert is_due(tmp_path, NOON, timedelta(days=1))
        (tmp_path / "ledger-20261119T120001Z.sqlite").touch()
        assert not is_due(tmp_path, NOON, timedelta(days=1))
        assert is_due(tmp_path, NOON + timedelta(seconds=1), timedelta(days=1))

    def test_the_daemon_does_it_by_itself(self, world: World) -> None:
        assert not back_up_if_due(world.desk)
        world.settle(backups={"keep": 2})
        for _ in range(5):
            assert (back_up_if_due(world.desk), back_up_if_due(world.desk)) == (True, False)
            world.now += timedelta(days=1)
        assert len(backups_in(world.folder / "backups")) == 2

    def test_that_cannot_be_done_is_told_once_an_hour(self, world: World) -> None:
        world.settle(backups={"keep": 2})
        (world.folder / "backups").write_text("in the way")
        for _ in range(3):
            assert not back_up_if_due(world.desk)
        assert len(world.log("backup-failed")) == 1
        world.now += timedelta(hours=2)
        back_up_if_due(world.desk)
        assert len(world.log("backup-failed")) == 2


class TestRestore:
    def test_goes_back_and_keeps_what_was_there(self, world: World) -> None:
        path = backup(world)
        world.send("Borealis", "Add 9")
        last = world.game()
        done = restored(world, path)
        assert "entries " in done.stdout, done.output
        assert [len(world.submissions()), len(world.letters())] == [1, 1]
        replaced = next(world.folder.glob("ledger-replaced-*.sqlite"))
        assert look_at(replaced).letters == 2
        announced = body_of(world.outbox("notice", "Altair")[-1])
        assert last.chain_head in "".join(announced.split())
        assert world.log("restored")
        assert run(world, "receipt", str(world.submissions()[0].number), "--game", "galaxy-7").exit_code == 0

    def test_promises_the_dice_of_the_open_turn_anew(self, world: World) -> None:
        path = backup(world)
        old = world.game().secret
        done = restored(world, path)
        assert world.game().secret != old, done.output
        told = [text_of(mail) for mail in world.outbox("notice") if mail.key.startswith("restored")]
        assert len(told) == len(world.rows(Seat))
        assert all(commitment(world.game().secret) in each and commitment(old) in each for each in told)
        assert "are promised anew" in (world.folder / "dashboard.log").read_text()

    def test_is_refused_where_reports_have_gone_out_since(self, world: World) -> None:
        path = backup(world)
        world.pass_time(DAYS)
        _sent(world)
        done = restored(world, path)
        assert (done.exit_code, "reports of galaxy-7 have gone out since" in done.stderr) == (2, True)
        assert world.game().step == 1

    def test_by_force_pauses_such_games_and_tells_the_players(self, world: World) -> None:
        path = backup(world)
        world.pass_time(DAYS)
        _sent(world)
        first = world.outbox("report", "Altair")[-1]
        done = restored(world, path, "--force")
        assert "so it is paused" in done.stdout, done.output
        assert (world.game().status, world.game().step) == ("paused", 0)
        assert "restored from a backup" in " ".join(body_of(world.outbox("notice", "Altair")[-1]).split())
        for command in (("resume",), ("resolve", "--yes")):
            done = run(world, *command, "galaxy-7")
            assert done.exit_code == 0, done.output
        again = world.outbox("report", "Altair")[-1]
        happened = [str(message_of(mail)["Subject"]).partition(";")[0] for mail in (first, again)]
        assert happened == ["[pbmd galaxy-7 t2] Turn 1: what happened"] * 2
        assert again.message_id != first.message_id, "a mail program would show only the first"

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ("UPDATE alembic_version SET version_num = '9999'", "not of this version of pbmd, nor of an older one"),
            ("DELETE FROM alembic_version", "cannot be brought up to date for this version of pbmd"),
        ],
    )
    def test_of_a_backup_that_this_pbmd_cannot_use_changes_nothing(self, world: World, change: str, told: str) -> None:
        path = backup(world)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute(change)
        other.close()
        world.send("Borealis", "Add 9")
        world.desk.engine.dispose()
        (world.folder / "server.key").unlink()
        before = {each: each.read_bytes() for each in sorted(world.folder.iterdir()) if each.is_file()}
        done = restored(world, path)
        assert (done.exit_code, done.stdout) == (1, "")
        assert told in done.stderr
        assert "nothing was changed" in done.stderr
        assert {each: each.read_bytes() for each in before} == before
        assert list(world.folder.glob("*restored*")) + list(world.folder.glob(".*restored*")) == []
        assert list(world.folder.glob("server.key")) + list(world.folder.glob("*-replaced-*")) == []

    def test_of_an_older_pbmd_is_brought_up_to_date_before_it_is_the_ledger(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = world.folder / "old.sqlite"
        migrate(sqlite_url(path))
        be_newer(monkeypatch, world.folder)
        ledger, seen = world.folder / "ledger.sqlite", list[str]()
        replace = os.replace

        def replaced(source: Path, target: Path) -> None:
            if target == ledger:
                seen.append(_version(source))
            replace(source, target)

        monkeypatch.setattr("pbmd.desk.upkeep.restore.os.replace", replaced)
        done = restored(world, path)
        assert f"{path} is the ledger now" in done.stdout, done.output
        assert (seen, _version(ledger), _version(path)) == ([LATER], LATER, HEAD)

    def test_that_fails_at_the_end_says_where_the_replaced_ledger_is(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("pbmd.cli.gone_back.tell_players", full)
        done = restored(world, backup(world))
        assert (done.exit_code, done.stdout) == (1, "")
        assert str(next(world.folder.glob("ledger-replaced-*.sqlite"))) in done.stderr

    def test_does_not_send_again_what_has_gone_out(self, world: World) -> None:
        path = backup(world)
        waiting = {mail.key for mail in world.outbox()}
        _sent(world)
        restored(world, path)
        assert {mail.key for mail in world.outbox() if mail.state == "sent"} == waiting

    def test_is_refused_while_a_daemon_runs(self, world: World) -> None:
        path = backup(world)
        with only_one(world.folder):
            done = restored(world, path)
        assert (done.exit_code, "stop it first" in done.stderr) == (3, True)
        assert list(world.folder.glob("ledger-replaced-*")) == []

    def test_works_when_the_ledger_is_destroyed_or_gone(self, world: World) -> None:
        path = backup(world)
        world.desk.engine.dispose()
        for damage in ("destroyed", "gone"):
            if damage == "gone":
                (world.folder / "ledger.sqlite").unlink()
                (world.folder / "server.key").unlink()
            else:
                (world.folder / "ledger.sqlite").write_bytes(b"SQLite format 3\0" + b"\xff" * 9000)
            done = restored(world, path)
            assert "cannot be told" in done.stdout, (damage, done.output)
            assert look_at(world.folder / "ledger.sqlite").letters == 1
        assert (world.folder / "server.key").read_bytes() == world.desk.key

    def test_takes_no_log_of_a_ledger_that_is_gone_for_its_own(self, world: World) -> None:
        """What SQLite has not folded into the ledger stays beside it when somebody deletes that under a running daemon."""
        path, ledger = backup(world), world.folder / "ledger.sqlite"
        writer = sqlite3.connect(ledger, isolation_level=None)
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("UPDATE seat SET holder = 'Nobody'")
        kept = {side: Path(f"{ledger}{side}").read_bytes() for side in ("-wal", "-shm")}
        writer.close()
        world.desk.engine.dispose()
        ledger.unlink()
        for side, content in kept.items():
            Path(f"{ledger}{side}").write_bytes(content)
        restored(world, path)
        with closing(sqlite3.connect(ledger)) as restored_one:
            assert restored_one.execute("SELECT holder FROM seat WHERE holder = 'Nobody'").fetchall() == []

    def test_finds_the_key_beside_the_other_backups(self, world: World) -> None:
        path = backup(world)
        elsewhere = world.folder / "elsewhere" / path.name
        elsewhere.parent.mkdir()
        elsewhere.write_bytes(path.read_bytes())
        (world.folder / "server.key").unlink()
        restored(world, elsewhere)
        assert (world.folder / "server.key").read_bytes() == world.desk.key

    def test_says_what_to_do_if_the_mailbox_cannot_be_asked(self, world: World) -> None:
        path = backup(world)
        done = restored(world, path)
        assert done.exit_code == 1
        assert "move the letters that arrived since" in done.stdout


def _version(path: Path) -> str:
    ledger = sqlite3.connect(path)
    try:
        return ledger.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    finally:
        ledger.close()


def _sent(world: World) -> None:
    """All mails have gone out."""
    with world.work() as work:
        for mail in work.session.exec(select(Outbox)):
            mail.state = OutboxState.SENT
