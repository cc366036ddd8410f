"""The state of a game between inputs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from pbmd.rules.codec import AllSheets, Given, Names, Sheets, is_empty, options_field
from pbmd.rules.documents import Positive

from ..tables import INFO, GameOptions, game_options
from .board import Board
from .units import Unit, Written

_VERSION = 1
Phase = Literal["spring moves", "spring retreats", "autumn moves", "autumn retreats", "winter", "over"]
Kind = Literal["moves", "retreats", "winter", "over"]
End = Literal["", "victory", "draw", "concession", "last year", "abandoned"]

KINDS: Mapping[Phase, Kind] = {
    "spring moves": "moves",
    "spring retreats": "retreats",
    "autumn moves": "moves",
    "autumn retreats": "retreats",
    "winter": "winter",
    "over": "over",
}
"""What is done in each phase (DI-01)."""
_CODES: Mapping[Phase, tuple[str, str]] = {
    "spring moves": ("S", "M"),
    "spring retreats": ("S", "R"),
    "autumn moves": ("F", "M"),
    "autumn retreats": ("F", "R"),
    "winter": ("W", "A"),
    "over": ("", ""),
}


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit that has to retreat: from which province its attacker came, and where it can go, in the board's order."""

    unit: Written
    by: str
    retreats: Annotated[tuple[str, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Power:
    """What a power has: units in the order of their provinces' ids, centres in the order of the ids."""

    name: str
    units: tuple[Written, ...] = ()
    centres: tuple[str, ...] = ()
    dislodged: Annotated[tuple[Dislodged, ...], Field(exclude_if=is_empty)] = ()

    @property
    def survives(self) -> bool:
        """Whether it is still in the game."""
        return bool(self.units or self.centres or self.dislodged)

    @property
    def builds(self) -> int:
        """How many units it may build; below 0, how many it must remove (DI-70)."""
        return len(self.centres) - len(self.units)


@dataclass(frozen=True, kw_only=True)
class Position:
    """Everything there is to know about a game. `given` are the options that were chosen.

    `seats` are the powers that are played, in the order of sign-up; `left` those of them that were given up: they are in civil
    disorder, as the powers are that nobody plays, and those whose player is `asleep`. `powers` has all of the map, in its
    order. `sheets` are the orders on file in this phase, `missed` the seats whose deadline passed in it, `ahead` orders for
    later phases of the same half-year, which are used where a seat sends none. `history` has a row for each year that was
    played: the year, then how many centres each of `powers` had when it ended. `end` tells how the game ended, `winners` who
    has won, or shares the draw.
    """

    version: Annotated[int, Field(ge=_VERSION, le=_VERSION)] = _VERSION
    turn: Positive = 1
    phase: Phase = "spring moves"
    given: Annotated[Given, options_field(INFO, game_options), Field(alias="options")] = ()
    seats: tuple[str, ...]
    left: Names = ()
    asleep: Annotated[Names, Field(exclude_if=is_empty)] = ()
    end: Annotated[End, Field(exclude_if=is_empty)] = ""
    winners: Names = ()
    powers: tuple[Power, ...]
    history: Annotated[tuple[tuple[int, ...], ...], Field(exclude_if=is_empty)] = ()
    sheets: Sheets = ()
    missed: Names = ()
    ahead: Annotated[AllSheets, Field(exclude_if=is_empty)] = ()

    @cached_property
    def options(self) -> GameOptions:
        """All options of the game."""
        return game_options(self.given)

    @cached_property
    def board(self) -> Board:
        """The map of the game."""
        return self.options.board

    @property
    def year(self) -> int:
        """The year in which it is."""
        return self.board.year + self.turn - 1

    @property
    def kind(self) -> Kind:
        """What is done in this phase."""
        return KINDS[self.phase]

    @property
    def code(self) -> str:
        """The phase as judges write it: ``S1901M``, ``F1901R``, ``W1901A``; "" when the game is over."""
        season, kind = _CODES[self.phase]
        return f"{season}{self.year}{kind}" if season else ""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @cached_property
    def by_power(self) -> Mapping[str, Power]:
        """The powers by their names."""
        return {power.name: power for power in self.powers}

    @cached_property
    def active(self) -> tuple[str, ...]:
        """The seats that were not given up and whose players are awake, in the order of sign-up."""
        return tuple(seat for seat in self.seats if seat not in self.left and seat not in self.asleep)

    @cached_property
    def unit_at(self) -> Mapping[str, tuple[str, Unit]]:
        """The power and the unit in each province that has one, dislodged ones left out."""
        return {unit.place[:3]: (power.name, unit) for power in self.powers for unit in power.units}

    @cached_property
    def owner_of(self) -> Mapping[str, str]:
        """The power that owns each centre that is owned."""
        return {centre: power.name for power in self.powers for centre in power.centres}
