"""The position: all there is to know of a game between two letters."""

from dataclasses import dataclass
from importlib.resources import files
from typing import Annotated

from pydantic import Field

from pbmd.rules import Outcome, read_info
from pbmd.rules.checking import still_awaited
from pbmd.rules.codec import Given, Names, Sheets, options_field
from pbmd.rules.documents import Count, Positive
from pbmd.rules.options import options_of
from pbmd.rules.words import listing

INFO = read_info(files(__package__ or __name__))
GEMS: tuple[str, ...] = tuple(INFO.tables["gems"])
FULL_SET: int = INFO.tables["full_set"]


@dataclass(frozen=True)
class GameOptions:
    """The options of ruleset.toml."""

    money: int
    lots: int
    fee: int
    reserve: int


def game_options(given: Given) -> GameOptions:
    """The options that were given, with defaults for the others."""
    return options_of(INFO.options, GameOptions, given)


@dataclass(frozen=True)
class Dealer:
    """A seat, its money, and the gems in its hand."""

    name: str
    money: Count
    hand: Names = ()


@dataclass(frozen=True)
class Position:
    """`sale` is the gem of this turn, if any, `pile` those that follow; `unsold` went back, `bank` got the money."""

    dealers: tuple[Dealer, ...]
    given: Annotated[Given, options_field(INFO, game_options), Field(alias="options")] = ()
    turn: Positive = 1
    sale: Names = ()
    reserve: Count = 0
    pile: Names = ()
    unsold: Names = ()
    bank: Count = 0
    sheets: Sheets = ()
    missed: Names = ()


def seats(position: Position) -> tuple[str, ...]:
    """All seats, in the order of sign-up."""
    return tuple(dealer.name for dealer in position.dealers)


def dealer_of(position: Position, name: str) -> Dealer:
    """The seat of that name."""
    return next(dealer for dealer in position.dealers if dealer.name == name)


def awaiting(position: Position) -> tuple[str, ...]:
    """Who still has to send orders for this turn."""
    return still_awaited(position, seats(position))


def worth(dealer: Dealer) -> int:
    """Points: money, 3 for each gem, and more for each set of all kinds."""
    sets = min(dealer.hand.count(gem) for gem in GEMS)
    return dealer.money + 3 * len(dealer.hand) + FULL_SET * sets


def outcome(position: Position) -> Outcome | None:
    """Who has won, and why; None as long as there is anything to sell."""
    if position.sale:
        return None
    most = max(worth(dealer) for dealer in position.dealers)
    best = [dealer for dealer in position.dealers if worth(dealer) == most]
    richest = max(dealer.money for dealer in best)
    winners = tuple(dealer.name for dealer in best if dealer.money == richest)
    return Outcome(winners, f"All is sold. {listing(winners)} won, with {most} points.")
