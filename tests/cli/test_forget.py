"""`pbmd forget`."""

import re
import sqlite3
from contextlib import closing

from sqlmodel import SQLModel

from pbmd.desk.books.attendance import note_played
from pbmd.desk.books.desk import open_desk
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.tables import LogLine, Outbox, Report, StepPlayed, UnreadableValue
from pbmd.settings import read_settings
from tests.cli.conftest import Home

FORGOTTEN = {"listedplayer", "stepplayed", "unreadablevalue"}
STAYS = {"seat", "visitor", "substitution", "withheld", "bounce", "outbox"}
"""What goes with a game or a mail, and not with a person."""


def test_of_each_table_with_an_address_it_is_known_whether_it_is_forgotten() -> None:
    kept = {
        table.name
        for table in SQLModel.metadata.sorted_tables
        if any(re.fullmatch(r"\w*address|recipient|whose|named|value", column.name) for column in table.columns)
    }
    assert kept - FORGOTTEN - STAYS == set(), "pbmd/cli/forget.py forgets it with its owner, or it stays: say which, here"
    assert kept == FORGOTTEN | STAYS


def a_turn_met(home: Home) -> None:
    """Altair and Borealis have met a turn."""
    home.start_game()
    desk = open_desk(read_settings(home.settings))
    with Transaction(desk) as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        note_played(work, table, {"Altair", "Borealis"})
    desk.engine.dispose()


def test_what_an_address_met_and_missed_is_forgotten_and_that_of_others_is_not(home: Home) -> None:
    a_turn_met(home)
    assert home.good("forget", "Anna@Players.test") == "Forgotten.\n"
    assert [row.seat for row in home.rows(StepPlayed)] == [2]
    assert home.good("forget", "anna@players.test") == "No turns are kept of that address, and nothing that was put aside.\n"


def test_the_log_does_not_say_whose(home: Home) -> None:
    a_turn_met(home)
    home.good("forget", "anna@players.test")
    [line] = [line for line in home.rows(LogLine) if line.what == "forgotten"]
    assert (line.seat, line.detail) == ("-", "the turns that an address met and missed")
    assert "anna@players.test" not in home.log


def spoil(home: Home, *changes: str) -> dict[str, str]:
    """Something other than pbmd changes the ledger, and a look puts aside what it has done; gives that by its place."""
    with closing(sqlite3.connect(home.folder / "data" / "ledger.sqlite")) as ledger:
        for change in changes:
            ledger.execute(change)
        ledger.commit()
    home.run("check")
    return aside(home)


def aside(home: Home) -> dict[str, str]:
    return {f"{each.of_table} {each.of_row} {each.of_column}": each.value for each in home.rows(UnreadableValue)}


def test_what_was_put_aside_is_erased_if_it_holds_the_address_or_is_of_a_seat_of_its_owner(home: Home) -> None:
    home.start_game()
    anna, bert = (home.rows(Outbox, Outbox.seat_id == seat)[0].id for seat in (1, 2))
    report = home.rows(Report, Report.reader == "seat:1")[0].id
    found = spoil(
        home,
        "UPDATE seat SET state = 'ACTIVF' WHERE id = 1",
        "UPDATE seat SET timezone = CAST(x'ff20' || 'was Anna@Players.test.' AS TEXT) WHERE id = 2",
        f"UPDATE outbox SET raw = 'of nobody' WHERE id = {anna}",
        f"UPDATE outbox SET raw = 'To: joanna@players.test' WHERE id = {bert}",
        f"UPDATE report SET html = 'no compressed text' WHERE id = {report}",
        """UPDATE journal SET salt = CAST(x'ff' AS TEXT) WHERE public LIKE '%"seat":"Altair"%'""",
        """UPDATE game SET terms = '{"deadline'""",
        "INSERT INTO absence (game_id, seat_id, first, last, told_at, ended, asked_step) "
        "VALUES (1, 1, '2026-11-31', '2026-12-02', '2026-11-20 10:00:00', 0, 0)",
    )
    others = {f"outbox {bert} raw", "game 1 terms"}
    assert found.keys() > {"seat 1 state", "seat 2 timezone", f"outbox {anna} raw", f"report {report} html", *others}
    assert any(place.startswith("absence ") for place in found)
    assert all(found.values())
    assert home.good("forget", "anna@players.test") == "Forgotten.\n"
    assert {place for place, value in aside(home).items() if value} == others
    assert home.good("forget", "anna@players.test") == "No turns are kept of that address, and nothing that was put aside.\n"


def test_what_was_put_aside_goes_when_somebody_has_seen_to_it_long_ago(home: Home) -> None:
    home.start_game()
    spoil(home, "UPDATE seat SET timezone = CAST(x'ff' AS TEXT) WHERE id = 1")
    sixty_days_on(home)
    home.good("tidy")
    assert all(aside(home).values()), "somebody may still put it right"
    home.good("resume", "galaxy-7", "--as-it-is")
    home.good("tidy")
    assert all(aside(home).values())
    assert "all can be read; 1 that could not be lies aside" in home.run("check").stdout
    sixty_days_on(home)
    home.good("tidy")
    assert not any(aside(home).values())


def sixty_days_on(home: Home) -> None:
    """All that was put aside lies there since sixty days ago."""
    with closing(sqlite3.connect(home.folder / "data" / "ledger.sqlite")) as ledger:
        for column in ("found_at", "settled_at"):
            ledger.execute(f"UPDATE unreadablevalue SET {column} = datetime({column}, '-60 days') || '.000000'")
        ledger.commit()
