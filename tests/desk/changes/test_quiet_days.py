"""Quiet days and holidays: no deadline falls on them, whoever or whatever sets it."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.due.outages import note_unreadable
from pbmd.desk.ingest import _note_reading
from pbmd.terms.days import parse_days
from pbmd.terms.quiet_days import allowed
from pbmd.terms.terms import Terms
from pbmd.terms.times import TimeError
from tests.desk.world import BEGIN, World, body_of

WEEKEND = ("saturday", "sunday")
# The world begins on Friday, 20 November 2026, 12:00 UTC.
SATURDAY, MONDAY = BEGIN + timedelta(days=1), BEGIN + timedelta(days=3)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("terms", "before", "after"),
    [
        ({}, "2026-11-21 20:00", "2026-11-21 20:00"),
        ({"quiet_days": WEEKEND}, "2026-11-20 20:00", "2026-11-20 20:00"),
        ({"quiet_days": WEEKEND}, "2026-11-21 20:00", "2026-11-23 20:00"),
        ({"quiet_days": ("Sun", "Monday")}, "2026-11-22 20:00", "2026-11-24 20:00"),
        ({"holidays": ("2026-12-25",)}, "2026-12-25 20:00", "2026-12-26 20:00"),
        ({"holidays": ("2026-12-24 to 2027-01-02",)}, "2026-12-31 20:00", "2027-01-03 20:00"),
        # Two that touch, and a quiet day behind them.
        ({"quiet_days": ("sunday",), "holidays": ("2026-12-25", "2026-12-26")}, "2026-12-25 07:00", "2026-12-28 07:00"),
        # The day is that of the zone: half past eleven in London is Sunday in Berlin.
        ({"quiet_days": ("sunday",), "quiet_zone": "Europe/Berlin"}, "2026-11-21 23:30", "2026-11-22 23:30"),
        # The same hour of the day, though summer time begins, or ends, in between (20:00 in Berlin).
        ({"quiet_days": WEEKEND, "quiet_zone": "Europe/Berlin"}, "2026-03-28 19:00", "2026-03-30 18:00"),
        ({"quiet_days": WEEKEND, "quiet_zone": "Europe/Berlin"}, "2026-10-24 18:00", "2026-10-26 19:00"),
        # Moved to the hour that summer time skips (02:30): by the change later, 03:30.
        ({"quiet_days": ("saturday",), "quiet_zone": "Europe/Berlin"}, "2026-03-28 01:30", "2026-03-29 01:30"),
        # Moved to the hour that comes twice: the first of them.
        ({"quiet_days": ("saturday",), "quiet_zone": "Europe/Berlin"}, "2026-10-24 00:30", "2026-10-25 00:30"),
        # From the second of them.
        ({"quiet_days": ("sunday",), "quiet_zone": "Europe/Berlin"}, "2026-10-25 01:30", "2026-10-26 01:30"),
    ],
)
def test_a_deadline_moves_to_the_same_hour_of_the_next_day_that_is_not_quiet(terms, before: str, after: str) -> None:
    assert allowed(Terms(**terms), at(before)) == at(after)


@pytest.mark.parametrize(
    "terms",
    [
        {"quiet_days": ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")},
        {"quiet_days": ("someday",)},
        {"quiet_days": ("s",)},
        {"holidays": ("Christmas",)},
        {"holidays": ("2026-02-30",)},
        {"holidays": ("2026-12-26 to 2026-12-24",)},
        {"holidays": ("2026-01-01 to 2028-01-01",)},
        {"holidays": tuple(f"2026-01-{day:02}" for day in range(1, 29)) * 4},
        {"quiet_zone": "Europe/Atlantis"},
    ],
)
def test_what_cannot_be_meant_is_no_term(terms) -> None:
    with pytest.raises(ValidationError):
        Terms(**terms)


def test_days_are_named_in_a_sentence_when_they_are_wrong() -> None:
    with pytest.raises(TimeError, match="write year, month and day, like 2026-12-25 or 2026-12-24 to 2027-01-02"):
        parse_days("tomorrow")


def test_the_first_deadline_and_the_next_fall_on_no_quiet_day(world: World) -> None:
    world.count(deadline="24h", quiet_days=WEEKEND)
    assert world.game().deadline == MONDAY
    world.now = MONDAY + timedelta(days=4)
    assert world.pass_time() == 1
    assert world.game().deadline == MONDAY + timedelta(days=7)


def test_after_a_deadline_that_was_moved_a_calendar_rule_goes_on_as_ever(world: World) -> None:
    world.count(deadline="every Friday 20:00 Europe/Berlin", holidays=("2026-11-27",))
    assert world.game().deadline == at("2026-11-28 19:00")
    world.pass_time(timedelta(days=9))
    assert world.game().deadline == at("2026-12-04 19:00")


def test_the_days_are_those_of_the_deadlines_zone_or_else_of_the_game_master(world: World) -> None:
    world.settle(server={"timezone": "Asia/Tokyo"})
    world.count(deadline="every Friday 20:00 Europe/Berlin", quiet_days=WEEKEND)
    world.count("galaxy-8", ("Deneb", "Electra"), deadline="72h")
    world.count("galaxy-9", ("Fomalhaut", "Gienah"), quiet_zone="America/Lima")
    with world.work() as work:
        zones = [work.table_named(f"galaxy-{number}").terms.quiet_zone for number in (7, 8, 9)]
    assert zones == ["Europe/Berlin", "Asia/Tokyo", "America/Lima"]


def test_an_extension_does_not_end_on_a_quiet_day(world: World) -> None:
    world.count(deadline="10h", quiet_days=WEEKEND, extension_budget="24h")
    world.pass_time(timedelta(hours=1))
    answer = world.send("Altair", "EXTEND 13h")
    assert "You have 11 h of extension time left." in " ".join(answer.split()), "what the calendar adds costs nobody's budget"
    assert world.game().deadline == at("2026-11-23 11:00")
    assert "on over quiet days" in " ".join(body_of(world.outbox("notice", "Borealis")[-1]).split())


def test_an_extension_of_one_seat_does_not_end_on_a_quiet_day(world: World) -> None:
    world.count(deadline="12h", quiet_days=WEEKEND)
    with world.work() as work:
        table = work.table_named("galaxy-7")
        deadline_changes.extend(work, table, timedelta(hours=24), "the game master", "", table.seat("Altair"))
    assert world.seat("Altair").deadline == at("2026-11-24 00:00")
    assert world.game().deadline == at("2026-11-23 00:00")


def test_a_pause_does_not_push_a_deadline_onto_a_quiet_day(world: World) -> None:
    world.count(deadline="12h", quiet_days=("sunday",))
    world.act("galaxy-7", pauses.pause)
    world.now += timedelta(days=1)
    world.act("galaxy-7", pauses.resume)
    assert world.game().deadline == at("2026-11-23 00:00")


def test_nor_does_an_outage_of_the_mailbox(world: World) -> None:
    world.count(deadline="12h", quiet_days=WEEKEND)
    world.now += timedelta(hours=10)
    note_unreadable(world.desk)
    world.now += timedelta(hours=4)
    _note_reading(world.desk, mailbox_name(world.desk), world.now)
    assert world.game().deadline.weekday() == 0


def test_a_rollback_begins_on_no_quiet_day(world: World) -> None:
    world.count(deadline="24h", quiet_days=WEEKEND)
    world.pass_time(timedelta(days=4))
    world.now = SATURDAY + timedelta(days=7)
    world.act("galaxy-7", pauses.pause)
    world.master("ROLLBACK TO TURN 1")
    world.reply(world.questions("gm@pbmd.test")[-1], "YES")
    assert world.game().turn == 1
    assert world.game().deadline == MONDAY + timedelta(days=7)


# The game master's word


def test_the_game_master_says_which_days_are_quiet_and_all_are_told(world: World) -> None:
    world.count(deadline="24h")
    answer = world.master("QUIET Sat, Sunday IN Europe/Berlin because of the family")
    assert "No deadline will fall on these days: Saturday, Sunday (Europe/Berlin)." in answer
    assert "moves to Mon 23 Nov 2026 12:00 UTC (13:00 Europe/Berlin)" in answer
    assert world.game().deadline == MONDAY
    for seat in ("Altair", "Borealis", "Cygnus"):
        text = " ".join(body_of(world.outbox("notice", seat)[-1]).split())
        assert "Saturday, Sunday" in text
        assert "family" in text
        assert "Mon 23 Nov 2026 12:00 UTC" in text
    assert [line.detail for line in world.log("quiet")] == ["Saturday, Sunday (Europe/Berlin): the family"]
    assert world.journal("quiet")


def test_what_a_deadline_was_moved_by_stays_when_a_day_is_quiet_no_more(world: World) -> None:
    world.count(deadline="24h", quiet_days=WEEKEND)
    assert "Deadlines may fall on any day again." in world.master("QUIET NONE")
    assert world.game().deadline == MONDAY
    world.pass_time(timedelta(days=3))
    world.pass_time(timedelta(seconds=2))
    assert world.game().deadline > MONDAY + timedelta(hours=24), "the next turn has its 24 hours"


def test_holidays_come_and_go_by_mail(world: World) -> None:
    world.count(deadline="24h")
    world.master("HOLIDAY 2026-11-21 TO 2026-11-24")
    assert world.game().deadline == at("2026-11-25 12:00")
    assert "is a holiday of galaxy-7 already" in world.master("HOLIDAY 2026-11-21 to 2026-11-24")
    assert "Sat 21 Nov 2026 to Tue 24 Nov 2026" in world.master("STATUS")
    assert "is no holiday of galaxy-7; there are: Sat 21" in world.master("NO HOLIDAY 2026-11-22")
    world.master("NO HOLIDAY 2026-11-21 TO 2026-11-24")
    assert "no deadline on" not in world.master("STATUS")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("QUIET Someday", "is no weekday"),
        ("QUIET mon, tue, wed, thu, fri, sat, sun", "a week needs a day on which a deadline may fall"),
        ("QUIET Sunday IN Europe/Atlantis", 'there is no time zone "Europe/Atlantis"'),
        ("QUIET NONE", "that is so already"),
        ("HOLIDAY 2026-02-30", "is no day"),
        ("HOLIDAY 2026-12-26 TO 2026-12-24", "is before"),
        ("HOLIDAY 2026-01-01 TO 2028-01-01", "is too long"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(world: World, command: str, words: str) -> None:
    world.count(deadline="24h")
    mails = len(world.outbox("notice"))
    assert words in world.master(command)
    assert world.game().deadline == SATURDAY
    assert len(world.outbox("notice")) == mails
    assert not world.journal("quiet")


def test_nobody_but_the_game_master_names_quiet_days(world: World) -> None:
    world.count(deadline="24h")
    world.send("Altair", "QUIET Saturday\nHOLIDAY 2026-11-21")
    world.arrive(world.letter("", "QUIET Saturday", sender="stranger@else.test", to="games@pbmd.test"))
    world.pass_time()
    assert world.game().deadline == SATURDAY


def test_a_game_that_is_over_has_no_quiet_days_to_come(world: World) -> None:
    world.count(target=1, deadline="24h")
    world.send("Altair", "Add 1")
    world.pass_time(timedelta(days=2))
    assert world.game().status == "finished"
    assert "galaxy-7 is over" in world.master("QUIET Sunday")
