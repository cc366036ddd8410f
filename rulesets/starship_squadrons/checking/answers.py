"""The answers to the lines of a letter: one after the other they are accepted, with full names, or refused with an example."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, Protocol, Self, TypeVar

from pbmd.rules import Line, Match
from pbmd.rules.checking import Answer, Fault, Right, Wrong, answers_to, mended, unknown

from ..orders import TOO_LARGE, Order
from .reading import clean, read


def found(match: Match[str], written: str, what: str) -> str:
    """The name that was meant. Raises `Fault` if there is no such thing; `what` says what kind of thing it should be."""
    if match.found is None:
        raise unknown(match, written, what)
    return match.found


def from_one(number: int) -> None:
    """Raises `Fault` for an invalid count."""
    if not 1 <= number < TOO_LARGE:
        raise Fault("a number from 1 on is wanted here")


@dataclass(slots=True)
class Remarks:
    """What the check says about an accepted line: `warnings`, and a `note` that is none."""

    warnings: list[str] = field(default_factory=list[str])
    note: str = ""


class Missing(NamedTuple):
    """What a refused line would have created: its name in other lines, and the reason."""

    name: str
    line: int
    called: re.Pattern[str]


@dataclass(slots=True)
class Refused:
    """What refused lines would have created. Lines below that refer to it are not mistakes of their own."""

    missing: list[Missing] = field(default_factory=list[Missing])

    def note(self, line: Line) -> None:
        """A line was refused."""
        text = clean(line.text)
        if made := _MAKES.match(text):
            called = re.compile(rf"(?<!\w){re.escape(made[1])}(?!\w)", re.IGNORECASE)
            self.missing.append(Missing(made[1], line.number, called))
        elif _BUYS_QUESTIONS.match(text):
            self.missing.append(Missing('The "?"', line.number, _QUESTION))

    def needed_by(self, line: Line) -> Missing | None:
        """What an earlier refused line would have created and this refused line names."""
        text = clean(line.text)
        made = _MAKES.match(text)
        said = text[made.end() :] if made else text
        return next((each for each in self.missing if each.line < line.number and each.called.search(said)), None)


_MAKES = re.compile(r"(?:squadron|planet|fleet)\s+([^:=,]{1,60}?)\s*(?::|=|\bwith\b)", re.IGNORECASE)
_BUYS_QUESTIONS = re.compile(r"buy\b.*(?:\?|\bquestion)", re.IGNORECASE)
_NOT_THERE = r"^there is no |is not bought$"
_QUESTION = re.compile(r"\?|\bq\d+\b", re.IGNORECASE)


class Drafted(Protocol):
    """What the lines so far have ordered."""

    remarks: Remarks

    def copy(self) -> Self:
        """The same, for trying out a line."""
        ...


D = TypeVar("D", bound=Drafted)


def answers(
    draft: D,
    said: Iterable[tuple[Line, Order | Fault | None]],
    fit: Callable[[D, Order | None], Order],
    examples: Callable[[D, str], Iterable[str]],
    turn: Callable[[Order | Fault | None], int] | None = None,
) -> list[Answer]:
    """The answers to lines that say this. `fit` returns an order with full names, and applies it to the draft, or raises
    `Fault`; `examples` are lines that may be right for the writer of this one, most likely first."""

    above = Refused()

    def understood(at: D, line: Line, order: Order | Fault | None) -> Right:
        at.remarks = Remarks()
        try:
            if isinstance(order, Fault):
                raise order
            right = fit(at, order)
        except Fault:
            if at is draft:
                above.note(line)
            raise
        return Right(line, right.text, "; ".join(at.remarks.warnings), at.remarks.note, right)

    def remark_on(example: str) -> str | None:
        try:
            return understood(draft.copy(), Line(0, example), read(clean(example))).remark
        except Fault:
            return None

    def mend(line: Line, fault: Fault) -> Wrong:
        if (missing := above.needed_by(line)) and re.search(_NOT_THERE, fault.problem):
            why = f"{missing.name} is missing, as line {missing.line} was refused; mend that one, and send this again"
            return Wrong(line, why)
        return mended(line, clean(line.text), (fault,), examples(draft, line.text), remark_on)

    return answers_to([*said], partial(understood, draft), mend, turn)
