"""When the rows of the ledger are checked: now and then those in use, and all of them as soon as something goes wrong that one
may have caused."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OutOfLane
from pbmd.desk.step.game_transaction import Undrawn
from pbmd.desk.unreadable.put_aside import look
from pbmd.ledger.damage import UNUSABLE
from pbmd.rules.protocol import Refused
from pbmd.rules.troubles import DEFECTS

OFTEN_SECONDS = 60.0
"""How often rows in use are checked; and how long a search that found nothing is not repeated."""
_SHARE = 200
"""Checking takes a two-hundredth of the time at most."""
P = ParamSpec("P")
T = TypeVar("T")


def look_now_and_then(desk: Desk) -> None:
    """Put aside what cannot be read in rows that are in use, unless that was checked within the last minute."""
    _look(desk, in_use=True)


def found_aside(desk: Desk) -> bool:
    """Check all rows because something went wrong; returns whether one was found that may be to blame, and was put aside."""
    return bool(_look(desk, in_use=False))


def _look(desk: Desk, *, in_use: bool) -> list[str]:
    if desk.looks.get(in_use, desk.steady()) > desk.steady():
        return []
    begun = time.monotonic()
    told = look(desk, in_use=in_use)
    pause = max(OFTEN_SECONDS, _SHARE * (time.monotonic() - begun))
    desk.looks[in_use] = desk.steady() + (0 if told and not in_use else pause)
    return told


def despite_unreadable(act: Callable[Concatenate[Desk, P], T]) -> Callable[Concatenate[Desk, P], T]:
    """Makes a function that can be restarted from its beginning start again when it has found a row that cannot be read, once
    that is put aside."""

    @wraps(act)
    def despite(desk: Desk, *args: P.args, **more: P.kwargs) -> T:
        try:
            return act(desk, *args, **more)
        except (*UNUSABLE, OutOfLane, Undrawn, Refused):
            raise
        except DEFECTS:
            if not found_aside(desk):
                raise
        return act(desk, *args, **more)

    return despite
