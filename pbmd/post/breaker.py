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
    """Calls what is late, from one thread for all deadlines: one for each would take longer than many a step that it bounds."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._deadlines: dict[object, tuple[float, Callable[[], object]]] = {}
        self._wakes_at = math.inf
        self._thread: threading.Thread | None = None

    @contextmanager
    def over(self, seconds: float, late: Callable[[], object]) -> Generator[None]:
        """Call `late`, which must be quick, if the body takes longer than so many seconds; never after the body."""
        key, ends_at = object(), time.monotonic() + seconds
        with self._changed:
            self._deadlines[key] = ends_at, late
            if self._thread is None or not self._thread.is_alive():  # it does not live on in a process that was forked
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
    """A second handle on one connection, to cut it from another thread. Cutting wakes whoever reads or writes."""

    def __init__(self) -> None:
        self._handle: socket.socket | None = None
        self._held = threading.Lock()
        """Nobody lets go of the connection while it is cut: its number could be that of another by then."""
        self.tripped = False

    def hold(self, connection: socket.socket) -> None:
        """Keep a duplicate: the original is given away to the TLS layer, which a foreign thread must not touch. Raises
        `TimeoutError`, with the connection closed, if it was made too late to be cut any more."""
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
                with suppress(OSError):  # it is gone already, which is what was wanted
                    self._handle.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def deadline(self, seconds: float) -> Generator[None]:
        """Cut the connection if the body takes longer than so many seconds."""
        with _watch.over(seconds, self._cut):
            yield
