"""What becomes of the lines of a letter: one after the other they stand, with full names, or are refused with an example."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, Self, TypeVar

from pbmd.rules import Line, Match
from pbmd.rules.checking import MOST_EXAMPLES, Answer, Fault, Right, Wrong, mended, unknown, unmended

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


@dataclass(slots=True)
class Check(Generic[D]):
    """The check of a letter. `fit` gives an order with full names, and carries it into the draft, or raises `Fault`; `examples`
    are lines that may be right for who wrote this one, the likeliest first, and `otherwise` is one that always is."""

    draft: D
    fit: Callable[[D, Order], Order]
    examples: Callable[[D, str], Iterable[str]]
    no_order: str
    otherwise: str = ""
    refused: int = 0

    def answer(self, line: Line, order: Order | Fault | None) -> tuple[Answer, Order | None]:
        """What becomes of a line that says this, and the order, if it stands."""
        try:
            return self._stands(self.draft, line, order)
        except Fault as fault:
            self.refused += 1
            return (self._mended(line, fault) if self.refused <= MOST_EXAMPLES else unmended(line, fault)), None

    def _stands(self, draft: D, line: Line, order: Order | Fault | None) -> tuple[Right, Order]:
        draft.remarks = Remarks()
        if order is None:
            raise Fault(self.no_order)
        if isinstance(order, Fault):
            raise order
        right = self.fit(draft, order)
        return Right(line, right.text, "; ".join(draft.remarks.warnings), draft.remarks.note), right

    def _mended(self, line: Line, fault: Fault) -> Wrong:
        """With the name that was meant; else with a line of its kind, or one that is always right where there is none now."""
        tried = self.examples(self.draft, line.text)
        return mended(line, clean(line.text), (fault,), tried, self._remark_on, self.otherwise)

    def _remark_on(self, example: str) -> str | None:
        """What would be remarked on the line if it stood here, None if it would be refused."""
        try:
            answer, _ = self._stands(self.draft.copy(), Line(0, example), read(clean(example)))
        except Fault:
            return None
        return answer.remark
