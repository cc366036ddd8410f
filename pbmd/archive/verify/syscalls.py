"""Which Linux system calls a process may still make that runs anybody's code: a kernel filter (seccomp) lets those pass that
read, compute and answer, and fails all others, so that whatever a later kernel can do is forbidden, too.

It closes what Landlock leaves open, such as modes, owners, times and attributes of files, signals, other processes and their
memory, sockets, io_uring; and since nothing can be opened for writing, it works where there is no Landlock.
"""

import ctypes
import os
import sys
from collections.abc import Iterator, Sequence

_MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}
"""Machine → its column in the numbers below, the kernel's name for it, and the number of `seccomp`."""
_CALLS = {
    "read": (0, 63), "readv": (19, 65), "pread64": (17, 67), "preadv": (295, 69), "lseek": (8, 62), "close": (3, 57),
    "write": (1, 64), "writev": (20, 66),
    "fstat": (5, 80), "stat": (4, None), "lstat": (6, None), "newfstatat": (262, 79), "statx": (332, 291),
    "statfs": (137, 43), "fstatfs": (138, 44), "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "getdents64": (217, 61), "readlink": (89, None), "readlinkat": (267, 78), "getcwd": (79, 17), "fadvise64": (221, 223),
    "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "mremap": (25, 216), "madvise": (28, 233), "brk": (12, 214),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "sigaltstack": (131, 132),
    "futex": (202, 98), "set_robust_list": (273, 99), "rseq": (334, 293), "membarrier": (324, 283),
    "restart_syscall": (219, 128), "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "getcpu": (309, 168),
    "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153),
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72),
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174), "geteuid": (107, 175),
    "getgid": (104, 176), "getegid": (108, 177), "getrusage": (98, 165), "getrlimit": (97, 163), "sysinfo": (99, 179),
    "uname": (63, 160), "getrandom": (318, 278), "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip
"""The calls that pass, with their numbers on each machine (asm/unistd_64.h, asm-generic/unistd.h); None where it has no such
call."""
_OPENING = {"open": ((2, None), 1), "openat": ((257, 56), 2)}
"""The calls that open files: their numbers, and which argument has the flags."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | 0o20000000
"""The flags with which nothing may be opened; the last is what is peculiar to O_TMPFILE."""
_FCNTL = (72, 25)
_HARMLESS = (0, 1, 2, 3, 1030)
"""What `fcntl` may do: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. Other commands can have signals sent to anybody."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000 | 1  # EPERM
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
"""Offsets in what the filter gets (struct seccomp_data)."""
_OTHER_TABLE = 0x40000000
"""From this number on, x86-64 has the same calls once more (x32)."""
_SET_FILTER, _ALL_THREADS = 1, 1

_Line = tuple[int, int, int, int]
"""A line of the filter: its instruction, how many lines it skips if true and if false, and a value."""


def keep_to_reading(libc: ctypes.CDLL) -> bool:
    """From now on, in all threads, fail all calls but those that read, compute and answer; returns whether that worked. The
    process must have given up new privileges before."""
    machine = os.uname().machine if sys.platform == "linux" and sys.maxsize > 2**32 and sys.byteorder == "little" else ""
    if machine not in _MACHINES:
        return False
    column, name, number = _MACHINES[machine]
    lines = [*_lines(column, name)]
    content = (_Filter * len(lines))(*lines)
    program = _Program(len(lines), ctypes.cast(content, ctypes.c_void_p))
    return libc.syscall(number, _SET_FILTER, _ALL_THREADS, ctypes.byref(program)) == 0


def _lines(column: int, machine: int) -> Iterator[_Line]:
    yield _LOAD, 0, 0, _MACHINE
    yield _EQUAL, 1, 0, machine
    yield _RETURN, 0, 0, _KILL
    yield _LOAD, 0, 0, _NUMBER
    yield _AT_LEAST, 0, 1, _OTHER_TABLE
    yield _RETURN, 0, 0, _KILL
    for numbers in _CALLS.values():
        yield from _where(numbers[column], [(_RETURN, 0, 0, _ALLOW)])
    for numbers, argument in _OPENING.values():
        how = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument), (_ANY_BIT, 1, 0, _WRITING), (_RETURN, 0, 0, _ALLOW)]
        yield from _where(numbers[column], [*how, (_RETURN, 0, 0, _FAIL)])
    commands = [line for each in _HARMLESS for line in ((_EQUAL, 0, 1, each), (_RETURN, 0, 0, _ALLOW))]
    yield from _where(_FCNTL[column], [(_LOAD, 0, 0, _ARGUMENTS + 8), *commands, (_RETURN, 0, 0, _FAIL)])
    yield _RETURN, 0, 0, _FAIL


def _where(number: int | None, lines: Sequence[_Line]) -> Iterator[_Line]:
    """What to do with the call of that number."""
    if number is not None:
        yield _EQUAL, 0, len(lines), number
        yield from lines


class _Filter(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("so", ctypes.c_uint8), ("else_", ctypes.c_uint8), ("value", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_void_p))
