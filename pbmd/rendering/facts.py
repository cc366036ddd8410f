"""The facts of a view that every report shows in the same place, whatever the rules (`pbmd.rules.facts`)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pbmd.rules import View

_LINE_WIDTH, _RESULT_WIDTH = 30, 36
"""So wide are orders and results that stand side by side in a line of a mail."""


class Ordered(NamedTuple):
    """An order, and what came of it."""

    line: str
    result: str


class You(NamedTuple):
    """What became of the reader."""

    headline: str
    orders: Sequence[Ordered]
    more: Sequence[str]

    @property
    def column(self) -> int:
        """How wide the orders are where each result stands beside its order; 0 if it stands below."""
        wide = any(len(line) > _LINE_WIDTH or len(result) > _RESULT_WIDTH for line, result in self.orders)
        return 0 if wide or not self.orders else max(len(line) for line, _ in self.orders)


class Stand(NamedTuple):
    """How one wins, and where the reader stands, under the heading that fits the reader."""

    heading: str
    aim: str
    place: str

    @property
    def words(self) -> str:
        """Both, as one paragraph."""
        return " ".join(each for each in (self.aim, self.place) if each)


def you_of(view: View) -> You | None:
    """What a view tells of its reader; None if that is nothing."""
    told: Mapping[str, Any] | None = view.data.get("you")
    if not told or not any(told.values()):
        return None
    return You(str(told["headline"]), [Ordered(*order) for order in told["orders"]], list(told["more"]))


def happened_of(view: View) -> list[str] | None:
    """What a view tells everybody of the step, in sentences; None if it leaves that to its report."""
    told: Sequence[str] | None = view.data.get("happened")
    return None if told is None else list(told)


def stand_of(view: View) -> Stand | None:
    """What a view tells of how it stands; None if that is nothing, as at the end of a game."""
    told: Mapping[str, Any] | None = view.data.get("stand")
    if not told:
        return None
    heading = "How it stands" if view.reader.kind != "seat" else "How the others stand" if is_out(view) else "How you stand"
    return Stand(heading, str(told["aim"]), str(told["place"]))


def is_out(view: View) -> bool:
    """Whether its reader is out of the game, which others go on with."""
    return bool(view.data.get("out"))


def course_of(told: Sequence[tuple[str, Mapping[str, Mapping[str, Any]]]]) -> tuple[tuple[str, ...], ...]:
    """How a game went, as the rows of a table, its head first: of the numbers of views at different times, each with what that
    time is called, those that come first, and who had most in the end comes first. None where there is nothing to compare."""
    label = next(iter(told[-1][1]), "") if told else ""
    rows = [(when, numbers[label]) for when, numbers in told if label in numbers]
    if len(rows) <= 1:
        return ()
    last = rows[-1][1]
    names = sorted(last, key=lambda name: -float(last[name]))
    head = (label, *(when for when, _ in rows))
    return (head, *((name, *(str(row.get(name, "")) for _, row in rows)) for name in names))


def lines_for_programs(view: View) -> Sequence[str]:
    """The lines of a view in which other programs read the game; none if it has no such."""
    lines = view.data.get("state")
    return lines if isinstance(lines, list) and all(isinstance(line, str) for line in lines) else ()
