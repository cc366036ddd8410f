"""The places of charts."""

from itertools import pairwise

import pytest

from pbmd.dashboard.charts import arrivals, line_chart, plain, ticks


@pytest.mark.parametrize(
    ("low", "high", "whole", "expected"),
    [
        (0, 10, True, [0, 5, 10]),
        (0, 3, True, [0, 1, 2, 3]),
        (0, 1, True, [0, 1]),
        (0, 0, True, [0, 1]),
        (0, 87, True, [0, 50, 100]),
        (-20, 60, True, [-20, 0, 20, 40, 60]),
        (0, 1.5, False, [0, 0.5, 1, 1.5]),
    ],
)
def test_ticks_are_round_and_hold_all_values(low: float, high: float, whole: bool, expected: list[float]) -> None:
    assert ticks(low, high, whole=whole) == expected


@pytest.mark.parametrize(("number", "words"), [(12, "12"), (1250, "1,250"), (3.5, "3.5"), (-4, "-4"), (0, "0")])
def test_numbers_are_written_as_people_do(number: float, words: str) -> None:
    assert plain(number) == words


def test_more_goes_up_and_later_to_the_right() -> None:
    chart = line_chart("Ships", {"Altair": [(0, 1), (1, 5), (2, 9)], "Borealis": [(0, 4), (1, 2)]}, ["Borealis", "Altair"], {})
    assert chart is not None
    assert [line.name for line in chart.lines] == ["Borealis", "Altair"]
    dots = chart.lines[1].dots
    assert all(before.x < after.x and before.y > after.y for before, after in pairwise(dots))
    assert all(chart.left <= dot.x <= chart.right and 0 <= dot.y <= chart.bottom for line in chart.lines for dot in line.dots)
    assert [[chart.value(line, turn) for turn in chart.turns] for line in chart.lines] == [["4", "2", ""], ["1", "5", "9"]]


def test_the_beginning_is_called_so_wherever_it_stands() -> None:
    chart = line_chart("Ships", {"Altair": [(-1, 1), (0, 5), (1, 9)]}, ["Altair"], {}, start=-1)
    assert chart is not None
    assert [tick.words for tick in chart.columns] == [chart.called(turn) for turn in chart.turns] == ["start", "0", "1"]
    assert [dot.words for dot in chart.lines[0].dots] == ["Altair, start: 1", "Altair, turn 0: 5", "Altair, turn 1: 9"]
    assert [chart.value(chart.lines[0], turn) for turn in chart.turns] == ["1", "5", "9"]


def test_the_names_of_many_lines_do_not_lie_upon_each_other() -> None:
    chart = line_chart("Ships", {f"Seat {place}": [(0, 1), (1, 2)] for place in range(24)}, [], {})
    assert chart is not None
    heights = sorted(line.label_y for line in chart.lines)
    assert all(after - before >= 16 for before, after in pairwise(heights))
    assert heights[0] >= 0
    assert heights[-1] <= chart.height


def test_of_one_turn_nothing_is_drawn() -> None:
    assert line_chart("Ships", {"Altair": [(0, 1)]}, [], {}) is None
    assert line_chart("Ships", {}, [], {}) is None
    assert arrivals([]) is None


def test_arrivals_stay_on_the_sheet() -> None:
    drawn = arrivals([(2, [(-1.0, "early"), (7.0, "late")], "2 came")])
    assert drawn is not None
    assert [dot.x for dot in drawn.rows[0].dots] == [drawn.left, drawn.right]
