"""The command `pbmd`, whole and real, but with a clock that can be set from outside: ``TORTURE_CLOCK`` names a file with the
seconds to add to the machine's time. It is the clock of the desk, and the local time by which `schedule` goes; pauses and
time limits go by a clock that nobody can set."""

import os
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from pathlib import Path
from types import SimpleNamespace

import schedule

import pbmd.cli
import pbmd.cli.desk
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.settings import Settings


class SettableClock:
    """The machine's time and what the file says."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=float(self.file.read_text()))


def set_clock(file: Path, seconds: float) -> None:
    """Step the clock, for readers in other processes at once."""
    aside = file.with_suffix(".new")
    aside.write_text(f"{seconds:g}")
    os.replace(aside, file)


def _clock() -> SettableClock:
    return SettableClock(Path(os.environ["TORTURE_CLOCK"]))


def _open_with_clock(settings: Settings) -> Desk:
    return replace(open_desk(settings), now=_clock())


class _LocalTime(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # pyright: ignore[reportIncompatibleMethodOverride]
        there = _clock()().astimezone(tz)
        return there if tz else there.replace(tzinfo=None)


if __name__ == "__main__":
    schedule.datetime = SimpleNamespace(datetime=_LocalTime, timedelta=timedelta, time=time)  # pyright: ignore[reportAttributeAccessIssue]
    pbmd.cli.desk.open_desk = _open_with_clock
    pbmd.cli.main()
