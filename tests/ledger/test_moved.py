"""A ledger that is moved away while pbmd uses it is an outage and no more: none is made in its place, and nothing is lost."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from pbmd.desk.books.desk import open_desk
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.database import Turns, open_engine, sqlite_url
from pbmd.ledger.tables import LogLine
from tests.desk.world import World
from tests.postgresql import about_files

pytestmark = about_files


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with closing(World(tmp_path)) as world:
        note(world, "before")
        yield world


def note(world: World, words: str) -> None:
    with Transaction(world.desk) as work:
        work.log("running", detail=words)


def noted(world: World) -> list[str]:
    return [line.detail for line in world.rows(LogLine) if line.what == "running"]


def test_nothing_is_made_in_the_place_of_a_ledger_that_is_not_there(world: World) -> None:
    ledger = world.folder / "ledger.sqlite"
    ledger.rename(away := world.folder / "away")
    for _ in range(3):
        with pytest.raises(OperationalError, match=r"is not there|unable to open"):
            note(world, "meanwhile")
        with pytest.raises(OperationalError):
            noted(world)
    assert not ledger.exists()
    away.rename(ledger)
    note(world, "after")
    assert noted(world) == ["before", "after"]


def test_what_is_being_written_when_it_is_moved_is_refused_and_can_be_done_again(world: World) -> None:
    ledger, away = world.folder / "ledger.sqlite", world.folder / "away"
    with pytest.raises(OperationalError, match="is not there"), Transaction(world.desk) as work:  # noqa: PT012
        work.log("running", detail="meanwhile")
        ledger.rename(away)
    shutil.copy(away, ledger)
    note(world, "after")
    assert noted(world) == ["before", "after"]


def test_the_turn_of_a_writer_whose_commit_was_refused_is_over(tmp_path: Path, world: World) -> None:
    """Else whoever writes next would wait for it in vain, each time."""
    turns, ledger = Turns(), world.folder / "ledger.sqlite"
    with closing(open_engine(sqlite_url(ledger), turns).connect()) as connection:
        connection.begin()
        ledger.rename(tmp_path / "away")
        with pytest.raises(OperationalError, match="is not there"):
            connection.commit()
    assert turns.take(0)


def note_until_it_can_be(world: World, words: str) -> None:
    """A connection that still has the file open which was moved is given up at the first try."""
    with pytest.raises(OperationalError, match="is another file by now"):
        note(world, words)
    note(world, words)


def test_another_file_in_its_place_is_what_is_written_from_then_on(world: World) -> None:
    ledger = world.folder / "ledger.sqlite"
    world.desk.engine.dispose()
    shutil.copy(ledger, copy := world.folder / "copy")
    assert noted(world) == ["before"]
    copy.replace(ledger)
    note_until_it_can_be(world, "after")
    world.desk.engine.dispose()
    assert noted(world) == ["before", "after"]


@pytest.mark.parametrize("sign", ["ledger.sqlite-wal", "dashboard.log"])
def test_a_command_begins_no_other_while_it_is_away(tmp_path: Path, sign: str) -> None:
    with closing(World(tmp_path)) as world:
        settings = world.desk.settings
    (tmp_path / "ledger.sqlite").unlink()
    (tmp_path / sign).write_bytes(b"some")
    with pytest.raises(DamagedLedger, match=f"is gone, and there was one: .*{sign}"):
        open_desk(settings)
    assert not (tmp_path / "ledger.sqlite").exists()
