"""The command `pbmd`, whole and real, in a week that takes an hour: ``WEEK_CLOCK`` names a file with the seconds to add to the
machine's time. Both clocks of the desk go by it, the time of `schedule`, and the stamp of what pbmd puts into the mailbox, as
it would be where the mail server lives in the same week. Pauses and time limits go by the machine's time.

It imports nothing of the tests, since it runs earlier versions of pbmd, too.
"""

import os
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from datetime import time as time_of_day
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import schedule
from imapclient import IMAPClient

import pbmd.cli
import pbmd.cli.desk
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.settings import Settings

_CLOCK = Path(os.environ["WEEK_CLOCK"])
_append = IMAPClient.append


def _ahead() -> float:
    return float(_CLOCK.read_text(encoding="ascii"))


def _now() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=_ahead())


def _steady() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME) + _ahead()


def _open_with_clock(settings: Settings) -> Desk:
    return replace(open_desk(settings), now=_now, steady=_steady)


def _append_now(self: IMAPClient, folder: Any, msg: Any, flags: Any = (), msg_time: datetime | None = None) -> Any:
    return _append(self, folder, msg, flags, msg_time or _now())


class _LocalTime(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # pyright: ignore[reportIncompatibleMethodOverride]
        there = _now().astimezone(tz)
        return there if tz else there.replace(tzinfo=None)


if __name__ == "__main__":
    IMAPClient.append = _append_now
    schedule.datetime = SimpleNamespace(datetime=_LocalTime, timedelta=timedelta, time=time_of_day)  # pyright: ignore[reportAttributeAccessIssue, reportPrivateImportUsage]
    pbmd.cli.desk.open_desk = _open_with_clock
    pbmd.cli.main()
