"""Opening the desk: what it makes in the data folder is for its owner only."""

import grp
import os
from collections.abc import Iterator
from pathlib import Path
from shutil import copy2
from stat import S_IMODE

import pytest

from pbmd.desk.books.desk import Desk, open_desk
from pbmd.desk.step.game_transaction import changing_games
from pbmd.desk.upkeep.backups import make_backup
from pbmd.desk.upkeep.privacy import exposed
from tests.desk.world import settings_in


@pytest.fixture(autouse=True)
def careless_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def opened(folder: Path) -> Desk:
    return open_desk(settings_in(folder))


def test_nobody_else_can_read_what_pbmd_keeps(tmp_path: Path) -> None:
    desk = opened(tmp_path / "data")
    with changing_games(desk) as work:
        work.log("running")
        work.write()
        modes = {path.name: oct(S_IMODE(path.stat().st_mode)) for path in desk.settings.data.iterdir()}
    desk.engine.dispose()
    assert oct(S_IMODE(desk.settings.data.stat().st_mode)) == "0o700"
    kept = ("ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "server.key", "dashboard.log", "dashboard.jsonl")
    assert modes == dict.fromkeys(kept, "0o600")
    assert exposed(desk.settings) == []


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    opened(folder).engine.dispose()
    assert oct(S_IMODE(folder.stat().st_mode)) == "0o755"
    assert exposed(settings_in(folder)) == []


def test_the_log_can_be_read_by_whom_the_folder_lets_in(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    opened(folder).engine.dispose()
    (folder / "dashboard.log").chmod(0o644)
    group = grp.getgrgid((folder / "dashboard.log").stat().st_gid).gr_name
    told = {
        0o755: ["everybody on this machine"],
        0o701: ["everybody on this machine"],
        0o750: [f"the group {group}"],
        0o700: [],
    }
    for mode, readers in told.items():
        folder.chmod(mode)
        assert [each.readers for each in exposed(settings_in(folder))] == readers


def test_the_umask_of_the_process_comes_back(tmp_path: Path) -> None:
    opened(tmp_path / "data").engine.dispose()
    assert os.umask(0o022) == 0o022


def test_a_key_that_is_lost_is_not_made_anew_where_there_is_a_copy(tmp_path: Path) -> None:
    desk = opened(tmp_path)
    make_backup(desk, tmp_path / "backups", keep=1)
    desk.engine.dispose()
    (tmp_path / "server.key").unlink()
    with pytest.raises(OSError, match=r"cp -p .*/backups/server.key .*/server.key"):
        opened(tmp_path)
    assert not (tmp_path / "server.key").exists()
    copy2(tmp_path / "backups" / "server.key", tmp_path / "server.key")
    again = opened(tmp_path)
    again.engine.dispose()
    assert again.key == desk.key
