"""A small dose of the crowd, for every run of the tests."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.crowd.crowd import Plan, crowd
from tests.postgresql import PostgreSQL


@pytest.mark.parametrize("spread", [timedelta(0), timedelta(hours=5)], ids=["at once", "spread"])
def test_of_many_games_none_is_lost_or_doubled_while_letters_come(tmp_path: Path, spread: timedelta) -> None:
    outcome = crowd(tmp_path, Plan(25, spread, letters_a_second=100))
    assert outcome.findings == []
    assert outcome.letters > 0


def test_nor_on_postgresql(tmp_path: Path, postgresql: PostgreSQL) -> None:
    ledger = postgresql.new_ledger()
    outcome = crowd(tmp_path, Plan(15, letters_a_second=100), database=ledger)
    assert outcome.findings == []
    assert outcome.letters > 0
    postgresql.drop(ledger)
