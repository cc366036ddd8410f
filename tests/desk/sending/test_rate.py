"""How fast mail may go out: what a domain that takes none costs the others, and when it is tried again."""

from datetime import UTC, datetime, timedelta

import pytest

from pbmd.desk.sending.rate import FAILURES, MINUTE, Pace, domain_of
from pbmd.post.smtp.client import Deferred, Rejected, Sent, Unknown

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_the_domain_of_an_address():
    assert domain_of("Ada@Example.ORG") == "example.org"


def test_room_is_what_is_left_of_the_last_minute():
    pace = Pace(3)
    pace.hand("a.test", 1, NOW)
    pace.hand("b.test", 2, NOW + 30 * SECOND)
    assert pace.room(NOW + 59 * SECOND) == 1
    assert pace.room(NOW + 60 * SECOND) == 2
    assert pace.room(NOW + 90 * SECOND) == 3


def test_a_clock_that_is_set_back_makes_nobody_wait_for_the_hour_it_showed():
    pace, day = Pace(3, 2), timedelta(days=1)
    for number in range(FAILURES):
        pace.hand("a.test", number, NOW + day)
        pace.note("a.test", Deferred(451, "later"), NOW + day)
    assert pace.room(NOW) == 3
    assert pace.waits_until("a.test", NOW) is None
    assert pace.stops("a.test", 7, NOW) == NOW + MINUTE
    for number in range(3):
        pace.hand("b.test", number, NOW)
    assert pace.room(NOW + 59 * SECOND) == 0
    assert pace.room(NOW + MINUTE) == 3


def test_a_domain_waits_when_its_minute_is_full_and_others_do_not():
    pace = Pace(1000, 2)
    for number in range(2):
        assert pace.waits_until("a.test", NOW) is None
        pace.hand("a.test", number, NOW + number * SECOND)
    assert pace.waits_until("a.test", NOW + 2 * SECOND) == NOW + MINUTE
    assert pace.waits_until("b.test", NOW + 2 * SECOND) is None
    assert pace.waits_until("a.test", NOW + MINUTE) is None


def test_what_is_given_back_counts_nowhere():
    pace = Pace(2, 2)
    for number in range(2):
        pace.hand("a.test", number, NOW + number * SECOND)
    pace.give_back("a.test", NOW)
    pace.give_back("a.test", NOW)
    assert pace.room(NOW + 2 * SECOND) == 1
    assert pace.waits_until("a.test", NOW + 2 * SECOND) is None


@pytest.mark.parametrize("failure", [Deferred(451, "later"), Deferred(0, "timed out"), Unknown("timed out")])
def test_a_domain_that_takes_nothing_rests_longer_and_longer_and_is_tried_with_one_mail(failure):
    pace, now = Pace(1000), NOW
    for number in range(FAILURES):
        assert pace.waits_until("a.test", now) is None
        pace.hand("a.test", number, now)
        pace.note("a.test", failure, now)
    for minutes in (1, 5, 15, 15):
        assert pace.waits_until("a.test", now) == now + minutes * MINUTE
        now += minutes * MINUTE
        assert pace.waits_until("a.test", now) is None
        pace.hand("a.test", 7, now)
        assert pace.waits_until("a.test", now) is not None, "one mail tries, the others wait"
        assert pace.stops("a.test", 7, now) is None
        assert pace.stops("a.test", 8, now) is not None
        pace.note("a.test", failure, now)
    assert pace.waits_until("b.test", now) is None


@pytest.mark.parametrize("answer", [Sent(), Rejected(550, "nobody")])
def test_an_answer_of_any_kind_ends_the_rest(answer):
    pace = Pace(1000)
    for number in range(FAILURES):
        pace.hand("a.test", number, NOW)
        pace.note("a.test", Deferred(451, "later"), NOW)
    pace.note("a.test", answer, NOW)
    assert pace.waits_until("a.test", NOW) is None
    assert pace.stops("a.test", 8, NOW) is None


def test_a_failure_now_and_then_is_none():
    pace = Pace(1000)
    for answer in (Deferred(451, ""), Deferred(451, ""), Sent(), Deferred(451, ""), Deferred(451, "")):
        pace.note("a.test", answer, NOW)
    assert pace.waits_until("a.test", NOW) is None
