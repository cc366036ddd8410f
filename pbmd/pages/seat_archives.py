"""Archives of seats for their pages: made when they are asked for, one after another, and kept for some minutes, since one of a
long game takes longer than a browser waits."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from pbmd.post.tags import SeatNumber

PATIENCE = 30.0
"""Seconds for which a request waits for one that is being made."""
KEPT_SECONDS, MOST_KEPT = 600.0, 4


@dataclass
class SeatArchives:
    """`make` gives the archive of a seat as a zip, empty if there is none, and may take long."""

    make: Callable[[SeatNumber], bytes]
    clock: Callable[[], float]
    _made: OrderedDict[SeatNumber, tuple[float, Future[bytes]]] = field(
        default_factory=OrderedDict[SeatNumber, tuple[float, Future[bytes]]]
    )
    _changes: threading.Lock = field(default_factory=threading.Lock)
    _maker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "archives"))

    def of(self, seat: SeatNumber, patience: float = PATIENCE) -> bytes | None:
        """The archive of a seat; None if it is not ready yet: who asks again gets it. Raises what making it has raised."""
        with self._changes:
            self._forget()
            if seat not in self._made:
                if len(self._made) >= MOST_KEPT:
                    return None
                self._made[seat] = self.clock(), self._maker.submit(self.make, seat)
            made = self._made[seat][1]
        try:
            return made.result(patience)
        except TimeoutError:
            if made.done():  # making it has raised this itself
                raise
            return None

    def _forget(self) -> None:
        """Those that are old, or that failed; and the oldest, to make room for another. One that is being made stays."""
        for seat, (began, made) in list(self._made.items()):
            failed = made.done() and (made.exception() is not None or not made.result())
            full = len(self._made) >= MOST_KEPT and made.done()
            if failed or full or (made.done() and self.clock() - began > KEPT_SECONDS):
                del self._made[seat]
