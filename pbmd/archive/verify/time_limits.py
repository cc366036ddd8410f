"""How long a process that runs anybody's code may take: it is ended, with everything that it has started, if it reports no
progress for too long, or takes too long altogether, whatever it reports."""

import os
import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic

_LOOKS = 0.5


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """In seconds: without progress, and altogether."""

    silent: float = 600
    altogether: float = 2 * 3_600


class Watched:
    """A process under watch. `why` is why it was ended, empty if it was not."""

    def __init__(self, process: subprocess.Popen[bytes], patience: TimeLimits) -> None:
        self.why = ""
        self._process, self._patience = process, patience
        self._begun = self._last = monotonic()
        self._done = 0

    def told(self, done: int) -> None:
        """It reports how far it is; only getting further than before is progress."""
        if done > self._done:
            self._done, self._last = done, monotonic()

    def watch(self, over: Event) -> None:
        """Check the limits now and then, until the process is over."""
        while not over.wait(_LOOKS):
            now = monotonic()
            if now - self._last > self._patience.silent:
                self.why = f"it made no progress for {self._patience.silent:g} seconds, and was ended"
            elif now - self._begun > self._patience.altogether:
                self.why = f"it took more than {self._patience.altogether:g} seconds, and was ended"
            if self.why:
                end(self._process)
                return


@contextmanager
def watched(process: subprocess.Popen[bytes], patience: TimeLimits) -> Generator[Watched]:
    """A process under watch, until the end of the block."""
    over, each = Event(), Watched(process, patience)
    watcher = Thread(target=each.watch, args=(over,), daemon=True)
    watcher.start()
    try:
        yield each
    finally:
        over.set()
        watcher.join()


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process that leads a session, and all the others in it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
