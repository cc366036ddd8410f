"""A worker: it deals with games that it is woken for, on any machine that reaches the database and has the key."""

import asyncio
import logging
import subprocess
import threading
import time
from collections.abc import Sequence
from functools import partial

from procrastinate.exceptions import ConnectorException
from sqlalchemy.exc import OperationalError

from pbmd.daemon.bell import listen
from pbmd.daemon.dispatch import game_pass
from pbmd.daemon.presence import keep_present
from pbmd.daemon.work import seldom_look_for_garbage
from pbmd.desk.books.desk import Desk
from pbmd.ledger.damage import UNUSABLE
from pbmd.rules.troubles import place_of

AGAIN_SECONDS = 1.0
"""So long a worker that has lost the database waits before it tries again, and a process that has ended is not begun anew."""
_log = logging.getLogger("pbmd.worker")


def work(desk: Desk) -> None:
    """Deal with games until the process is asked to end (SIGTERM, SIGINT); the game at hand is dealt with first. Main thread
    only."""
    # What goes wrong with it comes to us, and is told in a line.
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
    seldom_look_for_garbage()
    stopping = threading.Event()
    presence = threading.Thread(target=keep_present, args=(desk, "worker", stopping), name="presence")
    presence.start()
    try:
        _listen(desk)
    finally:
        stopping.set()
        presence.join()


def _listen(desk: Desk) -> None:
    while True:
        why = "a connection was lost"
        try:
            if asyncio.run(listen(desk.settings.database_url, partial(_deal, desk))):
                return
        except (ConnectorException, OSError) as problem:
            why = type(problem.__cause__ or problem).__name__
        _log.warning("no bell can be heard just now (%s): is the database there, and pbmd run at work? Trying again", why)
        time.sleep(AGAIN_SECONDS)


def _deal(desk: Desk, game_id: int) -> None:
    """What cannot be done now is still due, and somebody is woken for it again."""
    try:
        game_pass(desk, game_id)
    except OperationalError as problem:
        _log.error("the ledger cannot be used just now (%s); nothing is lost, trying again", type(problem.orig).__name__)
    except UNUSABLE:
        raise
    except Exception as problem:
        _log.error("a defect of pbmd (%s); trying again", place_of(problem))


def keep_working(command: Sequence[str], processes: int) -> None:
    """Run so many processes of that command, each begun anew when it ends, until this one is asked to end (SIGTERM as
    `SystemExit`, SIGINT); then they are asked, too, and waited for."""
    children = [_begin(command) for _ in range(processes)]
    try:
        while True:
            time.sleep(AGAIN_SECONDS)
            for place, child in enumerate(children):
                if child.poll() is not None:
                    _log.warning("worker %d has ended with %d; another takes its place", child.pid, child.returncode)
                    children[place] = _begin(command)
    finally:
        for child in children:
            child.terminate()
        for child in children:
            child.wait()


def _begin(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command)  # noqa: S603 - it is this program again
