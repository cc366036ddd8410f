"""Durations and deadlines as people write them, and calendar arithmetic (daylight saving included)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache

from pbmd.terms.calendar import (
    MOST_CHARS,
    NUMBERS,
    ORDINALS,
    WEEKDAYS,
    Calendar,
    TimeError,
    has_summer_time_elsewhere,
    named_zone,
    names_a_weekday,
    read_calendar,
    zone,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""The microseconds of an arrival are counted from here."""
_UNITS = {"w": 7 * 24 * 3600, "d": 24 * 3600, "h": 3600, "m": 60, "s": 1}
NUMBER_WORDS = {"a": 1, "an": 1, "one": 1, **NUMBERS}
_DURATION = re.compile(
    rf"(\d{{1,4}}|(?:{'|'.join(NUMBER_WORDS)})(?=\s))\s*(?:(?P<w>w(?:eeks?)?)|(?P<d>d(?:ays?)?)|(?P<h>h(?:(?:ou)?rs?)?)|(?P<m>m(?:in(?:ute)?s?)?)|(?P<s>s(?:ec(?:ond)?s?)?))"
    r"(?![a-z])\s*,?\s*(?:and\s+)?",
    re.IGNORECASE | re.ASCII,
)
LONGEST = timedelta(days=3650)
"""The longest duration that anybody may ask for: adding a few of them still gives a date."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ALONE = {"daily": "1 day", "weekly": "1 week", "fortnightly": "2 weeks", "biweekly": "2 weeks"}
"""Durations that are a single word."""
_EVERY = re.compile(
    rf"(?:every|each|once(?: every)?)\s+(?:(?P<other>{'|'.join(ORDINALS)})\s+|an?\s+)?(?:(?P<unit>hour|day|week)|(?P<rest>.+))",
    re.IGNORECASE | re.ASCII,
)
"""A length of time said as what comes back: ``every 48 hours``, ``every other week``, ``once a week``."""
SHARE = 90
"""At least this percentage of the time between two calendar slots must be left, unless the terms say otherwise."""
_AFTER_A_DEADLINE = 50
"""The same after a step that ended at its deadline: neither grace nor the time it takes to read mail may cost a slot."""


@lru_cache(maxsize=1024)
def parse_duration(text: str) -> timedelta:
    """``72h``, ``3 days``, ``1d 12h``, ``90 min``, in 100 characters at most. Raises `TimeError`."""
    words, read, seconds = text.strip(), 0, 0
    if len(words) > MOST_CHARS:
        raise TimeError(f'"{words[:40]}…" is too long for a length of time; write it like 72h, 3 days or 1d 12h')
    while found := _DURATION.match(words, read):
        number = NUMBER_WORDS.get(found[1].lower()) or int(found[1])
        seconds += number * _UNITS[found.lastgroup or ""]
        read = found.end()
        if seconds > LONGEST.total_seconds():
            raise TimeError(f'"{text[:40]}" is too long; ten years are the most')
    if read < len(words) or not words:
        raise TimeError(f'"{text[:40]}" is not a length of time; write it like 72h, 3 days or 1d 12h')
    return timedelta(seconds=seconds)


_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{1,2}:\d{2}(?::\d{2})?))?\s*(\S+)?")


def parse_moment(text: str, zone_name: str = "UTC") -> datetime:
    """``2026-11-27 20:00``, ``2026-11-27`` (its first instant), with a time zone or ``+01:00`` behind it, or in the zone given;
    in UTC. An offset is no zone for what comes back, but for one moment it is plain.

    Raises `TimeError`.
    """
    found = _MOMENT.fullmatch(text.strip()) if len(text) <= MOST_CHARS else None
    problem = TimeError(
        f'"{text[:40]}" is not a point in time; write it like 2026-11-27 20:00 or 2026-11-27 20:00 Europe/Berlin'
    )
    if not found:
        raise problem
    try:
        offset = _offset(found[3] or "") if found[2] else None
        place = offset or zone(named_zone(found[3] or zone_name))
    except TimeError:
        raise problem from None
    try:
        at = time.fromisoformat((found[2] or "0:00").zfill(5))
        return datetime.combine(date.fromisoformat(found[1]), at, tzinfo=place).astimezone(UTC)
    except (ValueError, OverflowError):
        raise problem from None


_OFFSET = re.compile(r"([+-])(0\d|1[0-4]):?([0-5]\d)")


def _offset(text: str) -> timezone | None:
    """What ISO 8601 puts behind a moment: ``+01:00`` is an hour before UTC. None for anything else."""
    found = _OFFSET.fullmatch(text)
    return timezone(timedelta(hours=int(found[1] + found[2]), minutes=int(found[1] + found[3]))) if found else None


def describe_day(day: date) -> str:
    """``Fri 27 Nov 2026``."""
    return f"{WEEKDAYS[day.weekday()][:3].title()} {day.day} {_MONTHS[day.month - 1]} {day.year}"


def describe_days(first: date, last: date) -> str:
    """``Thu 24 Dec 2026 to Sat 2 Jan 2027``, or one day alone."""
    return describe_day(first) if first == last else f"{describe_day(first)} to {describe_day(last)}"


def describe_duration(length: timedelta) -> str:
    """The two largest units that are not zero: ``2 days 3 h``, ``3 min 12 s``, ``less than 1 s``."""
    seconds = int(abs(length).total_seconds())
    days, seconds = divmod(seconds, 24 * 3600)
    hours, seconds = divmod(seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    parts = [
        (days, "day" if days == 1 else "days"),
        (hours, "h"),
        (minutes, "min"),
        (seconds, "s"),
    ]
    shown = [f"{count} {unit}" for count, unit in parts if count]
    return " ".join(shown[:2]) or "less than 1 s"


@lru_cache(maxsize=1024)
def describe_time(at: datetime, zone_name: str = "UTC", *, seconds: bool = False) -> str:
    """``Fri 27 Nov 2026 20:00 UTC``, with the reader's own zone behind it when that is another."""
    utc = at.astimezone(UTC)
    text = f"{_english(utc, seconds)} UTC"
    if zone_name == "UTC":
        return text
    local = at.astimezone(zone(zone_name))
    shown = _english(local, seconds) if local.date() != utc.date() else _hour(local, seconds=seconds)
    return f"{text} ({shown} {zone_name})"


_TOLD = re.compile(
    rf"(?:{'|'.join(day[:3].title() for day in WEEKDAYS)}) (?P<day>\d{{1,2}}) (?P<month>{'|'.join(_MONTHS)}) (?P<year>\d{{4}}) "
    r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d))? UTC(?: \([^()]{1,60}\))?"
)


def times_in(text: str) -> Iterator[tuple[str, datetime | None]]:
    """The text in parts: each point in time, as `describe_time` writes it, with its value, and the text between them."""
    end = 0
    for found in _TOLD.finditer(text):
        day, hour, minute, second = (int(found[name] or 0) for name in ("day", "hour", "minute", "second"))
        try:
            at = datetime(int(found["year"]), _MONTHS.index(found["month"]) + 1, day, hour, minute, second, tzinfo=UTC)
        except ValueError:
            continue  # no such day
        yield text[end : found.start()], None
        yield found[0], at
        end = found.end()
    yield text[end:], None


def describe_briefly(at: datetime, zone_name: str, now: datetime) -> str:
    """``Fri 27 Nov 20:00`` by the clock of that zone, with the year if it differs from that of `now`."""
    place = zone(zone_name)
    local = at.astimezone(place)
    year = f" {local.year}" if local.year != now.astimezone(place).year else ""
    return f"{WEEKDAYS[local.weekday()][:3].title()} {local.day} {_MONTHS[local.month - 1]}{year} {_hour(local, seconds=False)}"


def short_time(at: datetime, zone_name: str = "UTC") -> str:
    """``Fri 27 Nov 21:00 CET``: in the reader's own zone, without the year, for where there is little room."""
    local = at.astimezone(zone(zone_name))
    return f"{describe_day(local.date()).rpartition(' ')[0]} {_hour(local, seconds=False)} {local.tzname()}"


def _hour(at: datetime, *, seconds: bool) -> str:
    return f"{at:%H:%M:%S}" if seconds else f"{at:%H:%M}"


def _english(at: datetime, seconds: bool) -> str:
    # Not strftime: %a and %b would follow the locale of the machine.
    return f"{describe_day(at.date())} {_hour(at, seconds=seconds)}"


def check_rule(rule: str) -> str:
    """The rule itself, if it can be read. Raises `TimeError`."""
    next_deadline(rule, datetime(2026, 1, 1, tzinfo=UTC))
    return rule


def next_deadline(rule: str, after: datetime) -> datetime:
    """The first deadline after an instant, in UTC, by a rule in one of two forms. Raises `TimeError`.

    ``72h``, or ``weekly``, counts from `after`. ``every Friday 20:00 Europe/Berlin`` is wall-clock time in that zone
    (`read_calendar` has all forms).
    """
    if (calendar := calendar_of(rule)) is not None:
        return calendar.after(after)
    length = rule_length(rule)
    if length <= timedelta(0):
        raise TimeError(f'a deadline after "{rule}" would pass at once; write it like 72h')
    return after.astimezone(UTC) + length


def rule_length(rule: str) -> timedelta:
    """The length of time that a deadline rule names: ``72h``, ``weekly``, ``every 2 days``. Raises `TimeError`."""
    words = rule.strip()
    if found := _EVERY.fullmatch(words) if len(words) <= MOST_CHARS else None:
        many = ORDINALS[found["other"].lower()] if found["other"] else 1
        words = f"{many} {found['unit']}" if found["unit"] else words if found["other"] else found["rest"]
    return parse_duration(_ALONE.get(words.lower(), words))


@dataclass(frozen=True, slots=True)
class EndedStep:
    """When a step ended, and its deadline."""

    at: datetime
    deadline: datetime | None

    @property
    def at_its_deadline(self) -> bool:
        """Whether its deadline was used."""
        return self.deadline is not None and self.deadline <= self.at


def following_deadline(rule: str, now: datetime, last: datetime | None, share: int = SHARE) -> datetime:
    """The deadline of a step that begins `now`, after one with the deadline `last`. The slots of a calendar stay where they
    are: it is the first that still leaves `share` percent of the time that the rule promises. A deadline that was not needed
    does not matter. Raises `TimeError`."""
    if (calendar := calendar_of(rule)) is None:
        return next_deadline(rule, now)
    return calendar.after(_least(calendar, EndedStep(now, last), share))


def resumed_deadline(rule: str, now: datetime, last: EndedStep, share: int = SHARE) -> datetime:
    """The deadline of a step that begins `now`, after steps with a rule of their own (retreats, say); `last` is the last one by
    this rule. The time that they took is part of what a calendar promises, so that Friday stays Friday; but half of it is left,
    or less if the share is less. Raises `TimeError`."""
    if (calendar := calendar_of(rule)) is None:
        return next_deadline(rule, now)
    return calendar.after(max(_least(calendar, last, share), _least(calendar, EndedStep(now, now), share)))


def _least(calendar: Calendar, ended: EndedStep, share: int) -> datetime:
    """After which instant a step must be due that follows this one."""
    least = min(share, _AFTER_A_DEADLINE) if ended.at_its_deadline else share
    return max(ended.at, ended.at + calendar.promise * least / 100 - timedelta(microseconds=1))


def calendar_of(rule: str) -> Calendar | None:
    """The calendar that a deadline rule describes; None for a duration. Raises `TimeError`."""
    words = rule.strip()
    try:
        rule_length(words)
    except TimeError:
        is_length = len(words.split()) < 2 or (_DURATION.match(words) and not names_a_weekday(words))
        return None if is_length else read_calendar(words)
    return None


def weekday(name: str) -> str:
    """The full name, in lower case, of a weekday whose name may be cut (``Sat``). Raises `TimeError`."""
    return WEEKDAYS[_weekday(name.strip(), TimeError(f'"{name[:40]}" is no weekday; write it like Saturday'))]


def rule_zone(rule: str) -> str:
    """The time zone that a deadline rule names; empty if it names none, or cannot be read."""
    try:
        calendar = calendar_of(rule)
    except TimeError:
        return ""
    return calendar.zone_name if calendar else ""


def zone_remark(rule: str) -> str:
    """A warning about a rule whose zone is an abbreviation without daylight saving; empty if there is nothing to say."""
    return all_year_remark(rule_zone(rule), "the deadline is an hour later in summer")


def all_year_remark(zone_name: str, meaning: str) -> str:
    """The same of a zone, with what follows where the clocks change."""
    if not has_summer_time_elsewhere(zone_name):
        return ""
    return (
        f"{zone_name} is the same all year; where the clocks change, {meaning}. Name a place to follow its clocks: "
        "Europe/Berlin, for example."
    )


def _weekday(name: str, problem: TimeError) -> int:
    fits = [number for number, day in enumerate(WEEKDAYS) if len(name) >= 3 and day.startswith(name.lower().rstrip("s"))]
    if len(fits) != 1:
        raise problem
    return fits[0]
