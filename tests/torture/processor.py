"""How long the threads of a process were ready and had to wait for a processor: what other work on the machine took from them.

Linux counts it for each thread, in the second number of ``/proc/PID/task/TID/schedstat``, in nanoseconds.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.torture.evidence import Wait

_WORTH_TELLING = 0.01


@dataclass
class Waits:
    """Looks again and again at the processes of a storm."""

    _looked_at: float = field(default_factory=time.time)
    _known: dict[Path, int] = field(default_factory=dict[Path, int])

    def since_last_look(self, processes: list[int]) -> Wait | None:
        """How long the threads of these processes had to wait since the last look; None if hardly at all."""
        began, self._looked_at = self._looked_at, time.time()
        before, self._known = self._known, {path: waited for pid in processes for path, waited in _waited(pid)}
        longest = max((waited - before.get(path, 0) for path, waited in self._known.items()), default=0) / 1e9
        # A thread that was not there at the last look cannot have waited for longer than that is ago.
        seconds = min(longest, self._looked_at - began)
        return Wait(began, self._looked_at, seconds) if seconds >= _WORTH_TELLING else None


class Patience:
    """A limit for processes in seconds, of which those do not count in which one of their threads was ready and had no
    processor: a busy machine makes nobody late. It must be asked often, and asks often enough who they are."""

    def __init__(self, seconds: float, processes: Callable[[], list[int]]) -> None:
        self.seconds = seconds
        self._processes = processes
        self._waits = Waits()
        self._looked_at = time.time()
        self._spent = 0.0

    @property
    def is_over(self) -> bool:
        """Whether they have had their time."""
        waited = self._waits.since_last_look(self._processes())
        before, self._looked_at = self._looked_at, time.time()
        self._spent += max(0.0, self._looked_at - before - (waited.seconds if waited else 0.0))
        return self._spent > self.seconds


def _waited(pid: int) -> list[tuple[Path, int]]:
    """Each thread of a process with the nanoseconds that it had to wait so far."""
    found: list[tuple[Path, int]] = []
    for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            found.append((path, int(path.read_text().split()[1])))
        except (OSError, IndexError):
            continue  # it has just ended, or this machine does not count
    return found
