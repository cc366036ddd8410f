"""The map: systems on the jump board, with what lies on their own boards (section 4 of the rules)."""

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, NotRequired

from pydantic import Field

from pbmd.rules.codec import row
from pbmd.rules.documents import Count

from .hexes import Hex, Length, PrintedHex, Size, distance
from .rows import Among, flat

SideNumber = Literal[1, 2]
SIDES: tuple[SideNumber, SideNumber] = (1, 2)
Owner = Literal[0, 1, 2]
"""A side, or 0 for nobody."""
BodyKind = Literal["star", "planet", "gas_giant"]

BOARD_SIZE = Size(19, 15)
"""The usual size of boards."""


class Place(NamedTuple):
    """A hex of a system's board."""

    system: str
    hex: Hex

    @property
    def text(self) -> str:
        """As in orders: "Aldane 0606"."""
        return f"{self.system} {self.hex.text}".lstrip()


@dataclass(frozen=True, slots=True)
class Body:
    """A star, planet or gas giant; `limit` is the radius of its 100 diameters. `commander` counts in set-up only."""

    name: str
    kind: BodyKind
    hex: PrintedHex
    limit: Count
    owner: Owner = 0
    starport: bool = False
    stock: Count = 0
    capital: bool = False
    value: Count = 0
    commander: str = ""


@row
class Deploy(NamedTuple):
    """The columns of a board in which a side may deploy, first and last."""

    side: SideNumber
    first: Annotated[Length, Field(alias="min_col")]
    last: Annotated[Length, Field(alias="max_col")]


def _board_size(columns: int = BOARD_SIZE.columns, rows: int = BOARD_SIZE.rows) -> Size:
    return Size(columns, rows)


_SIZE = Among({"columns": NotRequired[Length], "rows": NotRequired[Length]}, _board_size, Size._asdict)


@flat
@dataclass(frozen=True, slots=True)
class System:
    """A system on the jump map, with its board."""

    name: str
    hex: PrintedHex
    size: Annotated[Size, _SIZE]
    deploy: tuple[Deploy, ...] = ()
    bodies: tuple[Body, ...] = ()

    def is_within_limit(self, where: Hex) -> bool:
        """Whether a hex of the board is within 100 diameters of a body (SQ-65, SQ-R66)."""
        return any(distance(where, body.hex) <= body.limit for body in self.bodies)

    def starport_at(self, where: Hex) -> Body | None:
        """The body with a starport in that hex, the first of several."""
        return next((body for body in self.bodies if body.starport and body.hex == where), None)


def enemy_of(side: int) -> SideNumber:
    """The other side."""
    return 2 if side == 1 else 1
