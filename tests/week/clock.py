"""The clock of the week: so many times as fast as that of the machine, in a file that all processes read."""

import os
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

_LONGEST = 0.5
"""Seconds that count of those since it was last moved: where whoever moves it is busy, the week stands still."""


@dataclass
class WeekClock:
    """It goes as long as it is moved again and again. `speed` is how many seconds of the week pass in one of the machine's."""

    file: Path
    begins: datetime
    speed: float
    _passed: float = 0.0
    _moved: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """The files of others are read from the beginning on."""
        self.move()

    def move(self) -> datetime:
        """Set the clock for all to what it is to be by now, and give that."""
        now = time.monotonic()
        self._passed += min(now - self._moved, _LONGEST) * self.speed
        self._moved = now
        aside = self.file.with_suffix(".new")
        aside.write_text(f"{self.begins.timestamp() + self._passed - time.time():.3f}", encoding="ascii")
        os.replace(aside, self.file)
        return self.now()

    def now(self) -> datetime:
        """What the others see."""
        return datetime.now(UTC) + timedelta(seconds=float(self.file.read_text(encoding="ascii")))
