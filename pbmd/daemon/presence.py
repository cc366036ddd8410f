"""Reports that a host which shares a ledger is there, that its clock is right, and that its disk has room, whatever part it
has."""

import logging
import threading
import time
from collections.abc import Callable

from sqlalchemy.exc import OperationalError

from pbmd.daemon.set_aside import is_set_aside
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.hosts import say_we_are_here, say_we_rest
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.desk.mail.alarms import WATCHED_BY_EACH, watch
from pbmd.ledger.damage import DamagedLedger
from pbmd.rules.troubles import place_of

SAY_SECONDS = 60.0
LOOK_SECONDS = 1.0
_log = logging.getLogger("pbmd.daemon")


def keep_present(
    desk: Desk,
    does: str,
    stopping: threading.Event,
    give_up: Callable[[DamagedLedger], object],
    rest: Callable[[], object] = lambda: None,
) -> None:
    """Watch the clock all the time, and the disk once a minute, and report this host's presence then, until the event is set,
    or the ledger is damaged, which is passed to `give_up`. `rest` is called when the host is set aside. The ledger of a single
    host needs none of this: the process with all the parts checks."""
    said = float("-inf")
    while desk.host and not stopping.is_set():
        if is_set_aside(desk.settings.data):
            rest()
            break
        try:
            if time.monotonic() - said > SAY_SECONDS:
                say_we_are_here(desk, does)
                watch(desk, kinds=WATCHED_BY_EACH)
                said = time.monotonic()
            look_at_clock(desk)
        except DamagedLedger as problem:
            give_up(problem)
            return
        except OperationalError as problem:
            _log.debug("the ledger cannot be used just now (%s)", type(problem.orig).__name__)
        except Exception as problem:  # the next check may go better
            _log.error("a defect of pbmd (%s); trying again", place_of(problem))
        stopping.wait(LOOK_SECONDS)
    if desk.host and is_set_aside(desk.settings.data):
        say_we_rest(desk, does)
