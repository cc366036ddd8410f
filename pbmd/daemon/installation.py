"""The data folder held for one process, and the name of an installation."""

import fcntl
import hashlib
import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

from pbmd.desk.books.desk import private_files

MACHINE_ID = Path("/etc/machine-id")


class AlreadyRunning(RuntimeError):
    """Another pbmd works on the same data folder or the same mailbox."""


@contextmanager
def only_one(data: Path) -> Generator[str]:
    """Hold the data folder for this process; what is made there meanwhile is private. Gives the name of this installation,
    which stays the same over restarts. Raises `AlreadyRunning`."""
    path = data / "pbmd.lock"
    with private_files(), open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            process = file.read(100).decode("ascii", "replace").split()[2:]
            named = f" (process {process[0]})" if process else ""
            raise AlreadyRunning(f"another pbmd is at work on {data}{named}; stop it first") from None
        yield _installation(file, data)


def _installation(file: FileIO, data: Path) -> str:
    """Read the name of this installation, or make one. A copy of the data folder, be it of the whole disk into another
    machine, is in another place, so it gets another name."""
    place = _place(file, data)
    match file.read(100).decode("ascii", "replace").partition("\n")[0].split():
        case [known, noted, _] if noted == place:
            name = known
        case _:
            name = secrets.token_hex(8)
    # One write of a length that does not change, so that a crash leaves the old line or the new one.
    os.pwrite(file.fileno(), f"{name} {place} {os.getpid():>10}\n".encode(), 0)
    return name


def _place(file: FileIO, data: Path) -> str:
    """What is the same for a file over restarts, and another for each copy: the machine, the folder and the inode. Not the
    number of the device: disks may change places at a start, and after a power cut pbmd would not know itself."""
    try:
        machine = MACHINE_ID.read_text("ascii", "replace").strip()
    except OSError:
        machine = ""  # not every system has one
    return hashlib.sha256(f"{machine} {os.fstat(file.fileno()).st_ino} {data.resolve()}".encode()).hexdigest()[:20]
