"""Cutting a connection that takes too long, from another thread.

A read timeout bounds each single read, so a server that sends one byte now and then can hold a client for ever. Each step
with a server therefore runs under a deadline of its own; when it passes, the connection is cut and the read fails at once.
"""

import math
import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress


class _Watch:
    """Calls back at each deadline, from one thread for all: starting a thread for each would take longer than many of the steps
    that it bounds."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._deadlines: dict[object, tuple[float, Callable[[], object]]] = {}
        self._wakes_at = math.inf
        self._thread: threading.Thread | None = None

    @contextmanager
    def over(self, seconds: float, late: Callable[[], object]) -> Generator[None]:
        """Call `late`, which must be quick, if the body takes longer than this many seconds; never after the body."""
        key, ends_at = object(), time.monotonic() + seconds
        with self._changed:
            self._deadlines[key] = ends_at, late
            if self._thread is None or not self._thread.is_alive():  # it does not survive a fork
                self._thread = threading.Thread(target=self._run, name="deadlines", daemon=True)
                self._thread.start()
            elif ends_at < self._wakes_at:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._deadlines.pop(key, None)

    def _run(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                for key, (ends_at, late) in list(self._deadlines.items()):
                    if ends_at <= now:
                        del self._deadlines[key]
                        late()
                self._wakes_at = min((ends_at for ends_at, _ in self._deadlines.values()), default=math.inf)
                self._changed.wait(None if self._wakes_at == math.inf else min(self._wakes_at - now, threading.TIMEOUT_MAX))


_watch = _Watch()


class Breaker:
    """A second handle on one connection, to cut it from another thread. Cutting wakes any reader or writer."""

    def __init__(self) -> None:
        self._handle: socket.socket | None = None
        self._held = threading.Lock()
        """Held while the connection is being cut: its file number must not come to belong to another meanwhile."""
        self.tripped = False

    def hold(self, connection: socket.socket) -> None:
        """Keep a duplicate: the original is handed to the TLS layer, which no other thread may touch. Raises `TimeoutError`,
        with the connection closed, if the deadline had passed before the connection was made."""
        with self._held:
            self._handle = connection.dup()
            late = self.tripped
        if late:
            self.release()
            connection.close()
            raise TimeoutError

    def release(self) -> None:
        """Forget the connection."""
        with self._held:
            if self._handle is not None:
                self._handle.close()
                self._handle = None

    def _cut(self) -> None:
        with self._held:
            self.tripped = True
            if self._handle is not None:
                with suppress(OSError):  # it is gone already, as intended
                    self._handle.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def deadline(self, seconds: float) -> Generator[None]:
        """Cut the connection if the body takes longer than this many seconds."""
        with _watch.over(seconds, self._cut):
            yield
