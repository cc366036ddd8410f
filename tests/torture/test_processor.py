"""How long a process waits for a processor is what the kernel says."""

import os
import subprocess
import sys
import time

from tests.torture.processor import Waits

_BUSY = "while True: pass"


def test_who_shares_a_processor_with_others_is_seen_to_wait() -> None:
    here = min(os.sched_getaffinity(0))
    busy = [sys.executable, "-c", f"import os; os.sched_setaffinity(0, {{{here}}})\n{_BUSY}"]
    rivals = [subprocess.Popen(busy) for _ in range(2)]
    try:
        waits = Waits()
        seen = None
        ends = time.monotonic() + 60
        while seen is None or seen.seconds < 0.1:
            assert time.monotonic() < ends, "two processes on one processor, and neither waited"
            time.sleep(0.5)
            seen = waits.since_last_look([rivals[0].pid])
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()
    assert seen.seconds <= seen.ended - seen.began


def test_a_process_that_is_gone_waited_for_nothing() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert Waits().since_last_look([gone.pid]) is None
