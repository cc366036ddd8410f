"""A limit of the processor's time, for what may never come to an end."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from types import FrameType


class OverBudget(Exception):
    """Something took more processor time than it may take."""


_awaited: list[type[BaseException]] = []
"""What is raised when the time is over, for each block that has begun: the innermost comes last."""
_AGAIN, _SOON = 1.0, 0.001
"""In seconds: so much later it is raised again, if whatever ran has caught it; and the least that is left to an outer block."""


@contextmanager
def within(seconds: float, raised: type[BaseException] = OverBudget) -> Generator[None]:
    """Raise OverBudget, or what is said, in the block when the process has used this much processor time since the block began.

    It stops Python code and regular expressions; what a parser does in C is bounded by the other limits only. Time in
    which the machine sleeps, or does other things, does not count. Signals belong to the main thread, where the desk reads
    letters; elsewhere, and on systems without such a clock, the block just runs. A block within another has no more time than
    is left to that one, which then is what is over.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    _listen()
    # Each of these calls asks the system, and every look at the rules makes them: a block within none makes two.
    left_to_outer, _ = signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
    depth = len(_awaited)
    outer, allowed, left = (left_to_outer if depth else 0.0), seconds, 0.0
    _awaited.append(raised)
    try:
        if 0 < outer <= seconds:
            allowed, _awaited[-1] = outer, _awaited[depth - 1]
            signal.setitimer(signal.ITIMER_VIRTUAL, allowed, _AGAIN)
        yield
    finally:
        try:
            left, _ = signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        finally:  # the time may be over at this very moment
            del _awaited[depth:]
            if outer:
                signal.setitimer(signal.ITIMER_VIRTUAL, max(outer - (allowed - left), _SOON), _AGAIN)


@cache
def _listen() -> None:
    """Once and for all: installing a handler takes longer than everything else here, and nothing else uses this timer."""
    signal.signal(signal.SIGVTALRM, _stop)


def _stop(_number: int, _frame: FrameType | None) -> None:
    if _awaited:  # else the block is over
        raise _awaited[-1]
