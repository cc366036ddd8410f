"""The last defence against a hostile letter: a limit on processor time, for what the limits on bytes and parts did not
foresee."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from types import FrameType


class OverBudget(Exception):
    """Reading a letter took more processor time than a letter may take."""


@contextmanager
def within(seconds: float) -> Generator[None]:
    """Raise OverBudget in the block when the process has used this much processor time since the block began.

    It stops Python code and regular expressions; what a parser does in C is bounded by `pbmd.post.read.limits` only. Time in
    which the machine sleeps, or does other things, does not count. Signals belong to the main thread, where the desk reads
    letters; elsewhere, and on systems without such a clock, the block just runs.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    _listen()
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@cache
def _listen() -> None:
    """Once and for all: installing a handler takes longer than everything else here, and nothing else uses this timer."""
    signal.signal(signal.SIGVTALRM, _stop)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise OverBudget
