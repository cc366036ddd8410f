"""What keeps a daemon that runs for months as small as it is after some days: memory that it has freed is given back."""

import ctypes
import gc

_ARENAS = -8
"""M_ARENA_MAX of glibc's `mallopt`."""


def share_one_heap() -> None:
    """Let all threads take memory from one heap. Each would get its own, and keep what its largest batch of letters took; they
    seldom compute at the same time."""
    if set_option := getattr(ctypes.CDLL(None), "mallopt", None):  # other libraries than glibc have no such heaps
        set_option(_ARENAS, 1)


def give_back() -> None:
    """Give the system back what is free between things that are in use. Meanwhile other threads compute nothing, not even one
    that sends."""
    gc.collect()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
