"""The data folder reserved for one process."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from pbmd.desk.books.desk import private_files
from pbmd.desk.books.installation import lock_file, named


class AlreadyRunning(RuntimeError):
    """Another pbmd uses the same data folder or the same mailbox."""


@contextmanager
def only_one(data: Path) -> Generator[str]:
    """Reserve the data folder for this process; files that are created meanwhile are private. Gives the name of this
    installation, which stays the same over restarts. Raises `AlreadyRunning`."""
    with private_files(), lock_file(data) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            process = file.read(100).decode("ascii", "replace").split()[2:]
            who = f" (process {process[0]})" if process else ""
            raise AlreadyRunning(f"another pbmd is at work on {data}{who}; stop it first") from None
        yield named(file, data, os.getpid())
