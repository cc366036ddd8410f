"""Where maps are drawn: in processes of their own, since the renderer lets nothing else of its process run, and a picture takes
longer than all else of a report."""

import os
import signal
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass
from threading import Lock, Thread
from typing import TYPE_CHECKING

from pbmd.rendering.drawing_jobs import Picture, Pictures, Wanted, draw

if TYPE_CHECKING:
    from pebble import ProcessPool

SECONDS = 30.0
"""So much of the processor's time a picture may take; most take a tenth of a second. Not of the clock's: on a busy machine who
draws, giving way to all others, may wait for a processor for a minute."""
SILENT_SECONDS = 600.0
"""So long it may take by the clock: a process that does nothing at all uses no processor."""
_LOOK_SECONDS = 1.0
"""So often whoever waits for pictures looks whether one was lost."""
MOST_AT_ONCE = 8
"""So many games have their maps drawn at once, and of so many they are kept when they are: a picture has some 170 kilobytes."""
_NICE = 10


@dataclass(frozen=True, slots=True)
class Drawing:
    """Pictures that are drawn, or will be; `tries` counts those before it that turned out not to be the ones wanted. `tend`
    sees to those that were lost."""

    futures: Mapping[Wanted, "Future[Picture]"]
    tries: int = 0
    tend: Callable[[], object] = lambda: None

    @property
    def done(self) -> bool:
        """Whether all are drawn."""
        self.tend()
        return all(future.done() for future in self.futures.values())

    def pictures(self) -> Pictures:
        """The pictures, waited for if need be."""
        while not self.done:
            wait(self.futures.values(), _LOOK_SECONDS)
        return {wanted: _result(future) for wanted, future in self.futures.items()}


def _result(future: "Future[Picture]") -> Picture:
    try:
        return future.result()
    except Exception as trouble:  # its process was ended from outside, or because it took too long
        return Picture(trouble=f"{type(trouble).__name__} while it was drawn")


def _draw_in_time(drawing: Callable[[Wanted], Picture], wanted: Wanted, seconds: float) -> Picture:
    """Draw it in a process that the system ends when it has used so much of the processor's time."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return drawing(wanted)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class Studio:
    """See the module. With no `processes` of its own it draws where it is asked to. Processes are started when the first
    picture is wanted. `on_done` is called, in any thread, when all maps of a game that were begun are drawn."""

    def __init__(self, processes: int = 0, on_done: Callable[[], object] = lambda: None) -> None:
        self._on_done = on_done
        self._begun: dict[int, Drawing] = {}
        self._processes = processes
        self._pool: ProcessPool | None = None
        self._changing = Lock()
        self._given: dict[Future[Picture], ProcessPool] = {}

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
        self._given.clear()
        if self._pool is not None:
            self._pool.stop()
            self._pool.join()

    def _begin(self, wanted: Iterable[Wanted], tries: int = 0) -> Drawing:
        return Drawing({each: self._future(each) for each in dict.fromkeys(wanted)}, tries, self._take_back)

    def _take_back(self) -> None:
        """Take back from broken pools what they have lost: they forget what comes to them in the instant in which they
        break."""
        for begun, pool in list(self._given.items()):
            if not pool.active:
                begun.cancel()

    def _future(self, wanted: Wanted) -> "Future[Picture]":
        drawn: Future[Picture] = Future()
        if self._processes:
            self._have_drawn(wanted, drawn, again=True)
        else:
            drawn.set_result(draw(wanted))
        return drawn

    def _have_drawn(self, wanted: Wanted, drawn: "Future[Picture]", *, again: bool) -> None:
        """Have it drawn by a process, and once `again` if that was ended from outside: it is not the map's fault."""

        def over(task: "Future[Picture]") -> None:
            self._given.pop(task, None)
            trouble = CancelledError() if task.cancelled() else task.exception()
            if again and _ended_from_outside(trouble):
                self._have_drawn(wanted, drawn, again=False)
            elif trouble is not None:
                drawn.set_exception(trouble)
            else:
                drawn.set_result(task.result())

        pool = self._working_pool()
        begun = pool.schedule(_draw_in_time, args=(draw, wanted, SECONDS), timeout=SILENT_SECONDS)
        self._given[begun] = pool
        begun.add_done_callback(over)

    def _working_pool(self) -> "ProcessPool":
        """Another one if it is broken: it is as soon as one of its processes is ended that has nothing to do."""
        with self._changing:
            if self._pool is not None and self._pool.active:
                return self._pool
            if self._pool is not None:
                # Its other processes are ended. Not here: this may be one of its own threads.
                Thread(target=self._pool.join, name="broken pool", daemon=True).start()
            self._pool = _pool(self._processes)
            return self._pool


def _ended_from_outside(trouble: BaseException | None) -> bool:
    from concurrent.futures.process import BrokenProcessPool  # as below

    from pebble import ProcessExpired

    by_limit = isinstance(trouble, ProcessExpired) and trouble.exitcode == -signal.SIGPROF
    return isinstance(trouble, ProcessExpired | BrokenProcessPool | CancelledError) and not by_limit


def _pool(processes: int) -> "ProcessPool":
    # Every desk has a studio, hardly any command has processes, and many a daemon draws nothing.
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
