"""The numbers and maps of the game, read once from ``ruleset.toml``."""

import importlib.resources
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pbmd.rules import OptionError, RulesetInfo, read_info
from pbmd.rules.codec import Given
from pbmd.rules.options import options_of

from .world.factors import FACTORS, Factors

PACKAGE = __package__ or __name__
INFO: RulesetInfo = read_info(importlib.resources.files(PACKAGE))

NAME_LENGTH: int = INFO.tables["name_length"]
HIGHEST_LEVEL: int = INFO.tables["highest_level"]
LONGEST_WAIT: int = INFO.tables["longest_wait"]
SIDE_NAMES: tuple[str, str] = tuple(INFO.tables["side_names"])
CRUISER = Factors(**INFO.tables["cruiser"])

LIMITS: Mapping[int, Factors] = {
    int(tech): Factors(**{factor: row.get(factor, HIGHEST_LEVEL) for factor in FACTORS})
    for tech, row in INFO.tables["limits"].items()
}
"""The highest level of each factor that can be bought, by tech level (SQ-16 to SQ-21)."""


@dataclass(frozen=True, slots=True)
class GameOptions:
    """All options of a game (section 11 of the rules), checked and complete."""

    map: Literal["border", "duel", "random", "custom"]
    systems: int
    players_per_side: int
    points: int
    points_1: int
    points_2: int
    tech_1: int
    tech_2: int
    turn_mode: Literal["plotted", "phases"]
    fog: Literal["counters", "sensors"]
    share_side: bool
    day_limit: int
    cost_scheme: Literal["flat", "per_level"]
    question_cost: int
    supply_cost: int
    admiral_cost: int
    questions_per_turn: int
    dummy_maneuver: int
    dummy_jump: bool
    fire_removes: Literal["all", "one"]
    ambush_half: bool
    half_rounding: Literal["up", "down"]
    default_fire: Literal["nearest", "hold"]
    damage_model: Literal["even", "labelled"]
    destruction: Literal["all_zero", "never"]
    fuel_loss: Literal["per_phase", "per_attack", "none"]
    refuel: Literal["full", "one"]
    supply_per_factor: int
    supply_hits: Literal["excess_lost", "keep"]
    starport_supply: int
    starport_stock_max: int
    starport_repair: bool
    auto_repair: bool
    jump_days: int
    transit_start: Literal["same_day", "next_day"]
    jump_out_limit: bool
    micro_jump: bool
    allow_wait: bool
    max_missed: int

    @property
    def last_day(self) -> int:
        """The day after which the score decides: the map's, unless the game has its own."""
        return self.day_limit or INFO.tables["maps"][self.map]["day_limit"]

    def points_of(self, side: int) -> int:
        """The allotment of a side."""
        return (self.points_1 if side == 1 else self.points_2) or self.points

    def tech_of(self, side: int) -> int:
        """The tech level of a side at the start."""
        return self.tech_1 if side == 1 else self.tech_2


@lru_cache(maxsize=64)
def game_options(given: Given) -> GameOptions:
    """The chosen options, with defaults for the others. Raises `OptionError`."""
    options = options_of(INFO.options, GameOptions, given)
    if options.systems % 2 == 0:
        raise OptionError(f'option "systems" is 3, 5, 7 or 9, not {options.systems}')
    return options
