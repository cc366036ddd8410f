"""Whether anybody has written to the ledger, another process or this one, at the price of one system call."""

import os
import time
from pathlib import Path

from sqlalchemy.engine import make_url

SETTLED_SECONDS = 5.0
"""A file that was written this short a while ago may bring something new without a later time: clocks of file systems tick, and
what a commit has written can be read only when the disk has it, which takes as long as the disk is busy."""
_Mark = tuple[int, int, int, int]


def write_ahead_log(ledger: str | os.PathLike[str]) -> Path:
    """Where SQLite writes first what is written to a ledger: beside the file itself, also if the ledger is a symbolic link."""
    return Path(f"{os.path.realpath(ledger)}-wal")


class ChangeWatch:
    """Looks at the write-ahead log of a ledger that is a file: each commit changes its time or its size. Where the ledger is on
    a server it may have changed at any time."""

    def __init__(self, url: str) -> None:
        address = make_url(url)
        is_file = address.get_backend_name() == "sqlite"
        self._log = write_ahead_log(address.database) if is_file and address.database else None
        self._seen: _Mark | None = None

    def has_changed(self) -> bool:
        """Whether the ledger may have changed since this was asked last; also the first time, and if it cannot be said."""
        found = _mark(self._log) if self._log else None
        before = self._seen
        self._seen = None if found is None or _is_fresh(found) else found
        return found is None or found != before


def _mark(path: Path) -> _Mark | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _is_fresh(mark: _Mark) -> bool:
    """Also of a time to come, which the clock that was set back comes to again."""
    return time.time() - mark[3] / 1e9 < SETTLED_SECONDS
