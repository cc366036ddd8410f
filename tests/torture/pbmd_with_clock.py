"""The command `pbmd`, whole and real, but at a desk whose clock can be set from outside: ``TORTURE_CLOCK`` names a file with
the seconds to add to the machine's time."""

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pbmd.cli
import pbmd.cli.desk
from pbmd.desk.context import Desk, open_desk
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


def _open_with_clock(settings: Settings) -> Desk:
    return replace(open_desk(settings), now=SettableClock(Path(os.environ["TORTURE_CLOCK"])))


if __name__ == "__main__":
    pbmd.cli.desk.open_desk = _open_with_clock
    pbmd.cli.main()
