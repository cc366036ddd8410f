"""Who stands where: in which order, with which figures, and how it went."""

from pbmd.pages.maps import Look
from pbmd.pages.scoreboard import SPARK_EDGE, SPARK_HEIGHT, SPARK_WIDTH, standings
from pbmd.pages.state import SeatRow

BASES = [
    {"Altair": 3, "Borealis": 3, "Cygnus": 3},
    {"Altair": 4, "Borealis": 2, "Cygnus": 3},
    {"Altair": 2, "Borealis": 5, "Cygnus": 2},
]


def looks(turns: int) -> list[Look]:
    return [
        Look(
            after=turn,
            begin=not turn,
            map="",
            numbers={"Bases": BASES[turn], "Ships": {"Altair": 7.5}, "BP": {}},
            colours={"Altair": "#1d3fa0"},
            step=f"turn {turn}",
            caption="",
            aim="",
            place="",
            happened=(),
        )
        for turn in range(turns)
    ]


def seats(awaited: bool | None = None) -> list[SeatRow]:
    return [SeatRow(name, False, awaited, None) for name in ("Altair", "Borealis", "Cygnus", "Newcomer")]


def test_who_has_most_stands_first_and_who_has_as_much_in_the_order_of_seats() -> None:
    found = standings(looks(3), seats())
    assert found.labels == ("Bases", "Ships")
    assert [(row.seat.name, row.figures, row.number, row.colour) for row in found.rows] == [
        ("Borealis", ("5", ""), 1, ""),
        ("Altair", ("2", "7.5"), 0, "#1d3fa0"),
        ("Cygnus", ("2", ""), 2, ""),
        ("Newcomer", ("", ""), 3, ""),
    ]


def test_lines_are_drawn_on_one_scale_from_three_turns_on() -> None:
    assert not standings(looks(2), seats()).sparks
    found = {row.seat.name: row for row in standings(looks(3), seats()).rows}
    top, bottom, right = SPARK_EDGE, SPARK_HEIGHT - SPARK_EDGE, SPARK_WIDTH - SPARK_EDGE
    assert found["Borealis"].end == (right, top)
    assert found["Altair"].end == found["Cygnus"].end == (right, bottom)
    assert found["Newcomer"].end is None


def test_a_game_that_counts_nothing_or_has_not_begun_has_its_seats_all_the_same() -> None:
    found = standings([], seats())
    assert (found.labels, [row.seat.name for row in found.rows]) == ((), ["Altair", "Borealis", "Cygnus", "Newcomer"])
    assert not found.sent
    assert standings([], seats(awaited=False)).sent
