"""Deadline rules by the calendar, as people write them ("every other Friday 20:00 Europe/Berlin"), and the slots of their
grid."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MOST_CHARS = 100
"""Nobody needs more characters than these to say how long, or when."""
_A_DAY = timedelta(days=1)
_FIRST_MONDAY = date(1970, 1, 5)
_MOST_WEEKS = 8
_LAST = date(2200, 1, 1)
_FILLERS = frozenset(("", "every", "each", "on", "at", "and", "week", "weeks", "weekly", "&"))
_DAYS = {"day": range(7), "daily": range(7), "weekday": range(5), "weekdays": range(5)}
_EVERY_OTHER = frozenset(("other", "second", "2nd", "alternate", "fortnightly", "biweekly"))
_NUMBERS = {"two": 2, "three": 3, "four": 4}
_TIME = re.compile(r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?(?P<half>am|pm)?", re.IGNORECASE)
_WORDED = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 24 * 60}
_BETWEEN_DAYS = re.compile(r"[,/&+]+")


class TimeError(ValueError):
    """A duration, a deadline rule or a time zone that cannot be read; the message shows how to write it."""


@lru_cache(maxsize=1024)
def zone(name: str) -> ZoneInfo:
    """The time zone of that IANA name. Raises `TimeError`."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise TimeError(f'there is no time zone "{name}"; write it like Europe/Berlin or UTC') from None


@dataclass(frozen=True, slots=True)
class Calendar:
    """Every week, or every `weeks` weeks, on these `days` (Monday is 0) at an hour of a zone (`zone_name` is empty if none was
    named, which is UTC). `minutes` count from the beginning of the day; 24 h, its end, is midnight. `first` is a day of a week
    that counts; None: weeks count from 5 January 1970."""

    days: frozenset[int]
    minutes: int
    zone_name: str = ""
    weeks: int = 1
    first: date | None = None

    def after(self, instant: datetime) -> datetime:
        """The first slot after an instant, in UTC. An hour that daylight saving skips is moved on by the change; of one that
        comes twice, the first counts."""
        day = max(instant.astimezone(zone(self.zone_name or "UTC")).date() - _A_DAY, self.first or date.min)
        while (slot := self._slot(day)) is None or slot <= instant:
            day += _A_DAY
        return slot

    @property
    def promise(self) -> timedelta:
        """The shortest time from one slot to the next: a day of a daily rule, seven of a weekly one."""
        days = sorted(self.days)
        return min(after - before for before, after in pairwise([*days, days[0] + 7 * self.weeks])) * _A_DAY

    def _slot(self, day: date) -> datetime | None:
        """The slot of that day, None if it has none."""
        since = self.first or _FIRST_MONDAY
        week = (day - since + timedelta(days=since.weekday())).days // 7
        if day.weekday() not in self.days or week % self.weeks:
            return None
        later, minutes = divmod(self.minutes, 24 * 60)
        at = time(minutes // 60, minutes % 60)
        return datetime.combine(day + later * _A_DAY, at, tzinfo=zone(self.zone_name or "UTC")).astimezone(UTC)


@lru_cache(maxsize=256)
def read_calendar(rule: str) -> Calendar:
    """The calendar that a rule describes: ``every Friday 20:00 Europe/Berlin``, ``every other Friday 8pm``, ``every weekday
    noon``, ``18:00 GMT on Mondays and Thursdays``, ``every 2 weeks Friday 20:00 UTC from 2026-12-04``. Raises `TimeError`."""
    problem = TimeError(
        f'"{rule[:MOST_CHARS]}" is not a deadline rule; write it like 72h, every Friday 20:00 Europe/Berlin or every other '
        "Friday 20:00 Europe/Berlin"
    )
    if len(rule) > MOST_CHARS:
        raise problem
    written = [word.strip(",;") for word in rule.split()]
    found = _read(written, problem)
    if not found.days or found.minutes < 0 or not 1 <= found.weeks <= _MOST_WEEKS:
        raise problem
    if found.weeks > 1 and len(found.days) == 7:
        raise TimeError(f'"{rule}" names no day of a week; write it like every other Friday 20:00 Europe/Berlin')
    zone(found.zone_name or "UTC")
    return found


def _read(written: Sequence[str], problem: TimeError) -> Calendar:
    """What the words say; without days, or with minutes below zero, if they do not say them. Raises `problem`."""
    days, weeks, minutes, place, first, at = set[int](), 1, -1, "", None, 0
    while at < len(written):
        word, following = written[at].lower(), written[at + 1].lower() if at + 1 < len(written) else ""
        at += 1
        if word in _FILLERS:
            continue
        if following in ("week", "weeks") and (number := _number(word)):
            weeks = number
        elif word in _EVERY_OTHER:
            weeks = 2
        elif word == "from" and first is None:
            first, at = _date(following, problem), at + 1
        elif minutes < 0 and (minutes := _minutes(word, following)) >= 0:
            at += following in ("am", "pm")
        elif named := _weekdays(word):
            days |= named
        elif not place:
            place = written[at - 1]
        else:
            raise problem
    return Calendar(frozenset(days), minutes, place, weeks, first)


def _number(word: str) -> int:
    return _NUMBERS.get(word) or (int(word) if word.isdecimal() else 0)


def _minutes(word: str, following: str) -> int:
    """The minutes since the beginning of a day that a word stands for, together with the next one if that is "am" or "pm"; -1
    if it is none."""
    found = _TIME.fullmatch(word)
    if word in _WORDED or not found:
        return _WORDED.get(word, -1)
    half = found["half"] or (following if following in ("am", "pm") else "")
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if minute > 59 or not (1 <= hour <= 12 if half else hour <= 23 and found["minute"]):
        return -1
    return (hour % 12 + 12 * (half == "pm") if half else hour) * 60 + minute


def _weekdays(word: str) -> frozenset[int]:
    """The weekdays that a word names, also several with slashes or commas; none if it is no such word."""
    if word in _DAYS:
        return frozenset(_DAYS[word])
    named = [
        [number for number, day in enumerate(WEEKDAYS) if len(name) >= 3 and day.startswith(name.rstrip("s"))]
        for name in _BETWEEN_DAYS.split(word)
        if name not in ("", "and")
    ]
    return frozenset(fits[0] for fits in named) if named and all(len(fits) == 1 for fits in named) else frozenset()


def _date(text: str, problem: TimeError) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise problem from None
    if found > _LAST:
        raise TimeError(f"{found} is too far away; write a date before {_LAST}")
    return found


def has_summer_time_elsewhere(zone_name: str) -> bool:
    """Whether a zone's name is an abbreviation that stays the same all year, though some places use it for only one half of the
    year."""
    place = zone(zone_name) if zone_name and "/" not in zone_name else None
    return place is not None and _offsets(place)[0] == _offsets(place)[1] and zone_name.upper() in _of_half_a_year()


_WINTER, _SUMMER = datetime(2026, 1, 15, 12, tzinfo=UTC), datetime(2026, 7, 15, 12, tzinfo=UTC)


def _offsets(place: ZoneInfo) -> tuple[timedelta | None, timedelta | None]:
    return _WINTER.astimezone(place).utcoffset(), _SUMMER.astimezone(place).utcoffset()


@lru_cache(maxsize=1)
def _of_half_a_year() -> frozenset[str]:
    places = [ZoneInfo(name) for name in available_timezones() if "/" in name]
    changing = [place for place in places if _offsets(place)[0] != _offsets(place)[1]]
    return frozenset(str(at.astimezone(place).tzname()) for place in changing for at in (_WINTER, _SUMMER))
