"""The numbers and names of the game, read once from ``ruleset.toml``."""

import importlib.resources
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from pbmd.rules import RulesetInfo, fold, read_info
from pbmd.rules.codec import Given
from pbmd.rules.options import OptionError, options_of, words_in

from .world.squares import Square, square_labelled

INFO: RulesetInfo = read_info(importlib.resources.files(__package__ or __name__))

GovernmentName = Literal["despotism", "monarchy", "republic"]
Rounding = Literal["up", "nearest", "down"]

START_GOLD: int = INFO.tables["start_gold"]
NUKE_PRICE: int = INFO.tables["nuke_price"]
SDI_PRICE: int = INFO.tables["sdi_price"]
PART_PRICE: int = INFO.tables["part_price"]
CITY_PRICE: int = INFO.tables["city_price"]
CITY_INCOME: int = INFO.tables["city_income"]
GALACTIC_OVERLORD_HITS: int = INFO.tables["galactic_overlord_hits"]
CULTURAL_BUILT: int = INFO.tables["cultural_built"]
CULTURAL_HELD: int = INFO.tables["cultural_held"]
NAME_LENGTH: int = INFO.tables["name_length"]

NEEDS: Mapping[str, int] = INFO.tables["needs"]
"""Levels of technology: `spies`, `nukes`, `sdi`, `part`, `colosseum_expires`, `silk_road_expires`."""

TECHNOLOGIES: tuple[str, ...] = tuple(row["name"] for row in INFO.tables["technologies"])
"""The named technologies; that of level n is at n − 1."""
WONDERS: tuple[str, ...] = tuple(row["name"] for row in INFO.tables["wonders"])
"""The wonders; number n is at n − 1."""
WONDER_NUMBER: Mapping[str, int] = {name: number for number, name in enumerate(WONDERS, start=1)}
TECHNOLOGY_NUMBER: Mapping[str, int] = {name: number for number, name in enumerate(TECHNOLOGIES, start=1)}


def _called(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {fold(name): row["name"] for row in rows for name in (row["name"], *row.get("also", ()))}


WONDER_CALLED: Mapping[str, str] = _called(INFO.tables["wonders"])
"""Full name of a wonder by its name and aliases, folded."""
TECHNOLOGY_CALLED: Mapping[str, str] = _called(INFO.tables["technologies"])
"""The same for technologies."""


@dataclass(frozen=True, slots=True)
class Government:
    """A government: `bonus` on taxes, trade and wonder income; `cities` that pay taxes, None for all; level it `needs`."""

    name: str
    bonus: Fraction
    cities: int | None
    needs: int


GOVERNMENTS: Mapping[str, Government] = {
    key: Government(row["name"], Fraction(*row["bonus"]), row["cities"] or None, row["needs"])
    for key, row in INFO.tables["governments"].items()
}


@lru_cache(maxsize=1024)
def base_price(level: int) -> int:
    """Base price of the technology of that level (SO-103, SO-104)."""
    prices = [row["price"] for row in INFO.tables["technologies"]]
    while len(prices) < level:
        prices.append(prices[-1] + prices[-2])
    return prices[level - 1]


def technology_name(level: int) -> str:
    """ "Geography", or "technology 16" where there is no name (SO-104)."""
    return TECHNOLOGIES[level - 1] if level <= len(TECHNOLOGIES) else f"technology {level}"


def wonder_base(name: str) -> int:
    """The base cost of a wonder (SO-118)."""
    return WONDER_NUMBER[name] ** 2


def city_cost(number: int) -> int:
    """What a society's city of that number costs (SO-95)."""
    return CITY_PRICE * number


def rounded(amount: Fraction, how: Rounding = "up") -> int:
    """The amount as a whole number; rounded up where the rules do not say (SO-R06), `nearest` rounds halves up."""
    if how == "up":
        return -(-amount.numerator // amount.denominator)
    return (amount + Fraction(1, 2) if how == "nearest" else amount).__floor__()


@dataclass(frozen=True, slots=True)
class GameOptions:
    """All options of a game (section 11 of the rules), checked and complete."""

    squares_per_player: int
    extra_side: int
    starts: tuple[Square, ...]
    turn_hours: int
    tech_cost_formula: Literal["discount", "literal"]
    tech_cost_rounding: Rounding
    tech_discount_counts: Literal["start_of_turn", "as_processed"]
    max_caravans: int
    silk_road_expires: Literal["anyone", "owner"]
    negated_trade_blocks_incoming: bool
    spy_stock_max: int
    spy_cap_when: Literal["after_use", "on_training"]
    spy_defence: Literal["one_for_one", "all"]
    mutual_spies: Literal["pairwise", "all"]
    plain_production: Literal["first_ordered", "research", "reject"]
    espionage_negates_training: bool
    revolution_collects_tax: bool
    new_government_from: Literal["next_turn", "same_turn"]
    city_list_exhausted: Literal["auto", "fail"]
    aid_gold: bool
    aid_needs_adjacency: frozenset[str]
    casualty_rounding: Rounding
    support_rounding: Rounding
    spaceship_parts: int
    obsolete_wonders_count: bool
    domination_needs_gm: bool
    public_chart: tuple[str, ...]
    reveal_at_end: bool


GRANTABLE = ("armies", "nukes", "sdi", "tech", "spies", "gold")
CHART_COLUMNS = ("gold", "armies", "spies", "nukes", "sdi")


@lru_cache(maxsize=256)
def game_options(given: Given) -> GameOptions:
    """The chosen options, with defaults for the others; lists are texts separated by commas. Raises `OptionError`."""
    return options_of(INFO.options, GameOptions, given, _READERS)


def _starts(text: str) -> tuple[Square, ...]:
    found: list[Square] = []
    for item in text.replace(",", " ").split():
        square = square_labelled(item)
        if square is None:
            raise OptionError(f'option "starts": "{item:.40}" is no square; squares are written like B2')
        if square in found:
            raise OptionError(f'option "starts": {square.text} is there twice')
        found.append(square)
    return tuple(found)


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "starts": _starts,
    "aid_needs_adjacency": lambda text: frozenset(words_in("aid_needs_adjacency", text, GRANTABLE)),
    "public_chart": lambda text: words_in("public_chart", text, CHART_COLUMNS),
}
"""How options that are lists are converted."""
