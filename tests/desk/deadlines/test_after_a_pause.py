"""A game that goes by a calendar was paused: its deadlines stay on their days."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pbmd.desk.changes import pauses
from pbmd.desk.changes.deadline_changes import extend
from tests.archive.made import export, verified
from tests.desk.world import BEGIN, World, body_of

TO_THE_CALENDAR = "The deadline is the next of the game's calendar that leaves you as much time as you had before."
FRIDAYS = "every Friday 20:00 Europe/Berlin"
FIRST = datetime(2026, 11, 27, 19, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def paused(world: World, rule: str, stood: timedelta, **terms: object) -> None:
    """A game of Count by that rule that was paused two days after its beginning, and is resumed."""
    world.count(deadline=rule, **terms)
    world.pass_time(2 * DAY)
    world.act("galaxy-7", pauses.pause)
    world.pass_time(stood)
    world.act("galaxy-7", pauses.resume)


@pytest.mark.parametrize(
    ("stood", "due"),
    [
        (HOUR, FIRST + HOUR),  # the next Friday would cost a week
        (3 * DAY, FIRST + 3 * DAY),
        (4 * DAY, FIRST + 7 * DAY),
        (7 * DAY, FIRST + 7 * DAY),
        (7 * DAY + HOUR, FIRST + 14 * DAY),
        (20 * DAY, FIRST + 21 * DAY),
        (150 * DAY, datetime(2027, 4, 30, 18, tzinfo=UTC)),  # summer time has come
    ],
)
def test_after_a_long_pause_the_deadline_is_the_first_friday_that_leaves_as_much_time(
    world: World, tmp_path: Path, stood: timedelta, due: datetime
) -> None:
    paused(world, FRIDAYS, stood)
    assert world.game().deadline == due
    words = " ".join(body_of(world.outbox("notice", "Altair")[-1]).split())
    assert (TO_THE_CALENDAR in words) == (due != FIRST + stood)
    world.pass_time(due + HOUR - world.now)
    assert len(world.journal("resolved")) == 1
    after = world.game().deadline
    assert after is not None
    assert (after.weekday(), after.astimezone(ZoneInfo("Europe/Berlin")).hour) == (4, 20)
    assert after > due + 7 * DAY / 2
    assert [str(problem) for problem in verified(export(world, tmp_path / "archive")).problems] == []


def test_a_length_of_time_goes_on_where_it_stopped(world: World) -> None:
    paused(world, "72h", 20 * DAY + HOUR)
    assert world.game().deadline == BEGIN + 23 * DAY + HOUR


def test_the_day_after_a_holiday_is_not_counted_as_the_calendars(world: World) -> None:
    paused(world, FRIDAYS, 20 * DAY, holidays=("2026-12-18",), quiet_zone="Europe/Berlin")
    assert world.game().deadline == FIRST + 22 * DAY


def test_a_seat_with_more_time_keeps_what_it_has_more(world: World) -> None:
    world.count(deadline=FRIDAYS)
    world.act("galaxy-7", lambda work, table: extend(work, table, DAY, "the game master", seat=table.seat("Borealis")))
    world.act("galaxy-7", pauses.pause)
    world.pass_time(20 * DAY)
    world.act("galaxy-7", pauses.resume)
    assert world.game().deadline == FIRST + 21 * DAY
    assert world.seat("Borealis").deadline == FIRST + 22 * DAY


@pytest.mark.parametrize(("rule", "words"), [(FRIDAYS, "at least 7 days 7 h after"), ("72h", "due 3 days after")])
def test_the_mail_about_the_pause_says_how_much_time_there_will_be(world: World, rule: str, words: str) -> None:
    world.count(deadline=rule)
    world.act("galaxy-7", pauses.pause)
    assert words in " ".join(body_of(world.outbox("notice", "Altair")[-1]).split())
