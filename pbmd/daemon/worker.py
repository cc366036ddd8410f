"""A worker: it handles games that it is woken for, on any machine that reaches the database and has the key."""

import asyncio
import logging
import signal
import subprocess
import threading
import time
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from sqlalchemy.exc import OperationalError

from pbmd.daemon.bell import TROUBLE, listen
from pbmd.daemon.dispatch import game_pass
from pbmd.daemon.heartbeat import seldom_look_for_garbage
from pbmd.daemon.presence import keep_present
from pbmd.daemon.set_aside import helping, is_wanted
from pbmd.desk.books.desk import Desk
from pbmd.ledger.damage import DamagedLedger
from pbmd.rendering.drawing_pool import Studio
from pbmd.rules.troubles import DEFECTS, place_of

AGAIN_SECONDS = 1.0
"""How long a worker that has lost the database waits before it tries again, and how long until an ended process is
restarted."""
_END = (signal.SIGTERM, signal.SIGINT)
_log = logging.getLogger("pbmd.worker")


def work(desk: Desk) -> None:
    """Handle games until the process is asked to end (SIGTERM, SIGINT); it finishes the current game first. While its host is
    set aside it waits. Main thread only. Raises `DamagedLedger` when it finds damage."""
    # Its errors reach us, and are logged in a line.
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
    seldom_look_for_garbage()
    while is_wanted(desk.settings.data):
        with helping(desk.settings.data):
            if _work(desk):
                return


def _work(desk: Desk) -> bool:
    """Handle games; True when it is to end, False when its host is set aside."""
    # In a process of its own, a map that takes too long or crashes harms nothing else.
    desk = replace(desk, studio=Studio(1))
    worker = _Worker(desk)
    presence = threading.Thread(
        target=keep_present, args=(desk, "worker", worker.stopping, worker.give_up, worker.rest), name="presence"
    )
    presence.start()
    try:
        worker.listen()
    finally:
        worker.stopping.set()
        presence.join()
        desk.studio.stop()
    if worker.damage is not None:
        raise worker.damage
    return not worker.rests


class _Worker:
    """The state of a worker, since Procrastinate does not pass on what a job raises."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.stopping = threading.Event()
        self.damage: DamagedLedger | None = None
        self.rests = False

    def rest(self) -> None:
        """End since the host is set aside."""
        self.rests = not self.stopping.is_set()
        self.stopping.set()

    def give_up(self, problem: DamagedLedger) -> None:
        """End: further writes may overwrite something else."""
        self.damage = self.damage or problem
        self.stopping.set()

    def listen(self) -> None:
        """Handle games until it is to end."""
        while not self.stopping.is_set():
            why = "a connection was lost"
            try:
                if asyncio.run(listen(self._desk.settings.database_url, self._deal, self.stopping)):
                    return
            except (*TROUBLE, OSError) as problem:
                why = type(problem.__cause__ or problem).__name__
            _log.warning("no bell can be heard just now (%s): is the database there, and pbmd run at work? Trying again", why)
            self.stopping.wait(AGAIN_SECONDS)

    def _deal(self, game_id: int) -> None:
        """What cannot be done now is still due, and a worker is woken for it again."""
        if self.stopping.is_set():
            return
        try:
            game_pass(self._desk, game_id)
            while (drawing := self._desk.studio.begun(game_id)) is not None:
                drawing.pictures()  # nothing was done but to start drawing them
                game_pass(self._desk, game_id)
        except DamagedLedger as problem:
            self.give_up(problem)
        except OperationalError as problem:
            _log.error("the ledger cannot be used just now (%s); nothing is lost, trying again", type(problem.orig).__name__)
        except DEFECTS as problem:
            _log.error("a defect of pbmd (%s); trying again", place_of(problem))


def keep_working(command: Sequence[str], processes: int, final: Collection[int] = ()) -> int:
    """Run this many processes of the command, each restarted when it ends, until this one is asked to end (SIGTERM, SIGINT: 0),
    or one ends with a `final` code: another in its place would end the same way. Then the others are asked to end, too, and
    waited for. Returns that code. Main thread only."""
    with _asked_to_end() as asked:
        children = [_begin(command) for _ in range(processes)]
        try:
            while not asked:
                time.sleep(AGAIN_SECONDS)
                for place, child in enumerate(children):
                    if (code := child.poll()) is None:
                        continue
                    if code in final:
                        return code
                    if not asked:
                        _log.warning("worker %d has ended with %d; another takes its place", child.pid, code)
                        children[place] = _begin(command)
            return 0
        finally:
            for child in children:
                child.terminate()
            for child in children:
                child.wait()


@contextmanager
def _asked_to_end() -> Generator[Sequence[int]]:
    """The signals that asked this process to end are only recorded: an exception while a child is being started would leave
    behind an unknown child."""
    asked: list[int] = []
    before = {number: signal.signal(number, lambda number, _frame: asked.append(number)) for number in _END}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _begin(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command)  # noqa: S603 - it is this program again
