"""How long a process waits for a processor is what the kernel says."""

import os
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

from tests.torture.processor import Patience, Waits

_BUSY = "while True: pass"


@contextmanager
def rivalry(number: int) -> Generator[list[int]]:
    """So many processes that want all of one processor."""
    here = min(os.sched_getaffinity(0))
    busy = [sys.executable, "-c", f"import os; os.sched_setaffinity(0, {{{here}}})\n{_BUSY}"]
    rivals = [subprocess.Popen(busy) for _ in range(number)]
    try:
        yield [rival.pid for rival in rivals]
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()


def test_who_shares_a_processor_with_others_is_seen_to_wait() -> None:
    with rivalry(2) as rivals:
        waits = Waits()
        seen = None
        ends = time.monotonic() + 60
        while seen is None or seen.seconds < 0.1:
            assert time.monotonic() < ends, "two processes on one processor, and neither waited"
            time.sleep(0.5)
            seen = waits.since_last_look(rivals[:1])
    assert seen.seconds <= seen.ended - seen.began


def test_a_process_that_is_gone_waited_for_nothing() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert Waits().since_last_look([gone.pid]) is None


def test_time_in_which_there_was_no_processor_does_not_try_patience() -> None:
    with rivalry(4) as rivals:
        patience = Patience(1.0, lambda: rivals[:1])
        began = time.monotonic()
        while not patience.is_over:
            time.sleep(0.05)
        took = time.monotonic() - began
    assert took > 1.5, "it had a quarter of the processor at most, and all of the time counted"


def test_patience_with_who_needs_no_processor_ends() -> None:
    began = time.monotonic()
    patience = Patience(0.3, list)
    while not patience.is_over:
        time.sleep(0.05)
    assert time.monotonic() - began >= 0.3
