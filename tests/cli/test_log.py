"""`pbmd log`: what is looked for, and in which form."""

import json
from datetime import UTC, datetime

import pytest
from sqlmodel import Session

from pbmd.cli.log import shown_on
from pbmd.ledger.database import open_engine
from pbmd.ledger.tables import LogLine

DAYS = [datetime(2026, 11, day, 12, 0, tzinfo=UTC) for day in range(1, 7)]


@pytest.fixture
def told(home):
    """A home whose log has six lines of two games, one a day, besides those of making them."""
    home.start_game("galaxy-7")
    home.start_game("galaxy-8")
    engine = open_engine(f"sqlite:///{home.folder / 'data' / 'ledger.sqlite'}")
    whats = ("orders", "late", "nmr", "orders", "late", "nmr")
    with Session(engine) as session:
        for day, what in zip(DAYS, whats, strict=True):
            game, seat = ("galaxy-7", "Altair") if day.day % 2 else ("galaxy-8", "Borealis")
            session.add(LogLine(at=day, what=what, game=game, turn="t1", seat=seat, detail=f"day {day.day}", cause="letter 3"))
        session.commit()
    engine.dispose()
    return home


def days(home, *arguments):
    """The days of the lines of November that the command shows."""
    lines = [json.loads(line) for line in home.good("log", "--json", *arguments).splitlines()]
    return [int(line["detail"].removeprefix("day ")) for line in lines if line["detail"].startswith("day")]


def test_all_lines_are_shown_without_a_filter(told):
    assert days(told) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["galaxy-7"], [1, 3, 5]),
        (["--seat", "borealis"], [2, 4, 6]),
        (["--kind", "nmr"], [3, 6]),
        (["--kind", "nmr", "--kind", "late"], [2, 3, 5, 6]),
        (["--since", "2026-11-04"], [4, 5, 6]),
        (["--since", "2026-11-04 12:00:00"], [4, 5, 6]),
        (["--since", "2026-11-04 12:00:01"], [5, 6]),
        (["--until", "2026-11-03T12:00:00Z"], [1, 2]),
        (["--since", "2026-11-02", "--until", "2026-11-05 13:00 Europe/Berlin"], [2, 3, 4]),
        (["galaxy-8", "--kind", "late", "--since", "2026-11-01"], [2]),
        (["--kind", "late", "--lines", "1"], [5]),
        (["--kind", "damaged"], []),
    ],
)
def test_only_lines_that_are_looked_for_are_shown(told, arguments, shown):
    assert days(told, *arguments) == shown


def test_a_length_of_time_says_how_long_ago(told):
    lines = told.good("log", "--since", "1h").splitlines()
    assert lines
    assert {line.split()[4] for line in lines} == {"created", "joined", "started"}


def test_since_shows_more_than_the_fifty_last_lines(told):
    engine = open_engine(f"sqlite:///{told.folder / 'data' / 'ledger.sqlite'}")
    with Session(engine) as session:
        for _ in range(60):
            session.add(LogLine(at=DAYS[0], what="wait", detail="day 1"))
        session.commit()
    engine.dispose()
    assert len(days(told, "--kind", "wait")) == 50
    assert len(days(told, "--kind", "wait", "--since", "2026-11-01")) == 60


def test_each_line_of_json_says_what_it_rests_on(told):
    line = json.loads(told.good("log", "galaxy-7", "--json", "--kind", "nmr"))
    assert (line["game"], line["turn"], line["what"], line["seat"], line["cause"]) == (
        "galaxy-7",
        1,
        "nmr",
        "Altair",
        "letter 3",
    )


def test_what_was_done_with_a_command_says_so(told):
    made = [json.loads(line) for line in told.good("log", "--json", "--kind", "created").splitlines()]
    assert [line["cause"] for line in made] == ["the command line"] * 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--kind", "nrm"], "created, joined, late, nmr, orders, started"),
        (["--since", "soon"], "write it like 2026-11-27 20:00"),
        (["galaxy-9"], "there is no game"),
        (["galaxy-7", "--seat", "Deneb"], "Deneb"),
    ],
)
def test_what_cannot_be_looked_for_is_told_in_one_line(told, arguments, words):
    assert words in told.problem("log", *arguments)


def test_on_a_narrow_screen_the_rest_of_a_line_stands_below_it():
    long = "The United Federation of Planets beyond the Rim"
    line = LogLine(id=7, at=DAYS[0], what="late", game="galaxy-7", turn="t1", seat=long, detail="word " * 30, cause="letter 3")
    narrow = shown_on(72)(line)
    assert max(map(len, narrow.splitlines())) <= 72
    assert f"         {long}" in narrow.splitlines(), "a name is not cut"
    assert narrow.split()[:4] == ["7", "2026-11-01T12:00:00Z", "late", "t1"]
    assert narrow.count("word") == 30


def test_what_a_program_reads_has_one_line_each():
    line = LogLine(id=7, at=DAYS[0], what="late", game="galaxy-7", turn="t1", seat="Altair", detail="word " * 30)
    assert "\n" not in shown_on(0)(line)
    assert shown_on(0)(line) == shown_on(300)(line)
