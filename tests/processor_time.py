"""What hostile input may take of the processor, on a machine of any speed."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

_TEXT = "ab-c, de (f) 12 " * 400
_PIECE_SECONDS = 0.006
"""A piece of work takes so long on a quiet machine of two cores."""


@contextmanager
def takes_at_most(seconds: float) -> Iterator[None]:
    """What stands below takes no longer than this on a quiet machine.

    What grows with the square of the input takes many times as long. Twice is left to chance, and what the machine's
    other work costs is measured beside it, for a test waits for what it asserts.
    """
    began = time.process_time()
    yield
    used = time.process_time() - began
    if used >= seconds:
        may_take = 2 * seconds * max(1.0, _piece_seconds() / _PIECE_SECONDS)
        assert used < may_take, f"took {used:.2f} s of the processor instead of {seconds:g} s ({may_take:.2f} s here and now)"


def _piece_seconds() -> float:
    """What a piece of work like a reader's takes now, by the median: one that was held up says nothing of the others."""
    return median(_one_piece() for _ in range(41))


def _one_piece() -> float:
    began = time.process_time()
    for _ in range(10):
        words = re.findall(r"[a-z]+|\d+", _TEXT)
        assert len({f"{word} {place}": place for place, word in enumerate(words)}) == len(words)
    return time.process_time() - began
