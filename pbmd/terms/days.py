"""Days, and points in time by their day, as people write them: ``24 December``, ``Friday 20:00``, ``1-14 December``."""

import re
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from pbmd.terms.calendar import MOST_CHARS, WEEKDAYS, Calendar, TimeError, read_calendar, zone
from pbmd.terms.times import NUMBER_WORDS, describe_day, parse_duration, parse_moment, weekday

_RANGE = re.compile(r"(?P<first>\d{4}-\d{2}-\d{2})(?:\s+to\s+(?P<last>\d{4}-\d{2}-\d{2}))?", re.IGNORECASE)
MOST_DAYS = 366
"""Nobody needs more days at once."""


def parse_days(text: str) -> tuple[date, date]:
    """The first and the last day of ``2026-12-24 to 2027-01-02``, or of ``2026-12-25`` alone. Raises `TimeError`."""
    found = _RANGE.fullmatch(text.strip()) if len(text) <= MOST_CHARS else None
    problem = TimeError(f'"{text[:40]}" is no day; write year, month and day, like 2026-12-25 or 2026-12-24 to 2027-01-02')
    if not found:
        raise problem
    try:
        return _in_order(date.fromisoformat(found["first"]), date.fromisoformat(found["last"] or found["first"]))
    except TimeError:
        raise
    except ValueError:
        raise problem from None


def _in_order(first: date, last: date) -> tuple[date, date]:
    if last < first:
        raise TimeError(f"{last} is before {first}; write the first day first")
    if (last - first).days >= MOST_DAYS:
        raise TimeError(f"{first} to {last} is too long; {MOST_DAYS} days are the most")
    return first, last


_WORDED_DAY = re.compile(
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?(?: of)? (?P<month>[a-z]{3,9})\.?"
    r"|(?P<month_first>[a-z]{3,9})\.? (?P<day_then>\d{1,2})(?:st|nd|rd|th)?),?(?: (?P<year>\d{4}))?",
    re.IGNORECASE,
)
_FULL_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"
)  # fmt: skip
_NEAR_DAYS = {"today": 0, "tomorrow": 1}
_A_LEAP_YEAR_AT_LEAST = 9


def parse_day(text: str, today: date) -> date:
    """``2026-12-24``, ``24.12.2026``, ``24 December``, ``Dec 24th, 2026``, ``Friday``, ``tomorrow``; without a year, the first
    such day from `today` on. Raises `TimeError`."""
    words = " ".join(text.split()) if len(text) <= MOST_CHARS else ""
    if (ahead := _NEAR_DAYS.get(words.lower())) is not None:
        return today + timedelta(days=ahead)
    if named := _NAMED_DAY.fullmatch(words):
        return _on_that_weekday(parse_day(named["day"], today), named["weekday"])
    found = _WORDED_DAY.fullmatch(words)
    try:
        if dotted := _DOTTED_DAY.fullmatch(words):
            return date(int(dotted["year"]), int(dotted["month"]), int(dotted["day"]))
        if found:
            return _day_of(found, today)
        if words.isalpha():
            return today + timedelta(days=(WEEKDAYS.index(weekday(words)) - today.weekday()) % 7)
        return date.fromisoformat(words)
    except ValueError:
        raise TimeError(f'"{text[:40]}" is no day; write it like 2026-12-25, 25 December or Friday') from None


_DOTTED_DAY = re.compile(r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4})")
"""With dots the day stands first wherever days are written so; with slashes not everywhere."""
_NAMED_DAY = re.compile(
    r"(?P<weekday>(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:r?s)?|fri|sat(?:ur)?|sun)(?:day)?)\b[.,]* (?P<day>.*\d.*)", re.IGNORECASE
)
"""A day with its weekday, as our mails write it: ``Fri 27 Nov 2026``."""


class OtherWeekday(TimeError):
    """A day that falls on another day of the week than was written: nobody can tell which of both was meant."""


def _on_that_weekday(day: date, name: str) -> date:
    """Raises `ValueError` for a name that is none, and `OtherWeekday` for a day that has another."""
    if WEEKDAYS.index(weekday(name)) != day.weekday():
        raise OtherWeekday(f"{describe_day(day)} is no {weekday(name).capitalize()}; write {day}, or the day of the week alone")
    return day


def _day_of(found: re.Match[str], today: date) -> date:
    """Raises `ValueError` if there is no such day."""
    named = (found["month"] or found["month_first"]).lower()
    months = [number for number, name in enumerate(_FULL_MONTHS, start=1) if name.startswith(named)]
    if len(months) != 1:
        raise ValueError(named)
    month, day = months[0], int(found["day"] or found["day_then"])
    if found["year"]:
        return date(int(found["year"]), month, day)
    for year in range(today.year, today.year + _A_LEAP_YEAR_AT_LEAST):
        with suppress(ValueError):
            if (meant := date(year, month, day)) >= today:
                return meant
    raise ValueError(named)


_UNTIL = re.compile(r"(?:until|till|to) (?P<last>.+)", re.IGNORECASE)


_LENGTH = re.compile(
    rf"(?:(?:(?P<first>.+?),? )?for )?(?P<length>(?:[1-9]\d{{0,3}}|{'|'.join(NUMBER_WORDS)}) ?(?:d|days?|w|weeks?))"
    r"(?:,? (?:from|starting|beginning)(?: from| on)? (?P<then>.+))?",
    re.IGNORECASE,
)


def parse_time_away(first: str, last: str, today: date) -> tuple[date, date]:
    """The first and the last of some days, each as in `parse_day`; the same day if `last` is empty, and from `today` if only
    ``until`` a day is said. The last may be said by how many days there are: ``2 weeks``, ``Friday for 3 days``. Raises
    `TimeError`."""
    if not last and (found := _UNTIL.fullmatch(first.strip())):
        first, last = "today", found["last"]
    if not last and (found := _LENGTH.fullmatch(" ".join(first.split()))):
        begins = parse_day(found["then"] or found["first"] or "today", today)
        return _in_order(begins, _later(begins, parse_duration(found["length"]) - timedelta(days=1)))
    if not last and (found := _FROM_DAY_TO_DAY.fullmatch(first.strip())):
        first, last = found["first"], found["last"]
    if (found := _DAY_ALONE.fullmatch(first.strip())) and _WORDED_DAY.fullmatch(" ".join(last.split())):
        return _in_that_month(int(found["day"]), parse_day(last, today))
    begins = parse_day(first, today)
    return _in_order(begins, parse_day(last, begins) if last else begins)


_DAY_ALONE = re.compile(r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?", re.IGNORECASE)
_FROM_DAY_TO_DAY = re.compile(
    rf"(?P<first>{_DAY_ALONE.pattern.replace('?P<day>', '?:')}) ?[-\u2013] ?(?P<last>\d.*)", re.IGNORECASE
)
"""``1-14 December``."""


def _in_that_month(first: int, last: date) -> tuple[date, date]:
    """``1 to 14 December``. Raises `TimeError`."""
    if not 1 <= first <= last.day:
        raise TimeError(f"write the month behind the first day, too, like {first} December")
    return last.replace(day=first), last


def _later(day: date, length: timedelta) -> date:
    """Raises `TimeError` if there is no such day."""
    try:
        return day + length
    except OverflowError:
        raise TimeError(f"{day} is too far away") from None


def parse_coming_moment(text: str, now: datetime, zone_name: str) -> datetime:
    """A point in time as a game master writes it: ``2026-11-27 20:00``, ``Friday 20:00``, ``in 36h``; in UTC. Raises
    `TimeError`."""
    words = _OTHER_CLOCK.sub("", text.strip())
    if words.lower().startswith("in "):
        return now + parse_duration(words[3:])
    try:
        return _slot_after(read_calendar(words), now, zone_name) if words[:1].isalpha() else parse_moment(words, zone_name)
    except TimeError as problem:
        trouble = problem
    if (at := _on_a_worded_day(words, now, zone_name)) is not None:
        return at
    raise TimeError(f'"{words[:40]}" is no point in time; write it like 2026-11-27 20:00, Friday 20:00 or in 36h') from trouble


def _on_a_worded_day(words: str, now: datetime, zone_name: str) -> datetime | None:
    """``27 November 20:00``, ``tomorrow noon Europe/Berlin``, ``Nov 27th at 8pm``; None for anything else."""
    parts = words.split()
    for many in range(min(len(parts) - 1, _MOST_WORDS_OF_A_DAY), 0, -1):
        with _unread():
            hour = read_calendar(f"day {' '.join(parts[many:])}")
            place = zone(hour.zone_name or zone_name)
            day = parse_day(" ".join(parts[:many]).rstrip(","), now.astimezone(place).date())
            on_that_day = replace(hour, days=frozenset((day.weekday(),)), first=day)
            return _slot_after(on_that_day, datetime.combine(day, time(), tzinfo=place) - timedelta(microseconds=1), zone_name)
    return None


@contextmanager
def _unread() -> Generator[None]:
    """Goes on where something is no time; not where it is one but for the day of the week."""
    try:
        yield
    except OtherWeekday:
        raise
    except TimeError:
        return


def _slot_after(calendar: Calendar, instant: datetime, zone_name: str) -> datetime:
    """The first slot after an instant, by the clock of that zone if the calendar names none."""
    return replace(calendar, zone_name=calendar.zone_name or zone_name).after(instant)


_MOST_WORDS_OF_A_DAY = 5
"""``Thursday 24th of December, 2026``."""
_OTHER_CLOCK = re.compile(r"(?<=\bUTC) \([^()]{1,60}\)$")
"""The same moment by another clock, as our mails write it."""


def parse_coming_day_or_moment(text: str, now: datetime) -> datetime:
    """A point in time, or a day, whose first instant it is; in UTC unless a zone is named. Raises `TimeError`."""
    try:
        return parse_moment(text)
    except TimeError:
        with _unread():
            return datetime.combine(parse_day(text, now.date() + timedelta(days=text.strip().isalpha())), time(), tzinfo=UTC)
    return parse_coming_moment(text, now, "UTC")
