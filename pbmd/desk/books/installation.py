"""The name of an installation of pbmd: random, kept in its data folder, and the same over restarts."""

import fcntl
import hashlib
import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

from pbmd.files import keep_line, keep_names, one_at_a_time

MACHINE_ID = Path("/etc/machine-id")
LOCK = "pbmd.lock"


def installation_of(data: Path) -> str:
    """The name of the installation with this data folder, also while another process holds it. Raises `OSError`."""
    with lock_file(data) as file:
        return known_name(file, data) or named(file, data)


@contextmanager
def lock_file(data: Path) -> Generator[FileIO]:
    """The file that has the name, and after it the process that holds the folder. Only its owner can read it."""
    with open(os.open(data / LOCK, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0) as file:
        yield file


def is_held(data: Path) -> bool:
    """Whether another process holds this data folder."""
    with lock_file(data) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def named(file: FileIO, data: Path, process: int | str = "") -> str:
    """Note which process holds the data folder, and give the name of this installation: the one that it has, or a new one."""
    with one_at_a_time(data):
        known = known_name(file, data)
        name = known or secrets.token_hex(8)
        keep_line(file, f"{name} {_place(file, data)} {process:>10}\n".encode())
        if not known:
            keep_names(data)
    return name


def known_name(file: FileIO, data: Path) -> str:
    """The name of this installation; empty if it has none yet. A copy of the data folder, be it of the whole disk into another
    machine, is in another place, so it gets another name."""
    match os.pread(file.fileno(), 100, 0).decode("ascii", "replace").partition("\n")[0].split():
        case [name, place, *_] if place == _place(file, data):
            return name
        case _:
            return ""


def _place(file: FileIO, data: Path) -> str:
    """What is the same for a file over restarts, and another for each copy: the machine, the folder and the inode. Not the
    number of the device: disks may change places at a start, and after a power cut pbmd would not know itself."""
    try:
        machine = MACHINE_ID.read_text("ascii", "replace").strip()
    except OSError:
        machine = ""  # not every system has one
    return hashlib.sha256(f"{machine} {os.fstat(file.fileno()).st_ino} {data.resolve()}".encode()).hexdigest()[:20]
