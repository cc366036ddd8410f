"""A sheet in the making: what the lines that were checked before the next one have ordered."""

from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pbmd.rules import Line

from ..orders import Order, SetOob, Special
from ..resolution.economy import Yard
from ..world.state import Player, Position


@dataclass(slots=True)
class Draft:
    """A sheet in the making. `special` and the like are the lines that stand (GO-R14).

    `named_bases` are the names in Build lines by the folded name, also of bases that the BP do not reach. `others` are the
    living rivals.
    """

    position: Position
    player: Player
    yard: Yard
    named_bases: dict[str, str] = field(default_factory=dict)
    special: tuple[Line, Special] | None = None
    ce: Line | None = None
    spies_on: list[str] = field(default_factory=list)
    oobs: dict[tuple[str, str], SetOob] = field(default_factory=dict)
    transferred: set[str] = field(default_factory=set)
    division: Line | None = None
    refused: int = 0
    others: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.others = [other.name for other in self.position.players if other.alive and other.name != self.player.name]

    def copy(self) -> "Draft":
        """The same, to try a line with."""
        return replace(
            self,
            yard=deepcopy(self.yard),
            named_bases=dict(self.named_bases),
            spies_on=list(self.spies_on),
            oobs=dict(self.oobs),
            transferred=set(self.transferred),
        )


class Checked(NamedTuple):
    """An order with full names, and what falls short."""

    order: Order
    warnings: tuple[str, ...] = ()


class Wrong(Exception):
    """What is wrong with a line, and a line of the kind that may be meant; "" where there is nothing to write instead."""

    def __init__(self, problem: str, example: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.example = example
