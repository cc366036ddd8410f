"""The state of a game between inputs (section 4 of the rules)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from pbmd.rules.codec import Given, Names, Sheets, is_empty, options_field
from pbmd.rules.documents import Count, Positive

from ..tables import INFO, GameOptions, game_options
from .counters import Fleet, Loss, Question, Sighting, Spot, Transit, Unit
from .hexes import JUMP_SIZE, Size, distance
from .rows import UNSAID
from .systems import Body, Place, SideNumber, System

_VERSION = 1
Phase = Literal["setup", "day", "1a", "1b", "1f", "2a", "2b", "2f", "ops", "over"]
PlayerStatus = Literal["active", "absent", "resigned"]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two sides; `points` is its allotment."""

    id: SideNumber
    name: str = ""
    tech: Annotated[int, Field(ge=11, le=15)] = 15
    points: Count = 300


@dataclass(frozen=True, slots=True)
class Player:
    """A seat. `missed` counts misses in a row, `wait` the remaining days of a WAIT."""

    name: str
    side: SideNumber
    status: PlayerStatus = "active"
    missed: Count = 0
    wait: Count = 0
    next_question: Positive = UNSAID

    @property
    def active(self) -> bool:
        """Whether this player commands counters."""
        return self.status == "active"


_MOVERS: Mapping[Phase, SideNumber] = {"1a": 1, "1b": 2, "2a": 2, "2b": 1}
"""The side that moves in a movement phase."""


@dataclass(frozen=True, kw_only=True)
class Position:
    """Everything there is to know about a game. `given` are the options that were chosen.

    Beyond the specification: `sheets` are the orders on file in the running step, first come first; `missed` the seats whose
    deadline passed in it; `mailed` and `overdue` the seats that in an earlier phase of the running day sent orders (first come
    first), or missed a deadline; `sightings` what each side saw of the enemy and may remember.
    """

    version: Annotated[int, Field(ge=_VERSION, le=_VERSION)] = _VERSION
    day: Count
    phase: Phase
    next_transit: Positive = 1
    given: Annotated[Given, options_field(INFO, game_options), Field(alias="options")] = ()
    jump_size: Annotated[Size, Field(alias="jump_map")] = JUMP_SIZE
    winner: Literal[-1, 0, 1, 2] = -1
    reason: str = ""
    sides: Annotated[tuple[Side, ...], Field(min_length=2, max_length=2)]
    players: tuple[Player, ...]
    systems: Annotated[tuple[System, ...], Field(min_length=1)]
    units: tuple[Unit, ...] = ()
    questions: tuple[Question, ...] = ()
    transits: tuple[Transit, ...] = ()
    fleets: tuple[Fleet, ...] = ()
    losses: tuple[Loss, ...] = ()
    sheets: Sheets = ()
    missed: Names = ()
    mailed: Names = ()
    overdue: Names = ()
    sightings: Annotated[tuple[Sighting, ...], Field(exclude_if=is_empty)] = ()

    @cached_property
    def options(self) -> GameOptions:
        """All options of the game."""
        return game_options(self.given)

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

    def is_visible(self, unit: Unit) -> bool:
        """Whether the unit is on a board and not covered."""
        return unit.place is not None and not self.is_covered(unit)

    def planets_of(self, player: str) -> dict[str, Place]:
        """The planets that a player got at set-up, and where they are."""
        return {
            body.name: Place(system.name, body.hex)
            for system in self.systems
            for body in system.bodies
            if body.commander == player
        }

    def havens_of(self, side: int) -> list[Place]:
        """The hexes with a body of the side where it may deploy, in map order."""
        return [
            Place(system.name, body.hex)
            for system in self.systems
            for zone in system.deploy
            for body in system.bodies
            if zone.side == side == body.owner and zone.first <= body.hex.column <= zone.last
        ]

    def with_player(self, changed: Player) -> "Position":
        """The position with a new state for that player."""
        players = (changed if player.name == changed.name else player for player in self.players)
        return replace(self, players=tuple(players))

    def with_bodies(self, changed: Mapping[str, Body]) -> "Position":
        """The position with a new state for these bodies, by their names."""
        systems = (
            replace(each, bodies=tuple(changed.get(body.name, body) for body in each.bodies))
            if any(body.name in changed for body in each.bodies)
            else each
            for each in self.systems
        )
        return replace(self, systems=tuple(systems))

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
