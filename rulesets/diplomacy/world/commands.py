"""The kinds of orders. `text` is the canonical form, in the judges' notation: it is stored as the orders on file, and read by
`orders`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .units import Unit


class _once:  # noqa: N801
    """The `text` of an order, built when it is first needed: `functools.cached_property` without the lock that it has before
    Python 3.12, which takes longer than all the rest."""

    def __init__(self, make: Callable[[Any], str]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __get__(self, order: Any, _kind: type[Any] | None = None) -> str:
        found = vars(order)["text"] = self._make(order)
        return found


@dataclass(frozen=True)
class Hold:
    """The unit stays (DI-20)."""

    unit: Unit

    @_once
    def text(self) -> str:
        """As in ``A LVP H``."""
        return f"{self.unit.text} H"


@dataclass(frozen=True)
class Move:
    """To a place; `via` says by convoy, though the place may be next to it (DI-21, DI-41)."""

    unit: Unit
    to: str
    via: bool = False

    @_once
    def text(self) -> str:
        """As in ``F MAO - SPA/NC`` or ``A BEL - HOL VIA``."""
        return f"{self.unit.text} - {self.to}{' VIA' if self.via else ''}"


@dataclass(frozen=True)
class SupportHold:
    """For a unit that does not move (DI-30)."""

    unit: Unit
    target: Unit

    @_once
    def text(self) -> str:
        """As in ``A MUN S A BER``."""
        return f"{self.unit.text} S {self.target.text}"


@dataclass(frozen=True)
class SupportMove:
    """For the move of a unit to a place (DI-31)."""

    unit: Unit
    mover: Unit
    to: str

    @_once
    def text(self) -> str:
        """As in ``F MAR S F GAS - SPA/NC``."""
        return f"{self.unit.text} S {self.mover.text} - {self.to}"


@dataclass(frozen=True)
class Convoy:
    """Of an army to a place (DI-40)."""

    unit: Unit
    army: Unit
    to: str

    @_once
    def text(self) -> str:
        """As in ``F NTH C A YOR - NWY``."""
        return f"{self.unit.text} C {self.army.text} - {self.to}"


@dataclass(frozen=True)
class Retreat:
    """Of a dislodged unit (DI-60); `otherwise` are the places it goes to if it cannot go `to` the first, in this order."""

    unit: Unit
    to: str
    otherwise: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[str, ...]:
        """All places, in order of preference."""
        return (self.to, *self.otherwise)

    @_once
    def text(self) -> str:
        """As in ``A VIE R TYR``, or ``A VIE R TYR BOH``."""
        return f"{self.unit.text} R {' '.join(self.places)}"


@dataclass(frozen=True)
class Disband:
    """Of a dislodged unit (DI-60), or in winter (DI-75)."""

    unit: Unit

    @_once
    def text(self) -> str:
        """As in ``F GRE D``."""
        return f"{self.unit.text} D"


@dataclass(frozen=True)
class Build:
    """Of a unit in a home centre (DI-71)."""

    unit: Unit

    @_once
    def text(self) -> str:
        """As in ``F STP/NC B``."""
        return f"{self.unit.text} B"


@dataclass(frozen=True)
class Waive:
    """A build is not used (DI-73)."""

    @_once
    def text(self) -> str:
        """Always the same."""
        return "WAIVE"


@dataclass(frozen=True)
class Draw:
    """A vote for a draw (DI-83)."""

    @_once
    def text(self) -> str:
        """Always the same."""
        return "DRAW"


@dataclass(frozen=True)
class Concede:
    """A vote for the victory of another power (DI-84)."""

    power: str

    @_once
    def text(self) -> str:
        """As in ``CONCEDE France``."""
        return f"CONCEDE {self.power}"


MoveOrder = Hold | Move | SupportHold | SupportMove | Convoy
Vote = Draw | Concede
Order = MoveOrder | Retreat | Disband | Build | Waive | Vote

MOVE_ORDERS = (Hold, Move, SupportHold, SupportMove, Convoy)
RETREAT_ORDERS = (Retreat, Disband)
WINTER_ORDERS = (Build, Disband, Waive)
VOTES = (Draw, Concede)
