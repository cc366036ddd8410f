"""The position: all there is to know of a game between two letters."""

from dataclasses import dataclass
from importlib.resources import files
from typing import Annotated, Literal

from pydantic import Field

from pbmd.rules import Outcome, read_info
from pbmd.rules.checking import still_awaited
from pbmd.rules.codec import Given, Names, Sheets, options_field
from pbmd.rules.documents import Count, Positive
from pbmd.rules.options import options_of

INFO = read_info(files(__package__ or __name__))


@dataclass(frozen=True)
class GameOptions:
    """The options of ruleset.toml."""

    target: int


def game_options(given: Given) -> GameOptions:
    """The options that were given, with defaults for the others."""
    return options_of(INFO.options, GameOptions, given)


@dataclass(frozen=True)
class Digger:
    """A seat, and what it has."""

    name: str
    gold: Count = 0


@dataclass(frozen=True)
class Position:
    """`given` are the options that are not as in ruleset.toml; `sheets` are on file for this phase, `missed` its deadline."""

    diggers: tuple[Digger, ...]
    given: Annotated[Given, options_field(INFO, game_options), Field(alias="options")] = ()
    turn: Positive = 1
    phase: Literal["dig", "steal"] = "dig"
    sheets: Sheets = ()
    missed: Names = ()


def first_position(diggers: tuple[Digger, ...], given: Given) -> Position:
    """Where a game begins."""
    return Position(diggers, given)


def seats(position: Position) -> tuple[str, ...]:
    """All seats, in the order of sign-up."""
    return tuple(digger.name for digger in position.diggers)


def awaiting(position: Position) -> tuple[str, ...]:
    """Who still has to send orders for this phase."""
    return still_awaited(position, seats(position))


def outcome(position: Position) -> Outcome | None:
    """Who has won, and why; None as long as the game runs."""
    most = max(digger.gold for digger in position.diggers)
    if most < game_options(position.given).target:
        return None
    winners = tuple(digger.name for digger in position.diggers if digger.gold == most)
    return Outcome(winners, f"Won by {' and '.join(winners)}, with {most} gold.")
