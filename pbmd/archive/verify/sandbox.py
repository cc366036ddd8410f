"""A process gives up its rights before it runs code that may be anybody's: it can still read, compute and answer.

What can be given up depends on the system: on Linux, changing, deleting and running anything, the network, signals and other
processes (seccomp: `pbmd.archive.verify.syscalls`), and reading what it does not need (Landlock); everywhere, processor time,
memory and the size of files are limited. `lock_up` says what could not be given up, so that nobody relies on it.
"""

import ctypes
import os
import resource
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from pbmd.archive.verify.syscalls import keep_to_reading

_SECONDS, _MEMORY, _OPEN_FILES = 3_600, 4 << 30, 128
_LIMITS = (
    (resource.RLIMIT_CPU, _SECONDS),
    (resource.RLIMIT_AS, _MEMORY),
    (resource.RLIMIT_NOFILE, _OPEN_FILES),
    (resource.RLIMIT_NPROC, 0),
    (resource.RLIMIT_FSIZE, 0),
    (resource.RLIMIT_CORE, 0),
)
_NEW_USER, _NEW_IPC, _NEW_NET = 0x10000000, 0x08000000, 0x40000000
_NO_NEW_PRIVILEGES = 38
_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""The system calls of Landlock; they have these numbers on every machine."""
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_RIGHTS = ((5, (1 << 16) - 1), (3, (1 << 15) - 1), (2, (1 << 14) - 1), (1, (1 << 13) - 1))
"""All rights on files that Landlock knows from that version on, the latest first."""
_NETWORK_SINCE, _TCP = 4, 0b11
_SCOPE_SINCE, _SIGNALS_AND_SOCKETS = 6, 0b11


READ = "read files"
ACT = "change files", "run programs", "use the network"


def lock_up(readable: Iterable[Path]) -> list[str]:
    """Give up all rights except to read what is below these folders, and what Python needs. Returns, as words, what this
    process may still do that it should not: `READ`, or `ACT`."""
    linux, libc = sys.platform == "linux", ctypes.CDLL(None, use_errno=True)
    if linux:
        libc.unshare(_NEW_USER | _NEW_IPC | _NEW_NET)  # not everybody may; it is given up below in any case
        libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    reads = not linux or not _landlock(libc, [*readable, *_python()])
    for limit, value in _LIMITS:
        resource.setrlimit(limit, (value, value))
    acts = not linux or not keep_to_reading(libc)
    return [*([READ] if reads else []), *(ACT if acts else ())]


def _python() -> Iterator[Path]:
    """Where modules and what they need are installed."""
    yield from map(Path, {*filter(None, sys.path), sys.prefix, sys.base_prefix, "/usr/lib", "/lib", "/usr/share/zoneinfo"})


def _landlock(libc: ctypes.CDLL, readable: Iterable[Path]) -> bool:
    """Whether only reading below these folders is still possible."""
    version = libc.syscall(_CREATE, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    handled = next(rights for since, rights in _RIGHTS if version >= since)
    parts = [
        handled,
        *([_TCP] if version >= _NETWORK_SINCE else []),
        *([_SIGNALS_AND_SOCKETS] if version >= _SCOPE_SINCE else []),
    ]
    wanted = struct.pack(f"{len(parts)}Q", *parts)
    rules = libc.syscall(_CREATE, wanted, ctypes.c_size_t(len(wanted)), 0)
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow(libc, rules, path)
        return libc.syscall(_RESTRICT, rules, 0) == 0
    finally:
        os.close(rules)


def _allow(libc: ctypes.CDLL, rules: int, path: Path) -> None:
    """Allow reading below that path; one that does not exist is left out, and so forbidden."""
    if not path.exists():
        return
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rights = _READ_FILE | _READ_DIR if path.is_dir() else _READ_FILE
        libc.syscall(_ADD, rules, 1, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)
