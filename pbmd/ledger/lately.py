"""What happened lately: not before then, and not in a time to come. Such times are of a clock that was ahead and was put right:
nobody can say how long ago it was, and a limit that counted them would keep somebody waiting until that time comes. The clocks
of several hosts may differ a little."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_
from sqlmodel import col

_CLOCKS_DIFFER = timedelta(minutes=1)


def lately(column: Any, now: datetime, span: timedelta) -> ColumnElement[bool]:
    """The condition that the time in a column is within that span before now."""
    return and_(col(column) > now - span, col(column) <= now + _CLOCKS_DIFFER)


def was_lately(at: datetime, now: datetime, span: timedelta) -> bool:
    """Whether a time is within that span before now."""
    return now - span < at <= now + _CLOCKS_DIFFER
