"""Files that must last are on the disk, whole, before they have their names; and nothing but `pbmd.files` sees to that."""

import ast
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmd.archive.write.bag import written_aside
from pbmd.archive.write.pack import packed_at_the_end
from pbmd.cli import app
from pbmd.daemon.installation import only_one
from pbmd.desk.books.desk import open_desk
from pbmd.desk.books.installation import installation_of
from pbmd.desk.books.server_key import replace_key
from pbmd.desk.upkeep.backups import make_backup
from pbmd.desk.upkeep.daily_look import look_daily
from pbmd.desk.upkeep.damaged import Known, note
from pbmd.desk.upkeep.restore import Difference, made_ready, put_back, put_key_back
from pbmd.files import keep_file, keep_in_place, write_file
from pbmd.ledger.backup import backups_in
from pbmd.pages.maps import _draw
from pbmd.post.outage import Refusals
from tests.desk.world import World, settings_in

ROOT = Path(__file__).resolve().parents[1]
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@dataclass
class Disk:
    """What would be there after a power cut: of each inode how many bytes were in it when it was last synced, and the names of
    a folder at that moment, each with its inode."""

    bytes: dict[int, int] = field(default_factory=dict[int, int])
    names: dict[int, dict[str, int]] = field(default_factory=dict[int, dict[str, int]])

    def sync(self, handle: int) -> None:
        about = os.fstat(handle)
        if os.path.isdir(f"/proc/self/fd/{handle}"):
            with os.scandir(f"/proc/self/fd/{handle}") as items:
                self.names[about.st_ino] = {item.name: item.inode() for item in items}
        else:
            self.bytes[about.st_ino] = about.st_size

    def must_have(self, path: Path) -> None:
        """The file, or all files in the folder, as they are now."""
        for each in (path, *path.rglob("*")) if path.is_dir() else (path,):
            inode = each.stat().st_ino
            if each.is_file():
                assert each.stat().st_size > 0
                assert self.bytes.get(inode) == each.stat().st_size, f"{each} was not on the disk"
            assert self.names.get(each.parent.stat().st_ino, {}).get(each.name) == inode, f"the name {each} was not on the disk"


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    seen = Disk()
    monkeypatch.setattr(os, "fsync", seen.sync)
    return seen


def _key(folder: Path) -> Iterator[Path]:
    open_desk(settings_in(folder)).engine.dispose()
    yield folder / "server.key"


def _new_key(folder: Path) -> Iterator[Path]:
    desk = open_desk(settings_in(folder))
    with desk.engine.begin() as connection:
        aside = replace_key(desk.settings, connection)
    desk.engine.dispose()
    assert aside is not None
    yield from (aside, folder / "server.key")


def _backup(folder: Path) -> Iterator[Path]:
    desk = open_desk(settings_in(folder))
    made = make_backup(desk, folder / "backups", 0)
    desk.engine.dispose()
    yield from (made.path, folder / "backups" / "server.key")


def _restored(folder: Path) -> Iterator[Path]:
    desk = open_desk(settings_in(folder))
    made = make_backup(desk, folder / "backups", 0)
    desk.engine.dispose()
    (folder / "server.key").unlink()
    with made_ready(desk.settings, made.path, Difference(readable=True), lambda _done, _all: None) as fresh:
        told, is_new = put_key_back(desk.settings, made.path, fresh, force=False)
        aside = put_back(desk.settings, fresh, NOW)
    assert (told.endswith("was put back, too"), is_new, aside is not None) == (True, False, True)
    yield from (folder / "ledger.sqlite", folder / "server.key")


def _looks(folder: Path) -> Iterator[Path]:
    desk = open_desk(settings_in(folder))
    look_daily(desk)
    note(desk.settings, Known(found="a page"))
    desk.engine.dispose()
    yield from (folder / "ledger-looked-at", folder / "ledger-damaged.json")


def _refusals(folder: Path) -> Iterator[Path]:
    Refusals(folder / "refused").note(NOW)
    yield folder / "refused"


def _name(folder: Path) -> Iterator[Path]:
    name = installation_of(folder)
    with only_one(folder) as known:
        assert known == name
    yield folder / "pbmd.lock"


def _settings(folder: Path) -> Iterator[Path]:
    done = CliRunner().invoke(app, ["init", str(folder / "games")])
    assert done.exit_code == 0, done.output
    yield from sorted(path for path in (folder / "games").iterdir() if path.is_file())


def _archive(folder: Path) -> Iterator[Path]:
    for force in (False, True):
        with written_aside(folder / "archive", force=force) as aside:
            (aside / "game.toml").write_text("x" * 10)
            (aside / "journal.jsonl").write_text("y" * 10)
            (aside / "turns").mkdir()
            (aside / "turns" / "1.toml").write_text("z" * 100)
        yield folder / "archive"
    with packed_at_the_end(folder / "a.tar.xz", force=False, for_all=True) as inside:
        inside.mkdir()
        (inside / "game.toml").write_text("x" * 10_000)
    yield folder / "a.tar.xz"


def _book(folder: Path) -> Iterator[Path]:
    sample = ROOT / "data" / "samples" / "archives" / "societies.tar.xz"
    done = CliRunner().invoke(app, ["export", str(sample), "--zine", "1", "--to", str(folder / "zine.epub")])
    assert done.exit_code == 0, done.output
    yield folder / "zine.epub"


def _map(folder: Path) -> Iterator[Path]:
    yield folder / _draw(folder, "<svg/>")


WRITERS: dict[str, Callable[[Path], Iterator[Path]]] = {
    "the key": _key,
    "a new key, and the old one aside": _new_key,
    "a backup, and the key beside it": _backup,
    "what a restore puts back": _restored,
    "what is noted of the ledger": _looks,
    "refused logins": _refusals,
    "the name of the installation": _name,
    "what pbmd init writes": _settings,
    "an archive, as a folder and packed": _archive,
    "a book": _book,
    "a map that is drawn once": _map,
}


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS.keys())
def test_what_must_last_is_whole_on_the_disk_when_it_is_synced(
    writer: Callable[[Path], Iterator[Path]], tmp_path: Path, disk: Disk
) -> None:
    written = 0
    for path in writer(tmp_path):
        disk.must_have(path)
        written += 1
    assert written
    assert not [path for path in tmp_path.rglob(".*") if path.is_file()], "nothing is left aside"


def test_a_file_that_is_synced_before_it_is_written_is_found(tmp_path: Path, disk: Disk) -> None:
    with (tmp_path / "key").open("wb") as file:
        file.write(b"k" * 32)
        os.fsync(file.fileno())
    with pytest.raises(AssertionError, match="was not on the disk"):
        disk.must_have(tmp_path / "key")


class TestKeeping:
    def test_leaves_the_old_file_where_the_disk_is_full(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        keep_file(tmp_path / "note", b"old")

        def full(_handle: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match=f"No space left on device: '{tmp_path}/note'"):
            keep_file(tmp_path / "note", b"new")
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"note": b"old"}

    def test_of_a_new_file_leaves_one_alone_that_is_there(self, tmp_path: Path) -> None:
        keep_file(tmp_path / "note", b"old", is_new=True)
        with pytest.raises(FileExistsError, match=f"'{tmp_path}/note'$"):
            keep_file(tmp_path / "note", b"new", is_new=True)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"note": b"old"}

    def test_gives_the_rights_that_are_asked_for(self, tmp_path: Path) -> None:
        before = os.umask(0o022)
        try:
            keep_file(tmp_path / "secret", b"x")
            keep_file(tmp_path / "public", b"x", 0o666)
        finally:
            os.umask(before)
        assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("secret", "public")] == [0o600, 0o644]

    def test_syncs_the_content_before_the_name(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        seen = list[tuple[bool, bool]]()
        monkeypatch.setattr(
            os, "fsync", lambda handle: seen.append((os.path.isdir(f"/proc/self/fd/{handle}"), (tmp_path / "to").exists()))
        )
        (tmp_path / "aside").write_bytes(b"x")
        keep_in_place(tmp_path / "aside", tmp_path / "to")
        assert seen == [(False, False), (True, True)]

    def test_what_can_be_made_anew_is_not_waited_for(self, tmp_path: Path, disk: Disk) -> None:
        assert write_file(tmp_path / "page.html", "page")
        assert (disk.bytes, disk.names) == ({}, {})


WRITE_THEMSELVES = {
    "pbmd/archive/format/packed.py": "what is unpacked to be looked at, into a folder that is gone afterwards",
    "pbmd/archive/format/source.py": "the rules of an archive, into a folder that is gone afterwards",
    "pbmd/archive/verify/derived.py": "links into a folder that is gone afterwards",
    "pbmd/archive/write/bag.py": "an archive, aside: the folder gets its place by `keep_in_place`",
    "pbmd/archive/write/export.py": "the same",
    "pbmd/archive/write/pack.py": "an archive, packed aside",
    "pbmd/archive/write/search.py": "an archive, aside",
    "pbmd/archive/write/signed_heads.py": "an archive, aside",
    "pbmd/archive/write/site.py": "an archive, aside",
    "pbmd/archive/evidence/mailbox.py": "what is in a zip, aside, to be read once",
    "pbmd/archive/write/writing.py": "an archive, aside",
    "pbmd/book/epub.py": "a book, in memory",
    "pbmd/cli/adjudicate.py": "a position that the same command makes again, also to /dev/stdout",
    "pbmd/cli/__init__.py": "/dev/null",
    "pbmd/cli/map.py": "a picture that the same command makes again",
    "pbmd/cli/new_ruleset.py": "a folder that the same command makes again",
    "pbmd/cli/try_.py": "findings that the same command makes again",
    "pbmd/daemon/set_aside.py": "opened, to be locked",
    "pbmd/demo/game.py": "settings of a demo, which begins anew each time",
    "pbmd/desk/books/installation.py": "opened, to be locked; written by `keep_line`",
    "pbmd/desk/upkeep/restore.py": "the replaced ledger gets a second name, and `put_back` keeps the names of that folder",
    "pbmd/play/game.py": "a saved game, in memory: `keep_file` writes it",
    "pbmd/play/local_desk.py": "a ledger in a folder that is gone afterwards",
    "pbmd/ledger/backup.py": "a copy, aside: SQLite writes it",
    "pbmd/ledger/log_file.py": "lines of the log, which are in the ledger: those that a power cut has taken are appended again",
    "pbmd/archive/verify/replay_worker.py": "/dev/null",
}
"""Who opens files for writing, or gives them names, without `pbmd.files`, and why that may be."""
_WRITING = {
    "copy2", "copyfile", "copytree", "fdatasync", "fsync", "hardlink_to", "mkstemp", "pwrite", "rename", "symlink_to",
    "truncate", "write_bytes", "write_text",
}  # fmt: skip


def _writes(tree: ast.AST) -> bool:
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        said = [each.value for each in [*call.args, *(word.value for word in call.keywords)] if isinstance(each, ast.Constant)]
        modes = {each for each in said if isinstance(each, str)}
        of = call.func.value.id if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) else ""
        if name in _WRITING or (of, name) in (("os", "link"), ("os", "replace"), ("shutil", "move")):
            return True
        if name in ("open", "ZipFile", "fdopen") and any(set(mode[:2]) & set("wax+") and len(mode) < 5 for mode in modes):
            return True
        if any(isinstance(each, ast.Attribute) and each.attr in ("O_WRONLY", "O_RDWR") for each in ast.walk(call)):
            return True
    return False


def test_nobody_else_writes_what_must_last() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "pbmd").rglob("*.py"))
        if path != ROOT / "pbmd" / "files.py" and _writes(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == set(WRITE_THEMSELVES)


def test_nobody_else_syncs_anything() -> None:
    callers = {
        str(path.relative_to(ROOT)) for path in (ROOT / "pbmd").rglob("*.py") if "sync(" in path.read_text(encoding="utf-8")
        and any(name in path.read_text(encoding="utf-8") for name in ("fsync", "fdatasync", "os.sync"))
    }  # fmt: skip
    assert callers == {"pbmd/files.py"}


def test_a_ledger_that_is_whole_after_a_power_cut_has_its_key(tmp_path: Path, disk: Disk) -> None:
    """The key is on the disk before the ledger knows it."""
    world = World(tmp_path)
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as ledger:
        assert ledger.execute("SELECT count(*) FROM serverkey").fetchone() == (0,)
    open_desk(world.desk.settings).engine.dispose()
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as ledger:
        assert ledger.execute("SELECT count(*) FROM serverkey").fetchone() == (1,)
    disk.must_have(tmp_path / "server.key")
    assert backups_in(tmp_path) == []
    world.close()
