"""`pbmd clock`, where nothing is in doubt (where it is: tests/acceptance/test_clock_that_jumps.py)."""

from pbmd.ledger.tables import Clock, LogLine


def test_it_shows_what_time_it_is(home):
    assert home.good("clock").startswith("It is ")
    assert home.json("status")["clock_in_doubt"] == ""


def test_there_is_nothing_to_confirm(home):
    assert home.problem("clock", "--confirm") == "the clock of this machine is not in doubt"
    assert home.rows(LogLine) == []
    assert home.rows(Clock) == []
