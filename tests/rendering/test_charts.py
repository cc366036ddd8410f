"""The places of charts."""

from itertools import pairwise

import pytest

from pbmd.rendering.charts import arrivals, line_chart, plain, ticks


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


def test_no_name_is_cut() -> None:
    names = ["The Most Serene Republic of Groombridge", "X" * 40, "Altair"]
    chart = line_chart("Ships", {name: [(0, 1), (1, 2)] for name in names}, names, {})
    assert chart is not None
    assert ["".join(line.label).replace(" ", "") for line in chart.lines] == [name.replace(" ", "") for name in names]
    widest = max(len(words) for line in chart.lines for words in line.label)
    assert chart.label_x + 14 + widest * 17 * 0.6 <= chart.width, "as large as a phone has it"
    first, second, third = sorted(chart.lines, key=lambda line: line.label_y)
    assert second.label_y - first.label_y >= 20 * len(first.label)
    assert third.label_y - second.label_y >= 20 * len(second.label)
    assert third.label_y + 20 * (len(third.label) - 1) <= chart.height


def test_lines_that_are_equal_are_drawn_by_turns() -> None:
    same, other = [(0, 3), (1, 3), (2, 5)], [(0, 3), (1, 3), (2, 4)]
    chart = line_chart("Bases", {"Altair": same, "Borealis": other, "Cygnus": same}, ["Altair", "Borealis", "Cygnus"], {})
    assert chart is not None
    shared = [[(part.dash, part.offset) for part in line.stretches] for line in chart.lines]
    assert shared == [[("7 14", 0), ("7 7", 0)], [("7 14", -7), ("", 0)], [("7 14", -14), ("7 7", -7)]]
    assert all(line.stretches[0].path.split()[-1] == line.stretches[1].path.split()[0] for line in chart.lines)
    assert [[dot.size for dot in line.dots] for line in chart.lines] == [[6.2, 6.2, 4.6], [4.6, 4.6, 3.0], [3.0, 3.0, 3.0]]


def test_a_seat_keeps_its_number_in_charts_in_which_others_have_no_line() -> None:
    chart = line_chart("Ships", {"Cygnus": [(0, 1), (1, 2)]}, ["Altair", "Borealis", "Cygnus"], {})
    assert chart is not None
    assert [line.number for line in chart.lines] == [2]
