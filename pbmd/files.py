"""Files that appear complete or not at all, and that only readers of their folder can read.

What must survive a power cut goes through `keep_in_place`: the content is on the disk before the file has its name, and the
name is on the disk when the call returns. What can be made again is only replaced (`write_file`).
"""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path


def keep_file(path: Path, content: bytes, rights: int = 0o600, *, is_new: bool = False) -> None:
    """Make this the content of the file, on the disk, with these permissions as far as the umask allows. A crash leaves the old
    file or the new one. Raises `OSError`: `FileExistsError` if it `is_new` and there is one."""
    with _written_aside(path, content, rights) as aside:
        keep_in_place(aside, path, is_new=is_new)


def keep_in_place(aside: Path, to: Path, *, is_new: bool = False) -> None:
    """Rename a complete file or folder to this name beside it, and have all of it on the disk, the name last. What was there is
    replaced: a file, or an empty folder. Raises `OSError`: `FileExistsError` if it `is_new` and there is something."""
    for path in (*aside.rglob("*"), aside) if aside.is_dir() else (aside,):
        _sync(path)
    if is_new:
        os.link(aside, to)
        aside.unlink()
    else:
        aside.replace(to)
    keep_names(to.parent)


def keep_content(path: Path) -> None:
    """Make sure that what was written into a file, by whomever, is on the disk. Raises `OSError`."""
    _sync(path)


def keep_content_of_locked(path: Path) -> None:
    """The same for a file on which this process may have locks, as SQLite has on a ledger: they would be lost if the file were
    closed, so it stays open. Raises `OSError`."""
    found = path.stat()
    place = found.st_dev, found.st_ino
    if place not in _KEPT_OPEN:
        _KEPT_OPEN[place] = os.open(path, os.O_RDONLY)
    os.fsync(_KEPT_OPEN[place])


_KEPT_OPEN: dict[tuple[int, int], int] = {}
"""Files that are not closed, by their place on the disk, which no other file gets meanwhile."""


def keep_names(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk. Raises `OSError`."""
    _sync(folder)


def keep_line(file: FileIO, line: bytes) -> None:
    """Overwrite the beginning of an open file that others have a lock on, so that it cannot be replaced: one write, of a fixed
    length, leaves the old line or the new one. Raises `OSError`."""
    os.pwrite(file.fileno(), line, 0)
    os.fsync(file.fileno())


def write_file(path: Path, text: str, *, lasting: bool = False) -> bool:
    """Write the text, unless it is there already; returns whether it was not. Simultaneous readers get the old file or the new
    one. The file and folders created for it have the permissions of the folder above. Unless it is `lasting`, this does not
    wait until it is on the disk: for files that are made again when the machine has started. Raises `OSError`."""
    content = text.encode()
    try:
        if path.read_bytes() == content:
            return False
    except FileNotFoundError:
        _make(path.parent)
    with _written_aside(path, content, _rights(path.parent) & 0o666) as aside:
        if lasting:
            keep_in_place(aside, path)
        else:
            aside.replace(path)
    return True


@contextmanager
def _written_aside(path: Path, content: bytes, rights: int) -> Generator[Path]:
    """A file with that content beside the one that it will become; deleted afterwards, unless it has been renamed by then."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    # The folder may be everybody's, and an earlier process with that number may have been killed.
    aside.unlink(missing_ok=True)
    try:
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, rights), "wb") as file:
            file.write(content)
        yield aside
    except OSError as problem:
        # With the name that the caller knows.
        raise OSError(problem.errno, problem.strerror, str(path)) from problem
    finally:
        aside.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _make(folder: Path) -> None:
    if not folder.exists():
        _make(folder.parent)
        folder.mkdir(mode=_rights(folder.parent), exist_ok=True)


def _rights(folder: Path) -> int:
    return folder.stat().st_mode & 0o777


@contextmanager
def only_one_writer(folder: Path, *, private: bool) -> Generator[None]:
    """One process at a time writes into the folder, which is created when needed. Nobody else can look into a `private` one;
    otherwise the umask decides, or whoever changed its permissions."""
    folder.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
    if private and _rights(folder) != 0o700:
        folder.chmod(0o700)
    with one_at_a_time(folder):
        yield


@contextmanager
def one_at_a_time(folder: Path) -> Generator[None]:
    """A writer into the folder waits for any other, thread or process."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
