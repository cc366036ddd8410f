"""Archives of seats for their pages: made when they are asked for, one after another, and kept for some minutes, since one of a
long game takes longer than a browser waits."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from pbmd.post.tags import SeatNumber
from pbmd.rules.troubles import DEFECTS

PATIENCE = 5.0
"""Seconds for which a request waits for one that is being made."""
KEPT_SECONDS, MOST_KEPT, MOST_BYTES = 600.0, 16, 64_000_000


@dataclass
class SeatArchives:
    """`make` gives the archive of a seat as a zip, empty if there is none, and may take long."""

    make: Callable[[SeatNumber], bytes]
    clock: Callable[[], float]
    _made: OrderedDict[SeatNumber, Future[tuple[float, bytes]]] = field(
        default_factory=OrderedDict[SeatNumber, "Future[tuple[float, bytes]]"]
    )
    _changes: threading.Lock = field(default_factory=threading.Lock)
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock)

    def of(self, seat: SeatNumber, patience: float = PATIENCE) -> bytes | None:
        """The archive of a seat; None if it is not ready yet: who asks again gets it. Raises what making it has raised."""
        with self._changes:
            made = self._made.get(seat)
            if made is None or self._is_spent(made):
                self._made.pop(seat, None)
                if not self._has_room():
                    return None
                made = self._made[seat] = Future()
                # A server that ends does not wait for it.
                threading.Thread(target=self._make, args=(seat, made), name="archive", daemon=True).start()
        try:
            return made.result(patience)[1]
        except TimeoutError:
            if made.done():  # making it has raised this itself
                raise
            return None

    def _make(self, seat: SeatNumber, made: Future[tuple[float, bytes]]) -> None:
        try:
            with self._one_at_a_time:
                data = self.make(seat)
            made.set_result((self.clock(), data))
        except DEFECTS as problem:  # for whoever asked
            made.set_exception(problem)

    def _is_spent(self, made: Future[tuple[float, bytes]]) -> bool:
        """Whether it is old, or could not be made."""
        if not made.done():
            return False
        return made.exception() is not None or not made.result()[1] or self.clock() - made.result()[0] > KEPT_SECONDS

    def _has_room(self) -> bool:
        """Whether another can be kept: the old ones are forgotten for it, and if need be the first that are made."""
        for seat in [seat for seat, made in self._made.items() if self._is_spent(made)]:
            del self._made[seat]
        there = [(seat, made) for seat, made in self._made.items() if made.done()]
        size = sum(len(made.result()[1]) for _, made in there)
        for seat, made in there:
            if len(self._made) < MOST_KEPT and size <= MOST_BYTES:
                break
            del self._made[seat]
            size -= len(made.result()[1])
        return len(self._made) < MOST_KEPT
