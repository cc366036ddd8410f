"""The position: all there is to know of a game between two letters."""

from dataclasses import dataclass
from importlib.resources import files
from typing import Annotated, Literal

from pydantic import Field

from pbmd.rules import Outcome, read_info
from pbmd.rules.checking import still_awaited
from pbmd.rules.codec import Given, Names, Sheets, options_field
from pbmd.rules.documents import Positive
from pbmd.rules.options import options_of
from pbmd.rules.words import listing

INFO = read_info(files(__package__ or __name__))
Role = Literal["wolf", "seer", "doctor", "villager"]
DAY, NIGHT = "day", "night"


@dataclass(frozen=True)
class GameOptions:
    """The options of ruleset.toml."""

    wolves: int
    days: int
    mercy: bool


def game_options(given: Given) -> GameOptions:
    """The options that were given, with defaults for the others."""
    return options_of(INFO.options, GameOptions, given)


@dataclass(frozen=True)
class Villager:
    """A seat, what it secretly is, and whether it lives."""

    name: str
    role: Role
    alive: bool = True


@dataclass(frozen=True)
class Position:
    """`guarded` is whom the doctor has guarded in the night before."""

    villagers: tuple[Villager, ...]
    given: Annotated[Given, options_field(INFO, game_options), Field(alias="options")] = ()
    turn: Positive = 1
    phase: Literal["night", "day"] = "night"
    guarded: str = ""
    sheets: Sheets = ()
    missed: Names = ()


def seats(position: Position) -> tuple[str, ...]:
    """All seats, in the order of sign-up."""
    return tuple(villager.name for villager in position.villagers)


def living(position: Position) -> tuple[str, ...]:
    """Those who have not been killed or hanged."""
    return tuple(villager.name for villager in position.villagers if villager.alive)


def wolves(position: Position) -> tuple[str, ...]:
    """Those who live."""
    return tuple(villager.name for villager in position.villagers if villager.alive and villager.role == "wolf")


def role_of(position: Position, name: str) -> str:
    """What the seat is."""
    return next(villager.role for villager in position.villagers if villager.name == name)


def awaiting(position: Position) -> tuple[str, ...]:
    """Who still has to send orders for this phase: all who live, so that nobody can tell who is what."""
    return still_awaited(position, living(position))


def outcome(position: Position) -> Outcome | None:
    """Who has won, and why; None as long as the game runs."""
    hunters = wolves(position)
    if not hunters:
        return _won(position, False, "No wolf is alive.")
    if len(hunters) >= len(living(position)) - len(hunters):
        return _won(position, True, "The wolves are as many as the others.")
    if position.turn > game_options(position.given).days:
        return _won(position, True, "The days are over, and a wolf is alive.")
    return None


def _won(position: Position, by_wolves: bool, why: str) -> Outcome:
    names = tuple(each.name for each in position.villagers if (each.role == "wolf") == by_wolves)
    return Outcome(names, f"{why} {listing(names)} {'have' if len(names) > 1 else 'has'} won.")
