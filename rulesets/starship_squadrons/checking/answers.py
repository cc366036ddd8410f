"""What becomes of the lines of a letter: one after the other they stand, with full names, or are refused with an example."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, Self, TypeVar

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
    """Raises `Fault` for a count that is none."""
    if not 1 <= number < TOO_LARGE:
        raise Fault("a number from 1 on is wanted here")


@dataclass(slots=True)
class Remarks:
    """What the check of a line has to say of it, if it stands: `warnings`, and a `note` that is none."""

    warnings: list[str] = field(default_factory=list[str])
    note: str = ""


class Drafted(Protocol):
    """What the lines above have ordered."""

    remarks: Remarks

    def copy(self) -> Self:
        """The same, to try a line with."""
        ...


D = TypeVar("D", bound=Drafted)


def answers(
    draft: D,
    said: Iterable[tuple[Line, Order | Fault | None]],
    fit: Callable[[D, Order | None], Order],
    examples: Callable[[D, str], Iterable[str]],
    otherwise: str = "",
    turn: Callable[[Order | Fault | None], int] | None = None,
) -> list[Answer]:
    """What becomes of lines that say this. `fit` gives an order with full names, and carries it into the draft, or raises
    `Fault`; `examples` are lines that may be right for who wrote this one, the likeliest first, and `otherwise` is one that
    always is."""

    def understood(at: D, line: Line, order: Order | Fault | None) -> Right:
        at.remarks = Remarks()
        if isinstance(order, Fault):
            raise order
        right = fit(at, order)
        return Right(line, right.text, "; ".join(at.remarks.warnings), at.remarks.note, right)

    def remark_on(example: str) -> str | None:
        try:
            return understood(draft.copy(), Line(0, example), read(clean(example))).remark
        except Fault:
            return None

    def mend(line: Line, fault: Fault) -> Wrong:
        # With the name that was meant; else with a line of its kind, or one that is always right where there is none now.
        return mended(line, clean(line.text), (fault,), examples(draft, line.text), remark_on, otherwise)

    return answers_to([*said], partial(understood, draft), mend, turn)
