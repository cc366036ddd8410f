"""Charts as places on a sheet, for the templates to draw as SVG. Nothing here knows of colours: lines have a number."""

import math
import textwrap
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, groupby, pairwise
from typing import NamedTuple

WIDTH, ARRIVALS_WIDTH = 480, 640
_TOP, _BOTTOM, _LEFT = 12, 26, 50
_LEAST_PLOT = 280
_BESIDE_NAME, _NAME_CHAR = 44, 10.6
"""Room for names at the right: so much besides the letters, and for each of them as a phone has it."""
_LEAST_HEIGHT, _LABEL_HEIGHT, _LABEL_CHARS = 190, 20, 14
_DOT, _RING, _DASH = 3.0, 1.6, 7
"""The size of a dot, how far the one below it stands out, and how long a piece is of a line that lies upon others."""
_TICKS = 4
_MOST_TURNS_NAMED = 12
_START = "start"
ROW_HEIGHT = 26
_ROW_LEFT, _ROW_RIGHT = 74, 20


class Tick(NamedTuple):
    """A mark at an axis."""

    at: float
    words: str


class Dot(NamedTuple):
    """A value; `words` is what a pointer over it is told. Where several seats have the same value, the one below is larger."""

    x: float
    y: float
    words: str
    size: float = _DOT


class Stretch(NamedTuple):
    """A part of a line. Where it lies upon those of others, each has its turn: `dash` and `offset` are as SVG has them."""

    path: str
    dash: str = ""
    offset: int = 0


class Line(NamedTuple):
    """A seat's line, and its name at the end of it in lines of text, the first of which stands at `label_y`. `colour` is that
    of the seat on the map, empty if there is none."""

    number: int
    name: str
    label: tuple[str, ...]
    dots: tuple[Dot, ...]
    stretches: tuple[Stretch, ...]
    label_y: float
    colour: str

    @property
    def path(self) -> str:
        """The points as an SVG polyline has them."""
        return _path(self.dots)


def _path(dots: Iterable[Dot]) -> str:
    return " ".join(f"{dot.x},{dot.y}" for dot in dots)


class LineChart(NamedTuple):
    """Lines over turns; `start` is the number at which the beginning stands, if it has a place of its own."""

    title: str
    width: float
    height: float
    left: float
    right: float
    bottom: float
    label_x: float
    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    lines: tuple[Line, ...]
    turns: tuple[int, ...]
    start: int | None

    def called(self, turn: int) -> str:
        """A turn as the axis and the table have it."""
        return _START if turn == self.start else str(turn)

    def value(self, line: Line, turn: int) -> str:
        """What the line has at a turn, for the table; empty if nothing."""
        told = f", {_when(turn, self.start)}: "
        return next((dot.words.partition(told)[2] for dot in line.dots if told in dot.words), "")


class Row(NamedTuple):
    """A turn of the arrivals: its dots, and what is told behind them."""

    turn: int
    y: float
    dots: tuple[Dot, ...]
    words: str


class Arrivals(NamedTuple):
    """When orders came, each turn a row from its beginning to its end."""

    width: float
    height: float
    left: float
    right: float
    rows: tuple[Row, ...]
    columns: tuple[Tick, ...]


def line_chart(
    title: str,
    series: Mapping[str, Sequence[tuple[int, float]]],
    order: Sequence[str],
    colours: Mapping[str, str],
    start: int | None = None,
) -> LineChart | None:
    """Lines of turn and number, numbered by the place of the seat in `order`; None if there is no line to be seen. What stands
    at the turn `start` was there before the first turn, and is called so."""
    turns = tuple(sorted({turn for points in series.values() for turn, _ in points}))
    if len(turns) < 2:
        return None
    numbers = [number for points in series.values() for _, number in points]
    names = _in_order(series, order)
    labels = {name: tuple(textwrap.wrap(name, _LABEL_CHARS)) for name in names}  # no word of a name is left out
    height = max(_LEAST_HEIGHT, sum(map(len, labels.values())) * _LABEL_HEIGHT + _TOP + _BOTTOM)
    beside = math.ceil(_BESIDE_NAME + _NAME_CHAR * max(map(len, chain.from_iterable(labels.values()))))
    width = max(WIDTH, _LEFT + _LEAST_PLOT + beside)
    steps = ticks(min(0, *numbers), max(numbers), whole=all(map(float.is_integer, map(float, numbers))))
    sheet = _Sheet(turns, steps, right=width - beside, bottom=height - _BOTTOM)
    drawn = _with_rings({name: sheet.dots(name, series[name], start) for name in names})
    every = math.ceil(len(turns) / _MOST_TURNS_NAMED)
    return LineChart(
        title,
        width,
        height,
        _LEFT,
        sheet.right,
        sheet.bottom,
        sheet.right + 22,
        tuple(Tick(sheet.y(step), plain(step)) for step in steps),
        tuple(Tick(sheet.x(turn), _START if turn == start else str(turn)) for turn in turns[::every]),
        _lines(drawn, labels, order, colours, sheet.bottom),
        turns,
        start,
    )


def _lines(
    drawn: Mapping[str, tuple[Dot, ...]],
    labels: Mapping[str, tuple[str, ...]],
    order: Sequence[str],
    colours: Mapping[str, str],
    bottom: float,
) -> tuple[Line, ...]:
    stretches = _stretches(drawn)
    heights = _apart([(dots[-1].y, name) for name, dots in drawn.items()], labels, _TOP, bottom)
    places = {name: place for place, name in enumerate(dict.fromkeys([*order, *drawn]))}
    return tuple(
        Line(places[name], name, labels[name], dots, stretches[name], heights[name], colours.get(name, ""))
        for name, dots in drawn.items()
    )


def _in_order(series: Collection[str], order: Collection[str]) -> list[str]:
    """The seats that have a line, those of the order first."""
    return [*(name for name in order if name in series), *(name for name in series if name not in order)]


def _with_rings(drawn: Mapping[str, Sequence[Dot]]) -> dict[str, tuple[Dot, ...]]:
    """The dots in such sizes that those of the same value show below each other."""
    left: defaultdict[tuple[float, float], int] = defaultdict(int)
    for dots in drawn.values():
        for dot in dots:
            left[dot.x, dot.y] += 1
    found: dict[str, tuple[Dot, ...]] = {}
    for name, dots in drawn.items():
        sized: list[Dot] = []
        for dot in dots:
            left[dot.x, dot.y] -= 1
            sized.append(dot._replace(size=round(_DOT + _RING * min(left[dot.x, dot.y], _MOST_RINGS), 1)))
        found[name] = tuple(sized)
    return found


_MOST_RINGS = 4


def _stretches(drawn: Mapping[str, Sequence[Dot]]) -> dict[str, tuple[Stretch, ...]]:
    """Each line in parts: a part that several seats share is drawn in their colours by turns."""
    shared: defaultdict[tuple[float, ...], list[str]] = defaultdict(list)
    for name, dots in drawn.items():
        for one, other in pairwise(dots):
            shared[one.x, one.y, other.x, other.y].append(name)
    found: dict[str, tuple[Stretch, ...]] = {}
    for name, dots in drawn.items():
        owners = [(tuple(shared[one.x, one.y, other.x, other.y]), (one, other)) for one, other in pairwise(dots)]
        found[name] = tuple(
            _stretch(name, names, [pair for _, pair in pairs]) for names, pairs in groupby(owners, key=lambda each: each[0])
        )
    return found


def _stretch(name: str, names: Sequence[str], pairs: Sequence[tuple[Dot, Dot]]) -> Stretch:
    path = _path([pairs[0][0], *(later for _, later in pairs)])
    if len(names) == 1:
        return Stretch(path)
    return Stretch(path, f"{_DASH} {_DASH * (len(names) - 1)}", -_DASH * names.index(name))


class _Sheet(NamedTuple):
    """Where the turns of a chart stand from left to right, and numbers between the lowest and the highest of the `steps`."""

    turns: Sequence[int]
    steps: Sequence[float]
    right: float
    bottom: float

    def x(self, turn: int) -> float:
        first, last = self.turns[0], self.turns[-1]
        return round(_LEFT + (turn - first) / (last - first) * (self.right - _LEFT), 1)

    def y(self, number: float) -> float:
        low, high = self.steps[0], self.steps[-1]
        return round(self.bottom - (number - low) / (high - low) * (self.bottom - _TOP), 1)

    def dots(self, name: str, points: Sequence[tuple[int, float]], start: int | None) -> tuple[Dot, ...]:
        """The values of a seat."""
        return tuple(
            Dot(self.x(turn), self.y(number), f"{name}, {_when(turn, start)}: {plain(number)}") for turn, number in points
        )


def _when(turn: int, start: int | None) -> str:
    return _START if turn == start else f"turn {turn}"


def arrivals(rows: Iterable[tuple[int, Sequence[tuple[float, str]], str]]) -> Arrivals | None:
    """Turns with the share of their time that had passed (0 to 1) and words for each arrival, and words for the turn."""
    right = ARRIVALS_WIDTH - _ROW_RIGHT
    drawn = [
        Row(turn, ROW_HEIGHT * (place + 0.5), tuple(_arrival(share, told, place, right) for share, told in came), words)
        for place, (turn, came, words) in enumerate(rows)
    ]
    if not drawn:
        return None
    columns = tuple(
        Tick(round(_ROW_LEFT + share * (right - _ROW_LEFT), 1), words)
        for share, words in ((0, "turn begins"), (0.5, "half-time"), (1, "resolved"))
    )
    return Arrivals(ARRIVALS_WIDTH, ROW_HEIGHT * len(drawn) + _BOTTOM, _ROW_LEFT, right, tuple(drawn), columns)


def _arrival(share: float, words: str, place: int, right: float) -> Dot:
    return Dot(round(_ROW_LEFT + min(max(share, 0), 1) * (right - _ROW_LEFT), 1), ROW_HEIGHT * (place + 0.5), words)


def ticks(low: float, high: float, *, whole: bool) -> list[float]:
    """Round numbers from below the least to above the greatest, some four steps; only whole ones if what is counted is."""
    span = (high - low) or 1
    rough = span / _TICKS
    power = 10 ** math.floor(math.log10(rough))
    # What is counted has no halves.
    rounds = (1, 2, 5, 10) if power < 100 and whole else (1, 2, 2.5, 5, 10)
    step = next(times * power for times in rounds if times * power >= rough)
    step = max(step, 1) if whole else step
    first, last = math.floor(low / step), math.ceil(high / step)
    return [place * step for place in range(first, max(last, first + 1) + 1)]


def plain(number: float) -> str:
    """A number as people write it: 12, 1,250, 3.5."""
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:,.2f}".rstrip("0")


def _apart(
    wanted: Sequence[tuple[float, str]], labels: Mapping[str, Sequence[str]], top: float, bottom: float
) -> dict[str, float]:
    """Where the first line of each label stands: so far apart that each can be read, near where they want to be."""
    placed = sorted(wanted)
    rooms = [_LABEL_HEIGHT * len(labels[name]) for _, name in placed]
    heights = [y - (room - _LABEL_HEIGHT) / 2 for (y, _), room in zip(placed, rooms, strict=True)]
    for place in range(1, len(heights)):
        heights[place] = max(heights[place], heights[place - 1] + rooms[place - 1])
    ends = bottom + _LABEL_HEIGHT
    for place in reversed(range(len(heights))):
        heights[place] = max(min(heights[place], ends - rooms[place]), top)
        ends = heights[place]
    return {name: round(height, 1) for (_, name), height in zip(placed, heights, strict=True)}
