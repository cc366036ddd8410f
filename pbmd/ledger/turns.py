"""Who writes next: the threads of one process take turns in the order in which they asked.

SQLite has one write lock, and whoever waits for it sleeps and tries again, less and less often. A thread that begins one
transaction after another would get it again each time before the sleeper wakes, for seconds on a busy machine.
"""

import threading
from collections import deque
from dataclasses import dataclass, field


@dataclass
class Turns:
    """Turns at writing. Other processes know nothing about them; between processes SQLite's own lock decides."""

    _guard: threading.Lock = field(default_factory=threading.Lock)
    _waiting: deque[threading.Lock] = field(default_factory=deque[threading.Lock])
    _taken: bool = False

    @property
    def waiting(self) -> int:
        """How many threads wait for their turn now."""
        return len(self._waiting)

    def take(self, seconds: float) -> bool:
        """Wait for the turn, for `seconds` at most, and return whether it came. Whoever gets True must `give` it back."""
        mine = threading.Lock()
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            mine.acquire()
            self._waiting.append(mine)
        if mine.acquire(timeout=seconds):
            return True
        with self._guard:
            if mine in self._waiting:
                self._waiting.remove(mine)
                return False
        return True  # it came in the instant in which we stopped waiting

    def give(self) -> None:
        """End the turn; it goes to whoever has waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False
