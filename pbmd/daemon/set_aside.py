"""A host that is set aside for maintenance: its processes finish what they have, and wait.

Other hosts have its parts meanwhile. It is a file in the data folder, so that it holds over a restart of the machine.
"""

import fcntl
import logging
import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from pbmd.daemon.installation import AlreadyRunning, only_one
from pbmd.files import keep_file

LOOK_SECONDS = 0.5
_MARK, _HELPERS = "set-aside", "workers.lock"
_log = logging.getLogger("pbmd.daemon")


def is_set_aside(data: Path) -> bool:
    """Whether the host with this data folder is set aside."""
    return (data / _MARK).exists()


def set_aside(data: Path) -> None:
    """Set the host aside. Raises `OSError`."""
    keep_file(data / _MARK, b"pbmd drain --undo takes it back\n")


def take_back(data: Path) -> bool:
    """Have the host work again; whether it was set aside. Raises `OSError`."""
    was = is_set_aside(data)
    (data / _MARK).unlink(missing_ok=True)
    return was


@contextmanager
def helping(data: Path) -> Generator[None]:
    """A worker is at work."""
    with open(os.open(data / _HELPERS, os.O_RDWR | os.O_CREAT, 0o600), "rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


def still_at_work(data: Path) -> list[str]:
    """Which commands of this host have not finished what they had."""
    found: list[str] = []
    try:
        with only_one(data):
            pass
    except AlreadyRunning:
        found.append("pbmd run")
    with open(os.open(data / _HELPERS, os.O_RDWR | os.O_CREAT, 0o600), "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            found.append("pbmd worker")
    return found


def is_wanted(data: Path) -> bool:
    """Wait as long as the host is set aside. False if the process is asked to end (SIGTERM, SIGINT) meanwhile. Main thread
    only."""
    if not is_set_aside(data):
        return True
    _log.info("this host is set aside (pbmd drain --undo takes it back)")
    asked = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        asked.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        while is_set_aside(data):
            if asked.wait(LOOK_SECONDS):
                return False
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    _log.info("this host works again")
    return True
