"""Deadline rules by the calendar, as people write them ("every other Friday 20:00 Europe/Berlin"), and the slots of their
grid."""

import difflib
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
_FILLERS = frozenset(("", "every", "each", "on", "at", "and", "by", "before", "until", "week", "weeks", "weekly", "&"))
_DAYS = {"day": range(7), "daily": range(7), "nightly": range(7)} | {
    name: days
    for days, names in ((range(5), ("weekday", "weekdays")), (range(5, 7), ("weekend", "weekends")))
    for name in names
}
_PARTS_OF_DAYS = frozenset(("morning", "afternoon", "evening", "night"))
"""They say nothing of the hour, and name all days if nothing else does."""
_TO = frozenset(("to", "-", "\N{EN DASH}", "till", "through"))
_EVERY_OTHER = frozenset(("other", "second", "2nd", "alternate", "fortnightly", "biweekly"))
_OF_MONTHS = frozenset(("first", "1st", "third", "3rd", "fourth", "4th", "fifth", "5th", "last", "month", "months", "monthly"))
_BEGINNING = frozenset(("from", "starting", "beginning"))
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12}
"""Numbers as words."""
_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2})|(?P<h>h)(?P<after>\d{2})?)?(?P<half>am|pm)?(?P<utc>z)?", re.IGNORECASE
)
_HALF = re.compile(r"\b([ap])\.m\b\.?", re.IGNORECASE)
_WORDED = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 24 * 60}
_BETWEEN_DAYS = re.compile(r"[,/&+]+")
_RANGE_OF_DAYS = re.compile(r"(?P<first>[a-z]{3,9})[-\N{EN DASH}](?P<last>[a-z]{3,9})")
_OFFSET = re.compile(r"(?:utc|gmt|etc/gmt)?\s*[+-]\s*\d{1,2}(?::?\d{2})?", re.IGNORECASE)


class TimeError(ValueError):
    """A duration, a deadline rule or a time zone that cannot be read; the message shows how to write it."""


@lru_cache(maxsize=1024)
def zone(name: str) -> ZoneInfo:
    """The time zone of that IANA name. Raises `TimeError`."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise TimeError(f'there is no time zone "{name}"; write it like Europe/Berlin or UTC') from None


@lru_cache(maxsize=1024)
def named_zone(text: str) -> str:
    """The IANA name of the time zone that somebody means, in upper or lower case, or given by its city alone. Raises
    `TimeError`."""
    said = " ".join(text.strip("() ")[:MOST_CHARS].split())
    wanted = said.casefold().removesuffix(" time").replace(" ", "_")
    if wanted == "z":
        return "UTC"
    if _OFFSET.fullmatch(said):  # the zones that are called so count the other way round
        raise TimeError(f'"{said[:40]}" names no place; write it like Europe/Berlin, whose summer time counts, or UTC')
    names = _zone_names()
    found = names.get(wanted) or [name for key, held in names.items() if key.endswith(f"/{wanted}") for name in held]
    if len(found) == 1:
        return found[0]
    if not found and wanted.upper() in _of_half_a_year():
        raise TimeError(f'"{said[:40]}" holds for half of a year, and for many places; write the place like Europe/Berlin')
    near = found or [name for key in difflib.get_close_matches(wanted, names, n=3) for name in names[key]]
    hint = f"; perhaps you mean {' or '.join(sorted(near[:3]))}" if near else "; write it like Europe/Berlin or UTC"
    raise TimeError(f'there is no time zone "{said[:40]}"{hint}')


@lru_cache(maxsize=1)
def _zone_names() -> dict[str, list[str]]:
    """The names of all time zones, by their lower-case forms."""
    return {name.casefold(): [name] for name in available_timezones() if name not in ("Factory", "localtime")}


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
    written = [word.strip(",;") for word in _HALF.sub(r"\1m", rule).split()]
    if any(word.lower() in _OF_MONTHS for word in written):
        raise TimeError(f'"{rule}" goes by months, and no rule does; write it like every 4 weeks Friday 20:00 Europe/Berlin')
    found = _read(written, problem)
    if found.days and found.minutes < 0:
        raise TimeError(f'"{rule}" names no hour; write it like every Friday 20:00 Europe/Berlin or every day 8pm UTC')
    if not found.days or not 1 <= found.weeks <= _MOST_WEEKS:
        raise problem
    if found.weeks > 1 and len(found.days) == 7:
        raise TimeError(f'"{rule}" names no day of a week; write it like every other Friday 20:00 Europe/Berlin')
    return found


def _read(written: Sequence[str], problem: TimeError) -> Calendar:
    """What the words say; without days, or with minutes below zero, if they do not say them. Raises `TimeError`."""
    days, weeks, minutes, first, at = set[int](), 1, -1, None, 0
    place, parts = list[str](), False
    while at < len(written):
        word, following = written[at].lower(), written[at + 1].lower() if at + 1 < len(written) else ""
        at += 1
        if word in _FILLERS:
            continue
        if following in ("week", "weeks") and (number := _number(word)):
            weeks = number
        elif word in _EVERY_OTHER:
            weeks = 2
        elif word in _BEGINNING and first is None:
            at += following in _BEGINNING
            first, at = _date(written[at] if at < len(written) else "", problem), at + 1
        elif minutes < 0 and (minutes := _minutes(word, following)) >= 0:
            at += following in ("am", "pm")
            place += ["UTC"] * (word[-1] == "z")
        elif following in _TO and (named := _days_from(word, written[at + 1].lower() if at + 1 < len(written) else "")):
            days |= named
            at += 2
        elif named := _weekdays(word):
            days |= named
        elif word in _PARTS_OF_DAYS:
            parts = True
        else:
            place.append(written[at - 1])
    named_days = frozenset(days or (range(7) if parts else ()))
    if not named_days and len(place) > 1:
        raise problem
    # Without an hour a number among the words may have been meant for it.
    return Calendar(named_days, minutes, named_zone(" ".join(place)) if place and minutes >= 0 else "", weeks, first)


def _number(word: str) -> int:
    return NUMBERS.get(word) or (int(word) if word.isdecimal() else 0)


def _minutes(word: str, following: str) -> int:
    """The minutes since the beginning of a day that a word stands for, together with the next one if that is "am" or "pm"; -1
    if it is none."""
    found = _TIME.fullmatch(word)
    if word in _WORDED or not found:
        return _WORDED.get(word, -1)
    half = found["half"] or (following if following in ("am", "pm") else "")
    hour, minute = int(found["hour"]), int(found["minute"] or found["after"] or 0)
    if not half and (hour, minute) == (24, 0) and (found["minute"] or found["h"]):
        return 24 * 60
    if minute > 59 or not (1 <= hour <= 12 if half else hour <= 23 and (found["minute"] or found["h"])):
        return -1
    return (hour % 12 + 12 * (half == "pm") if half else hour) * 60 + minute


def names_a_weekday(rule: str) -> bool:
    """Whether a weekday is among the words of a rule."""
    return any(_weekdays(word.strip(",;").lower()) for word in rule.split())


def _weekdays(word: str) -> frozenset[int]:
    """The weekdays that a word names, also several with slashes or commas; none if it is no such word."""
    if word in _DAYS:
        return frozenset(_DAYS[word])
    if found := _RANGE_OF_DAYS.fullmatch(word):
        return _days_from(found["first"], found["last"])
    named = [
        [number for number, day in enumerate(WEEKDAYS) if len(name) >= 3 and day.startswith(name.rstrip("s"))]
        for name in _BETWEEN_DAYS.split(word)
        if name not in ("", "and")
    ]
    return frozenset(fits[0] for fits in named) if named and all(len(fits) == 1 for fits in named) else frozenset()


def _days_from(first: str, last: str) -> frozenset[int]:
    """The weekdays from one to another; none if they are no names of one day each."""
    ends = [_weekdays(word) for word in (first, last) if word.isalpha()]
    if len(ends) != 2 or any(len(each) != 1 for each in ends):
        return frozenset()
    (begin,), (end,) = ends
    return frozenset(day % 7 for day in range(begin, end + 1 + 7 * (end < begin)))


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
