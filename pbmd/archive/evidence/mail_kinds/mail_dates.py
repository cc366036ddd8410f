"""Whether the date of a mail is the time at which an entry was written."""

from datetime import datetime, timedelta

AT_ONCE = timedelta(seconds=2)
"""What is written within this time belongs together."""


def is_at_once(written: datetime | None, dated: datetime | None) -> bool:
    """Whether a mail of this date can have been written together with an entry; not if either time is not known."""
    return written is not None and dated is not None and abs(dated - written) <= AT_ONCE
