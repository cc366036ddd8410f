"""Whether the date of a mail is the time at which an entry was written, or one after all entries."""

from collections.abc import Sequence
from datetime import datetime, timedelta

AT_ONCE = timedelta(seconds=2)
"""What is written within this time belongs together."""


def is_at_once(written: datetime | None, dated: datetime | None) -> bool:
    """Whether a mail of this date can have been written together with an entry; not if either time is not known."""
    return written is not None and dated is not None and abs(dated - written) <= AT_ONCE


def is_newer(dated: datetime | None, times: Sequence[datetime]) -> bool:
    """Whether a mail of this date can tell of an entry that was written after all these."""
    return dated is not None and bool(times) and dated - times[-1] > AT_ONCE


NEWER = "this mail is newer than these books, and a later entry may have it"
