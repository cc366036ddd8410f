"""How much the tests try of what could be tried without end: a small dose in every run, a large one if PBMD_LARGE_DOSES is
set (`make large-doses`)."""

import os
from typing import TypeVar

T = TypeVar("T")
LARGE = "PBMD_LARGE_DOSES" in os.environ


def dose(small: T, large: T) -> T:
    """What every run tries, or all of it if that is asked for."""
    return large if LARGE else small
