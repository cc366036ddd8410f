"""Where maps are drawn: in processes of their own, since the renderer lets nothing else of its process run, and a picture takes
longer than all else of a report."""

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbmd.reports.drawn import Picture, Pictures, Wanted, draw

if TYPE_CHECKING:
    from pebble import ProcessPool

SECONDS = 30.0
"""So long a picture may take, in the processor's hands or waiting for them; most take a tenth of one."""
MOST_AT_ONCE = 8
"""So many games have their maps drawn at once, and of so many they are kept when they are: a picture has some 170 kilobytes."""
_NICE = 10


@dataclass(frozen=True, slots=True)
class Drawing:
    """Pictures that are drawn, or will be; `tries` counts those before it that turned out not to be the ones wanted."""

    futures: Mapping[Wanted, "Future[Picture]"]
    tries: int = 0

    @property
    def done(self) -> bool:
        """Whether all are drawn."""
        return all(future.done() for future in self.futures.values())

    def pictures(self) -> Pictures:
        """The pictures, waited for if need be."""
        return {wanted: _result(future) for wanted, future in self.futures.items()}


def _result(future: "Future[Picture]") -> Picture:
    try:
        return future.result()
    except Exception as trouble:  # its process was ended from outside, or by us because it took too long
        return Picture(trouble=f"{type(trouble).__name__} while it was drawn")


class Studio:
    """See the module. With no `processes` of its own it draws where it is asked to. Processes are started when the first
    picture is wanted. `on_done` is called, in any thread, when all maps of a game that were begun are drawn."""

    def __init__(self, processes: int = 0, on_done: Callable[[], object] = lambda: None) -> None:
        self._on_done = on_done
        self._begun: dict[int, Drawing] = {}
        self._pool = _pool(processes) if processes else None

    def draw(self, wanted: Iterable[Wanted]) -> Pictures:
        """Draw these maps, each once, and wait for them."""
        return self._begin(wanted).pictures()

    def begin(self, game: int, wanted: Iterable[Wanted]) -> None:
        """Have the maps of a game drawn, in place of what was begun for it before. If maps of many are drawn that nobody has
        fetched, those that were begun first are forgotten: their games may have been paused, or gone on without them."""
        before = self._begun.pop(game, None)
        if len(drawn := [each for each, begun in self._begun.items() if begun.done]) >= MOST_AT_ONCE:
            self.forget(drawn[0])
        drawing = self._begun[game] = self._begin(wanted, before.tries + 1 if before else 0)

        def tell(_drawn: "Future[Picture]") -> None:
            if drawing.done:
                self._on_done()

        for future in drawing.futures.values():
            future.add_done_callback(tell)

    def begun(self, game: int) -> Drawing | None:
        """What was begun for a game; None if there is nothing."""
        return self._begun.get(game)

    def forget(self, game: int) -> None:
        """The pictures of a game are not wanted any more."""
        self._begun.pop(game, None)

    @property
    def is_full(self) -> bool:
        """Whether nothing may be begun until something else is done."""
        return sum(not begun.done for begun in self._begun.values()) >= MOST_AT_ONCE

    def stop(self) -> None:
        """End the processes, whatever they draw."""
        if self._pool is not None:
            self._pool.stop()
            self._pool.join()

    def _begin(self, wanted: Iterable[Wanted], tries: int = 0) -> Drawing:
        return Drawing({each: self._future(each) for each in dict.fromkeys(wanted)}, tries)

    def _future(self, wanted: Wanted) -> "Future[Picture]":
        if self._pool is None:
            drawn: Future[Picture] = Future()
            drawn.set_result(draw(wanted))
            return drawn
        return self._pool.schedule(draw, args=(wanted,), timeout=SECONDS)


def _pool(processes: int) -> "ProcessPool":
    # Every desk has a studio, and hardly any command has processes.
    from multiprocessing import get_context

    from pebble import ProcessPool

    # Spawned: a process with threads that is forked may wait for ever for a lock that one of them held.
    return ProcessPool(processes, initializer=_give_way, context=get_context("spawn"))


def processes_here() -> int:
    """How many processes a machine should have for it: one of its cores is the desk's."""
    return min(4, max(1, (os.cpu_count() or 1) - 1))


def _give_way() -> None:
    """Who has written a letter waits for an answer; nobody waits for a picture alone."""
    os.nice(_NICE)
