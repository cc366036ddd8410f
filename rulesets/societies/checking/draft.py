"""A sheet in the making."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pbmd.rules import Line
from rulesets.societies.orders import Order
from rulesets.societies.world.state import Position, Society

from .faults import Fault
from .names import society_named


class Wrong(NamedTuple):
    """A refused line."""

    line: Line
    code: str
    message: str


class Right(NamedTuple):
    """An accepted order with full names; `lines` is the one it stands in, perhaps with that of its targets."""

    lines: tuple[Line, ...]
    order: Order


@dataclass(slots=True)
class Draft:
    """A sheet in the making: what the lines above the next one have ordered."""

    position: Position
    society: Society
    level: int = field(init=False)
    bids: set[str] = field(default_factory=set[str])
    part: bool = False
    recipient: str = ""
    attack: bool = False
    revolution: bool = False

    def __post_init__(self) -> None:
        self.level = self.society.tech

    def copy(self) -> "Draft":
        """The same, to try a line with."""
        other = replace(self, bids={*self.bids})
        other.level = self.level
        return other

    def named(self, text: str) -> str:
        """The full name of a society. Raises `Fault`."""
        return society_named(self.position, self.society.name, text)

    def other(self, text: str, doing: str) -> str:
        """The full name of a society that is not the sender's. Raises `Fault`."""
        name = self.named(text)
        if name == self.society.name:
            raise Fault("self_target", f"you cannot {doing} yourself")
        return name
