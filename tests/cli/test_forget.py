"""`pbmd forget`."""

from pbmd.desk.books.desk import open_desk
from pbmd.desk.books.played import note_played
from pbmd.desk.books.work import Work
from pbmd.ledger.tables import LogLine, StepPlayed
from pbmd.settings import read_settings
from tests.cli.conftest import Home


def a_turn_met(home: Home) -> None:
    """Altair and Borealis have met a turn."""
    home.start_game()
    desk = open_desk(read_settings(home.settings))
    with Work(desk) as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        note_played(work, table, {"Altair", "Borealis"})
    desk.engine.dispose()


def test_what_an_address_met_and_missed_is_forgotten_and_that_of_others_is_not(home: Home) -> None:
    a_turn_met(home)
    assert home.good("forget", "Anna@Players.test") == "Forgotten.\n"
    assert [row.seat for row in home.rows(StepPlayed)] == [2]
    assert home.good("forget", "anna@players.test") == "No turns are kept of that address.\n"


def test_the_log_does_not_say_whose(home: Home) -> None:
    a_turn_met(home)
    home.good("forget", "anna@players.test")
    [line] = [line for line in home.rows(LogLine) if line.what == "forgotten"]
    assert (line.seat, line.detail) == ("-", "the turns that an address met and missed")
    assert "anna@players.test" not in home.log
