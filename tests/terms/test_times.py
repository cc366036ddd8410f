"""Durations and deadlines in people's words, and the arithmetic of calendars."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest

from pbmd.terms.days import parse_coming_day_or_moment, parse_coming_moment, parse_day, parse_time_away
from pbmd.terms.times import (
    EndedStep,
    TimeError,
    check_rule,
    describe_briefly,
    describe_duration,
    describe_time,
    following_deadline,
    named_zone,
    next_deadline,
    parse_duration,
    parse_moment,
    resumed_deadline,
    rule_zone,
    short_time,
    times_in,
    zone,
    zone_remark,
)


def utc(*when):
    return datetime(*when, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("72h", timedelta(hours=72)),
        ("72 hours", timedelta(hours=72)),
        ("3 days", timedelta(days=3)),
        ("1 day", timedelta(days=1)),
        ("1d 12h", timedelta(hours=36)),
        ("1 day and 12 hours", timedelta(hours=36)),
        ("1 day, 2 hrs", timedelta(hours=26)),
        ("90 min", timedelta(minutes=90)),
        ("90 minutes", timedelta(minutes=90)),
        ("2W", timedelta(weeks=2)),
        ("45 sec", timedelta(seconds=45)),
        ("a week", timedelta(weeks=1)),
        ("two days and twelve hours", timedelta(hours=60)),
        ("  0h ", timedelta(0)),
    ],
)
def test_lengths_of_time_as_people_write_them(text, length):
    assert parse_duration(text) == length


@pytest.mark.parametrize(
    "text", ["", "  ", "3", "h", "soon", "-3h", "1.5h", "3 months", "3 dours", "2 mays", "12345h", "72h later"]
)
def test_what_is_no_length_of_time_is_refused_with_an_example(text):
    with pytest.raises(TimeError, match="write it like 72h, 3 days or 1d 12h"):
        parse_duration(text)


@pytest.mark.parametrize("text", ["600w", "9999w " * 1000, "9999w" * 30_000])
def test_a_length_beyond_all_reason_is_refused(text):
    with pytest.raises(TimeError, match="too long") as refusal:
        parse_duration(text)
    assert len(str(refusal.value)) < 200, "the message must not be as long as what was sent"


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(0), "less than 1 s"),
        (timedelta(minutes=3, seconds=12), "3 min 12 s"),
        (timedelta(days=2, hours=3, minutes=59), "2 days 3 h"),
        (timedelta(days=1), "1 day"),
        (timedelta(hours=24, seconds=5), "1 day 5 s"),
        (timedelta(hours=-1), "1 h"),
        (timedelta(seconds=59.9), "59 s"),
    ],
)
def test_lengths_are_told_in_their_two_largest_units(length, words):
    assert describe_duration(length) == words


def test_an_interval_counts_from_the_instant_given():
    assert next_deadline("72h", utc(2026, 11, 20, 12, 30)) == utc(2026, 11, 23, 12, 30)
    assert next_deadline("1d 12h", utc(2026, 11, 20)) == utc(2026, 11, 21, 12)


@pytest.mark.parametrize(
    ("rule", "deadline"),
    [
        ("every Friday 20:00 Europe/Berlin", utc(2026, 11, 20, 19)),
        ("every friday at 20:00 Europe/Berlin", utc(2026, 11, 20, 19)),
        ("Every Fri 20:00", utc(2026, 11, 20, 20)),
        ("every Fridays 20:00 UTC", utc(2026, 11, 20, 20)),
        ("every Friday 11:00 UTC", utc(2026, 11, 27, 11)),  # today, but an hour ago
        ("every Friday 12:00 UTC", utc(2026, 11, 27, 12)),  # this very instant is not after it
        ("every Monday, Thursday 08:00 America/New_York", utc(2026, 11, 23, 13)),
        ("every Tue and Thu 08:00 America/New_York", utc(2026, 11, 24, 13)),
        ("every day 06:30 Asia/Kolkata", utc(2026, 11, 21, 1)),
        ("every Saturday 01:00 Pacific/Auckland", utc(2026, 11, 20, 12) + timedelta(days=7)),
        ("every Saturday 01:30 Pacific/Auckland", utc(2026, 11, 20, 12, 30)),
        ("every Friday 20:00 CET", utc(2026, 11, 20, 19)),
        ("Fridays 20:00 Europe/Berlin", utc(2026, 11, 20, 19)),
        ("every weekday 11:00 UTC", utc(2026, 11, 23, 11)),
        ("every Mon/Thu 18:00 UTC", utc(2026, 11, 23, 18)),
        ("Mon & Thu 18:00", utc(2026, 11, 23, 18)),
        ("every Friday 8pm Europe/London", utc(2026, 11, 20, 20)),
        ("every Friday 8:30 pm", utc(2026, 11, 20, 20, 30)),
        ("every Friday 12 am", utc(2026, 11, 27)),  # as this Friday began
        ("every day noon", utc(2026, 11, 21, 12)),
        ("every Friday midnight UTC", utc(2026, 11, 21)),  # as this Friday ends
        ("18:00 GMT on Mondays and Thursdays", utc(2026, 11, 23, 18)),
        ("weekly", utc(2026, 11, 27, 12)),
        ("daily 21:00 Europe/Berlin", utc(2026, 11, 20, 20)),
        ("every other Friday 20:00 UTC", utc(2026, 11, 27, 20)),
        ("every other day 20:00 UTC", utc(2026, 11, 21, 20)),
        ("every 3 days at 8pm UTC from 2026-11-29", utc(2026, 11, 29, 20)),
        ("every third day, 20:00 UTC", utc(2026, 11, 22, 20)),
        ("every fifth day 20:00 UTC", utc(2026, 11, 22, 20)),
        ("every other evening 20:00 UTC", utc(2026, 11, 21, 20)),
        ("every 3 nights 8pm UTC", utc(2026, 11, 22, 20)),
        ("every 1 day 20:00 UTC", utc(2026, 11, 20, 20)),
        ("alternate days 8pm UTC", utc(2026, 11, 21, 20)),
        ("Friday nights 20:00 UTC", utc(2026, 11, 20, 20)),
        ("every second Friday 20:00 UTC", utc(2026, 11, 27, 20)),
        ("every 2 weeks Friday 20:00", utc(2026, 11, 27, 20)),
        ("every other Friday 20:00 UTC from 2026-11-20", utc(2026, 11, 20, 20)),
        ("every three weeks on Tuesday 20:00 UTC from 2026-12-01", utc(2026, 12, 1, 20)),
        ("every other Friday 20:00 UTC starting from 2026-11-20", utc(2026, 11, 20, 20)),
        ("EVERY FRIDAY 20:00 EUROPE/BERLIN", utc(2026, 11, 20, 19)),
        ("every Friday 20:00 (europe/berlin)", utc(2026, 11, 20, 19)),
        ("every Friday 20:00 Berlin", utc(2026, 11, 20, 19)),
        ("every Friday 20:00 New York time", utc(2026, 11, 21, 1)),
        ("every Friday by 8 p.m. London time", utc(2026, 11, 20, 20)),
        ("every Friday 20:00Z", utc(2026, 11, 20, 20)),
        ("every Friday 20h", utc(2026, 11, 20, 20)),
        ("20h30 on Fridays", utc(2026, 11, 20, 20, 30)),
        ("every Friday 24:00", utc(2026, 11, 21)),
        ("every Friday evening 8pm", utc(2026, 11, 20, 20)),
        ("every evening 8pm", utc(2026, 11, 20, 20)),
        ("every weekend 20:00", utc(2026, 11, 21, 20)),
        ("Mon-Thu 20:00", utc(2026, 11, 23, 20)),
        ("every Monday to Thursday at 20:00", utc(2026, 11, 23, 20)),
        ("every Saturday through Monday 8:00", utc(2026, 11, 21, 8)),
        ("every 48 hours", utc(2026, 11, 22, 12)),
        ("every day", utc(2026, 11, 21, 12)),
        ("every other day", utc(2026, 11, 22, 12)),
        ("every third day", utc(2026, 11, 23, 12)),
        ("once a week", utc(2026, 11, 27, 12)),
        ("every two weeks", utc(2026, 12, 4, 12)),
        ("biweekly", utc(2026, 12, 4, 12)),
    ],
)
def test_the_next_deadline_by_the_calendar(rule, deadline):
    assert next_deadline(rule, utc(2026, 11, 20, 12)) == deadline  # a Friday


@pytest.mark.parametrize(
    ("zone_name", "hour", "before", "deadlines"),
    [
        # Wall clock time stays, so the distance between two deadlines is not always a week.
        ("Europe/Berlin", "20:00", utc(2026, 3, 21), [utc(2026, 3, 22, 19), utc(2026, 3, 29, 18)]),
        ("Europe/Berlin", "20:00", utc(2026, 10, 17), [utc(2026, 10, 18, 18), utc(2026, 10, 25, 19)]),
        ("America/New_York", "20:00", utc(2026, 2, 28, 12), [utc(2026, 3, 2, 1), utc(2026, 3, 9, 0)]),
        ("America/New_York", "20:00", utc(2026, 10, 24, 12), [utc(2026, 10, 26, 0), utc(2026, 11, 2, 1)]),
        # An hour that the change to summer time skips: 02:30 becomes 03:30.
        ("Europe/Berlin", "02:30", utc(2026, 3, 28), [utc(2026, 3, 29, 1, 30), utc(2026, 4, 5, 0, 30)]),
        ("America/New_York", "02:30", utc(2026, 3, 7), [utc(2026, 3, 8, 7, 30), utc(2026, 3, 15, 6, 30)]),
        # An hour that comes twice: the first one counts, and the second is not one more deadline.
        ("Europe/Berlin", "02:30", utc(2026, 10, 24), [utc(2026, 10, 25, 0, 30), utc(2026, 11, 1, 1, 30)]),
        ("America/New_York", "01:30", utc(2026, 10, 31), [utc(2026, 11, 1, 5, 30), utc(2026, 11, 8, 6, 30)]),
    ],
)
def test_deadlines_by_the_calendar_over_the_change_of_the_clocks(zone_name, hour, before, deadlines):
    first = next_deadline(f"every Sunday {hour} {zone_name}", before)
    assert [first, next_deadline(f"every Sunday {hour} {zone_name}", first)] == deadlines


def test_a_day_of_the_calendar_is_the_zones_day_not_that_of_utc():
    assert next_deadline("every Monday 00:30 Asia/Tokyo", utc(2026, 11, 22, 12)) == utc(2026, 11, 22, 15, 30)


@pytest.mark.parametrize(
    "rule",
    [
        "", "0h", "soon", "every", "every 20:00", "every and 20:00", "every , 20:00", "every Friday", "every Friday 25:00",
        "every Friday 20:60", "every Frogday 20:00", "every T 20:00",
        "every Friday 20:00 Nowhere/Land", "every Friday 20:00 ../../etc/passwd", "every other Friday",
        "every Friday 13pm", "every 2 days Friday 20:00", "every 60 days 20:00", "every 0 days 20:00",
        "every 2 weeks every 2 days 20:00", "every 9 weeks Friday 20:00", "every Friday 20:00 UTC from Friday",
        "Friday 8", "every Mon/Foo 20:00", "every second", "twice a week", "every Mon-Foo 20:00",
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_read_is_refused_with_an_example(rule):
    with pytest.raises(TimeError, match="write it like"):
        check_rule(rule)


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ("every Friday Europe/Berlin", "names no hour"),
        ("every Friday 8 UTC", "names no hour"),
        ("every third Friday 20:00", "goes by months"),
        ("the last Friday of the month 20:00", "goes by months"),
        ("every Friday 20:00 CEST", "holds for half of a year"),
        ("every Friday 20:00 pst", "holds for half of a year"),
        ("every Friday 20:00 UTC+1", "names no place"),
        ("every Friday 20:00 sharp", 'there is no time zone "sharp"'),
        (
            "every Friday 20:00 Europe/Berlin sharp",
            'there is no time zone "Europe/Berlin sharp"; perhaps you mean Europe/Berlin',
        ),
    ],
)
def test_what_is_wrong_with_a_rule_is_said(rule: str, problem: str) -> None:
    with pytest.raises(TimeError, match=problem):
        check_rule(rule)


def test_an_offset_is_not_taken_for_the_zone_of_that_name_which_counts_the_other_way_round() -> None:
    with pytest.raises(TimeError, match="names no place"):
        named_zone("GMT+1")
    assert [named_zone(text) for text in ("z", "gmt", "berlin", "New York", "(Europe/Paris)")] == [
        "UTC",
        "GMT",
        "Europe/Berlin",
        "America/New_York",
        "Europe/Paris",
    ]


def test_the_zone_of_a_rule_has_its_own_name_however_it_is_written() -> None:
    assert [rule_zone(f"every Friday 20:00 {place}") for place in ("berlin", "est")] == ["Europe/Berlin", "EST"]
    assert zone_remark("every Friday 20:00 est").startswith("EST is the same all year")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("Friday 20:00", utc(2026, 11, 20, 19)),
        ("Friday 20:00 New York", utc(2026, 11, 21, 1)),
        ("2026-11-27 20:00", utc(2026, 11, 27, 19)),
        ("2026-11-27 20:00 london", utc(2026, 11, 27, 20)),
        ("in 36h", utc(2026, 11, 22)),
        ("tomorrow 8pm", utc(2026, 11, 21, 19)),
        ("27 November at 20:00", utc(2026, 11, 27, 19)),
        ("Nov 27th, 2026, midnight UTC", utc(2026, 11, 28)),
        ("3 January noon", utc(2027, 1, 3, 11)),
    ],
)
def test_a_coming_moment_is_in_the_zone_of_who_writes_unless_another_is_named(text: str, at: datetime) -> None:
    assert parse_coming_moment(text, utc(2026, 11, 20, 12), "Europe/Berlin") == at


@pytest.mark.parametrize("text", ["Friday", "27 November", "36h", "30 February 20:00", "soon 20:00", "tomorrow"])
def test_what_is_no_coming_moment_is_refused(text: str) -> None:
    with pytest.raises(TimeError, match="is no point in time; write it like"):
        parse_coming_moment(text, utc(2026, 11, 20, 12), "Europe/Berlin")


@pytest.mark.parametrize(
    "text",
    ["Friday 2 December 20:00", "Fri 2 Dec at 8pm Europe/Berlin", "Fri, Dec 2nd, 2026, noon", "Fri 2026-12-02 20:00"],
)
def test_who_names_a_day_and_another_day_of_the_week_is_told_which_it_is(text: str) -> None:
    with pytest.raises(TimeError, match="Wed 2 Dec 2026 is no Friday; write 2026-12-02, or the day of the week alone"):
        parse_coming_moment(text, utc(2026, 11, 20, 12), "Europe/Berlin")
    with pytest.raises(TimeError, match="Wed 2 Dec 2026 is no Friday"):
        parse_coming_day_or_moment(text, utc(2026, 11, 20, 12))


def test_so_is_who_names_such_a_day_without_a_time() -> None:
    with pytest.raises(TimeError, match="Wed 2 Dec 2026 is no Friday"):
        parse_coming_day_or_moment("Friday 2 December", utc(2026, 11, 20, 12))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-12-24", date(2026, 12, 24)),
        ("24 December", date(2026, 12, 24)),
        ("Dec 24th, 2027", date(2027, 12, 24)),
        ("2nd of Jan", date(2027, 1, 2)),
        ("20 nov.", date(2026, 11, 20)),
        ("29 February", date(2028, 2, 29)),
        ("today", date(2026, 11, 20)),
        ("Tomorrow", date(2026, 11, 21)),
        ("Friday", date(2026, 11, 20)),
        ("thu", date(2026, 11, 26)),
        ("Fri 27 Nov 2026", date(2026, 11, 27)),
        ("Tuesday, December 1st", date(2026, 12, 1)),
        ("24. December", date(2026, 12, 24)),
        ("24.12.2026", date(2026, 12, 24)),
        ("2. 1. 2027", date(2027, 1, 2)),
    ],
)
def test_a_day_as_people_write_it(text: str, day: date) -> None:
    assert parse_day(text, date(2026, 11, 20)) == day  # a Friday


@pytest.mark.parametrize(
    "text", ["", "31 November", "Ju 3", "ma 3", "3 Foo", "2026-13-01", "soon", "9" * 500, "1/2/2027", "12.24.2026"]
)
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(TimeError, match="is no day; write it like"):
        parse_day(text, date(2026, 11, 20))


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [
        ("24 December", "2 January", (date(2026, 12, 24), date(2027, 1, 2))),
        ("Monday", "Friday", (date(2026, 11, 23), date(2026, 11, 27))),
        ("until 2 December", "", (date(2026, 11, 20), date(2026, 12, 2))),
        ("2026-12-25", "", (date(2026, 12, 25), date(2026, 12, 25))),
        ("14 days", "", (date(2026, 11, 20), date(2026, 12, 3))),
        ("for two weeks", "", (date(2026, 11, 20), date(2026, 12, 3))),
        ("2026-12-24 for  3 days", "", (date(2026, 12, 24), date(2026, 12, 26))),
        ("Friday for a week", "", (date(2026, 11, 20), date(2026, 11, 26))),
        ("24 December, for 1 day", "", (date(2026, 12, 24), date(2026, 12, 24))),
        ("a week from Monday", "", (date(2026, 11, 23), date(2026, 11, 29))),
        ("10 days, starting on 24 December", "", (date(2026, 12, 24), date(2027, 1, 2))),
        ("1", "14 December", (date(2026, 12, 1), date(2026, 12, 14))),
        ("1st", "14th of December", (date(2026, 12, 1), date(2026, 12, 14))),
        ("1-14 December", "", (date(2026, 12, 1), date(2026, 12, 14))),
    ],
)
def test_days_away_as_people_write_them(first: str, last: str, days: tuple[date, date]) -> None:
    assert parse_time_away(first, last, date(2026, 11, 20)) == days


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0 days", '"0 days" is no day'),
        ("for 12 hours", '"for 12 hours" is no day'),
        ("400 days", "is too long; 366 days are the most"),
        ("9999-12-31 for 3 days", "9999-12-31 is too far away"),
        ("for a while", '"for a while" is no day'),
        ("for two weeks TO 2026-12-24", '"for two weeks TO 2026-12-24" is no day'),
    ],
)
def test_days_away_that_cannot_be_read_are_named(text: str, problem: str) -> None:
    with pytest.raises(TimeError, match=re.escape(problem)):
        parse_time_away(text, "", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("4 January", utc(2027, 1, 4)),
        ("2027-01-04 20:00 Europe/Berlin", utc(2027, 1, 4, 19)),
        ("Friday", utc(2026, 11, 27)),
        ("Friday 20:00", utc(2026, 11, 20, 20)),
    ],
)
def test_a_day_without_an_hour_begins_as_it_does(text: str, at: datetime) -> None:
    assert parse_coming_day_or_moment(text, utc(2026, 11, 20, 12)) == at


def test_a_readable_rule_comes_back_as_it_was_written():
    assert check_rule("every Friday 20:00 Europe/Berlin") == "every Friday 20:00 Europe/Berlin"


@pytest.mark.parametrize("name", ["", "Europe", "Nowhere", "/etc/localtime", "Europe/\x00"])
def test_an_unknown_time_zone_is_named(name):
    with pytest.raises(TimeError, match="there is no time zone"):
        zone(name)


def test_times_are_told_in_utc_and_in_the_readers_zone():
    at = utc(2026, 11, 27, 20, 5, 9)
    assert describe_time(at) == "Fri 27 Nov 2026 20:05 UTC"
    assert describe_time(at, "Europe/Berlin") == "Fri 27 Nov 2026 20:05 UTC (21:05 Europe/Berlin)"
    assert describe_time(at, "America/New_York", seconds=True) == "Fri 27 Nov 2026 20:05:09 UTC (15:05:09 America/New_York)"


def test_the_readers_date_is_told_where_it_is_another():
    told = describe_time(utc(2026, 11, 27, 20), "Asia/Tokyo")
    assert told == "Fri 27 Nov 2026 20:00 UTC (Sat 28 Nov 2026 05:00 Asia/Tokyo)"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-11-27 20:00", utc(2026, 11, 27, 19, 0)),
        ("2026-11-27T20:00", utc(2026, 11, 27, 19, 0)),
        ("2026-11-27 20:00:30 UTC", utc(2026, 11, 27, 20, 0, 30)),
        ("2026-11-27T20:00:00Z", utc(2026, 11, 27, 20, 0)),
        ("2026-11-27T20:00:00+01:00", utc(2026, 11, 27, 19, 0)),
        ("2026-11-27 20:00 -0530", utc(2026, 11, 28, 1, 30)),
        ("2026-11-27 9:05 Europe/London", utc(2026, 11, 27, 9, 5)),
        (" 2026-11-27 ", utc(2026, 11, 26, 23, 0)),
        ("2026-07-01", utc(2026, 6, 30, 22, 0)),
    ],
)
def test_a_point_in_time_is_in_the_zone_behind_it_or_in_that_of_who_writes(text, at):
    assert parse_moment(text, "Europe/Berlin") == at


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tomorrow",
        "2026-02-30",
        "2026-11-27 25:00",
        "27.11.2026",
        "2026-11-27 20:00 Nowhere",
        "2026-11-27 20:00 UTC+1",
        "2026-11-27T20:00+25:00",
        "2026-11-27 -18:00",
    ],
)
def test_what_is_no_point_in_time_is_refused_with_an_example(text):
    with pytest.raises(TimeError, match="write it like"):
        parse_moment(text)


@pytest.mark.parametrize(
    ("zone", "now", "told"),
    [
        ("UTC", datetime(2026, 1, 1, tzinfo=UTC), "Thu 31 Dec 23:30"),
        ("UTC", datetime(2027, 1, 1, tzinfo=UTC), "Thu 31 Dec 2026 23:30"),
        ("Europe/Berlin", datetime(2026, 6, 1, tzinfo=UTC), "Fri 1 Jan 2027 00:30"),
        ("Europe/Berlin", datetime(2026, 12, 31, 23, 0, tzinfo=UTC), "Fri 1 Jan 00:30"),
    ],
)
def test_a_time_in_a_few_words_has_its_year_where_that_is_not_the_present_one(zone: str, now: datetime, told: str) -> None:
    assert describe_briefly(datetime(2026, 12, 31, 23, 30, tzinfo=UTC), zone, now) == told


def test_times_in_a_text_are_found_as_they_were_told() -> None:
    first, second = datetime(2026, 12, 3, 15, 13, tzinfo=UTC), datetime(2027, 1, 1, 23, 30, 5, tzinfo=UTC)
    told = describe_time(first), describe_time(second, "Europe/Berlin", seconds=True)
    text = f"resolved; next {told[0]}, or {told[1]}; not Thu 31 Feb 2026 10:00 UTC, nor Mon 1 Jan 2026"
    parts = list(times_in(text))
    assert [(words, at) for words, at in parts if at] == [(told[0], first), (told[1], second)]
    assert "".join(words for words, _ in parts) == text
    assert list(times_in("")) == [("", None)]


def test_a_short_time_is_in_the_readers_zone_alone() -> None:
    at = datetime(2026, 11, 27, 20, 0, tzinfo=UTC)
    assert short_time(at) == "Fri 27 Nov 20:00 UTC"
    assert short_time(at, "Europe/Berlin") == "Fri 27 Nov 21:00 CET"
    assert short_time(at, "Asia/Tokyo") == "Sat 28 Nov 05:00 JST"


def test_every_other_week_is_every_other_week_also_over_the_end_of_a_year():
    first = next_deadline("every other Friday 20:00 UTC", utc(2026, 12, 20))
    second = next_deadline("every other Friday 20:00 UTC", first)
    assert (first.weekday(), second - first) == (4, timedelta(weeks=2))


def test_every_third_day_stays_every_third_day_and_leaves_what_it_promises():
    rule = "every 3 days 20:00 UTC from 2026-11-21"
    assert next_deadline(rule, utc(2026, 12, 30, 20)) == utc(2027, 1, 2, 20)
    assert following_deadline(rule, utc(2026, 11, 21, 20, 1), utc(2026, 11, 21, 20)) == utc(2026, 11, 24, 20)
    assert following_deadline(rule, utc(2026, 11, 22, 8), utc(2026, 11, 24, 20)) == utc(2026, 11, 27, 20)  # it was all in


EVERY_DAY, EVERY_FRIDAY = "every day 21:00 Europe/Berlin", "every Friday 20:00 UTC"


@pytest.mark.parametrize(
    ("rule", "now", "last", "deadline"),
    [
        # Phases that end one after another in a night move no slot: the next leaves a day each time.
        (EVERY_DAY, utc(2026, 11, 26, 23, 5), utc(2026, 11, 27, 20), utc(2026, 11, 28, 20)),
        (EVERY_DAY, utc(2026, 11, 26, 23, 8), utc(2026, 12, 2, 20), utc(2026, 11, 28, 20)),
        # Friday stays Friday, though the retreats were over on Saturday.
        (EVERY_FRIDAY, utc(2026, 12, 5, 10), utc(2026, 12, 11, 20), utc(2026, 12, 11, 20)),
        # Who ends a turn on Thursday has not taken a week from the next.
        (EVERY_FRIDAY, utc(2026, 12, 3, 10), utc(2026, 12, 4, 20), utc(2026, 12, 11, 20)),
        # A turn that ends at its deadline, or as its grace does, is followed by one that ends at the next.
        (EVERY_FRIDAY, utc(2026, 12, 4, 20, 3), utc(2026, 12, 4, 20), utc(2026, 12, 11, 20)),
        (EVERY_DAY, utc(2026, 11, 26, 23), utc(2026, 11, 26, 20), utc(2026, 11, 27, 20)),
        # If nobody could resolve it for most of the day, the next leaves more.
        (EVERY_DAY, utc(2026, 11, 27, 14), utc(2026, 11, 26, 20), utc(2026, 11, 28, 20)),
        # The first turn of a game has a week, too.
        (EVERY_FRIDAY, utc(2026, 11, 26, 22), None, utc(2026, 12, 4, 20)),
        ("72h", utc(2026, 11, 26, 22), utc(2026, 11, 30), utc(2026, 11, 29, 22)),
    ],
)
def test_the_grid_of_a_calendar_stays(rule, now, last, deadline):
    assert following_deadline(rule, now, last) == deadline


def test_how_much_of_the_promise_is_left_at_least_the_terms_say():
    assert following_deadline(EVERY_FRIDAY, utc(2026, 12, 2), None, share=30) == utc(2026, 12, 4, 20)
    assert following_deadline(EVERY_FRIDAY, utc(2026, 12, 2), None, share=100) == utc(2026, 12, 11, 20)
    assert following_deadline(EVERY_FRIDAY, utc(2026, 12, 4, 20), None, share=0) == utc(2026, 12, 11, 20), "never at once"


@pytest.mark.parametrize(
    ("name", "told"), [("EST", True), ("GMT", True), ("UTC", False), ("America/New_York", False), ("", False)]
)
def test_of_an_abbreviation_without_summer_time_it_is_said_what_that_means(name, told):
    assert bool(zone_remark(f"every Friday 20:00 {name}")) is told


@pytest.mark.parametrize(
    ("ended", "deadline", "now", "due"),
    [
        # Moves that ended at their deadline, and retreats until Saturday, or builds until Sunday or Tuesday morning.
        (utc(2026, 12, 4, 20), utc(2026, 12, 4, 20), utc(2026, 12, 5, 10), utc(2026, 12, 11, 20)),
        (utc(2026, 12, 4, 20), utc(2026, 12, 4, 20), utc(2026, 12, 6, 20), utc(2026, 12, 11, 20)),
        (utc(2026, 12, 4, 20), utc(2026, 12, 4, 20), utc(2026, 12, 8, 7), utc(2026, 12, 11, 20)),
        # Less than half of the week would be left.
        (utc(2026, 12, 4, 20), utc(2026, 12, 4, 20), utc(2026, 12, 8, 9), utc(2026, 12, 18, 20)),
        # Moves that ended on Saturday, for Friday, leave the next ones a week, and nine tenths of it on Monday.
        (utc(2026, 12, 5, 8), utc(2026, 12, 11, 20), utc(2026, 12, 5, 20), utc(2026, 12, 11, 20)),
        (utc(2026, 12, 7, 8), utc(2026, 12, 11, 20), utc(2026, 12, 7, 20), utc(2026, 12, 18, 20)),
    ],
)
def test_after_steps_by_another_rule_the_time_counts_from_the_last_one_by_this(
    ended: datetime, deadline: datetime, now: datetime, due: datetime
) -> None:
    assert resumed_deadline(EVERY_FRIDAY, now, EndedStep(ended, deadline)) == due


def test_a_length_of_time_counts_from_now_whatever_went_before() -> None:
    ended = EndedStep(utc(2026, 12, 4, 20), utc(2026, 12, 4, 20))
    assert resumed_deadline("24h", utc(2026, 12, 5), ended) == utc(2026, 12, 6)


def test_a_share_of_less_than_half_is_enough() -> None:
    ended = EndedStep(utc(2026, 12, 4, 20), utc(2026, 12, 4, 20))
    assert resumed_deadline(EVERY_FRIDAY, utc(2026, 12, 8, 9), ended, share=30) == utc(2026, 12, 11, 20)


def test_a_day_of_another_weekday_is_refused() -> None:
    with pytest.raises(TimeError, match="Fri 27 Nov 2026 is no Sat"):
        parse_day("Sat 27 Nov 2026", date(2026, 11, 20))


@pytest.mark.parametrize(("first", "last"), [("28", "3 December"), ("1", "Friday"), ("0", "3 December")])
def test_a_first_day_without_its_month_is_only_read_where_the_month_is_plain(first: str, last: str) -> None:
    with pytest.raises(TimeError):
        parse_time_away(first, last, date(2026, 11, 20))


def test_a_moment_as_mails_tell_it_is_read() -> None:
    now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    for at in (datetime(2026, 11, 27, 20, tzinfo=UTC), datetime(2026, 12, 1, 23, 30, tzinfo=UTC)):
        assert parse_coming_moment(describe_time(at), now, "Europe/Berlin") == at
        assert parse_coming_moment(describe_time(at, "Europe/Berlin"), now, "UTC") == at
