"""The state of a game between inputs (section 4 of the rules)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from pbmd.rules import OptionValue, Sheet

from ..tables import GameOptions
from .factors import Factors
from .hexes import Hex, Size, distance

SideNumber = Literal[1, 2]
Owner = Literal[0, 1, 2]
"""A side, or 0 for nobody."""
Phase = Literal["setup", "day", "1a", "1b", "1f", "2a", "2b", "2f", "ops", "over"]
PlayerStatus = Literal["active", "absent", "resigned"]
BodyKind = Literal["star", "planet", "gas_giant"]
UnitKind = Literal["squadron", "planet"]


class Place(NamedTuple):
    """A hex of a system's board."""

    system: str
    hex: Hex

    @property
    def text(self) -> str:
        """As in orders: "Aldane 0606"."""
        return f"{self.system} {self.hex.text}".lstrip()


Spot = Place | str
"""Where a counter is: on a board, in the transit group of that id, or "" in reserve."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two sides; `points` is its allotment."""

    id: SideNumber
    name: str
    tech: int = 15
    points: int = 300


@dataclass(frozen=True, slots=True)
class Player:
    """A seat. `missed` counts misses in a row, `wait` the days still to be waited."""

    name: str
    side: SideNumber
    status: PlayerStatus = "active"
    missed: int = 0
    wait: int = 0
    next_question: int = 1

    @property
    def active(self) -> bool:
        """Whether this player commands counters."""
        return self.status == "active"


@dataclass(frozen=True, slots=True)
class Body:
    """A star, planet or gas giant; `limit` is the radius of its 100 diameters. `commander` counts in set-up only."""

    name: str
    kind: BodyKind
    hex: Hex
    limit: int
    owner: Owner = 0
    starport: bool = False
    stock: int = 0
    capital: bool = False
    value: int = 0
    commander: str = ""


class Deploy(NamedTuple):
    """The columns of a board in which a side may deploy, first and last."""

    side: SideNumber
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class System:
    """A system on the jump map, with its board."""

    name: str
    hex: Hex
    size: Size
    deploy: tuple[Deploy, ...]
    bodies: tuple[Body, ...]

    def is_within_limit(self, where: Hex) -> bool:
        """Whether a hex of the board is within 100 diameters of a body (SQ-65, SQ-R66)."""
        return any(distance(where, body.hex) <= body.limit for body in self.bodies)

    def starport_at(self, where: Hex) -> Body | None:
        """The body with a starport in that hex, the first of several."""
        return next((body for body in self.bodies if body.starport and body.hex == where), None)


@dataclass(frozen=True, slots=True)
class Unit:
    """A Squadron or Planet counter. `place` is None in transit, and then `transit` is the group's id.

    `hits` is None but where hits are labelled (section 7.4); then `damage` is their sum.
    """

    name: str
    kind: UnitKind
    side: SideNumber
    player: str
    printed: Factors
    cost: int
    place: Place | None
    transit: str = ""
    damage: int = 0
    fuel: int = 0
    supplies: int = 0
    admirals: int = 0
    moved: bool = False
    hits: Factors | None = None

    @property
    def spot(self) -> Spot:
        """On a board, or the id of its transit group."""
        return self.place or self.transit

    @property
    def system(self) -> str:
        """The system on whose board it is, "" in transit."""
        return self.place.system if self.place is not None else ""

    @property
    def is_squadron(self) -> bool:
        """Neither a Planet counter nor anything else."""
        return self.kind == "squadron"


@dataclass(frozen=True, slots=True)
class Question:
    """A "?" counter. In reserve, `place` is None and `transit` is ""."""

    number: int
    side: SideNumber
    player: str
    place: Place | None = None
    transit: str = ""

    @property
    def id(self) -> str:
        """As in orders: "Q3"."""
        return f"Q{self.number}"

    @property
    def spot(self) -> Spot:
        """On a board, the id of its transit group, or "" in reserve."""
        return self.place or self.transit

    @property
    def system(self) -> str:
        """The system on whose board it is, "" elsewhere."""
        return self.place.system if self.place is not None else ""

    @property
    def in_reserve(self) -> bool:
        """Whether it is neither on a board nor in transit."""
        return not self.spot


Counter = Unit | Question


@dataclass(frozen=True, slots=True)
class Transit:
    """A group in jump transit; `day` is how many spaces it has advanced."""

    number: int
    side: SideNumber
    player: str
    day: int
    origin: str
    to: Place
    distance: int

    @property
    def id(self) -> str:
        """As in the document: "T1"."""
        return f"T{self.number}"


@dataclass(frozen=True, slots=True)
class Fleet:
    """A player's name for counters in one hex: unit names and ids of "?" in their order (SQ-R71)."""

    player: str
    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loss:
    """A unit that was destroyed; `covered` when it happened. `player` commanded it, "" where its whole side may know."""

    side: SideNumber
    name: str
    kind: UnitKind
    cost: int
    day: int
    covered: bool
    player: str = ""


class Sighting(NamedTuple):
    """What a side was last shown in a hex, on that day: the name of an enemy unit, or "?" (ours, for the reports).

    The last three are what the unit looked like then.
    """

    side: SideNumber
    place: Place
    name: str
    day: int
    kind: UnitKind = "squadron"
    printed: Factors = Factors()
    damage: int = 0


_MOVERS: Mapping[Phase, SideNumber] = {"1a": 1, "1b": 2, "2a": 2, "2b": 1}
"""The side that moves in a movement phase."""


@dataclass(frozen=True)
class Position:
    """Everything there is to know of a game. `given` are the options that were set, `options` all of them.

    Beyond the specification: `sheets` are the orders on file in the running step, first come first; `missed` the seats whose
    deadline passed in it; `mailed` and `overdue` the seats that in an earlier phase of the running day sent orders (first
    come first), or missed a deadline; `sightings` what each side was shown of the enemy and may remember.
    """

    day: int
    phase: Phase
    given: tuple[tuple[str, OptionValue], ...]
    options: GameOptions
    jump_size: Size
    sides: tuple[Side, Side]
    players: tuple[Player, ...]
    systems: tuple[System, ...]
    units: tuple[Unit, ...] = ()
    questions: tuple[Question, ...] = ()
    transits: tuple[Transit, ...] = ()
    fleets: tuple[Fleet, ...] = ()
    losses: tuple[Loss, ...] = ()
    next_transit: int = 1
    winner: Literal[-1, 0, 1, 2] = -1
    reason: str = ""
    sheets: tuple[Sheet, ...] = ()
    missed: tuple[str, ...] = ()
    mailed: tuple[str, ...] = ()
    overdue: tuple[str, ...] = ()
    sightings: tuple[Sighting, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @property
    def in_phases(self) -> bool:
        """Whether there is a mail for each phase (section 7.5)."""
        return self.options.turn_mode == "phases"

    @property
    def mover(self) -> SideNumber | None:
        """The side whose movement phase it is; None in any other phase."""
        return _MOVERS.get(self.phase)

    @cached_property
    def by_player(self) -> Mapping[str, Player]:
        """The players by name, in sign-up order."""
        return {player.name: player for player in self.players}

    @cached_property
    def by_system(self) -> Mapping[str, System]:
        """The systems by name, in map order."""
        return {system.name: system for system in self.systems}

    @cached_property
    def by_transit(self) -> Mapping[str, Transit]:
        """The transit groups by id, in their order."""
        return {transit.id: transit for transit in self.transits}

    @cached_property
    def _covers(self) -> frozenset[tuple[SideNumber, Spot]]:
        return frozenset((question.side, question.spot) for question in self.questions if question.spot)

    def side(self, number: int) -> Side:
        """Side one or side two."""
        return self.sides[number - 1]

    def side_of(self, player: str) -> SideNumber:
        """The side of a player."""
        return self.by_player[player].side

    def players_of(self, side: int) -> tuple[Player, ...]:
        """The players of a side in sign-up order."""
        return tuple(player for player in self.players if player.side == side)

    def is_covered(self, unit: Unit) -> bool:
        """Whether a "?" of its side lies on the unit's hex or transit group (SQ-R17)."""
        return (unit.side, unit.spot) in self._covers

    def has_question(self, side: int, spot: Spot) -> bool:
        """Whether a "?" of that side is there."""
        return (side, spot) in self._covers

    def is_visible(self, unit: Unit) -> bool:
        """Whether the unit is on a board and not covered."""
        return unit.place is not None and not self.is_covered(unit)

    def unit_of(self, side: int, name: str) -> Unit | None:
        """The unit with exactly that name; names are unique within a side."""
        return next((unit for unit in self.units if unit.side == side and unit.name == name), None)

    def question_of(self, player: str, question_id: str) -> Question | None:
        """The player's "?" with that id."""
        return next((q for q in self.questions if q.player == player and q.id == question_id), None)

    def questions_due(self, player: str) -> int:
        """How many new "?" the player gets at the end of the running day (SQ-R30)."""
        active = [other.name for other in self.players_of(self.side_of(player)) if other.active]
        if not active or player != active[(self.day - 1) % len(active)]:
            return 0
        return self.options.questions_per_turn

    def jump_distance(self, one: str, other: str) -> int:
        """Hexes on the jump map between two systems (SQ-R64)."""
        return distance(self.by_system[one].hex, self.by_system[other].hex)


def name_of(counter: Counter) -> str:
    """As in orders: a unit's name, or the id of a "?"."""
    return counter.name if isinstance(counter, Unit) else counter.id


def enemy_of(side: int) -> SideNumber:
    """The other side."""
    return 2 if side == 1 else 1


def units_at(units: Iterable[Unit], spot: Spot) -> tuple[Unit, ...]:
    """Those of the units that are there, in their order."""
    return tuple(unit for unit in units if unit.spot == spot)
