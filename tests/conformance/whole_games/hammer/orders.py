"""The orders, and how they are read from a line. `text` is the canonical form, which must be read as the same order."""

from typing import NamedTuple

from lark import Token, Transformer

from pbmd.rules.grammar import order_reader
from pbmd.rules.lines import cleaner


class Bid(NamedTuple):
    """For the gem on sale."""

    price: int

    @property
    def text(self) -> str:
        """The canonical form."""
        return f"Bid {self.price}"


class Trade(NamedTuple):
    """One side of a trade: the names may be written in short, until they are checked."""

    verb: str
    gem: str
    other: str
    price: int

    @property
    def text(self) -> str:
        """The canonical form."""
        return f"{self.verb} {self.gem} {'to' if self.verb == 'Sell' else 'from'} {self.other} for {self.price}"


class _Orders(Transformer[Token, Bid | Trade]):
    """Makes orders of what the grammar finds: a method for each of its rules."""

    def bid(self, parts: list[Token]) -> Bid:
        """A price."""
        return Bid(int(parts[0]))

    def sell(self, parts: list[Token]) -> Trade:
        """By who has the gem."""
        return Trade("Sell", str(parts[0]), str(parts[1]), int(parts[2]))

    def buy(self, parts: list[Token]) -> Trade:
        """By who wants it."""
        return Trade("Buy", str(parts[0]), str(parts[1]), int(parts[2]))


clean = cleaner()
read = order_reader(__package__ or __name__, _Orders())
