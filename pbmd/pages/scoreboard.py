"""Who is ahead: a line for each seat, the highest of the first figure first, with how it has changed since the start."""

from collections.abc import Sequence
from typing import NamedTuple

from pbmd.pages.maps import Look, series
from pbmd.pages.state import SeatRow
from pbmd.rendering.charts import plain

MOST_FIGURES = 2
"""This many of the numbers have room beside a map; the charts have all of them."""
SPARK_WIDTH, SPARK_HEIGHT, SPARK_EDGE = 96, 28, 5
_LEAST_TURNS = 3
"""With fewer points a line says nothing that its end does not."""


class Standing(NamedTuple):
    """A seat: its place in the order of seats, its colour on the map, empty if it has none, its figures as text, the first of
    them as a number, and that over the turns as the points of a line and its end; None if there is no line to draw."""

    seat: SeatRow
    number: int
    colour: str
    figures: tuple[str, ...]
    counted: float
    spark: str
    end: tuple[float, float] | None


class Standings(NamedTuple):
    """All seats, and the names of the figures. `sent` is whether the page may say who has sent orders."""

    labels: tuple[str, ...]
    rows: tuple[Standing, ...]
    sent: bool

    @property
    def sparks(self) -> bool:
        """Whether there are any lines."""
        return any(row.end for row in self.rows)


def standings(found: Sequence[Look], seats: Sequence[SeatRow]) -> Standings:
    """The seats as they stand in the last of these looks."""
    numbers = found[-1].numbers if found else {}
    labels = tuple(numbers)[:MOST_FIGURES]
    colours = {seat: colour for look in found for seat, colour in look.colours.items()}
    lines = series(found, labels[0]) if labels else {}
    sheet = _Sheet.of(lines)
    rows = [
        _standing(
            seat,
            number,
            colours.get(seat.name, ""),
            [numbers[label].get(seat.name) for label in labels],
            sheet.points(lines.get(seat.name, ())),
        )
        for number, seat in enumerate(seats)
    ]
    ranked = sorted(rows, key=lambda row: row.counted, reverse=True)
    return Standings(labels, tuple(ranked), any(seat.awaited is not None for seat in seats))


def _standing(
    seat: SeatRow, number: int, colour: str, figures: Sequence[float | None], points: Sequence[tuple[float, float]]
) -> Standing:
    told = tuple("" if each is None else plain(each) for each in figures)
    path = " ".join(f"{x},{y}" for x, y in points)
    counted = next((each for each in figures[:1] if each is not None), 0.0)
    return Standing(seat, number, colour, told, counted, path, points[-1] if points else None)


class _Sheet(NamedTuple):
    """The range of turns and numbers that all lines are drawn in, so that they can be compared."""

    first: int
    last: int
    low: float
    high: float
    turns: int

    @classmethod
    def of(cls, lines: dict[str, list[tuple[int, float]]]) -> "_Sheet":
        points = [point for line in lines.values() for point in line] or [(0, 0.0)]
        turns, values = {turn for turn, _ in points}, [value for _, value in points]
        return cls(min(turns), max(turns), min(values), max(values), len(turns))

    def points(self, line: Sequence[tuple[int, float]]) -> list[tuple[float, float]]:
        if self.turns < _LEAST_TURNS:
            return []
        wide, high = (SPARK_WIDTH - 2 * SPARK_EDGE) / (self.last - self.first), SPARK_HEIGHT - 2 * SPARK_EDGE
        return [
            (
                round(SPARK_EDGE + (turn - self.first) * wide, 1),
                round(SPARK_HEIGHT - SPARK_EDGE - high * ((value - self.low) / ((self.high - self.low) or 1)), 1),
            )
            for turn, value in line
        ]
