"""How long to wait for a mail server that fails, by a clock that the test sets."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbmd.post.outage import STEADY_SECONDS, Failure, Outage, Refusals, backoff

LOST, PUT_OFF, REFUSED = Failure.LOST, Failure.PUT_OFF, Failure.REFUSED

NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


class Clock:
    """Seconds as the test wants them."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def outage(clock: Clock) -> Outage:
    return Outage(clock, jitter=lambda: 0.0)


@pytest.mark.parametrize(
    ("attempt", "failure", "expected"),
    [
        (1, LOST, 1),
        (2, LOST, 2),
        (3, LOST, 4),
        (10, LOST, 300),
        (10**6, LOST, 300),
        (1, REFUSED, 60),
        (2, REFUSED, 120),
        (99, REFUSED, 3600),
        (1, PUT_OFF, 5),
        (7, PUT_OFF, 320),
        (9, PUT_OFF, 900),
    ],
)
def test_the_pause_before_the_next_try_doubles_up_to_a_limit(attempt: int, failure: Failure, expected: float):
    assert backoff(attempt, failure, jitter=0) == expected
    assert backoff(attempt, failure, jitter=1) == expected * 1.25


def test_many_clients_of_one_server_do_not_come_back_together():
    assert len({Outage().pause() for _ in range(10)}) > 1


def test_a_lost_connection_is_tried_again_soon_and_then_less_and_less_often(outage: Outage):
    assert [outage.pause() for _ in range(10)] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]


def test_a_refused_login_is_tried_after_a_minute_and_at_last_hourly(outage: Outage):
    assert [outage.pause(REFUSED) for _ in range(8)] == [60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_one_refused_login_after_many_lost_connections_is_the_first_refusal(outage: Outage):
    assert [outage.pause(failure) for failure in (LOST, LOST, LOST, REFUSED, REFUSED)] == [1, 2, 4, 60, 120]


def test_a_server_that_fails_soon_after_it_came_back_is_asked_less_and_less_often(outage: Outage, clock: Clock):
    pauses: list[float] = []
    for _ in range(3):
        pauses.append(outage.pause())
        outage.ends()
        clock.now += STEADY_SECONDS - 1
    assert pauses == [1, 2, 4]


def test_five_minutes_of_health_make_the_next_failure_the_first(outage: Outage, clock: Clock):
    outage.pause()
    outage.pause(REFUSED)
    outage.ends()
    clock.now += 200
    outage.ends()  # a later success does not begin the five minutes anew
    clock.now += 100
    assert (outage.pause(), outage.pause(REFUSED)) == (1, 60)


def test_an_outage_is_told_once_and_so_is_its_first_refused_login(outage: Outage):
    assert [outage.begins(failure) for failure in (LOST, PUT_OFF, REFUSED, REFUSED, LOST)] == [
        True,
        False,
        True,
        False,
        False,
    ]
    assert outage.ends()
    assert not outage.ends()
    assert [outage.begins(failure) for failure in (REFUSED, REFUSED, LOST)] == [True, False, False]


def test_who_has_called_the_password_wrong_is_not_asked_sooner_after_saying_that_there_were_too_many_tries(
    outage: Outage, tmp_path: Path
):
    failures = (PUT_OFF, PUT_OFF, REFUSED, PUT_OFF, LOST, PUT_OFF)
    assert [outage.pause(failure) for failure in failures] == [5, 10, 60, 120, 1, 240]
    kept = Refusals(tmp_path / "kept")
    assert [kept.note(NOON, failure) for failure in (PUT_OFF, PUT_OFF, REFUSED, PUT_OFF)] == [1, 2, 1, 2]
    assert kept.again_at(NOON) == NOON + timedelta(minutes=2)


class TestRefusalsThatAreKept:
    def test_are_counted_over_restarts_and_the_pauses_grow(self, tmp_path: Path) -> None:
        now = NOON
        for count, minutes in enumerate((1, 2, 4, 8, 16, 32, 60, 60), start=1):
            assert Refusals(tmp_path / "kept").note(now) == count
            assert Refusals(tmp_path / "kept").again_at(now) == now + timedelta(minutes=minutes)
            now += timedelta(minutes=minutes)
            assert Refusals(tmp_path / "kept").again_at(now) is None

    def test_of_a_login_that_was_put_off_make_short_pauses(self, tmp_path: Path) -> None:
        kept = Refusals(tmp_path / "kept")
        kept.note(NOON, PUT_OFF)
        assert kept.again_at(NOON) == NOON + timedelta(seconds=5)

    def test_that_an_earlier_version_has_kept_are_of_the_password(self, tmp_path: Path) -> None:
        (tmp_path / "kept").write_text(f'{{"refused": 2, "last": "{NOON.isoformat()}"}}')
        assert Refusals(tmp_path / "kept").again_at(NOON) == NOON + timedelta(minutes=2)

    @pytest.mark.parametrize(
        "note",
        [
            "",
            "[" * 100_000,
            '{"refused": 1e999, "last": "2026-03-01T12:00:00+00:00"}',
            '{"refused": 3, "last": "2026-03-01T12:00:00"}',
        ],
    )
    def test_that_cannot_be_read_hold_nobody_back(self, tmp_path: Path, note: str) -> None:
        (tmp_path / "kept").write_text(note)
        refusals = Refusals(tmp_path / "kept")
        assert refusals.again_at(NOON) is None
        assert refusals.note(NOON) >= 1
        assert refusals.again_at(NOON) is not None

    def test_are_forgotten_after_a_login(self, tmp_path: Path) -> None:
        refusals = Refusals(tmp_path / "kept")
        refusals.forget()
        refusals.note(NOON)
        refusals.forget()
        assert refusals.again_at(NOON) is None
        assert refusals.note(NOON) == 1

    def test_hold_nobody_back_when_the_clock_was_set_back(self, tmp_path: Path) -> None:
        refusals = Refusals(tmp_path / "kept")
        refusals.note(NOON)
        assert refusals.again_at(NOON - timedelta(days=400)) is None

    @pytest.mark.parametrize("left", ["", "{", "[]", "null", '{"refused": 1}', '{"refused": "x", "last": 1}'])
    def test_in_a_damaged_file_are_none(self, tmp_path: Path, left: str) -> None:
        (tmp_path / "kept").write_text(left)
        assert Refusals(tmp_path / "kept").again_at(NOON) is None
        assert Refusals(tmp_path / "kept").note(NOON) == 1
