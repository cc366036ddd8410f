"""A small dose of the week, for every run of the tests: some hours of one game, with a fault or two."""

from pathlib import Path

import pytest

from tests.mailservers import Dovecot
from tests.week.club import TABLES
from tests.week.week import Plan, week

pytestmark = pytest.mark.dovecot


@pytest.mark.in_turn(3, of="long games")
def test_in_some_hours_of_a_game_nothing_is_lost_and_nothing_silent(tmp_path: Path, dovecot: Dovecot) -> None:
    plan = Plan(minutes=0.4, days=0.7, players=1, tables=TABLES[1:2], upgrades=False)
    outcome = week(tmp_path, (dovecot, dovecot), plan)
    assert outcome.findings == []
    assert outcome.numbers["letters"] > 0
    assert outcome.numbers["games"] == 1


def test_a_daemon_that_does_not_catch_up_ends_the_week(
    tmp_path: Path, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.week.week._BEHIND", -1)  # so that no mailbox is empty enough
    monkeypatch.setattr("tests.week.week._BEHIND_AT_MOST", 1.0)
    plan = Plan(minutes=0.4, days=0.7, players=1, tables=TABLES[1:2], upgrades=False)
    with pytest.raises(RuntimeError, match="has been behind with the letters for"):
        week(tmp_path, (dovecot, dovecot), plan)
