"""Games from before there were salts: their archives are read by the rule of then, and one that runs goes on.

``old/format-2.tar.xz`` is an archive, ``old/ledger-0014.sqlite.xz`` a ledger in the middle of the second turn, of the game of
Count that `tests.desk.world` makes, as the last version without salts wrote them.
"""

import json
import lzma
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbmd.archive.entries import read_entries
from pbmd.desk.acts.gm import abandon
from pbmd.desk.keeping.adopt import adopt_finished
from pbmd.ledger.database import migrate, sqlite_url
from pbmd.ledger.tables import StepRecord
from tests.archive.made import export, forge, verified
from tests.archive.samples import unpack
from tests.deploy.test_verify_dice import verify as verify_dice
from tests.desk.world import NAMES, World, body_of

OLD = Path(__file__).parent / "old"
DAYS = timedelta(days=4)
OF_THE_DICE = ("dice.json", "journal.jsonl", "resolution.toml", "after.toml", "position.toml")


def about_dice(archive: Path) -> list[str]:
    """What is wrong with what the dice and the rules make; pages and pictures may come out otherwise after a change of them."""
    return [str(problem) for problem in verified(archive).problems if problem.file.endswith(OF_THE_DICE)]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return unpack(OLD / "format-2.tar.xz", tmp_path)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[World]:
    """All have sent orders for the second turn, and the host has taken the new version."""
    world = World(tmp_path)
    world.desk.engine.dispose()
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(lzma.decompress((OLD / "ledger-0014.sqlite.xz").read_bytes()))
    migrate(sqlite_url(path))
    world.now, world.uid = datetime(2026, 11, 24, 12, 6, tzinfo=UTC), 100
    with closing(world):
        yield world


def test_an_archive_of_then_is_sound_and_its_dice_are_proved(archive: Path) -> None:
    assert "format = 2\n" in (archive / "data" / "game.toml").read_text()
    assert about_dice(archive) == []
    code, told = verify_dice(archive)
    assert (code, told.endswith(": all as they must be\n")) == (0, True), told


def test_other_orders_in_it_are_found(archive: Path) -> None:
    path = archive / "data" / "turns" / "001" / "dice.json"
    document = json.loads(path.read_text())
    document["sheets"].reverse()
    path.write_text(json.dumps(document))
    assert any("dice.json" in problem for problem in about_dice(archive))
    assert verify_dice(archive)[0] == 1


def test_nobody_can_bring_salts_into_it(archive: Path) -> None:
    def change(entries: list[dict[str, object]]) -> None:
        entry = next(entry for entry in entries if entry["kind"] == "resolved")
        assert isinstance(entry["secret"], dict)
        entry["secret"]["salts"] = "ab" * 32

    forge(archive, change)
    assert any("the secret of the salts" in problem for problem in about_dice(archive))


def test_a_game_that_ran_then_goes_on_with_salts_from_its_next_step(running: World, tmp_path: Path) -> None:
    running.pass_time()
    for seat in NAMES:
        running.send(seat, "Add 4")
        running.now += timedelta(minutes=1)
    running.pass_time(DAYS)
    records: list[StepRecord] = running.rows(StepRecord)
    assert [(record.turn, record.salts is None) for record in records] == [(1, True), (2, True), (3, False)]
    reports = [body_of(mail) for mail in running.outbox("report", "Altair")]
    assert ["Your salt for the dice of" in report for report in reports] == [False, False, True, True]
    folder = export(running, tmp_path / "archive")
    assert "format = 3\n" in (folder / "data" / "game.toml").read_text()
    assert verified(folder).problems == []
    code, told = verify_dice(folder)
    assert (code, told.count("; rolled d6:")) == (0, 3), told


def test_one_that_ran_then_can_be_ended_and_taken_over_elsewhere(running: World, tmp_path: Path) -> None:
    running.pass_time()
    running.act("galaxy-7", abandon, "")
    folder = export(running, tmp_path / "archive")
    assert verified(folder).problems == []
    (tmp_path / "elsewhere").mkdir()
    with closing(World(tmp_path / "elsewhere")) as other:
        with other.work() as work:
            adopt_finished(work, lambda: read_entries(folder / "data" / "journal.jsonl"))
        again = export(other, tmp_path / "again")
        assert verified(again).problems == []
        for turn in ("000", "001", "002"):
            path = Path("data") / "turns" / turn / "dice.json"
            assert (again / path).read_bytes() == (folder / path).read_bytes()
