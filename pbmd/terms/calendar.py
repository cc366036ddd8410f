"""Deadline rules by the calendar, as people write them ("every other Friday 20:00 Europe/Berlin"), and the slots of their
grid."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
_MOST_DAYS = 30
_LAST = date(2200, 1, 1)
_FILLERS = frozenset(("", "every", "each", "on", "at", "and", "by", "before", "until", "week", "weeks", "weekly", "&"))
_DAYS = {"day": range(7), "daily": range(7), "nightly": range(7)} | {
    name: days
    for days, names in ((range(5), ("weekday", "weekdays")), (range(5, 7), ("weekend", "weekends")))
    for name in names
}
_PARTS = ("morning", "afternoon", "evening", "night")
_PARTS_OF_DAYS = frozenset(f"{part}{plural}" for part in _PARTS for plural in ("", "s"))
"""They say nothing of the hour, and name all days if nothing else does."""
_EVERY_OTHER = frozenset(("other", "second", "2nd", "alternate", "fortnightly", "biweekly"))
_KNOWN = _FILLERS | _PARTS_OF_DAYS | _EVERY_OTHER
_OF_MONTHS = frozenset(("first", "1st", "third", "3rd", "fourth", "4th", "fifth", "5th", "last", "month", "months", "monthly"))
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12}
"""Numbers as words."""
ORDINALS = {"other": 2, "alternate": 2} | {
    name: number
    for number, names in enumerate((("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th")), 2)
    for name in names
}
"""Of how many each one is meant."""
_WEEKS = re.compile(rf"(?<![:.\d])\b(\d{{1,2}}|{'|'.join(NUMBERS)})\s+weeks?\b", re.IGNORECASE | re.ASCII)
_SOME_DAYS = re.compile(
    rf"(?<![:.\d])\b(?:(?P<each>{'|'.join(ORDINALS)})|(?P<many>\d{{1,2}}|{'|'.join(NUMBERS)}))\s+(?:day|{'|'.join(_PARTS)})s?\b",
    re.IGNORECASE | re.ASCII,
)
_FROM = re.compile(r"\bfrom\b\s*([^\s,;]*)", re.IGNORECASE)
_TIME = re.compile(r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?(?P<half>am|pm)?", re.IGNORECASE)
_SPELLINGS = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        (r"\b([ap])\.m\b\.?", r"\1m"),
        (r"(?<=\d)\s+(?=[ap]m\b)", ""),
        (r"\b(\d{1,2})h(\d{2})\b", r"\1:\2"),
        (r"\b(\d{1,2})h\b", r"\1:00"),
        (r"(?<=\d)z\b", " UTC"),
        (r"\b24[:.]00\b", "midnight"),
        (r"\b(?:starting|beginning)(?: from)?\b", "from"),
    )
)
"""Ways to write what can be written more plainly."""
_WORDED = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 24 * 60}
_BETWEEN_DAYS = re.compile(r"[,/&+]+")
_RANGE_OF_DAYS = re.compile(r"\b([a-z]{3,9})(?:\s*[-\N{EN DASH}]\s*|\s+(?:to|till|through)\s+)([a-z]{3,9})\b", re.IGNORECASE)
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
    named, which is UTC). `minutes` count from the beginning of the day; 24 h, its end, is midnight. Of all days each counts,
    or every `apart` days one. `first` is a day that counts, or of a week that does; None: they count from 5 January 1970."""

    days: frozenset[int]
    minutes: int
    zone_name: str = ""
    weeks: int = 1
    first: date | None = None
    apart: int = 1

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
        if self.apart > 1:
            return self.apart * _A_DAY
        days = sorted(self.days)
        return min(after - before for before, after in pairwise([*days, days[0] + 7 * self.weeks])) * _A_DAY

    def _slot(self, day: date) -> datetime | None:
        """The slot of that day, None if it has none."""
        since = self.first or _FIRST_MONDAY
        week = (day - since + timedelta(days=since.weekday())).days // 7
        if day.weekday() not in self.days or week % self.weeks or (day - since).days % self.apart:
            return None
        later, minutes = divmod(self.minutes, 24 * 60)
        at = time(minutes // 60, minutes % 60)
        return datetime.combine(day + later * _A_DAY, at, tzinfo=zone(self.zone_name or "UTC")).astimezone(UTC)


@lru_cache(maxsize=256)
def read_calendar(rule: str) -> Calendar:
    """The calendar that a rule describes: ``every Friday 20:00 Europe/Berlin``, ``every other Friday 8pm``, ``every weekday
    noon``, ``every other day 20:00``, ``18:00 GMT on Mondays and Thursdays``, ``every 2 weeks Friday 20:00 UTC from
    2026-12-04``. Raises `TimeError`."""
    problem = TimeError(
        f'"{rule[:MOST_CHARS]}" is not a deadline rule; write it like 72h, every Friday 20:00 Europe/Berlin or every other '
        "Friday 20:00 Europe/Berlin"
    )
    if len(rule) > MOST_CHARS:
        raise problem
    plain, apart = _apart(_plainly(rule), problem)
    if any(word.strip(",;").lower() in _OF_MONTHS for word in plain.split()):
        raise TimeError(f'"{rule}" goes by months, and no rule does; write it like every 4 weeks Friday 20:00 Europe/Berlin')
    found = _read(plain, problem)
    if found.days and found.minutes < 0:
        raise TimeError(f'"{rule}" names no hour; write it like every Friday 20:00 Europe/Berlin or every day 8pm UTC')
    if not found.days or not 1 <= found.weeks <= _MOST_WEEKS or (apart > 1 and found.weeks > 1):
        raise problem
    if found.weeks > 1 and len(found.days) == 7:
        raise TimeError(f'"{rule}" names no day of a week; write it like every other Friday 20:00 Europe/Berlin')
    return replace(found, apart=apart)


def _apart(rule: str, problem: TimeError) -> tuple[str, int]:
    """A rule that counts days ("every 3 days 20:00") as if it meant each day, and every how many days it means."""
    found = _SOME_DAYS.search(rule)
    if found is None:
        return rule, 1
    apart = ORDINALS[found["each"].lower()] if found["each"] else _number(found["many"])
    before, after = rule[: found.start()], rule[found.end() :]
    if names_a_weekday(f"{before} {after}") or apart < 1:
        raise problem
    if apart > _MOST_DAYS:
        raise TimeError(f'"{rule}" is too long; {_MOST_DAYS} days are the most, so write it like every 14 days 20:00')
    return f"{before}day{after}", apart


def _plainly(rule: str) -> str:
    """A rule with one spelling for what has several."""
    for spelling, plain in _SPELLINGS:
        rule = spelling.sub(plain, rule)
    return _RANGE_OF_DAYS.sub(lambda found: _days_from(found[1], found[2]) or found[0], rule)


def _days_from(first: str, last: str) -> str:
    """The weekdays from one to another, with commas; empty if they are no names of one day each."""
    ends = [sorted(_weekdays(word.lower())) for word in (first, last)]
    if any(len(days) != 1 for days in ends):
        return ""
    begin, end = ends[0][0], ends[1][0]
    return ",".join(WEEKDAYS[day % 7] for day in range(begin, end + 1 + 7 * (end < begin)))


def _read(rule: str, problem: TimeError) -> Calendar:
    """What a rule says; without days, or with minutes below zero, if it does not say them. Raises `TimeError`."""
    beginning, number = _FROM.search(rule), _WEEKS.search(rule)
    written = [word.strip(",;") for word in _WEEKS.sub(" ", _FROM.sub(" ", rule, count=1)).split()]
    said = [word.lower() for word in written]
    hours = [minutes for word in said if (minutes := _minutes(word)) >= 0]
    if len(hours) > 1:
        raise problem
    days = _days_in(said)
    weeks = _number(number[1]) if number else 1 + bool(_EVERY_OTHER & {*said})
    place = [word for word in written if not _is_known(word.lower())]
    # Without an hour a number among the words may have been meant for it.
    is_place = bool(hours and place and days)
    first = _date(beginning[1], problem) if beginning else None
    return Calendar(days, hours[0] if hours else -1, named_zone(" ".join(place)) if is_place else "", weeks, first)


def _days_in(said: Sequence[str]) -> frozenset[int]:
    """The weekdays that words name; all for ``every evening``."""
    named = frozenset[int]().union(*map(_weekdays, said))
    return named or frozenset(range(7) if _PARTS_OF_DAYS & {*said} else ())


def _is_known(word: str) -> bool:
    return word in _KNOWN or _minutes(word) >= 0 or bool(_weekdays(word))


def _number(word: str) -> int:
    return NUMBERS.get(word.lower()) or (int(word) if word.isdecimal() else 0)


def _minutes(word: str) -> int:
    """The minutes since the beginning of a day that a word stands for; -1 if it is none."""
    found = _TIME.fullmatch(word)
    if word in _WORDED or not found:
        return _WORDED.get(word, -1)
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if minute > 59 or not (1 <= hour <= 12 if found["half"] else hour <= 23 and found["minute"]):
        return -1
    return (hour % 12 + 12 * (found["half"] == "pm") if found["half"] else hour) * 60 + minute


def names_a_weekday(rule: str) -> bool:
    """Whether a weekday is among the words of a rule."""
    return any(_weekdays(word.strip(",;").lower()) for word in rule.split())


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
