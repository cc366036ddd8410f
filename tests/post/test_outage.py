"""How long to wait for a mail server that fails, by a clock that the test sets."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbmd.post.outage import STEADY_SECONDS, Outage, Refusals, backoff

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
    ("attempt", "refused", "expected"),
    [
        (1, False, 1),
        (2, False, 2),
        (3, False, 4),
        (10, False, 300),
        (10**6, False, 300),
        (1, True, 60),
        (2, True, 120),
        (99, True, 3600),
    ],
)
def test_the_pause_before_the_next_try_doubles_up_to_a_limit(attempt: int, refused: bool, expected: float):
    assert backoff(attempt, refused=refused, jitter=0) == expected
    assert backoff(attempt, refused=refused, jitter=1) == expected * 1.25


def test_many_clients_of_one_server_do_not_come_back_together():
    assert len({Outage().pause() for _ in range(10)}) > 1


def test_a_lost_connection_is_tried_again_soon_and_then_less_and_less_often(outage: Outage):
    assert [outage.pause() for _ in range(10)] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]


def test_a_refused_login_is_tried_after_a_minute_and_at_last_hourly(outage: Outage):
    assert [outage.pause(refused=True) for _ in range(8)] == [60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_one_refused_login_after_many_lost_connections_is_the_first_refusal(outage: Outage):
    assert [outage.pause(refused=refused) for refused in (False, False, False, True, True)] == [1, 2, 4, 60, 120]


def test_a_server_that_fails_soon_after_it_came_back_is_asked_less_and_less_often(outage: Outage, clock: Clock):
    pauses: list[float] = []
    for _ in range(3):
        pauses.append(outage.pause())
        outage.ends()
        clock.now += STEADY_SECONDS - 1
    assert pauses == [1, 2, 4]


def test_five_minutes_of_health_make_the_next_failure_the_first(outage: Outage, clock: Clock):
    outage.pause()
    outage.pause(refused=True)
    outage.ends()
    clock.now += 200
    outage.ends()  # a later success does not begin the five minutes anew
    clock.now += 100
    assert (outage.pause(), outage.pause(refused=True)) == (1, 60)


def test_an_outage_is_told_once_and_so_is_its_first_refused_login(outage: Outage):
    assert [outage.begins(refused=refused) for refused in (False, False, True, True, False)] == [
        True,
        False,
        True,
        False,
        False,
    ]
    assert outage.ends()
    assert not outage.ends()
    assert [outage.begins(refused=refused) for refused in (True, True, False)] == [True, False, False]


class TestRefusalsThatAreKept:
    def test_are_counted_over_restarts_and_the_pauses_grow(self, tmp_path: Path) -> None:
        now = NOON
        for count, minutes in enumerate((1, 2, 4, 8, 16, 32, 60, 60), start=1):
            assert Refusals(tmp_path / "kept").note(now) == count
            assert Refusals(tmp_path / "kept").again_at(now) == now + timedelta(minutes=minutes)
            now += timedelta(minutes=minutes)
            assert Refusals(tmp_path / "kept").again_at(now) is None

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
