"""Copies of a SQLite ledger, made while others write to it, and checked from the first page to the last."""

import os
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbmd.files import keep_in_place
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.damage_check import Progress, open_read_only, whole_look

PAGES_AT_ONCE = 2000
_SUFFIX = ".sqlite"
_STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that was made, or checked."""

    path: Path
    bytes: int
    letters: int
    games: int


def back_up(ledger: Path, folder: Path, now: datetime, progress: Progress = lambda _done, _all: None) -> Copy:
    """Copy the ledger into `folder` as ``ledger-20261121T184415Z.sqlite``: as it stood at one instant, complete, on the disk,
    and readable only by its owner. Nobody has to wait for it. Raises `DamagedLedger`, `OSError` and `sqlite3.Error`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return copy_to(ledger, folder / f"ledger-{now.astimezone(UTC).strftime(_STAMP)}{_SUFFIX}", progress)


def copy_to(ledger: Path, to: Path, progress: Progress = lambda _done, _all: None) -> Copy:
    """Copy the ledger to that place: all of it, or nothing. Raises as `back_up` does."""
    handle, name = tempfile.mkstemp(prefix=f".{to.name}.", dir=to.parent)  # 0600
    os.close(handle)
    aside = Path(name)
    try:
        with open_read_only(ledger) as source, closing(sqlite3.connect(aside, isolation_level=None)) as target:
            # With a snapshot of its own the copy need not start again whenever somebody writes.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(target, pages=PAGES_AT_ONCE, progress=lambda _, left, of: progress(of - left, of), sleep=0)
            target.execute("PRAGMA journal_mode = DELETE")  # one file is all of it
        made = look_at(aside, named=ledger)
        keep_in_place(aside, to)
        return Copy(to, made.bytes, made.letters, made.games)
    finally:
        aside.unlink(missing_ok=True)


def look_at(path: Path, named: Path | None = None) -> Copy:
    """Read a ledger from end to end. Errors name `named`, if this is a copy of that. Raises `DamagedLedger` and `OSError`."""
    size = path.stat().st_size
    try:
        whole_look(path)
        with open_read_only(path) as ledger:
            ledger.execute("SELECT version_num FROM alembic_version").fetchone()
            letters, games = (ledger.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("letter", "game"))  # noqa: S608
    except DamagedLedger as problem:
        raise DamagedLedger(f"{named or path} is damaged: {problem}") from None
    except sqlite3.DatabaseError as problem:
        raise DamagedLedger(f"{named or path} is no ledger that can be read: {problem}") from None
    return Copy(path, size, letters, games)


def backups_in(folder: Path) -> list[Path]:
    """The copies that `back_up` has made there, oldest first."""
    return sorted(path for path in folder.glob(f"ledger-????????T??????Z{_SUFFIX}") if made_at(path))


def made_at(path: Path) -> datetime | None:
    """When a copy was made, by its name; None for any other file."""
    try:
        return datetime.strptime(path.name.removeprefix("ledger-").removesuffix(_SUFFIX), _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def is_due(folder: Path, now: datetime, every: timedelta) -> bool:
    """Whether the last copy there is at least that old, or there is none."""
    last = max((made for path in backups_in(folder) if (made := made_at(path)) and made <= now), default=None)
    return last is None or now - last >= every


def rotate(folder: Path, keep: int) -> list[Path]:
    """Delete all but the last `keep` copies, and return the deleted ones. Nothing else in the folder is touched."""
    gone = backups_in(folder)[:-keep] if keep else []
    for path in gone:
        path.unlink()
    return gone
