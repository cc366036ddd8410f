"""The orders, and how they are read from a line. `text` is the canonical form, which must be read as the same order."""

from typing import NamedTuple

from lark import Token, Transformer

from pbmd.rules.grammar import order_reader
from pbmd.rules.lines import cleaner


class Order(NamedTuple):
    """What is done, and to whom; the name may be written in short, until it is checked."""

    verb: str
    name: str = ""

    @property
    def text(self) -> str:
        """The canonical form."""
        return f"{self.verb} {self.name}".strip()


class _Orders(Transformer[Token, Order]):
    """Makes orders of what the grammar finds: a method for each of its rules."""

    def kill(self, parts: list[Token]) -> Order:
        """By wolves."""
        return Order("Kill", str(parts[0]))

    def look(self, parts: list[Token]) -> Order:
        """By the seer."""
        return Order("Look at", str(parts[0]))

    def guard(self, parts: list[Token]) -> Order:
        """By the doctor."""
        return Order("Guard", str(parts[0]))

    def vote(self, parts: list[Token]) -> Order:
        """By day."""
        return Order("Vote for", str(parts[0]))


clean = cleaner()
read = order_reader(__package__ or __name__, _Orders(), bare={"REST": Order("Rest")})
