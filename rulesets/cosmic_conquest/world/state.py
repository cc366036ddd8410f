"""The state of a game between inputs (section 4 of the rules)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

from pbmd.rules import OptionValue, Outcome, Sheet, Wait
from pbmd.rules.sheets import sheet_of

from ..tables import GameOptions, Rank, TechName
from .galaxy import MAPS, Galaxy, Star, galaxy_of

FactionStatus = Literal["active", "eliminated", "resigned"]
ResultKind = Literal["overlord", "last_survivor", "draw", "abandoned"]


class System(NamedTuple):
    """A system's state: its owner's colour or "", the lasting output, and the sabotage in force this turn."""

    name: str
    owner: str
    output: int
    penalty: int

    @property
    def effective(self) -> int:
        """What it yields this turn (section 4.3)."""
        return max(0, self.output - self.penalty)


@dataclass(frozen=True, slots=True)
class Admiral:
    """A Stellar Admiral; `cv` is the Command Value, `turns_served` whole turns in office."""

    name: str
    rank: Rank
    cv: int
    traits: tuple[str, ...]
    turns_served: int


@dataclass(frozen=True, slots=True)
class Faction:
    """A Space Faction, meant by its colour everywhere; `fallen` are the names of its dead admirals."""

    colour: str
    name: str
    tech: TechName
    status: FactionStatus
    drones: int
    lost_drones: int
    empire_turn: int
    empire_name: str
    deaths: int
    fallen: tuple[str, ...]
    stalls: int
    admiral: Admiral

    @property
    def active(self) -> bool:
        """Neither eliminated nor resigned."""
        return self.status == "active"

    def has(self, trait: str) -> bool:
        """Whether its admiral has that trait, which then acts for the whole faction (CC-R05)."""
        return trait in self.admiral.traits


class Insight(NamedTuple):
    """A Telepathic Insight of the running turn: who asked about whom, and whether it is answered."""

    by: str
    target: str
    answered: bool


class Result(NamedTuple):
    """How the game ended; `winner` is a colour or ""."""

    kind: ResultKind
    winner: str
    turn: int


class RefusedMail(NamedTuple):
    """The last mail of a faction that was refused, as long as it has no sheet: what was wrong with it."""

    colour: str
    errors: tuple[str, ...]


@dataclass(frozen=True)
class Position:
    """Everything there is to know of a game. `given` are the options that were set, `options` all of them.

    `systems` has every system in map order. The map is built in (`map`), or `own_stars` is not empty. Of the running turn:
    `sheets` are the accepted orders, first come first; `missed` are the factions whose default orders are fixed;
    `resigning` are those that gave up, with or without a sheet.
    """

    turn: int
    phase: Literal["orders", "ended"]
    map: str
    own_stars: tuple[Star, ...]
    own_homes: tuple[tuple[str, tuple[str, ...]], ...]
    own_names: tuple[str, ...]
    given: tuple[tuple[str, OptionValue], ...]
    options: GameOptions
    systems: tuple[System, ...]
    factions: tuple[Faction, ...]
    insights: tuple[Insight, ...] = ()
    result: Result | None = None
    sheets: tuple[Sheet, ...] = ()
    missed: tuple[str, ...] = ()
    resigning: tuple[str, ...] = ()
    refused: tuple[RefusedMail, ...] = ()

    @cached_property
    def galaxy(self) -> Galaxy:
        """The map."""
        return galaxy_of(self.own_stars) if self.own_stars else MAPS[self.map]

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


def turn(position: Position) -> int:
    """Number of the turn whose orders are due."""
    return position.turn


def seats(position: Position) -> tuple[str, ...]:
    """All colours in sign-up order, eliminated and resigned ones too."""
    return tuple(faction.colour for faction in position.factions)


def sheets(position: Position) -> tuple[Sheet, ...]:
    """The accepted order sheets of this turn, first come first."""
    return position.sheets


def awaiting(position: Position) -> tuple[str, ...]:
    """Active factions whose orders are neither in nor fixed by default."""
    if position.phase == "ended":
        return ()
    done = {*position.missed, *(sheet.seat for sheet in position.sheets)}
    return tuple(faction.colour for faction in position.active if faction.colour not in done)


def waits(position: Position) -> tuple[Wait, ...]:
    """Psionics who asked about a faction and have not sent orders: they have extra time from its orders on (CC-104)."""
    hours = position.options.insight_hours
    return tuple(
        Wait(insight.by, insight.target, hours)
        for insight in position.insights
        if sheet_of(position.sheets, insight.by) is None
    )


def with_faction(position: Position, faction: Faction) -> Position:
    """The position with this faction in place of the one of its colour."""
    factions = tuple(faction if other.colour == faction.colour else other for other in position.factions)
    return replace(position, factions=factions)


def outcome(position: Position) -> Outcome | None:
    """None while the game runs, else who won and how (section 10)."""
    if position.result is None:
        return None
    kind, winner, turn_number = position.result
    if not winner:
        words = {"draw": f"All agreed to a draw in turn {turn_number}.", "abandoned": "Nobody is left; nobody has won."}
        return Outcome((), words[kind])
    name = position.colours[winner].name
    who = winner if name == winner else f"{winner} ({name})"
    if kind == "overlord":
        return Outcome((winner,), f"{who} is the Supreme Overlord.")
    return Outcome((winner,), f"{who} is the last faction left and wins.")
