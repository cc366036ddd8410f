"""Quiet days and holidays of a game: days on which no deadline falls. A deadline that would is moved to the next day that is
not quiet, at the same hour, whatever daylight saving does in between."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Protocol
from zoneinfo import ZoneInfo

from pbmd.terms.days import parse_days
from pbmd.terms.terms import Terms
from pbmd.terms.times import WEEKDAYS, describe_days, zone

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Quiet:
    """The quiet weekdays (Monday is 0), the first and last day of each holiday, and the zone whose days these are."""

    weekdays: frozenset[int]
    holidays: tuple[tuple[date, date], ...]
    place: ZoneInfo

    def has(self, day: date) -> bool:
        """Whether no deadline falls on this day."""
        return day.weekday() in self.weekdays or any(first <= day <= last for first, last in self.holidays)


class QuietTerms(Protocol):
    """What says which days are quiet: the terms of a game, or an entry of its journal by which they have changed."""

    @property
    def quiet_days(self) -> Sequence[str]:
        """The weekdays."""
        ...

    @property
    def holidays(self) -> Sequence[str]:
        """The holidays, as they are written."""
        ...

    @property
    def quiet_zone(self) -> str:
        """The zone whose days these are; empty for UTC."""
        ...


def allowed(terms: Terms, at: datetime, beyond: Callable[[datetime], bool] = lambda _: False) -> datetime:
    """This deadline, or else the same hour of the first later day on which one may fall, in UTC.

    `beyond`: further deadlines to be passed over.
    """
    quiet = _quiet(terms.quiet_days, terms.holidays, terms.quiet_zone)
    local = at.astimezone(quiet.place)
    day, moved = local.date(), at
    # Ends: at most six weekdays are quiet, and the terms name only so many holidays.
    while quiet.has(day) or beyond(moved):
        day += _DAY
        # Of an hour that comes twice, the first; one that daylight saving skips is moved on by the change.
        moved = datetime.combine(day, local.time(), tzinfo=quiet.place).astimezone(UTC)
    return moved


@lru_cache(maxsize=256)
def _quiet(weekdays: tuple[str, ...], holidays: tuple[str, ...], place: str) -> _Quiet:
    days = frozenset(WEEKDAYS.index(name) for name in weekdays)
    return _Quiet(days, tuple(parse_days(words) for words in holidays), zone(place or "UTC"))


def named_days(terms: QuietTerms) -> tuple[list[str], list[str]]:
    """The quiet days and the holidays, each in words."""
    return [name.title() for name in terms.quiet_days], [describe_days(*parse_days(words)) for words in terms.holidays]


def quiet_words(terms: QuietTerms) -> str:
    """The same as a list; empty if there are none."""
    parts = [", ".join(days) for days in named_days(terms) if days]
    return "; ".join(parts) + (f" ({terms.quiet_zone or 'UTC'})" if parts else "")
