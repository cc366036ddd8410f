"""The state of a game between inputs (section 4 of the rules), as its documents have it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from pbmd.rules.codec import Given, Names, Sheets, is_empty, options_field, row
from pbmd.rules.documents import Count, Positive

from ..tables import INFO, GameOptions, Rank, TechName, game_options
from .galaxy import MAPS, Galaxy, Star, galaxy_of

FactionStatus = Literal["active", "eliminated", "resigned"]
ResultKind = Literal["overlord", "last_survivor", "draw", "abandoned"]


@row
class System(NamedTuple):
    """A system's state: its owner's colour or "", the lasting output, and the sabotage in force this turn."""

    name: str
    owner: str = ""
    output: Count = 10
    penalty: Count = 0

    @property
    def effective(self) -> int:
        """What it yields this turn (section 4.3)."""
        return max(0, self.output - self.penalty)


@dataclass(frozen=True, slots=True)
class Admiral:
    """A Stellar Admiral; `cv` is the Command Value, `turns_served` whole turns in office."""

    name: str = ""
    rank: Rank = "supreme"
    cv: Count = 6
    traits: tuple[str, ...] = ()
    turns_served: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Faction:
    """A Space Faction, identified by its colour everywhere; `fallen` are the names of its dead admirals."""

    colour: str
    name: str = ""
    tech: TechName
    status: FactionStatus = "active"
    drones: Count = 0
    lost_drones: Count = 0
    empire_turn: Count = 0
    empire_name: str = ""
    deaths: Count = 0
    fallen: tuple[str, ...] = ()
    stalls: Count = 0
    admiral: Admiral = Admiral()

    @property
    def active(self) -> bool:
        """Neither eliminated nor resigned."""
        return self.status == "active"

    def has(self, trait: str) -> bool:
        """Whether its admiral has that trait, which then acts for the whole faction (CC-R05)."""
        return trait in self.admiral.traits


@row
class Insight(NamedTuple):
    """A Telepathic Insight of the running turn: who asked about whom, and whether it is answered."""

    by: str
    target: str
    answered: bool


@row
class Result(NamedTuple):
    """How the game ended, and in which turn; `winner` is empty if nobody won."""

    kind: ResultKind
    winner: str
    turn: Positive


@row
class RefusedMail(NamedTuple):
    """The last mail of a faction that was refused, while it has no sheet: what was wrong with it."""

    player: str
    errors: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Position:
    """Everything there is to know about a game. `given` are the options that were chosen, `options` all of them.

    `systems` has every system in map order. The map is built in (`map`), or `map_systems` is not empty; `homes` are its homes
    by the number of players. For the running turn: `sheets` are the accepted orders, first come first; `missed` are the
    factions whose default orders are fixed; `resigning` are those that gave up, with or without a sheet.
    """

    turn: Positive = 1
    phase: Literal["orders", "ended"] = "orders"
    map: str = "standard33"
    map_systems: Annotated[tuple[Star, ...], Field(exclude_if=is_empty)] = ()
    homes: Annotated[Mapping[str, tuple[str, ...]], Field(exclude_if=is_empty)] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    admiral_names: Names = ()
    given: Annotated[Given, options_field(INFO, game_options), Field(alias="options")] = ()
    systems: tuple[System, ...] = ()
    factions: Annotated[tuple[Faction, ...], Field(min_length=1)]
    insights: tuple[Insight, ...] = ()
    result: Annotated[Result | None, Field(exclude_if=is_empty)] = None
    sheets: Sheets = ()
    missed: Names = ()
    resigning: Names = ()
    refused: Annotated[tuple[RefusedMail, ...], Field(exclude_if=is_empty)] = ()

    @cached_property
    def options(self) -> GameOptions:
        """All options of the game."""
        return game_options(self.given)

    @cached_property
    def galaxy(self) -> Galaxy:
        """The map."""
        return galaxy_of(self.map_systems) if self.map_systems else MAPS[self.map]

    @cached_property
    def colours(self) -> Mapping[str, Faction]:
        """The factions by colour, in sign-up order."""
        return {faction.colour: faction for faction in self.factions}

    @cached_property
    def active(self) -> tuple[Faction, ...]:
        """The factions still in the game, in sign-up order."""
        return tuple(faction for faction in self.factions if faction.active)

    def system(self, name: str) -> System:
        """The system of exactly that name. Raises `KeyError`."""
        return self.systems[self.galaxy.place[name]]

    def held_by(self, colour: str) -> tuple[System, ...]:
        """A faction's systems in map order."""
        return tuple(system for system in self.systems if system.owner == colour)
