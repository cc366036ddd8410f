"""Files that are there as a whole or not at all."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


def write_file(path: Path, text: str) -> bool:
    """Put the text there, unless it is there already; tells whether it was not. Who reads the file meanwhile gets the old one
    or the new one. Raises `OSError`."""
    content = text.encode()
    try:
        if path.read_bytes() == content:
            return False
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # No fsync: after a start of the machine all pages are written anew.
        aside.write_bytes(content)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    return True


@contextmanager
def only_one_writer(folder: Path) -> Generator[None]:
    """One process at a time writes into the folder, which is made when needed."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
