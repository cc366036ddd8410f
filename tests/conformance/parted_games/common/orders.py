"""The orders, and how they are read from a line. `text` is the canonical form, which must be read as the same order."""

from dataclasses import dataclass

from lark import Token, Transformer

from pbmd.rules.grammar import order_reader
from pbmd.rules.lines import cleaner


@dataclass(frozen=True)
class Dig:
    """For gold."""

    text: str = "Dig"


@dataclass(frozen=True)
class Steal:
    """From another; `victim` may be written in short, until it is checked."""

    victim: str

    @property
    def text(self) -> str:
        """The canonical form."""
        return f"Steal from {self.victim}"


class _Orders(Transformer[Token, Dig | Steal]):
    """Makes orders of what the grammar finds: a method for each of its rules."""

    def steal(self, parts: list[Token]) -> Steal:
        """The name is all that is left of the line."""
        return Steal(str(parts[0]))


clean = cleaner()
read = order_reader(__package__ or __name__, _Orders(), bare={"DIG": Dig()})
