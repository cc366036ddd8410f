"""Files that are there as a whole or not at all, and that nobody can read who cannot read the folder they stand in."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


def write_file(path: Path, text: str) -> bool:
    """Put the text there, unless it is there already; tells whether it was not. Who reads the file meanwhile gets the old one
    or the new one. It and the folders that are made for it have the rights of the folder above. Raises `OSError`."""
    content = text.encode()
    try:
        if path.read_bytes() == content:
            return False
    except FileNotFoundError:
        _make(path.parent)
    replace_file(path, content, _rights(path.parent) & 0o666)
    return True


def replace_file(path: Path, content: bytes, rights: int = 0o666) -> None:
    """Have that be the content of the file, with these rights as far as the umask leaves them. Raises `OSError`."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    # The folder may be everybody's, and an earlier process of that number may have been killed.
    aside.unlink(missing_ok=True)
    try:
        # No fsync: whatever is written so can be made anew.
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, rights), "wb") as file:
            file.write(content)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def _make(folder: Path) -> None:
    if not folder.exists():
        _make(folder.parent)
        folder.mkdir(mode=_rights(folder.parent), exist_ok=True)


def _rights(folder: Path) -> int:
    return folder.stat().st_mode & 0o777


@contextmanager
def only_one_writer(folder: Path, *, private: bool) -> Generator[None]:
    """One process at a time writes into the folder, which is made when needed. Nobody else can look into a `private` one; who
    can look into another is for the umask to say, or for whoever changed its rights."""
    folder.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
    if private and _rights(folder) != 0o700:
        folder.chmod(0o700)
    with one_at_a_time(folder):
        yield


@contextmanager
def one_at_a_time(folder: Path) -> Generator[None]:
    """Who writes into the folder waits for whoever else does, thread or process."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
